import { useState, type ReactNode } from 'react';

/** How an image is laid into a pane: pure geometry, the same for faces and signatures. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The view before zooming: this image point in the middle, at this scale, rotated by this angle. */
export interface Fit {
  anchor: Point;
  scale: number;
  /** Radians, clockwise. */
  angle: number;
}

/** Zoom and pan that both panes share: pan is in pane widths, so that panes of different sizes stay together. */
export interface SharedView {
  zoom: number;
  pan: Point;
}

export const WHOLE_VIEW: SharedView = { zoom: 1, pan: { x: 0, y: 0 } };
const ZOOM_LIMITS = { least: 0.25, most: 40 };
/**
 * Distance between the eyes in a pane that is fitted to them, as a share of its shorter side. A head is 3.7 times as high as
 * its eyes are apart (medians of adults: 230 and 63 mm), and the eyes are at half of its height: from chin to crown it takes
 * 81 % of the pane.
 */
const EYES_SHARE = 0.22;
/** Beards reach below the chin: the eyes sit this share of the pane above its middle. */
const EYES_ABOVE_MIDDLE = 0.04;

export function fitWhole(image: Size, pane: Size): Fit {
  return {
    anchor: { x: image.width / 2, y: image.height / 2 },
    scale: Math.min(pane.width / image.width, pane.height / image.height),
    angle: 0,
  };
}

/** Eyes level, at one distance and one place in every pane: two faces can be compared line by line. */
export function fitEyes(eyes: readonly [Point, Point], pane: Size): Fit {
  const [left, right] = eyes;
  const across = { x: right.x - left.x, y: right.y - left.y };
  const side = Math.min(pane.width, pane.height);
  const scale = (EYES_SHARE * side) / Math.max(1, Math.hypot(across.x, across.y));
  const angle = -Math.atan2(across.y, across.x);
  const below = (EYES_ABOVE_MIDDLE * side) / scale;
  // Straight down in the pane is this direction in the image.
  const down = { x: Math.sin(angle), y: Math.cos(angle) };
  return {
    anchor: {
      x: (left.x + right.x) / 2 + down.x * below,
      y: (left.y + right.y) / 2 + down.y * below,
    },
    scale,
    angle,
  };
}

/** Image point (u, v) is drawn at (x + cos·u − sin·v, y + sin·u + cos·v), CSS pixels from the pane's top left. */
export interface Layout extends Point {
  cos: number;
  sin: number;
}

/** @param turn quarter or finer turns by hand, radians */
export function layOut(fit: Fit, view: SharedView, pane: Size, turn: number): Layout {
  const scale = fit.scale * view.zoom;
  const angle = fit.angle + turn;
  const cos = Math.cos(angle) * scale;
  const sin = Math.sin(angle) * scale;
  const x = pane.width / 2 + view.pan.x * pane.width - (cos * fit.anchor.x - sin * fit.anchor.y);
  const y = pane.height / 2 + view.pan.y * pane.width - (sin * fit.anchor.x + cos * fit.anchor.y);
  return { cos, sin, x, y };
}

/** Where a point of the image is drawn in the pane. */
export function toPane({ cos, sin, x, y }: Layout, point: Point): Point {
  return { x: x + cos * point.x - sin * point.y, y: y + sin * point.x + cos * point.y };
}

/** The point of the image that is drawn at a point of the pane. */
export function toImage({ cos, sin, x, y }: Layout, point: Point): Point {
  const square = cos * cos + sin * sin;
  const [across, down] = [point.x - x, point.y - y];
  return { x: (cos * across + sin * down) / square, y: (cos * down - sin * across) / square };
}

/**
 * The CSS matrix that lays image pixels into the pane.
 * @param map what happens to the pixels before: x' = m0·x + m1·y + m2, y' = m3·x + m4·y + m5
 */
