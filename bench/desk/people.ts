/** Photos of two people, composed from photos of one, with things that hide a head. Seeded. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import type { Point } from '../../core/contracts/faces.ts';
import type { Raster } from '../../core/vision/raster.ts';
import { painted, type Shape } from '../../research/occlusion/covers.ts';

/** A photo with the place of its face. */
export interface Portrait {
  name: string;
  raster: Raster;
  eyes: readonly [Point, Point];
  /** Width of the face, pixels. */
  width: number;
}

export type Colour = readonly [number, number, number];

/** A photo enlarged or reduced. */
export async function resized({ raster, eyes, width, name }: Portrait, scale: number): Promise<Portrait> {
  const side = { width: Math.round(raster.width * scale), height: Math.round(raster.height * scale) };
  const data = await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .resize({ ...side, fit: 'fill' })
    .raw()
    .toBuffer();
  const [left, right] = eyes.map(({ x, y }) => ({ x: x * scale, y: y * scale })) as [Point, Point];
  return { name, raster: { ...side, data: new Uint8Array(data) }, eyes: [left, right], width: width * scale };
}

export interface Placed {
  portrait: Portrait;
  left: number;
  top: number;
  /** Cut from the portrait; absent: all of it. */
  round?: boolean;
  /** 0 to 1, of a pixel of the portrait or of all; absent: 1. */
  opacity?: number | ((x: number, y: number) => number);
}

/** Portraits on a sheet of one colour, cut at its edges. @returns a JPEG */
export async function onSheet(
  sheet: { width: number; height: number; colour: Colour },
  placed: readonly Placed[],
): Promise<Buffer> {
  const [r, g, b] = sheet.colour;
  const layers = placed.map(({ portrait: { raster }, left, top, round = false, opacity = 1 }) => {
    const [x, y] = [Math.round(left), Math.round(top)];
    const from = { x: Math.max(0, -x), y: Math.max(0, -y) };
    const width = Math.min(raster.width, sheet.width - x) - from.x;
    const height = Math.min(raster.height, sheet.height - y) - from.y;
    const input = Buffer.alloc(4 * width * height);
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [column, row] = [from.x + (pixel % width), from.y + Math.floor(pixel / width)];
      const at = 3 * (row * raster.width + column);
      for (let channel = 0; channel < 3; channel++) input[4 * pixel + channel] = raster.data[at + channel]!;
      const isOutside =
        round && Math.hypot((2 * column) / raster.width - 1, (2 * row) / raster.height - 1) > 1;
      const share = typeof opacity === 'number' ? opacity : opacity(column, row);
      input[4 * pixel + 3] = isOutside ? 0 : 255 * share;
    }
    const raw = { width, height, channels: 4 as const };
    return { input, raw, left: x + from.x, top: y + from.y };
  });
  return sharp({ create: { width: sheet.width, height: sheet.height, channels: 3, background: { r, g, b } } })
    .composite(layers)
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Whether a person is of the third that measures; nothing is fitted on its photos. @param name folder of LFW */
export function isHeldOut(name: string): boolean {
  return createHash('sha256').update(name).digest()[0]! % 3 === 0;
}

/** Two portraits side by side, the second so many times as wide a face as the first; which is left is drawn. */
export async function sideBySide(first: Portrait, second: Portrait, random: () => number): Promise<Buffer> {
  const pair = random() < 0.5 ? [first, second] : [second, first];
  const height = Math.max(...pair.map(({ raster }) => raster.height));
  const width = pair.reduce((sum, { raster }) => sum + raster.width, 0);
  const tone = 40 + 180 * random();
  let left = 0;
  const placed = pair.map((portrait) => {
    const place = { portrait, left, top: height - portrait.raster.height };
    left += portrait.raster.width;
    return place;
  });
  return onSheet({ width, height, colour: [tone, tone, 0.95 * tone] }, placed);
}

/** Hides a head. @param cloth a photo from which the texture of a cloth is taken */
export type Cover = (face: Portrait, cloth: Raster, random: () => number) => Promise<Raster>;

const MASK_COLOURS: readonly Colour[] = [
  [170, 205, 225],
  [240, 240, 238],
  [28, 28, 30],
  [196, 148, 120],
  [150, 40, 60],
];

