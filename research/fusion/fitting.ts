/** Fits the constants of the templates, and says by cross-validation over people what a recipe is worth. */
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import type { DescriptorParts, FusionConstants } from '../../core/vision/fusion.ts';
import { falseMatchRateWithin, tenths, type Places } from '../../bench/accuracy/alongAxis.ts';
import { compareAll, type Comparisons } from '../../bench/accuracy/comparisons.ts';
import { trueMatchRate } from '../../bench/accuracy/errorRates.ts';
import type { Photo } from '../../bench/accuracy/photos.ts';
import {
  atUnitLength,
  dot,
  meanOf,
  product,
  secondMoments,
  symmetricEigen,
  times,
  type Rows,
} from './linear.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

export interface Described {
  photo: Photo;
  parts: DescriptorParts;
  /** Where it lies along the axes that groups are measured by. */
  along: { looks: number; mobile: number };
}

/** The steps applied to the two descriptors before they are joined. */
export interface Recipe {
  name: string;
  /** Share of the 128-D net in the squared length; 0: MobileFaceNet alone, 1: the 128-D net alone. */
  share: number;
  /** The 128-D net is whitened within people, its covariance mixed with this multiple of its mean variance. */
  whitened?: number;
  /** Likewise MobileFaceNet. */
  mobileWhitened?: number;
  /** Numbers kept of the 128-D net. */
  kept: number;
  /** The direction of the look-alike tenth is taken out of MobileFaceNet. */
  directionOut: boolean;
  /** And that of the tenth at the low end of MobileFaceNet's own strongest axis. */
  secondOut?: boolean;
}

/** Of the 128 numbers of the 128-D net 80 hold all but 3e-7 of the squared length. */
const RECOGNITION_RANK = 80;
/** Of the 192 numbers of MobileFaceNet 64 hold all but 2e-6. */
export const MOBILE_KEPT = 64;
/** Digits that are kept of the constants: enough that distances stay the same to 1e-5. */
const DIGITS = 5;

/** Fits recipes on these photos; what two of them share is fitted once. */
export function fitting(described: readonly Described[]): (recipe: Recipe) => FusionConstants {
  const rows = new Map<string, number[][]>();
  const once = (key: unknown[], make: () => Rows) => {
    const name = JSON.stringify(key);
    const made = rows.get(name) ?? rounded(make());
    rows.set(name, made);
    return made;
  };
  return (recipe) => {
    const { whitened, kept, directionOut, secondOut, mobileWhitened } = recipe;
    return {
      recognitionShare: recipe.share,
      recognition: once(['recognition', whitened, kept], () => recognitionRows(described, recipe)),
      mobile: once(['mobile', directionOut, secondOut, mobileWhitened], () => mobileRows(described, recipe)),
    };
  };
}

function recognitionRows(described: readonly Described[], { whitened, kept }: Recipe): Rows {
  const vectors = described.map(({ parts }) => parts.recognition);
  const people = described.map(({ photo }) => photo.identity);
  let rows = strongest(vectors, RECOGNITION_RANK);
  if (whitened !== undefined)
    rows = product(
      whitening(
        vectors.map((vector) => times(rows, vector)),
        people,
        whitened,
      ),
      rows,
    );
  const unit = vectors.map((vector) => atUnitLength(times(rows, vector)));
  return scaledToUnit(product(strongest(unit, kept), rows), vectors);
}

function mobileRows(described: readonly Described[], recipe: Recipe): Rows {
  const vectors = described.map(({ parts }) => parts.mobile);
  const people = described.map(({ photo }) => photo.identity);
  const directions: Float64Array[] = [];
  if (recipe.directionOut) directions.push(directionOf(described, 'looks'));
  if (recipe.secondOut) directions.push(without(directionOf(described, 'mobile'), directions));
  const rest = vectors.map((vector) => without(Float64Array.from(vector), directions));
  let rows = strongest(rest, MOBILE_KEPT).map((row) => without(row, directions));
  const { mobileWhitened } = recipe;
  if (mobileWhitened !== undefined)
    rows = product(
      whitening(
        rest.map((vector) => times(rows, vector)),
        people,
        mobileWhitened,
      ),
      rows,
    );
  return scaledToUnit(rows, vectors);
}

