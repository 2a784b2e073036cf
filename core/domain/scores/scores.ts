/**
 * From distances to what people read. A pipeline ships its {@link Calibration}: which share of non-mated comparisons is nearer
 * than a distance. Thresholds are chosen as false-match rates (FMR), never as bare distances; a score is a fixed
 * piecewise linear mapping of the distance whose corners are distances of known FMR.
 */
import type { SCORE_BANDS } from '../../contracts/codes.ts';
import { comparisonRate, strengthOf, type FaceLikelihood } from '../../contracts/certainty.ts';

/** Impostor statistics of one pipeline. */
export interface Calibration {
  /** Falling FMR, falling distance: `fmr` of all non-mated pairs are at most `distance` apart. */
  points: readonly CalibrationPoint[];
  /** How its pipeline turns a false match rate into a likelihood ratio; absent: pairs of one person were not measured. */
  likelihood?: LikelihoodWeights | undefined;
  /** The share of enrolled people that a search finds; absent: not measured. */
  found?: FoundShares | undefined;
}

/**
 * The share of enrolled people that is found by a photo of them, by the threshold and the number of enrolled photos, with 95 %
 * intervals: people whom the templates were not fitted on (`npm run bench -- persons 4 write`).
 */
export interface FoundShares {
  /** The number of people who were searched for. */
  people: number;
  /** By falling distance. */
  rows: readonly {
    distance: number;
    found: readonly { photos: number; share: number; low: number; high: number }[];
  }[];
}

interface CalibrationPoint {
  /** False-match rate of a single comparison, 0 to 1. */
  fmr: number;
  /** Euclidean distance between unit vectors, 0 to 2. */
  distance: number;
}

/** The default of flows: one false match in ten thousand comparisons of different people. */
export const DEFAULT_FMR = 1e-4;
/** At or below this rate a match is called strong. */
export const STRONG_FMR = 1e-6;

/** The corners of the score: at a distance of this FMR the score is this. */
const CORNERS: readonly { fmr: number; score: number }[] = [
  { fmr: 0.5, score: 20 },
  { fmr: 1e-2, score: 50 },
  { fmr: DEFAULT_FMR, score: 70 },
  { fmr: STRONG_FMR, score: 85 },
];
/** Euclidean distance between opposite unit vectors. */
const MAX_DISTANCE = 2;

/**
 * Templates of two photos at most this far apart probably come from one picture: the same file, or one that was saved, scaled
 * or cropped anew. Of 2.7 million pairs of different photos, several of one sitting among them, none is as near in either
 * built-in pipeline; frames of a burst and pipelines of others were not measured (bench/README.md). A remark, never a verdict:
 * it does not see every copy.
 */
export const SAME_PICTURE = 0.06;

/** The name of a score: `none` lies beyond the default threshold. */
export type Band = (typeof SCORE_BANDS)[number];
/** The band of a match, which lies at or under the threshold that was searched with. */
export type MatchBand = Exclude<Band, 'none'>;

/** The distance at or below which `fmr` of non-mated comparisons lie; between the calibrated points linear in log FMR. */
export function distanceAtFmr({ points }: Calibration, fmr: number): number {
  return interpolate(
    points.map((point) => [Math.log(point.fmr), point.distance]),
    Math.log(fmr),
  );
}

/**
 * The share of non-mated comparisons that are at most `distance` away. Beyond the calibrated points the end's rate is returned:
 * what was not measured is not promised.
 */
export function fmrAtDistance({ points }: Calibration, distance: number): number {
  return Math.exp(
    interpolate(
      points.map((point) => [point.distance, Math.log(point.fmr)]),
      distance,
    ),
  );
}

/**
 * The chance that a gallery of `size` other people holds at least one as near as a single comparison's `fmr`:
 * 1 − (1 − fmr)^size, comparisons taken as independent.
 */
export function falsePositiveIdentificationRate(fmr: number, size: number): number {
  return -Math.expm1(size * Math.log1p(-fmr));
}

/** A threshold lies at most this factor beyond the rarest rate of its calibration: further out the law has no support. */
const SUPPORTED_BEYOND = 100;
/** Distances beyond the table that a scale states for each power of ten: the law is not straight over log FMR. */
const SCALE_STEPS = 4;

