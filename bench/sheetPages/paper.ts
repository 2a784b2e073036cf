/** Common parts of composed scans of sheets: their photos, fields without a photo, and the traces of a scanner. */
import sharp, { type OverlayOptions } from 'sharp';
import type { Raster } from '../../core/vision/raster.ts';
import { lfwPhotos } from '../data.ts';

/** The head and shoulders in a photo of LFW, pixels. */
export const PORTRAIT = { left: 60, top: 42, width: 130, height: 167 };
/** Higher than it is wide by so much, as the photo of a passport is. */
export const ASPECT = 45 / 35;

const INCH = 25.4;
const QUICK = { compressionLevel: 0 };

/** Millimetres of a page, or pixels of its scan. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The pen that draws a page. */
export interface Pen {
  px: (millimetres: number) => number;
  random: () => number;
  /** A whole number below so many. */
  below: (most: number) => number;
  words: (count: number) => string;
  /** SVG. @param x millimetres, as are the others @param more attributes */
  text: (x: number, y: number, size: number, words: string, more?: string) => string;
}

/** The print and the photos of a page, and how these were taken. */
export interface Design {
  ground: string;
  print: string[];
  places: Place[];
  /** Print that belongs to a photo. */
  beside?: (place: Place) => string[];
  /** A page that has fields without a photo. */
  hasEmptyFields?: boolean;
  /** The photo, as a studio or a copier would have made it. */
  treat?: (photo: Raster) => Raster;
  isOval?: boolean;
}

/** The first photo of each person of LFW: two portraits of a sheet are never of one person by another photo. */
export function firstPhotos(): { person: string; path: string }[] {
  const byPerson = Map.groupBy(lfwPhotos(1e6), ({ name }) => name.split('/')[0]!);
  return [...byPerson].map(([person, [photo]]) => ({ person, path: photo!.path }));
}

export function pixelsAt(dpi: number): (millimetres: number) => number {
  return (millimetres) => Math.round((millimetres / INCH) * dpi);
}

/** A field for a photo that nobody gave. @param outlined whether it has the outline of a head @returns SVG */
export function emptyField(px: (millimetres: number) => number, place: Place, outlined: boolean): string {
  const { x, y, width, height } = place;
  const middle = px(x + width / 2);
  const head = `<circle cx="${middle}" cy="${px(y + height * 0.4)}" r="${px(width / 5)}" fill="#b9b9b9"/><ellipse cx="${middle}" cy="${px(y + height)}" rx="${px(width / 2.6)}" ry="${px(height / 3)}" fill="#b9b9b9"/>`;
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="#f0f0f0" stroke="#555"/>${outlined ? head : ''}`;
}

/**
 * An A4 page as it lay on the scanner: not quite straight, with a little noise of the sensor, as a JPEG.
 * @param print SVG on it @param slant degrees
 */
export async function scanned(
  px: (millimetres: number) => number,
  {
    ground,
    print,
    photos,
    slant,
  }: { ground: string; print: readonly string[]; photos: OverlayOptions[]; slant: number },
): Promise<Buffer> {
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${px(210)}" height="${px(297)}"><rect width="100%" height="100%" fill="${ground}"/>${print.join('')}</svg>`;
  const flat = await sharp(Buffer.from(drawn)).flatten().composite(photos).png(QUICK).toBuffer();
  const turned = await sharp(flat).rotate(slant, { background: '#ffffff' }).png(QUICK).toBuffer();
  const { width, height } = await sharp(turned).metadata();
  const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png(QUICK)
    .toBuffer();
  return sharp(turned)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer();
}
