/** Brings a face into the place and size that the recognition nets learned it in, and makes the pictures that people see. */
import sharp from 'sharp';
import { FACE_THUMBNAIL, type Point } from '../contracts/faces.ts';
import { fitSimilarity, type Similarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import {
  ALIGNMENT_POINTS,
  LEFT_MOUTH_CORNER,
  NOSE_TIP,
  RIGHT_MOUTH_CORNER,
  type MeshedFace,
} from './mesh.ts';
import { createRaster, type Raster } from './raster.ts';

/**
 * Where a mean face has the `ALIGNMENT_POINTS`, in a square of side 1. The figures define the crop that the 128-D net
 * takes, so they are its authors': mean face shape of dlib 19, image_transforms/interpolation.h, get_face_chip_details.
 */
const MEAN_FACE: readonly Point[] = pairs([
  [0.490127, 0.203352, 0.490127, 0.307009, 0.490127, 0.409805, 0.490127, 0.515625],
  [0.36688, 0.587326, 0.426036, 0.609345, 0.490127, 0.628106, 0.554217, 0.609345, 0.613373, 0.587326],
  [0.121737, 0.216423, 0.187122, 0.178758, 0.265825, 0.179852],
  [0.334606, 0.231733, 0.260918, 0.245099, 0.182743, 0.244077],
  [0.645647, 0.231733, 0.714428, 0.179852, 0.793132, 0.178758],
  [0.858516, 0.216423, 0.79751, 0.244077, 0.719335, 0.245099],
  [0.254149, 0.780233, 0.340985, 0.745405, 0.428858, 0.727388, 0.490127, 0.742578],
  [0.551395, 0.727388, 0.639268, 0.745405, 0.726104, 0.780233],
  [0.290379, 0.784792, 0.428096, 0.778746, 0.490127, 0.785343, 0.552157, 0.778746, 0.689874, 0.784792],
]);

/** Room around the mean face, share of its side, each side: what the 128-D net was trained with. */
const PADDING = 0.25;

/**
 * Maps the pixels of an aligned square crop of `size` pixels onto the image.
 * @param widening how much more of the image the crop shows than the one the 128-D net was trained with
 */
export function thumbnailToImage(face: MeshedFace, size: number, widening = 1): Similarity {
  const place = (share: number) => widened(placed(share), widening) * size;
  const onCrop = MEAN_FACE.map(({ x, y }) => ({ x: place(x), y: place(y) }));
  return fitSimilarity(
    onCrop,
    ALIGNMENT_POINTS.map((index) => face.points[index]!),
  );
}

/** Where five points of a face come to lie on a crop, shares of its side. Left is left in the image of an upright face. */
export interface FivePoints {
  leftEye: readonly [number, number];
  rightEye: readonly [number, number];
  noseTip: readonly [number, number];
  leftMouthCorner: readonly [number, number];
  rightMouthCorner: readonly [number, number];
}

/**
 * Maps the pixels of a crop of `size` pixels, aligned by five points, onto the image.
 * @param widening how much more of the image the crop shows than one with the points at these places
 */
export function fivePointsToImage(
  face: MeshedFace,
  { leftEye, rightEye, noseTip, leftMouthCorner, rightMouthCorner }: FivePoints,
  size: number,
  widening = 1,
): Similarity {
  const onCrop = [leftEye, rightEye, noseTip, leftMouthCorner, rightMouthCorner].map(([x, y]): Point => ({
    x: widened(x, widening) * size,
    y: widened(y, widening) * size,
  }));
  const corners = [NOSE_TIP, LEFT_MOUTH_CORNER, RIGHT_MOUTH_CORNER].map((index) => face.points[index]!);
  return fitSimilarity(onCrop, [...face.eyes, ...corners]);
}

/** A share of a crop's side, on a crop that shows more of the image around its middle. */
function widened(share: number, widening: number): number {
  return 0.5 + (share - 0.5) / widening;
}

function placed(share: number): number {
  return (PADDING + share) / (1 + 2 * PADDING);
}

export function mirror(raster: Raster): Raster {
  const mirrored = createRaster(raster.width, raster.height);
  const stride = raster.width * 3;
  for (let row = 0; row < raster.data.length; row += stride) {
    for (let at = 0; at < stride; at += 3) {
      const to = row + stride - 3 - at;
      mirrored.data[to] = raster.data[row + at]!;
      mirrored.data[to + 1] = raster.data[row + at + 1]!;
      mirrored.data[to + 2] = raster.data[row + at + 2]!;
    }
  }
  return mirrored;
}

function pairs(rows: readonly (readonly number[])[]): Point[] {
  const numbers = rows.flat();
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    x: numbers[2 * i]!,
    y: numbers[2 * i + 1]!,
  }));
}

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
