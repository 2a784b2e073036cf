import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** Real people in the group photos that ship with @vladmandic/face-api: [photo, x, y, width, height of the face]. */
const FACES = [
  [1, 1467, 227, 209, 206],
  [1, 832, 446, 204, 203],
  [3, 1071, 241, 231, 262],
  [3, 593, 354, 209, 246],
  [4, 659, 86, 188, 214],
  [4, 984, 214, 176, 200],
  [5, 359, 896, 234, 273],
  [5, 1111, 224, 180, 216],
  [5, 776, 127, 173, 206],
  [6, 245, 516, 224, 244],
  [6, 669, 364, 216, 260],
  [6, 1169, 351, 202, 226],
] as const;

/** Around the face box, in its widths: enough to be a portrait, too little for a neighbour's face. */
const MARGIN = 0.35;

export const PORTRAITS = FACES.length;

/** The group photo `sampleN.jpg` of face-api's demo folder. */
export function groupPhoto(number: number): string {
  const folder = dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json'));
  return join(folder, 'demo', `sample${number}.jpg`);
}

/**
 * A portrait cut from a group photo, as JPEG.
 * @param variant another cut and compression of the same face: other bytes, same person
 */
export async function portrait(index: number, variant = 0): Promise<Buffer> {
  const face = FACES[index % FACES.length];
  if (face === undefined) throw new RangeError(`There is no portrait ${index}.`);
  const [photo, x, y, width, height] = face;
  const margin = Math.round(width * (MARGIN - 0.02 * (variant % 5)));
  const left = Math.max(0, x - margin);
  const top = Math.max(0, y - margin);
  // Read here: where only pictures from outside are decoded, sharp opens no files.
  return sharp(await readFile(groupPhoto(photo)))
    .extract({ left, top, width: width + 2 * margin, height: height + margin + Math.min(margin, y) })
    .jpeg({ quality: 92 - (variant % 20) })
    .toBuffer();
}