/** From all others to the people of the lowest tenth along an axis: the mean of their vectors minus that of the others'. */
function directionOf(described: readonly Described[], axis: keyof Described['along']): Float64Array {
  const { lowest } = tenths(placesOf(described, axis));
  const isIn = ({ photo }: Described) => lowest.has(photo.identity);
  const inside = meanOf(described.filter(isIn).map(({ parts }) => parts.mobile));
  const outside = meanOf(described.filter((each) => !isIn(each)).map(({ parts }) => parts.mobile));
  return atUnitLength(inside.map((value, i) => value - outside[i]!));
}

export function placesOf(described: readonly Described[], axis: keyof Described['along']): Places {
  return described.map(({ photo: { identity }, along }) => ({ identity, along: along[axis] }));
}

/** The vector without its components along these orthogonal directions of unit length. */
function without(vector: Float64Array, directions: readonly Float64Array[]): Float64Array {
  let rest = vector;
  for (const direction of directions) {
    const along = dot(rest, direction);
    rest = rest.map((value, i) => value - along * direction[i]!);
  }
  return rest;
}

/** The directions that hold most of the squared length. Not centred: centring loses 0.3 to 3 points. */
function strongest(vectors: readonly ArrayLike<number>[], count: number): Rows {
  return symmetricEigen(secondMoments(vectors)).vectors.slice(0, count);
}

/**
 * The inverse root of how photos of one person vary, mixed with `shrinkage` times the mean variance: directions along
 * which a person's own photos differ count for less.
 */
function whitening(vectors: readonly Float64Array[], people: readonly string[], shrinkage: number): Rows {
  const within = secondMoments(deviations(vectors, people));
  const variance = within.reduce((sum, row, i) => sum + row[i]!, 0) / within.length;
  const { values, vectors: axes } = symmetricEigen(
    within.map((row, i) => row.map((value, j) => value + (i === j ? shrinkage * variance : 0))),
  );
  const scaled = axes.map((axis, k) => axis.map((value) => value / Math.sqrt(values[k]!)));
  return product(transposed(axes), scaled);
}

function transposed(rows: Rows): Rows {
  return Array.from(rows[0]!, (_, i) => Float64Array.from(rows, (row) => row[i]!));
}

/** Of the people with several photos, each photo minus the mean of its person's. */
function deviations(vectors: readonly Float64Array[], people: readonly string[]): Float64Array[] {
  const byPerson = new Map<string, Float64Array[]>();
  for (const [i, person] of people.entries())
    byPerson.set(person, [...(byPerson.get(person) ?? []), vectors[i]!]);
  return [...byPerson.values()].flatMap((photos) => {
    if (photos.length < 2) return [];
    const mean = meanOf(photos);
    return photos.map((photo) => photo.map((value, i) => value - mean[i]!));
  });
}

/** The rows on a scale that leaves the vectors about as long as they are. It changes no template. */
function scaledToUnit(rows: Rows, vectors: readonly Float32Array[]): Rows {
  const sizes = vectors.map((vector) =>
    Math.sqrt(times(rows, vector).reduce((sum, value) => sum + value ** 2, 0)),
  );
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return rows.map((row) => row.map((value) => value / mean));
}

function rounded(rows: Rows): number[][] {
  return rows.map((row) => Array.from(row, (value) => Number(value.toFixed(DIGITS))));
}

/** The template that these constants give, whatever number of rows they have. */
export function templateOf(
  { recognition, mobile }: DescriptorParts,
  constants: FusionConstants,
): Float32Array {
  const { recognitionShare: share } = constants;
  const part = (rows: FusionConstants['mobile'], vector: Float32Array, weight: number) =>
    weight === 0
      ? []
      : atUnitLength(Float64Array.from(rows, (row) => dot(row, vector))).map(
          (value) => Math.sqrt(weight) * value,
        );
  return Float32Array.of(
    ...part(constants.recognition, recognition, share),
    ...part(constants.mobile, mobile, 1 - share),
  );
}

