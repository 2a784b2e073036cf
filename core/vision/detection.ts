/** Where faces may be: BlazeFace over the whole image, and over tiles for what is small in it. */
import type { Box, Point } from '../contracts/faces.ts';
import { boundingBox, intersectionOverUnion, squareOnto, transform, type Similarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import { BLAZEFACE_SIZE, type BlazeFace, type FaceCandidate } from './nets/blazeface.ts';

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

/** Least score of BlazeFace for a place where a hidden head may be: nearly every head that is made unrecognisable has it. */
const MIN_SCORE = 0.05;

/**
 * Least score of a place that the mesh net looks at. Low on purpose: it confirms every place, so a wrong one costs 5 ms
 * and a missed one costs the face.
 */
export const LIKELY_SCORE = 0.3;

/** Two proposals that overlap more than this are the same face. */
const SAME_FACE_OVERLAP = 0.3;

/**
 * Empty margin around the image, share of its long side, each side. A face that fills the frame is missed without:
 * of tightly cropped portraits 1 %, with this margin none.
 */
const MARGIN = 0.25;

/** Looks at the whole image at once, turned by `angle` (radians, clockwise) as if the camera had been. */
export function proposeInWhole(
  net: BlazeFace,
  view: ImageView,
  size: { width: number; height: number },
  angle = 0,
): Promise<Proposal[]> {
  const side = Math.max(size.width, size.height) * (1 + 2 * MARGIN) * widening(angle);
  const center = { x: size.width / 2, y: size.height / 2 };
  return propose(net, view, squareOnto(BLAZEFACE_SIZE, center, side, angle));
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
export async function proposeInTiles(
  net: BlazeFace,
  view: ImageView,
  size: { width: number; height: number },
): Promise<Proposal[]> {
  const found: Proposal[] = [];
  for (const tile of tiles(size)) {
    found.push(...(await propose(net, view, squareOnto(BLAZEFACE_SIZE, tile.center, tile.side, 0))));
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
  const again = await propose(net, view, squareOnto(BLAZEFACE_SIZE, center, side * SECOND_LOOK, 0));
  return again.find((one) => intersectionOverUnion(one.box, box) >= SAME_FACE_OVERLAP)?.score ?? 0;
}

function tiles({ width, height }: { width: number; height: number }): { center: Point; side: number }[] {
  const share = 1 / (TILES - (TILES - 1) * TILE_OVERLAP);
  const side = Math.max(width, height) * share;
  const places = (length: number) =>
    length <= side
      ? [length / 2]
      : Array.from({ length: TILES }, (_, i) => side / 2 + ((length - side) * i) / (TILES - 1));
  return places(height).flatMap((y) => places(width).map((x) => ({ center: { x, y }, side })));
}

async function propose(net: BlazeFace, view: ImageView, pictureToImage: Similarity): Promise<Proposal[]> {
  const picture = view.sample(pictureToImage, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
  const candidates = await net(picture.data, MIN_SCORE);
  return keepBest(candidates.map((candidate) => inImage(candidate, pictureToImage)));
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
