/** Parts of the ink of an image: where another signature or a line lies beside or over the one that is compared, one of them is it. */
import { MEASURED_SIGNATURE_BANDS } from '../contracts/signatures.ts';
import { gridAgreement, placeWithin } from './align.ts';
import { withoutBar } from './bars.ts';
import { CALIBRATION } from './calibration.ts';
import { complexityOf } from './complexity.ts';
import type { Doubted } from './doubts.ts';
import { similarityOf } from './fusion.ts';
import { SPACING, frameOf, heightOverWidth, shapeOf } from './points.ts';
import type { Frame, OrientedPoints, Shape } from './points.ts';
import { piecesOf, type Stroke } from './strokes.ts';

/** A part of the ink, placed as the whole is, and what the rest of it is. */
export type InkPart = Shape & { frame: Frame; otherInk: 'PARTED' | 'APART' };

/** Directions across which ink is cut in two: beside, above, and aslant both ways. */
const CUTS = [
  [1, 0],
  [0, 1],
  [Math.SQRT1_2, Math.SQRT1_2],
  [Math.SQRT1_2, -Math.SQRT1_2],
] as const;
/** A signature is struck through with so many lines. */
const MAX_BARS = 2;
/** A half has at least so much of the length of all strokes: less is a flourish or a date. */
const LEAST_SHARE = 0.2;
/** Two signatures of one writer differ by no more in the number of their points and in their height for their width, mostly. */
const ALIKE = 1.6;
/**
 * Coarse grids of directions agree by so much in 96 of 100 genuine pairs of the development sets that are a possible match, and in
 * 3 of 10 pairs of different writers.
 */
const AGREE = 0.52;

/**
 * The halves on both sides of the widest gap between strokes, in each of four directions, and what is left without long straight
 * lines. Strokes are cut where they cross, so that two signatures that touch are parted too.
 * @param wholes what the parts are to be compared with: those that are far from alike are left out
 * @returns those that are more than a mark that everybody makes
 */
export function partsOf(strokes: readonly Stroke[], wholes?: readonly Shape[]): InkPart[] {
  const barless: Stroke[][] = [];
  for (let left = withoutBar(strokes); left && barless.length < MAX_BARS; left = withoutBar(left))
    barless.push(left);
  const halves = CUTS.flatMap((across) => halvesOf(strokes, across));
  return [...writtenIn(barless, 'APART', wholes), ...writtenIn(halves, 'PARTED', wholes)];
}

function writtenIn(
  parts: readonly Stroke[][],
  otherInk: InkPart['otherInk'],
  wholes?: readonly Shape[],
): InkPart[] {
  return parts.flatMap((part) => {
    if (wholes && !(agreementOf(sketchOf(part), wholes, SKETCHED.alike) >= SKETCHED.agree)) return [];
    const shape = shapeOf(part);
    const isWritten = shape && complexityOf(shape, CALIBRATION.complexity) >= CALIBRATION.complexity.least;
    return isWritten ? [{ ...shape, otherInk }] : [];
  });
}

/** A sketch has every so many-th place of the strokes; it tells what is far from alike, by limits so much wider. */
const EVERY = 3;
const SKETCHED = { alike: 1.1 * ALIKE, agree: 0.92 * AGREE };

/** Roughly the points of strokes; `count` is that of all of them. */
function sketchOf(strokes: readonly Stroke[]): { points: OrientedPoints; count: number } {
  const { centreX, centreY, unit } = frameOf(strokes);
  const [x, y, angle, stroke]: [number[], number[], number[], number[]] = [[], [], [], []];
  let length = 0;
  for (const [index, places] of strokes.entries())
    for (let to = 2 * EVERY; to < places.length; to += 2 * EVERY) {
      const from = to - 2 * EVERY;
      const [dx, dy] = [places[to]! - places[from]!, places[to + 1]! - places[from + 1]!];
      x.push((places[to]! - dx / 2 - centreX) / unit);
      y.push((places[to + 1]! - dy / 2 - centreY) / unit);
      angle.push(Math.atan2(dy, dx));
      stroke.push(index);
      length += Math.hypot(dx, dy);
    }
  const points = {
    count: x.length,
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    angle: Float64Array.from(angle),
    stroke: Int32Array.from(stroke),
  };
  return { points, count: length / unit / SPACING };
}

/** How well a part agrees with whole signatures, in the mean: 0 for one with far more or fewer points, or far flatter or taller. */
function agreementOf(
  part: { points: OrientedPoints; count: number },
  wholes: readonly Shape[],
  alike: number,
): number {
  const apart = (one: number, other: number) => Math.abs(Math.log(one / other));
  let sum = 0;
  for (const { points } of wholes)
    if (
      apart(part.count, points.count) <= Math.log(alike) &&
      apart(heightOverWidth(part.points), heightOverWidth(points)) <= Math.log(alike)
    )
      sum += gridAgreement(part.points, points);
  return sum / wholes.length;
}

