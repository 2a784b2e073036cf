/** Two prepared signatures in, similarity and alignment out; the same to the last bit whichever comes first. */
import type { SignatureFault, SignatureReason } from '../contracts/signatures.ts';
import { CALIBRATION } from './calibration.ts';
import { doubtsOfPair, type Doubted, type OtherInk } from './doubts.ts';
import { ONE_PEN, cleanInk, type Cleaned } from './clean.ts';
import type { Ink } from './drawn.ts';
import { boxOf, grown, type Bounds } from './components.ts';
import { complexityOf } from './complexity.ts';
import { closerPart, decodeSignature, type Part, type Shown } from './decode.ts';
import type { Side } from './handwriting.ts';
import { measure } from './features.ts';
import { scoreOf, similarityOf } from './fusion.ts';
import { explainsParts, likeliestOf, partedBy, partsOf, placedIn, restOf } from './parts.ts';
import type { ScoredPart, Scores } from './parts.ts';
import type { Stroke } from './strokes.ts';
import { RING, ringShare, withoutStamp } from './rings.ts';
import { compose, inverse, shapeOf } from './points.ts';
import type { Affine, Frame, OrientedPoints, Shape } from './points.ts';
import { STAMPED, boldnessOf, roughPenWidth } from './penWidth.ts';
import { mask } from './raster.ts';
import type { InkAlignment } from '../domain/ports/signatures.ts';

/** An image after cleaning: comparable, or not and why. */
export type Prepared =
  | ({
      kind: 'signature';
      ink: Ink;
      frame: Frame;
    } & Doubted &
      Shape)
  | { kind: 'unusable'; reason: SignatureReason; ink: Ink | undefined }
  | { kind: 'fault'; fault: SignatureFault };

/** Decodes and cleans one image. */
export async function prepareSignature(image: Uint8Array): Promise<Prepared> {
  const decoded = await decodeSignature(image);
  if (decoded.kind === 'fault') return decoded;
  const { ink, shape, complexity, reason, otherInk, isRidged } = await closelyCleaned(image, decoded);
  // Of the print of a finger pieces are left when most of it was taken for a code.
  const unusable = (why: SignatureReason) =>
    ({ kind: 'unusable', reason: isRidged ? 'THUMBPRINT' : why, ink }) as const;
  // The ridges of a whorl are rings, as those of a stamp.
  if (shape && shape.points.count > MAX_POINTS && (!reason || reason === 'FOREIGN_INK'))
    return unusable('THUMBPRINT');
  if (reason) return unusable(reason);
  const ring = shape ? ringShare(shape.points) : 0;
  if (ring >= RING.stamp) return (ink && besideStamp(ink, otherInk)) ?? unusable('FOREIGN_INK');
  const isMixed = ring >= RING.mixed || (ink?.widths.variation ?? 0) > ONE_PEN;
  if (!ink || !shape || shape.points.count < LEAST_POINTS) return unusable('TOO_LITTLE_INK');
  // A complexity that cannot be computed is none.
  const { least, leastToMatch } = CALIBRATION.complexity;
  if (!(complexity >= least)) return unusable('TOO_SIMPLE');
  if (boldnessOf(ink.mask) >= STAMPED) return unusable('PRINT');
  const isSimple = complexity < leastToMatch;
  // Ink of another width lies beside the strokes, or across them: it may explain a No Match.
  const besides = ink.widths.areTwo && otherInk === 'NONE' ? 'APART' : otherInk;
  return { kind: 'signature', ink, otherInk: isMixed ? 'MIXED' : besides, isSimple, ...shape };
}

/** Ink without the round stamp over it, if the rest is more than a mark. */
function besideStamp(ink: Ink, otherInk: OtherInk): Prepared | undefined {
  const strokes = withoutStamp(ink.strokes);
  const shape = strokes && shapeOf(strokes);
  if (!shape || shape.points.count < LEAST_POINTS) return undefined;
  const complexity = complexityOf(shape, CALIBRATION.complexity);
  const { least, leastToMatch } = CALIBRATION.complexity;
  if (!(complexity >= least)) return undefined;
  const drawn = mask(ink.mask.width, ink.mask.height);
  for (const stroke of strokes)
    for (let at = 0; at < stroke.length; at += 2)
      drawn.data[Math.round(stroke[at + 1]!) * drawn.width + Math.round(stroke[at]!)] = 1;
  const about = grown(drawn, Math.ceil(roughPenWidth(ink.mask) / 2), 1);
  const left = { ...ink.mask, data: ink.mask.data.map((value, i) => value & about.data[i]!) };
  const isSimple = complexity < leastToMatch;
  const isMixed = otherInk === 'MIXED' || ink.widths.variation > ONE_PEN;
  const signature = { ...ink, mask: left, strokes };
  return { kind: 'signature', ink: signature, otherInk: isMixed ? 'MIXED' : 'APART', isSimple, ...shape };
}

/** Looks again, and closer, where the ink fills little of the picture. */
async function closelyCleaned(
  image: Uint8Array,
  first: Shown,
): Promise<
  Pick<Cleaned, 'ink' | 'shape' | 'complexity' | 'reason'> & { otherInk: OtherInk; isRidged: boolean }