export function placement({ cos, sin, x, y }: Layout, map: readonly number[] = NOT_MAPPED): string {
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0] = map;
  const matrix = [
    cos * a - sin * d,
    sin * a + cos * d,
    cos * b - sin * e,
    sin * b + cos * e,
    cos * c - sin * f + x,
    sin * c + cos * f + y,
  ];
  return `matrix(${matrix.map((value) => value.toFixed(5)).join(',')})`;
}

/** Where a box of a whole image that is not turned comes to lie in the pane, CSS pixels from its top left. */
export function placeBox(box: Point & Size, image: Size, view: SharedView, pane: Size): Point & Size {
  const { anchor, scale: fitted } = fitWhole(image, pane);
  const scale = fitted * view.zoom;
  return {
    x: pane.width / 2 + view.pan.x * pane.width + scale * (box.x - anchor.x),
    y: pane.height / 2 + view.pan.y * pane.width + scale * (box.y - anchor.y),
    width: scale * box.width,
    height: scale * box.height,
  };
}

const NOT_MAPPED = [1, 0, 0, 0, 1, 0];

/** Zooms around the pointer. `at`: from the pane's middle, in pane widths. */
export function zoomAt(view: SharedView, factor: number, at: Point): SharedView {
  const zoom = Math.min(ZOOM_LIMITS.most, Math.max(ZOOM_LIMITS.least, view.zoom * factor));
  const change = zoom / view.zoom;
  return { zoom, pan: { x: at.x - (at.x - view.pan.x) * change, y: at.y - (at.y - view.pan.y) * change } };
}

/** A line between two points of one image, in pixels of that image. */
interface MeasuredLine {
  /** Counts up in one comparison; shown at both ends of the line. */
  id: number;
  /** The key of the image. */
  image: string;
  from: Point;
  /** null: the second point is not set yet. */
  to: Point | null;
}

/** A line with both its points. */
interface FinishedLine extends MeasuredLine {
  to: Point;
}

export function isFinished(line: MeasuredLine): line is FinishedLine {
  return line.to !== null;
}

/**
 * How long a line is.
 * @returns percent of the distance between the eyes, the only length that two photos share; pixels of the image where
 * the eyes are not known
 */
