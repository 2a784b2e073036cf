/** The small pictures that people see of a face and of a searched photo. */
import sharp from 'sharp';
import { FACE_THUMBNAIL, type Point } from '../contracts/faces.ts';
import { fitSimilarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import type { Raster } from './raster.ts';

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

/** The longest side of a small picture, pixels: enough for a report, in which it is 18 cm wide. */
const PICTURE_SIDE = 1000;

/** A JPEG of a whole photo, never enlarged; for people to look at, never for matching. */
export async function smallPicture({ data, width, height }: Raster): Promise<Uint8Array> {
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ width: PICTURE_SIDE, height: PICTURE_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer();
  return new Uint8Array(jpeg);
}
