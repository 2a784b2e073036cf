/** The small picture of a face that people see in lists and candidate views. */
import sharp from 'sharp';
import type { Point } from '../contracts/faces.ts';
import { fitSimilarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';

const SIZE = 160;
/** Where the eyes come to lie, shares of the side: the whole head, hair and chin, fits around them. */
const EYES = [
  { x: 0.35, y: 0.46 },
  { x: 0.65, y: 0.46 },
] as const;

/** A JPEG of 160 × 160 pixels, eyes on one level line; for people to look at, never for matching. */
export async function displayChip(view: ImageView, eyes: readonly [Point, Point]): Promise<Uint8Array> {
  const places = EYES.map(({ x, y }) => ({ x: x * SIZE, y: y * SIZE }));
  const { data, width, height } = view.sample(fitSimilarity(places, eyes), SIZE, SIZE);
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
  return new Uint8Array(jpeg);
}
