/** Where faces may be: BlazeFace over the whole image, and over tiles for what is small in it. */
import type { Box, Point } from '../contracts/faces.ts';
import {
  boundingBox,
  intersectionOverUnion,
  scaleOf,
  squareOnto,
  transform,
  type Similarity,
} from './geometry.ts';
import type { ImageView } from './imageView.ts';
import {
  BLAZEFACE_SIZE,
  HEAD_CELL,
  type BlazeFace,
  type FaceCandidate,
  type HeadCandidate,
} from './nets/blazeface.ts';

/** A place to look at closely, in pixels of the original image. */
export interface Proposal {
  /** BlazeFace's own score, 0 to 1. */
  score: number;
  center: Point;
  /** Side of the square that BlazeFace puts around eyes, nose and mouth. */
  side: number;
  /** Direction from the left eye to the right one, radians, clockwise on the screen. */
  roll: number;
  box: Box;
}

/** A place where a head may be, covered or not, in pixels of the original image. */
export interface HeadPlace {
  /** Natural logarithm of the odds. */
  odds: number;
  /** The place of its face, if it were to be seen. */
  box: Box;
  /** By how much the place can be wrong: the side of a cell. */
  reach: number;
}

/** The places that one look at a picture finds, each list best first. */
export interface Sight {
  /** Where the picture lies in the image. */
  onto: Similarity;
  proposals: Proposal[];
  heads: HeadPlace[];
}

/**
 * Least score of a place that the mesh net looks at. Low on purpose: it confirms every place, so a wrong one costs 5 ms
 * and a missed one costs the face.
 */
const MIN_SCORE = 0.3;

/** Two proposals that overlap more than this are the same face. */
const SAME_FACE_OVERLAP = 0.3;

/**
 * Empty margin around the image, share of its long side, each side. A face that fills the frame is missed without:
 * of tightly cropped portraits 1 %, with this margin none.
 */
const MARGIN = 0.25;

interface ImageSize {
  width: number;
  height: number;
}

/** Where BlazeFace looks when it looks at a whole image, turned by `angle` (radians, clockwise). */
export function wholePicture({ width, height }: ImageSize, angle = 0): Similarity {
  const side = Math.max(width, height) * (1 + 2 * MARGIN) * widening(angle);
  return squareOnto(BLAZEFACE_SIZE, { x: width / 2, y: height / 2 }, side, angle);
}

/** Looks at the whole image at once, turned by `angle` (radians, clockwise) as if the camera had been. */
export function lookAtWhole(net: BlazeFace, view: ImageView, size: ImageSize, angle = 0): Promise<Sight> {
  return lookAtPart(net, view, size, wholePicture(size, angle));
}

/** Looks at a square of the image. */
export async function lookAtPart(
  net: BlazeFace,
  view: ImageView,
  size: ImageSize,
  onto: Similarity,
): Promise<Sight> {
  const { proposals, heads } = await lookAt(net, view, onto);
  return { onto, proposals, heads: headsInImage(heads, onto, size) };
}