/** The straight line over √(−ln FMR) through the two rarest points of a calibration. */
interface Tail {
  last: CalibrationPoint;
  /** Distance per unit of rarity; 0: the points are one distance, so nothing is known beyond them. */
  slope: number;
  /** False match rate down to which the line is followed. */
  rarest: number;
}

const rarityOf = (rate: number) => Math.sqrt(-Math.log(rate));

function tailOf({ points }: Calibration): Tail {
  const last = points.at(-1);
  if (last === undefined) throw new RangeError('A calibration needs points.');
  const before = points.at(-2) ?? last;
  const slope =
    before.distance > last.distance
      ? (before.distance - last.distance) / (rarityOf(last.fmr) - rarityOf(before.fmr))
      : 0;
  return { last, slope, rarest: slope > 0 ? last.fmr / SUPPORTED_BEYOND : last.fmr };
}

/** The false match rate of one comparison at which thresholds of a rate per search end. */
export const rarestRate = (calibration: Calibration): number => tailOf(calibration).rarest;

/** As {@link fmrAtDistance}, and beyond the table by the law of its tail, as far as that is followed. */
export function searchedRate(calibration: Calibration, distance: number): number {
  const { last, slope, rarest } = tailOf(calibration);
  if (distance >= last.distance || slope <= 0) return fmrAtDistance(calibration, distance);
  const rarity = rarityOf(last.fmr) + (last.distance - distance) / slope;
  return Math.max(rarest, Math.exp(-(rarity ** 2)));
}

/** The threshold of a search among so many persons, and what it keeps. */
interface SearchThreshold {
  /** False match rate of one comparison. */
  fmr: number;
  /** Euclidean, 0 to 2: persons at or below it match. */
  maxDistance: number;
  /** The share of searches of unknown people that raise a false alarm: as asked for, or more where the law ends before. */
  keptRate: number;
}

/**
 * The threshold at which one search of `rate` raises a false alarm when the searched person is not among the `persons`.
 * Beyond the table the distance continues as a straight line over the root of −ln FMR through its two rarest points, the law by which
 * the rarest points were made (docs/explanation/recognition.md). It is followed down to 1/{@link SUPPORTED_BEYOND} of
 * the rarest rate; then the most severe threshold of the law is used, and `keptRate` states what that keeps.
 * @param rate false positive identification rate, above 0 and below 1 @param persons who are searched; fewer than 1 count as 1
 */
export function thresholdForSearch(calibration: Calibration, rate: number, persons: number): SearchThreshold {
  const { rarest } = tailOf(calibration);
  const wanted = comparisonRate(rate, persons);
  const fmr = Math.max(wanted, rarest);
  const keptRate = fmr === wanted ? rate : falsePositiveIdentificationRate(fmr, persons);
  return { fmr, maxDistance: tailDistance(calibration, fmr), keptRate };
}

/** As {@link distanceAtFmr}, and beyond the table by the law of its tail. */
function tailDistance(calibration: Calibration, fmr: number): number {
  const { last, slope } = tailOf(calibration);
  if (fmr >= last.fmr) return distanceAtFmr(calibration, fmr);
  return Math.max(0, last.distance - slope * (rarityOf(fmr) - rarityOf(last.fmr)));
}

/** 0 to 100, two decimals; 100 at distance 0, {@link CORNERS} between, 0 at distance 2. */
export function similarityScore(calibration: Calibration, distance: number): number {
  const corners = CORNERS.map(({ fmr, score }) => [distanceAtFmr(calibration, fmr), score] as const);
  const score = interpolate([[MAX_DISTANCE, 0], ...corners, [0, 100]], distance);
  return Math.round(score * 100) / 100;
}

/** The score at a distance of this false-match rate: the same for every pipeline, linear in log FMR between the corners. */
export function scoreAtFmr(fmr: number): number {
  const score = interpolate(
    CORNERS.map((corner) => [Math.log(corner.fmr), corner.score] as const),
    Math.log(fmr),
  );
  return Math.round(score * 100) / 100;
}