/** Covers as people wear and hold them, and as editors put them there. */
export const COVERS: Readonly<Record<string, Cover>> = {
  'mask, five colours': (face, cloth, random) => {
    const top = 0.3 + 0.25 * random();
    const wide = 0.9 + 0.15 * random();
    const shape: Shape = (u, v) => {
      const side = wide * Math.sqrt(Math.max(0, 1 - Math.max(0, v - 1) ** 2));
      return Math.abs(u) < side && v > top + 0.15 * u * u && v < 1.98;
    };
    return Promise.resolve(dyed(face, cloth, shape, MASK_COLOURS[Math.floor(random() * 5)]!, 0.35));
  },
  'patterned mask': (face, cloth, random) => {
    const top = 0.3 + 0.25 * random();
    const shape: Shape = (u, v) => Math.abs(u) < 1.05 - 0.25 * Math.max(0, v - 1) && v > top && v < 2;
    return Promise.resolve(textured(face, cloth, shape, random));
  },
  niqab: (face, cloth, random) => {
    const slit = 0.22 + 0.12 * random();
    const shape: Shape = (u, v) =>
      Math.abs(u) < 1.7 && v > -1.6 && v < 2.6 && !(Math.abs(v) < slit && Math.abs(u) < 1);
    const dark = random() < 0.7;
    return Promise.resolve(
      dark ? dyed(face, cloth, shape, [22, 22, 26], 0.25) : textured(face, cloth, shape, random),
    );
  },
  scarf: (face, cloth, random) => {
    const top = 0.25 + 0.35 * random();
    const shape: Shape = (u, v) => v > top + 0.1 * u && v < 2.6 && Math.abs(u) < 1.6;
    return Promise.resolve(textured(face, cloth, shape, random));
  },
  hand: (face, _, random) => {
    const skin = colourAt(face, 0, 0.45);
    const [x, y] = [0.3 * random() - 0.15, 0.9 + 0.4 * random()];
    const shape: Shape = (u, v) =>
      ((u - x) / 1.05) ** 2 + ((v - y) / 0.65) ** 2 <= 1 || (Math.abs(u - x) < 0.5 && v > y && v < 3);
    return Promise.resolve(
      painted(face.raster, face.eyes, shape, (px, py) => {
        const light = 0.8 + 0.12 * Math.sin(px / (face.width / 9)) + 0.06 * Math.sin(py / 7);
        return scaled(skin, light);
      }),
    );
  },
  pixels: (face, _, random) => overHead(face, (head) => pixelated(head, 5 + Math.floor(5 * random()))),
  blur: (face, _, random) => overHead(face, (head) => head.blur(face.width * (0.07 + 0.06 * random()))),
  'white-out': (face) =>
    Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => (u / 1.25) ** 2 + ((v - 0.5) / 1.7) ** 2 < 1,
        () => [246, 246, 246],
      ),
    ),
  bar: (face, _, random) => {
    const half = 0.28 + 0.2 * random();
    const tone = random() < 0.7 ? 8 : 245;
    return Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => Math.abs(u) < 1.35 && Math.abs(v) < half,
        () => [tone, tone, tone],
      ),
    );
  },
  'hat over the eyes': (face, cloth, random) => {
    const brim = 0.15 + 0.25 * random();
    return Promise.resolve(
      textured(face, cloth, (u, v) => Math.abs(u) < 1.35 && v < brim - 0.1 * u * u && v > -1.7, random),
    );
  },
  'back of the head': (face, _, random) => {
    const hair = colourAt(face, 0, -1.15);
    const shape: Shape = (u, v) => (u / 1.2) ** 2 + ((v - 0.3) / 1.75) ** 2 < 1;
    return Promise.resolve(
      painted(face.raster, face.eyes, shape, (px) =>
        scaled(hair, 0.75 + 0.25 * Math.sin(px / 2.3) + 0.15 * random()),
      ),
    );
  },
};

/** The colour of the face at a place in its coordinates: u right, v down, from between the eyes, unit their distance. */
export function colourAt({ raster, eyes: [left, right] }: Portrait, u: number, v: number): Colour {
  const [dx, dy] = [right.x - left.x, right.y - left.y];
  const x = (left.x + right.x) / 2 + u * dx - v * dy;
  const y = (left.y + right.y) / 2 + u * dy + v * dx;
  const clamp = (value: number, most: number) => Math.min(most - 1, Math.max(0, Math.round(value)));
  const at = 3 * (clamp(y, raster.height) * raster.width + clamp(x, raster.width));
  return [raster.data[at]!, raster.data[at + 1]!, raster.data[at + 2]!];
}

export function scaled([r, g, b]: Colour, light: number): Colour {
  const bound = (value: number) => Math.max(0, Math.min(255, value * light));
  return [bound(r), bound(g), bound(b)];
}

/** A cloth of one colour with the light and the weave of a photo. */
function dyed(face: Portrait, cloth: Raster, shape: Shape, colour: Colour, depth: number): Raster {
  return painted(face.raster, face.eyes, shape, (x, y) => {
    const at = 3 * ((y % cloth.height) * cloth.width + (x % cloth.width));
    return scaled(colour, 1 - depth / 2 + (depth * cloth.data[at + 1]!) / 255);
  });
}

/** A piece of a photo as cloth. */
export function textured(face: Portrait, cloth: Raster, shape: Shape, random: () => number): Raster {
  const [shiftX, shiftY] = [Math.floor(random() * cloth.width), Math.floor(random() * cloth.height)];
  return painted(face.raster, face.eyes, shape, (x, y) => {
    const at = 3 * (((y + shiftY) % cloth.height) * cloth.width + ((x + shiftX) % cloth.width));
    return [cloth.data[at]!, cloth.data[at + 1]!, cloth.data[at + 2]!];
  });
}

/** Replaces the square around a head by what `alter` makes of it. */
async function overHead(
  { raster, eyes, width }: Portrait,
  alter: (head: Sharp, side: number) => Sharp | Promise<Sharp>,
): Promise<Raster> {
  const middle = { x: (eyes[0].x + eyes[1].x) / 2, y: (eyes[0].y + eyes[1].y) / 2 + 0.2 * width };
  const left = Math.max(0, Math.round(middle.x - 0.7 * width));
  const top = Math.max(0, Math.round(middle.y - 0.8 * width));
  const region = {
    left,
    top,
    width: Math.min(raster.width - left, Math.round(1.4 * width)),
    height: Math.min(raster.height - top, Math.round(1.6 * width)),
  };
  const raw = { width: raster.width, height: raster.height, channels: 3 as const };
  const head = await sharp(raster.data, { raw }).extract(region).png().toBuffer();
  const altered = await (await alter(sharp(head), region.width)).png().toBuffer();
  const input = await sharp(altered)
    .resize(region.width, region.height, { kernel: 'nearest', fit: 'fill' })
    .toBuffer();
  const data = await sharp(raster.data, { raw })
    .composite([{ input, left, top }])
    // Composing adds an alpha channel.
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...raster, data: new Uint8Array(data) };
}

async function pixelated(head: Sharp, across: number): Promise<Sharp> {
  return sharp(
    await head
      .resize(across, across + 1, { fit: 'fill' })
      .png()
      .toBuffer(),
  );
}