/** The heads that the net finds in the mirror image of a square: another opinion of the same places. */
export async function headsInMirror(
  net: BlazeFace,
  view: ImageView,
  size: ImageSize,
  onto: Similarity,
): Promise<HeadPlace[]> {
  const { data } = view.sample(onto, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
  const mirrored = new Uint8Array(data.length);
  for (let pixel = 0; 3 * pixel < data.length; pixel++) {
    const row = pixel - (pixel % BLAZEFACE_SIZE);
    const from = row + BLAZEFACE_SIZE - 1 - (pixel - row);
    mirrored.set(data.subarray(3 * from, 3 * from + 3), 3 * pixel);
  }
  const { heads } = await net(mirrored, MIN_SCORE);
  const back = (x: number) => BLAZEFACE_SIZE - x;
  const unmirrored = heads.map((head) => ({
    ...head,
    x: back(head.x),
    cell: { x: back(head.cell.x), y: head.cell.y },
  }));
  return headsInImage(unmirrored, onto, size);
}

/** Whether a place of the picture is in the image, or outside by less than the reach. Cells in the black margin answer at random. */
export function isInImage(
  place: Point,
  pictureToImage: Similarity,
  { width, height }: ImageSize,
  reach = HEAD_CELL / 2,
): boolean {
  const { x, y } = transform(pictureToImage, place);
  const outside = Math.max(-x, -y, x - width, y - height);
  return outside < reach * scaleOf(pictureToImage);
}

/** A square turned by `angle` must be this much wider to cover what it covered. */
function widening(angle: number): number {
  const oddQuarter = Math.abs(Math.sin(2 * angle)) > 0.5;
  return oddQuarter ? Math.SQRT2 / (1 + 2 * MARGIN) + 0.1 : 1;
}

/** Tiles per direction, and how far one reaches into the next, share of its side. */
const TILES = 3;
const TILE_OVERLAP = 0.3;

/** Looks at 3 × 3 overlapping tiles: finds faces down to a third of the size that the whole image allows. */
export async function proposeInTiles(net: BlazeFace, view: ImageView, size: ImageSize): Promise<Proposal[]> {
  const found: Proposal[] = [];
  for (const tile of tiles(size)) {
    const onto = squareOnto(BLAZEFACE_SIZE, tile.center, tile.side, 0);
    found.push(...(await lookAt(net, view, onto)).proposals);
  }
  return keepBest(found);
}

/** Side of the square of a second look, in sides of the proposal that it is around. */
const SECOND_LOOK = 5;

/** Looks at a proposal again, larger in the picture. @returns the best score on its place, 0 to 1 */
export async function scoreAgain(
  net: BlazeFace,
  view: ImageView,
  { center, side, box }: Proposal,
): Promise<number> {
  const onto = squareOnto(BLAZEFACE_SIZE, center, side * SECOND_LOOK, 0);
  const again = await lookAt(net, view, onto);
  return again.proposals.find((one) => intersectionOverUnion(one.box, box) >= SAME_FACE_OVERLAP)?.score ?? 0;
}

function tiles({ width, height }: ImageSize): { center: Point; side: number }[] {
  const share = 1 / (TILES - (TILES - 1) * TILE_OVERLAP);
  const side = Math.max(width, height) * share;
  const places = (length: number) =>
    length <= side
      ? [length / 2]
      : Array.from({ length: TILES }, (_, i) => side / 2 + ((length - side) * i) / (TILES - 1));
  return places(height).flatMap((y) => places(width).map((x) => ({ center: { x, y }, side })));
}

async function lookAt(
  net: BlazeFace,
  view: ImageView,
  pictureToImage: Similarity,
): Promise<{ proposals: Proposal[]; heads: HeadCandidate[] }> {
  const picture = view.sample(pictureToImage, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
  const { faces, heads } = await net(picture.data, MIN_SCORE);
  return { proposals: keepBest(faces.map((candidate) => inImage(candidate, pictureToImage))), heads };
}

/** Height of the box around a face over its width. */
const FACE_HEIGHT = 1.2;

function headsInImage(heads: readonly HeadCandidate[], onto: Similarity, size: ImageSize): HeadPlace[] {
  const shown = heads.filter((head) => isInImage(head.cell, onto, size) && isInImage(head, onto, size, 0));
  return shown.map(({ odds, x, y, width }) => {
    const center = transform(onto, { x, y });
    const side = width * scaleOf(onto);
    const height = side * FACE_HEIGHT;
    return {
      odds,
      reach: HEAD_CELL * scaleOf(onto),
      box: { x: center.x - side / 2, y: center.y - height / 2, width: side, height },
    };
  });
}

function inImage(candidate: FaceCandidate, pictureToImage: Similarity): Proposal {
  const { x, y, width, height, points } = candidate;
  const leftEye = transform(pictureToImage, { x: points[0]!, y: points[1]! });
  const rightEye = transform(pictureToImage, { x: points[2]!, y: points[3]! });
  const corners = [
    { x, y },
    { x: x + width, y },
    { x, y: y + height },
    { x: x + width, y: y + height },
  ].map((corner) => transform(pictureToImage, corner));
  return {
    score: candidate.score,
    center: transform(pictureToImage, { x: x + width / 2, y: y + height / 2 }),
    side: Math.max(width, height) * Math.hypot(pictureToImage.a, pictureToImage.b),
    roll: Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x),
    box: boundingBox(corners),
  };
}

/** Non-maximum suppression: of proposals on the same place the one with the best score stays. Best first. */
export function keepBest(proposals: readonly Proposal[]): Proposal[] {
  const kept: Proposal[] = [];
  for (const proposal of proposals.toSorted((p, q) => q.score - p.score)) {
    if (kept.every((better) => intersectionOverUnion(better.box, proposal.box) < SAME_FACE_OVERLAP))
      kept.push(proposal);
  }
  return kept;
}
