/** The small picture of a face that people see in lists and candidate views. */
import sharp from 'sharp';
import { FACE_THUMBNAIL, type Point } from '../contracts/faces.ts';
import { fitSimilarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';

const { side: SIZE, eyes: EYES } = FACE_THUMBNAIL;

/** A JPEG of 160 × 160 pixels, eyes on one level line; for people to look at, never for matching. */
export async function alignedFace(view: ImageView, eyes: readonly [Point, Point]): Promise<Uint8Array> {
  const places = EYES.map(({ x, y }) => ({ x: x * SIZE, y: y * SIZE }));
  const { data, width, height } = view.sample(fitSimilarity(places, eyes), SIZE, SIZE);
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
  return new Uint8Array(jpeg);
}