export function lengthOf(
  { from, to }: FinishedLine,
  eyes: ComparedImage['eyes'],
): { unit: 'eyeDistance' | 'pixels'; length: number } {
  const length = distance(from, to);
  const apart = eyes === null ? 0 : distance(...eyes);
  return apart === 0 ? { unit: 'pixels', length } : { unit: 'eyeDistance', length: (100 * length) / apart };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

/** The measured lines of a comparison. They are kept with the view alone, never with an image. */
export function useMeasuredLines() {
  const [measuring, setMeasuring] = useState(false);
  const [lines, setLines] = useState<readonly MeasuredLine[]>([]);
  /** Begins a line, or ends the one that was begun in the same image. */
  const setPoint = (image: string, at: Point) =>
    setLines((now) => {
      const last = now.at(-1);
      if (last?.to === null && last.image === image) return [...now.slice(0, -1), { ...last, to: at }];
      return [...now.filter(isFinished), { id: (last?.id ?? 0) + 1, image, from: at, to: null }];
    });
  /** Ends the mode; a line without its second point goes with it. */
  const setMode = (on: boolean) => {
    setMeasuring(on);
    if (!on) setLines((now) => now.filter(isFinished));
  };
  const remove = (id: number) => setLines((now) => now.filter((line) => line.id !== id));
  return { measuring, lines, setPoint, setMode, remove };
}
export type MeasuredLines = ReturnType<typeof useMeasuredLines>;

export interface ComparedImage {
  /** Tells one image from another while they change places. */
  key: string;
  url: string | null;
  alt: string;
  width: number;
  height: number;
  eyes: readonly [{ x: number; y: number }, { x: number; y: number }] | null;
  /** Laid over another image: shown in that one's frame, through this affine map of its pixels. */
  laid?: { frame: Size; map: readonly number[] } | undefined;
}

/** Two faces, two other images, or two images that are overlaid in one pane. */
export type ComparedKind = 'faces' | 'pair' | 'one';

export interface ComparedFact {
  label: string;
  values: readonly [ReactNode, ReactNode];
}

/** A face in an image, or a place in a pane. */
export interface Box extends Size {
  x: number;
  y: number;
}

/** A label in CSS pixels of the pane; `isLong`: with its words, else icon and number alone. */
interface Label extends Point {
  isLong: boolean;
}

/** Height of a label, CSS pixels; widths of a letter in 12 px bold, and of the icon with the padding. */
const LABEL_HEIGHT = 20;
const LETTER = 7.5;
const ICON = 26;
/** Between a box and its label. */
const LABEL_GAP = 4;

/**
 * Places for the labels of boxes so that none covers another one. A label stands above its box, inside it at the top, or
 * below it, and is shortened before it is left out.
 * @param boxes in the order in which they choose a place
 * @param reserved places of other labels
 * @returns one entry for each box; null: there is no free place, not even for its number
 */
export function placeLabels(
  boxes: readonly { place: Box; words: string }[],
  pane: Size,
  reserved: readonly Box[] = [],
): (Label | null)[] {
  const taken = [...reserved];
  return boxes.map(({ place, words }) => {
    for (const isLong of [true, false]) {
      const width = ICON + LETTER * (isLong ? words.length : 2);
      for (const y of [place.y - LABEL_HEIGHT - LABEL_GAP, place.y, place.y + place.height + LABEL_GAP]) {
        for (const x of [place.x, place.x + place.width - width]) {
          const label = { x, y, width, height: LABEL_HEIGHT };
          if (!isInside(label, pane) || taken.some((other) => overlap(label, other))) continue;
          taken.push(label);
          return { x, y, isLong };
        }
      }
    }
    return null;
  });
}

function isInside({ x, y, width, height }: Box, pane: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= pane.width && y + height <= pane.height;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** The longest side of the crop, pixels. Its face is far larger than the input of the recogniser. */
const LONGEST = 2048;
const JPEG_QUALITY = 0.95;
const COVER = '#808080';

/**
 * Cuts a part out of a photo, upright as the browser shows it, and not enlarged.
 * @param part in pixels of `size`, the size that the service measured
 * @param chosen the face that is sent: the other faces are covered with grey where they lie outside its box, because a
 * face beside it can overlap every crop
 * @returns a JPEG without the metadata of the photo
 */
export async function cropToJpeg(
  photo: Blob,
  part: Box,
  size: Size,
  chosen?: { face: Box; others: readonly Box[] },
): Promise<Blob> {
  const bitmap = await createImageBitmap(photo);
  try {
    const scale = bitmap.width / size.width;
    const [width, height] = [part.width * scale, part.height * scale];
    const shrink = Math.min(1, LONGEST / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * shrink));
    canvas.height = Math.max(1, Math.round(height * shrink));
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser cannot cut an image.');
    context.drawImage(
      bitmap,
      part.x * scale,
      part.y * scale,
      width,
      height,
      0,
      0,
      canvas.width,
      canvas.height,
    );
    if (chosen !== undefined) {
      const { face } = chosen;
      const at = (box: Box) =>
        [
          (box.x - part.x) * scale * shrink,
          (box.y - part.y) * scale * shrink,
          box.width * scale * shrink,
          box.height * scale * shrink,
        ] as const;
      context.fillStyle = COVER;
      for (const other of chosen.others) context.fillRect(...at(other));
      const source = [face.x * scale, face.y * scale, face.width * scale, face.height * scale] as const;
      context.drawImage(bitmap, ...source, ...at(face));
    }
    return await new Promise((resolve, reject) => {
      const made = (blob: Blob | null) =>
        blob === null ? reject(new Error('This browser cannot write a JPEG.')) : resolve(blob);
      canvas.toBlob(made, 'image/jpeg', JPEG_QUALITY);
    });
  } finally {
    bitmap.close();
  }
}