> {
  let cleaned = cleanInk(first.colours);
  let { otherInk } = cleaned;
  let isRidged = cleaned.facts.foreign.has('RIDGES');
  let shown = first;
  for (let look = 0; look < MAX_LOOKS && cleaned.bounds; look++) {
    const part = closerPart(shown, cleaned.bounds);
    if (!part) break;
    const closer = await decodeSignature(image, part);
    if (closer.kind === 'fault') break;
    shown = closer;
    cleaned = cleanInk(closer.colours, cutSides(closer.part, first.part));
    isRidged ||= cleaned.facts.foreign.has('RIDGES');
    // Ink outside the closer picture is not mixed with the signature's, but was there.
    if (otherInk === 'MIXED') otherInk = 'APART';
    if (cleaned.otherInk !== 'NONE') otherInk = cleaned.otherInk;
  }
  const { reason, facts, ...drawn } = cleaned;
  // No page of text is so low: these are the broken strokes of a signature.
  const isTooSmall = reason === 'TEXT_PAGE' && heightOf(boxOf(facts.all), shown) < LEAST_TEXT;
  return { ...drawn, ...(reason && { reason: isTooSmall ? 'INK_TOO_SMALL' : reason }), otherInk, isRidged };
}

/** The sides on which a part ends within the image. */
const cutSides = (part: Part, whole: Part): ReadonlySet<Side> =>
  new Set([
    ...(part.left > 0 ? ['left' as const] : []),
    ...(part.top > 0 ? ['top' as const] : []),
    ...(part.left + part.width < whole.width ? ['right' as const] : []),
    ...(part.top + part.height < whole.height ? ['bottom' as const] : []),
  ]);

/** Height of ink in pixels of the file. */
const heightOf = ({ top, bottom }: Bounds, { colours, part }: Shown) =>
  ((bottom - top + 1) * part.height) / colours.height;

/** Three rows of print have at least so many pixels. */
const LEAST_TEXT = 80;

/** The ink of the first closer look may itself fill little of what it was found in. */
const MAX_LOOKS = 2;

/** Fewer points than this are a tick or a dot. */
const LEAST_POINTS = 30;
/** More points are ridges of a finger or another dense pattern: signatures of the development sets have at most 503. */
const MAX_POINTS = 700;

/** The parts of one image that a comparison uses, with their position in the picture. */
export type Comparable = Shape & { frame: Frame };

export function compareSignatures(
  one: Comparable,
  other: Comparable,
): { similarity: number; alignment: InkAlignment } {
  const { score, alignment } = scoreSignatures(one, other);
  return { similarity: similarityOf(score, CALIBRATION), alignment };
}

/** Two images compared, with the doubts of the verdict: also of one that holds another signature beside its own. */
export function comparePair(one: Signature, other: Signature) {
  const { alignment, ...scored } = scoreSignatures(one, other);
  const similarity = similarityOf(scored.score, CALIBRATION);
  const parted = (image: Signature, whole: Signature) => {
    if (!explainsParts(similarity) || image.otherInk !== 'NONE') return image;
    return partedBy(image, [...restOf(image, whole, scored), ...scoreParts(image.ink.strokes, [whole])]);
  };
  return { similarity, alignment, doubts: doubtsOfPair(parted(one, other), parted(other, one)) };
}

type Signature = Extract<Prepared, { kind: 'signature' }>;

/** The likeliest parts of some ink, each compared alone with every signature; a part may hold too much or too little of one. */
export function scoreParts(strokes: readonly Stroke[], wholes: readonly Comparable[]): ScoredPart[] {
  const parts = [...likeliestOf(partsOf(strokes, wholes), wholes), ...placedIn(strokes, wholes)];
  return parts.map((part) => ({
    otherInk: part.otherInk,
    scores: wholes.map((whole) => {
      const { score, within } = scoreSignatures(part, whole);
      return Math.max(score, within);
    }),
  }));
}

/** The scores of two signatures (`scoreOf`) and the map of the other one's picture onto this one's. */
export function scoreSignatures(one: Comparable, other: Comparable): Scores & { alignment: InkAlignment } {
  const [first, second] = inOrder(one, other);
  const swapped = first !== one;
  const { values, within, affine } = measure(first, second);
  const onto = compose(fromUnits(first.frame), compose(affine, toUnits(second.frame)));
  return {
    score: scoreOf(values, CALIBRATION),
    within: scoreOf(within, CALIBRATION),
    alignment: swapped ? inverse(onto) : onto,
  };
}

/** Two signatures in the order in which they are measured, whichever comes first here. */
export function inOrder<S extends Shape>(one: S, other: S): readonly [S, S] {
  return comesAfter(one.points, other.points) ? [other, one] : [one, other];
}

/** An order of signatures by their content alone. */
function comesAfter(one: OrientedPoints, other: OrientedPoints): boolean {
  if (one.count !== other.count) return one.count > other.count;
  for (const axis of ['x', 'y'] as const)
    for (let i = 0; i < one.count; i++)
      if (one[axis][i] !== other[axis][i]) return one[axis][i]! > other[axis][i]!;
  return false;
}

function toUnits({ centreX, centreY, unit }: Frame): Affine {
  return [1 / unit, 0, -centreX / unit, 0, 1 / unit, -centreY / unit];
}

function fromUnits({ centreX, centreY, unit }: Frame): Affine {
  return [unit, 0, centreX, 0, unit, centreY];
}
