/** Cuts the portraits of a sheet out of its scan. */
import sharp from 'sharp';
import { cropAround, readingOrder } from '../contracts/facePlaces.ts';
import type { Box } from '../contracts/faces.ts';
import { jpegOf } from './convert.ts';
import type { OpenedImage } from './decode.ts';
import type { ImageView } from './imageView.ts';
import { luma, type Raster } from './raster.ts';

/** Mid-grey, which no measure of quality takes for light or dark. */
const COVER = 128;

/**
 * @param faces boxes of the portraits, pixels of the upright image @param others boxes that no portrait may show
 * @returns a JPEG of each portrait by rows from the top, each row from the left, with grey over everything else that is a head
 */
export async function cutPortraits(
  sheet: OpenedImage,
  faces: readonly Box[],
  others: readonly Box[],
): Promise<Uint8Array[]> {
  const portraits: Uint8Array[] = [];
  for (const face of readingOrder(faces)) {
    const beside = [...faces, ...others].filter((other) => other !== face);
    const part = cropAround(face, beside, sheet.facts);
    const { raster } = await sheet.detail(part);
    const origin = { x: Math.max(0, Math.floor(part.x)), y: Math.max(0, Math.floor(part.y)) };
    for (const other of beside) cover(raster, within(other, origin), within(face, origin));
    const { data, width, height } = raster;
    portraits.push(await jpegOf(sharp(data, { raw: { width, height, channels: 3 } })));
  }
  return portraits;
}

function within({ x, y, width, height }: Box, origin: { x: number; y: number }): Box {
  return { x: x - origin.x, y: y - origin.y, width, height };
}

/** Covers a box where it lies outside of the face. */
function cover({ width, height, data }: Raster, box: Box, face: Box): void {
  const isIn = (x: number, y: number, { x: left, y: top, width: wide, height: high }: Box) =>
    x >= left && x < left + wide && y >= top && y < top + high;
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  for (let y = Math.max(0, Math.floor(box.y)); y < bottom; y += 1)
    for (let x = Math.max(0, Math.floor(box.x)); x < right; x += 1)
      if (!isIn(x, y, face)) data.fill(COVER, 3 * (y * width + x), 3 * (y * width + x) + 3);
}

/** Cells that a face is wide. */
const CELLS = 3;
/** Tones are counted in so many steps. Of paper, print and plain colour nearly all pixels of a cell are in two neighbouring ones. */
const TONES = 16;
const EVEN_SHARE = 0.6;
/** Cells of a square as wide as a face of which at least so many are of a picture. */
const LEAST_CELLS = 8;
/** A portrait reaches so far beyond the box of its face, in sides of it. */
const REACH = 0.8;

/**
 * Whether the sheet has a picture as large as a face where no face was found: of a person whose face is covered, or of something
 * else. A person must look at it.
 * @param known boxes of the faces and heads that were found, pixels of the upright image @param width of the smallest portrait's
 * face, in the same pixels
 */
export function hasOtherPicture(sheet: ImageView, known: readonly Box[], width: number): boolean {
  const { raster, scale } = sheet;
  const side = Math.max(2, Math.round((width * scale) / CELLS));
  const [columns, rows] = [Math.floor(raster.width / side), Math.floor(raster.height / side)];
  const light = luma(raster);
  const isPicture = Array.from({ length: rows * columns }, (_, cell) =>
    isContinuous(light, raster.width, {
      x: (cell % columns) * side,
      y: Math.floor(cell / columns) * side,
      side,
    }),
  );
  const reached = known.map((box) => ({
    left: (box.x - REACH * box.width) * scale,
    right: (box.x + (1 + REACH) * box.width) * scale,
    top: (box.y - REACH * box.height) * scale,
    bottom: (box.y + (1 + REACH) * box.height) * scale,
  }));
  for (let row = 0; row + CELLS <= rows; row += 1)
    for (let column = 0; column + CELLS <= columns; column += 1) {
      let cells = 0;
      for (let at = 0; at < CELLS * CELLS; at += 1)
        if (isPicture[(row + Math.floor(at / CELLS)) * columns + column + (at % CELLS)] === true) cells += 1;
      if (cells < LEAST_CELLS) continue;
      const [x, y] = [(column + CELLS / 2) * side, (row + CELLS / 2) * side];
      if (reached.every(({ left, right, top, bottom }) => x < left || x > right || y < top || y > bottom))
        return true;
    }
  return false;
}

/** Whether a square has many tones, as a photo has. */
function isContinuous(
  light: Float32Array,
  width: number,
  { x, y, side }: { x: number; y: number; side: number },
): boolean {
  const counts = new Uint32Array(TONES);
  for (let row = y; row < y + side; row += 1)
    for (let column = x; column < x + side; column += 1)
      counts[Math.min(TONES - 1, Math.floor((light[row * width + column]! * TONES) / 256))]! += 1;
  const even = Math.max(...counts.map((count, tone) => count + (counts[tone + 1] ?? 0)));
  return even < EVEN_SHARE * side * side;
}