const FMRS = [1e-3, 1e-4, 1e-5] as const;
/** Groups whose false matches are counted, at the thresholds that give everybody these rates. */
const GROUP_FMRS = [1e-3, 1e-4] as const;

/** Accuracy of a recipe on people it was not fitted on: means over the tests. */
export interface Worth {
  recipe: Recipe;
  /** True match rates at FMR 1e-3, 1e-4 and 1e-5, and two standard errors of each. */
  rates: { rate: number; error: number }[];
  /** Of the tenths along both axes: false match rate over the promise, at 1e-3 and 1e-4. */
  groups: { looksLow: number[]; looksHigh: number[]; mobileLow: number[]; mobileHigh: number[] };
}

/**
 * @param seeds of the halvings: the people are halved at random so often, each half is tested with what was fitted on the
 * other
 */
export function crossValidate(
  described: readonly Described[],
  recipes: readonly Recipe[],
  seeds: readonly number[],
): Worth[] {
  const tests = recipes.map(() => [] as Measured[]);
  for (const seed of seeds) {
    const isFirst = halve(described, seed);
    for (const first of [true, false]) {
      const isFitted = ({ photo }: Described) => isFirst.get(photo.identity) === first;
      const tested = described.filter((each) => !isFitted(each));
      const fitHalf = fitting(described.filter(isFitted));
      for (const [i, recipe] of recipes.entries()) tests[i]!.push(measure(tested, fitHalf(recipe)));
    }
    console.log(`halving ${seeds.indexOf(seed) + 1} of ${seeds.length}`);
  }
  return recipes.map((recipe, i) => summed(recipe, tests[i]!, seeds.length));
}

/** On one test: true match rates, and of each tenth the false match rate over the promise. */
interface Measured {
  rates: number[];
  groups: number[][];
}

function measure(tested: readonly Described[], constants: FusionConstants): Measured {
  const comparisons = compareDescribed(tested, constants);
  const sorted = comparisons.nonMated.distance.toSorted();
  const groups = (['looks', 'mobile'] as const).flatMap((axis) => {
    const { lowest, highest } = tenths(placesOf(tested, axis));
    return [lowest, highest].map((group) =>
      GROUP_FMRS.map((fmr) => falseMatchRateWithin(comparisons, group, thresholdAt(sorted, fmr)) / fmr),
    );
  });
  return { rates: FMRS.map((fmr) => trueMatchRate(comparisons, thresholdAt(sorted, fmr))), groups };
}

export function compareDescribed(described: readonly Described[], constants: FusionConstants): Comparisons {
  return compareAll(
    described.map(({ photo }) => photo),
    described.map(({ parts }) => templateOf(parts, constants)),
  );
}

function summed(recipe: Recipe, tests: readonly Measured[], halvings: number): Worth {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [looksLow, looksHigh, mobileLow, mobileHigh] = [0, 1, 2, 3].map((g) =>
    GROUP_FMRS.map((_, f) => mean(tests.map(({ groups }) => groups[g]![f]!))),
  ) as [number[], number[], number[], number[]];
  return {
    recipe,
    rates: FMRS.map((_, f) => {
      const values = tests.map(({ rates }) => rates[f]!);
      const rate = mean(values);
      // The two tests of a halving share no person; tests of different halvings share half of them.
      return { rate, error: 2 * Math.sqrt(mean(values.map((value) => (value - rate) ** 2)) / halvings) };
    }),
    groups: { looksLow, looksHigh, mobileLow, mobileHigh },
  };
}

/** Assigns each person to one of two halves by chance; true: the first half. */
function halve(described: readonly Described[], seed: number): Map<string, boolean> {
  const random = repeatable(seed * 7919);
  const inFirst = new Map<string, boolean>();
  for (const { photo } of described)
    if (!inFirst.has(photo.identity)) inFirst.set(photo.identity, random() < 0.5);
  return inFirst;
}