/**
 * The score at each rate at which it changes its slope, by falling rate: between two of them it is linear in log FMR, to
 * 0.01 beyond the table. Rates for which there is no threshold are left out.
 */
export function scoreScale(calibration: Calibration): { falseMatchRate: number; score: number }[] {
  const calibrated = calibration.points.map(({ fmr }) => fmr);
  const [most = 1, least = 0] = [calibrated[0], calibrated.at(-1)];
  const corners = CORNERS.map(({ fmr }) => fmr).filter((fmr) => fmr < most && fmr > least);
  const { rarest } = tailOf(calibration);
  const steps = Math.round(SCALE_STEPS * Math.log10(least / rarest));
  const beyond = Array.from({ length: steps }, (_, i) => rarest * (least / rarest) ** (i / steps));
  return [...new Set([...calibrated, ...corners, ...beyond])]
    .sort((one, other) => other - one)
    .map((fmr) => ({
      falseMatchRate: fmr,
      score: similarityScore(calibration, tailDistance(calibration, fmr)),
    }));
}

/** The band of a match at or under the threshold that was searched with, whichever that is. */
export function matchBandOf(calibration: Calibration, distance: number): MatchBand {
  return distance <= distanceAtFmr(calibration, STRONG_FMR) ? 'strong' : 'possible';
}

/** The band of any distance. */
export function bandOf(calibration: Calibration, distance: number): Band {
  return distance <= distanceAtFmr(calibration, DEFAULT_FMR) ? matchBandOf(calibration, distance) : 'none';
}

/** Piecewise linear through corners sorted by falling x; constant beyond the ends. */
function interpolate(corners: readonly (readonly [number, number])[], x: number): number {
  const first = corners[0];
  const last = corners.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('A calibration needs points.');
  if (x >= first[0]) return first[1];
  const right = corners.findIndex(([corner]) => corner <= x);
  if (right < 0) return last[1];
  const [x0, y0] = corners[right - 1]!;
  const [x1, y1] = corners[right]!;
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

// How much more probable the similarity of two photos is if they show one person than if they show two. The non-mated side is
// the false match rate by the calibration in effect, so a company's own calibration moves the ratio; the mated side was
// measured with the pipeline.

/** Constants of a pipeline, written by `npm run research -- likelihood write`. */
export interface LikelihoodWeights extends Pick<
  FaceLikelihood,
  'lowest' | 'highest' | 'people' | 'one_person' | 'two_people'
> {
  /** log10 of the ratio at a false match rate of 1 in 10, before the bounds. */
  intercept: number;
  /** How much log10 of the ratio rises with log10 of the rarity. */
  slope: number;
  /** Variances of both and their covariance, when the people of the measurement are drawn again. */
  spread: { intercept: number; both: number; slope: number };
}

/** Standard deviations on either side of a 95 % interval. */
const WITHIN_95 = 1.96;

/** log10 of the ratio before its bounds. @param rarity −log10 of the false match rate, above 0 */
export function logRatio(
  { intercept, slope }: Pick<LikelihoodWeights, 'intercept' | 'slope'>,
  rarity: number,
): number {
  return intercept + slope * Math.log10(rarity);
}

/** @param falseMatchRate of the similarity, above 0 and below 1 */
export function faceLikelihood(
  { intercept, slope, spread, ...measured }: LikelihoodWeights,
  falseMatchRate: number,
): FaceLikelihood {
  const rarity = -Math.log10(falseMatchRate);
  const plain = logRatio({ intercept, slope }, rarity);
  const x = Math.log10(rarity);
  const side = WITHIN_95 * Math.sqrt(spread.intercept + 2 * x * spread.both + x * x * spread.slope);
  const [log10 = 0, from = 0, to = 0] = [plain, plain - side, plain + side].map(
    (value) => Math.round(100 * Math.min(measured.highest, Math.max(measured.lowest, value))) / 100,
  );
  const strength = strengthOf(log10);
  const favours = strength === 'NONE' ? 'neither' : log10 > 0 ? 'one_person' : 'two_people';
  return { log10, from, to, favours, strength, ...measured };
}

/** Euclidean, between unit vectors: 0 to 2. The same to the last bit when the vectors change places. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  return Math.sqrt(one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0));
}