/** Both sides of the widest gap across a direction; where strokes overlap, it is the least overlap. */
function halvesOf(strokes: readonly Stroke[], [across, down]: readonly [number, number]): Stroke[][] {
  const placed = strokes
    .map((stroke) => {
      let [from, to] = [Infinity, -Infinity];
      for (let i = 0; i < stroke.length; i += 2) {
        const along = across * stroke[i]! + down * stroke[i + 1]!;
        [from, to] = [Math.min(from, along), Math.max(to, along)];
      }
      return { stroke, from, to };
    })
    .sort((a, b) => a.from + a.to - b.from - b.to);
  const all = placed.reduce((sum, { stroke }) => sum + stroke.length, 0);
  const next = placed.map(() => Infinity);
  for (let i = placed.length - 2; i >= 0; i--) next[i] = Math.min(next[i + 1]!, placed[i + 1]!.from);
  let [best, at, reach, before] = [-Infinity, 0, -Infinity, 0];
  for (const [i, { stroke, to }] of placed.entries()) {
    reach = Math.max(reach, to);
    before += stroke.length;
    const gap = next[i]! - reach;
    if (Math.min(before, all - before) < LEAST_SHARE * all || gap <= best) continue;
    [best, at] = [gap, i + 1];
  }
  const list = placed.map(({ stroke }) => stroke);
  return at === 0 ? [] : [list.slice(0, at), list.slice(at)];
}

/**
 * Whether parts are to be compared: one that agrees with the whole other image explains a low similarity of the wholes.
 * @param similarity of the wholes, on the shipped scale
 */
export const explainsParts = (similarity: number): boolean =>
  similarity < MEASURED_SIGNATURE_BANDS.possibleMatch;

/** The parts that are so alike whole signatures in form that a comparison can be worth its time, the likeliest first. */
export const likeliestOf = (parts: readonly InkPart[], wholes: readonly Shape[]): InkPart[] =>
  parts
    .map((part) => ({ part, agrees: agreementOf({ ...part, count: part.points.count }, wholes, ALIKE) }))
    .filter(({ agrees }) => agrees >= AGREE)
    .sort((a, b) => b.agrees - a.agrees)
    .slice(0, MAX_LIKELY)
    .map(({ part }) => part);

const MAX_LIKELY = 2;
/** So many parts of an image are compared: also the ink about the place of another signature. */
export const MAX_COMPARED = MAX_LIKELY + 1;

/**
 * A signature is looked for within ink that has so many times its points; directions agree by so much at its place. More ink about
 * it, and about all of that, is no part. Of 67 pairs of different writers of the development sets one agrees so and is alike.
 */
const PLACED = { points: [0.9, 2.3], agreement: 0.62, around: 0.15, part: 0.95 } as const;

/** The ink about the place at which one of some signatures would lie best, where its directions agree. */
export function placedIn(strokes: readonly Stroke[], wholes: readonly Shape[]): InkPart[] {
  const image = shapeOf(strokes);
  if (!image) return [];
  const { points, frame } = image;
  const [placed] = wholes
    .filter((whole) => points.count >= PLACED.points[0] * whole.points.count)
    .map((whole) => ({ whole: whole.points, ...placeWithin(whole.points, points) }))
    .sort((a, b) => b.agreement - a.agreement);
  if (!placed || placed.agreement < PLACED.agreement) return [];
  const { whole, scale } = placed;
  const isIn = (axis: 'x' | 'y', centre: number) => {
    const [least, most] = [Math.min(...whole[axis]), Math.max(...whole[axis])];
    const place = (value: number) => centre + frame.unit * (placed[axis] + scale * value);
    const [from, to] = [place(least - PLACED.around), place(most + PLACED.around)];
    return (value: number) => value >= from && value <= to;
  };
  const [isAcross, isDown] = [isIn('x', frame.centreX), isIn('y', frame.centreY)];
  const pieces = piecesOf(strokes, (x, y) => isAcross(x) && isDown(y));
  const lengthOf = (list: readonly Stroke[]) => list.reduce((sum, { length }) => sum + length, 0);
  const part = lengthOf(pieces) <= PLACED.part * lengthOf(strokes) ? shapeOf(pieces) : undefined;
  return part && part.points.count <= PLACED.points[1] * whole.count ? [{ ...part, otherInk: 'APART' }] : [];
}

/** A compared part of some ink: the kind of the rest, and the score with each of some signatures. */
export interface ScoredPart {
  otherInk: InkPart['otherInk'];
  scores: readonly number[];
}

/** Scores of two whole signatures, and of the one with fewer points within the other. */
export interface Scores {
  score: number;
  within: number;
}

/**
 * So many times the points of a signature are more than its writer's other ones have, mostly: the rest may be other ink, and the
 * signature lies within.
 */
const MORE = 1.75;

/** The part of an image in which another one lies, where it holds far more ink than that. */
export const restOf = (image: Shape, other: Shape, { within }: Scores): ScoredPart[] =>
  image.points.count >= MORE * other.points.count ? [{ otherInk: 'APART', scores: [within] }] : [];

/** The likeness of a part to the one signature it was compared with. */
const toTheOne = ([score]: readonly number[]): number => similarityOf(score!, CALIBRATION);

/** An image of which some part agrees with the other one, or with a known set, holds more than its signature. */
export function partedBy(
  image: Doubted,
  parts: readonly ScoredPart[],
  similarity: (scores: readonly number[]) => number = toTheOne,
): Doubted {
  const part = parts.find(({ scores }) => !explainsParts(similarity(scores)));
  return part && image.otherInk === 'NONE' ? { ...image, otherInk: part.otherInk } : image;
}
