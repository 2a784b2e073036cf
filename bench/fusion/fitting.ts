/** Fits the constants of the fused descriptor, and says by cross-validation over people what they are worth. */
import { fuse, unit, type DescriptorParts, type FusionConstants } from '../../core/vision/fusion.ts';
import { compareAll, type Comparisons } from '../accuracy/comparisons.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { repeatableRandom, trueMatchRate } from '../accuracy/errorRates.ts';
import type { Photo } from '../accuracy/photos.ts';
import type { AlteredFace } from './alterations.ts';
import { meanOf, orthonormalise, principalAxes } from './principalAxes.ts';

export interface Described {
  photo: Photo;
  parts: DescriptorParts;
}

/** What is done to the two descriptors before they are joined. */
export interface Recipe {
  name: string;
  /** Which of the 1024-D's strongest directions of variation are taken out, counted from 1. */
  removed: readonly number[];
  /** The strongest ones are pulled towards those behind them. */
  pulled: boolean;
  /** The direction along which each alteration moves the 1024-D is taken out. */
  steady: boolean;
  /** What part of the 128-D's mean is added to it. */
  shift: number;
}

/** What the fit may choose: also the share of the first descriptor. */
interface Choice {
  recognitionShare: number;
  recipe: Recipe;
}

interface Validated extends Choice {
  /** True match rates at FMR 1e-3 and 1e-4 on people that the constants were not fitted on. */
  at1e3: number;
  at1e4: number;
}

/** Digits that are kept of the constants: enough that distances stay the same to 1e-5. */
const DIGITS = 5;

/** How many of the strongest directions are pulled, and how strongly: 1 would make all as strong as the next one. */
const PULLED = 16;
const PULL = 0.8;

export type Fit = (choice: Choice) => FusionConstants;

/** Finds means and directions once; the answer makes the constants of any choice. */
export function prepareFit(described: readonly Described[], altered: readonly AlteredFace[]): Fit {
  const roots = described.map(({ parts }) => rooted(parts.faceres));
  const mean = meanOf(roots);
  const strongest = principalAxes(roots, mean, PULLED + 1);
  const spread = strongest.map((axis) => roots.reduce((sum, each) => sum + along(each, axis, mean) ** 2, 0));
  const recognitionMean = meanOf(described.map(({ parts }) => parts.recognition));
  const moved = altered.map(({ before, after }) => ({
    before: rooted(before),
    after: after.map(rooted),
  }));
  const weighed = ({ removed, pulled }: Recipe) => {
    const kept = (rank: number) =>
      removed.includes(rank) ? 0 : pulled ? (spread[PULLED]! / spread[rank - 1]!) ** (PULL / 2) : 1;
    const axes = strongest.slice(0, PULLED).map((direction, i) => ({ kept: kept(i + 1), direction }));
    // What is taken out comes first: the measurement of groups takes the first one for theirs.
    return axes.filter((axis) => axis.kept < 1).sort((a, b) => Math.sign(a.kept) - Math.sign(b.kept));
  };
  const steadyAxes = new Map<Recipe, Float64Array[]>();
  return ({ recognitionShare, recipe }) => {
    const axes = weighed(recipe);
    if (recipe.steady && !steadyAxes.has(recipe)) steadyAxes.set(recipe, changes(moved, axes));
    const still = (steadyAxes.get(recipe) ?? []).map((direction) => ({ kept: 0, direction }));
    return {
      recognitionShare,
      recognitionShift: recipe.shift === 0 ? [] : rounded(recognitionMean, recipe.shift),
      mean: rounded(mean),
      axes: [...axes, ...still].map(({ kept, direction }) => ({
        kept: Number(kept.toFixed(DIGITS)),
        direction: rounded(direction),
      })),
    };
  };
}

interface Axis {
  kept: number;
  direction: Float64Array;
}

/** The direction along which each alteration moves faces most, once the axes are weighed; orthonormal. */
function changes(
  moved: readonly { before: Float32Array; after: readonly Float32Array[] }[],
  axes: readonly Axis[],
): Float64Array[] {
  const kinds = moved[0]?.after.length ?? 0;
  const nowhere = new Float64Array(moved[0]?.before.length ?? 0);
  const found = Array.from({ length: kinds }, (_, kind) => {
    const differences = moved.map(({ before, after }) => {
      const difference = after[kind]!.map((value, i) => value - before[i]!);
      for (const { kept, direction } of axes) {
        const there = along(difference, direction, nowhere);
        for (let i = 0; i < difference.length; i++) difference[i]! -= (1 - kept) * there * direction[i]!;
      }
      return difference;
    });
    return principalAxes(differences, nowhere, 1)[0]!;
  });
  orthonormalise(found);
  return found;
}

function rooted(faceres: Float32Array): Float32Array {
  return faceres.map((value) => Math.sqrt(Math.max(0, value)));
}

function along(vector: Float32Array, axis: Float64Array, from: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < axis.length; i++) sum += (vector[i]! - from[i]!) * axis[i]!;
  return sum;
}

function rounded(numbers: Float64Array, factor = 1): number[] {
  return Array.from(numbers, (value) => Number((factor * value).toFixed(DIGITS)));
}

/**
 * Validates every recipe with every share.
 * @param seeds of the halvings: the people are halved at random so often, each half is tested with what was fitted on the
 * other
 */
export function crossValidate(
  described: readonly Described[],
  altered: readonly AlteredFace[],
  recipes: readonly Recipe[],
  shares: readonly number[],
  seeds: readonly number[],
): Validated[] {
  const sums = recipes.flatMap((recipe) =>
    shares.map((recognitionShare) => ({ recipe, recognitionShare, at1e3: 0, at1e4: 0 })),
  );
  for (const seed of seeds) {
    const isFirst = halve(described, seed);
    for (const first of [true, false]) {
      const isFitted = ({ photo }: { photo: Photo }) => isFirst.get(photo.identity) === first;
      const tested = described.filter((each) => !isFitted(each));
      const fit = prepareFit(described.filter(isFitted), altered.filter(isFitted));
      for (const recipe of recipes) {
        const constants = fit({ recipe, recognitionShare: 0 });
        const shift = constants.recognitionShift;
        const recognition = compareParts(tested, ({ recognition: vector }) =>
          unit(vector.map((value, i) => value + (shift[i] ?? 0))),
        );
        // With no share for the first descriptor only the second one is compared.
        const faceres = compareParts(tested, (parts) => fuse(parts, constants));
        for (const sum of sums.filter((each) => each.recipe === recipe)) {
          const [at1e3, at1e4] = rates(recognition, faceres, sum.recognitionShare);
          sum.at1e3 += at1e3 / (2 * seeds.length);
          sum.at1e4 += at1e4 / (2 * seeds.length);
        }
      }
    }
    console.log(`halving ${seeds.indexOf(seed) + 1} of ${seeds.length}`);
  }
  return sums;
}

function compareParts(
  described: readonly Described[],
  vector: (parts: DescriptorParts) => Float32Array,
): Comparisons {
  return compareAll(
    described.map(({ photo }) => photo),
    described.map(({ parts }) => vector(parts)),
  );
}

/** True match rates at FMR 1e-3 and 1e-4 when both descriptors' squared distances are added by their shares. */
function rates(recognition: Comparisons, faceres: Comparisons, share: number): [number, number] {
  const joined = (first: Float32Array, second: Float32Array) =>
    first.map((distance, i) => Math.sqrt(share * distance ** 2 + (1 - share) * second[i]! ** 2));
  const comparisons: Comparisons = {
    ...recognition,
    mated: {
      ...recognition.mated,
      distance: joined(recognition.mated.distance, faceres.mated.distance),
    },
    nonMated: {
      ...recognition.nonMated,
      distance: joined(recognition.nonMated.distance, faceres.nonMated.distance),
    },
  };
  const sorted = comparisons.nonMated.distance.toSorted();
  return [
    trueMatchRate(comparisons, thresholdAt(sorted, 1e-3)),
    trueMatchRate(comparisons, thresholdAt(sorted, 1e-4)),
  ];
}

/** The choice whose both rates are highest in sum. */
export function choose(validated: readonly Validated[]): Validated {
  const worth = ({ at1e3, at1e4 }: Validated) => at1e3 + at1e4;
  return validated.reduce((best, each) => (worth(each) > worth(best) ? each : best));
}

/** Who is in the first of two halves without a person in common. */
function halve(described: readonly Described[], seed: number): Map<string, boolean> {
  const random = repeatableRandom(seed * 7919);
  const inFirst = new Map<string, boolean>();
  for (const { photo } of described)
    if (!inFirst.has(photo.identity)) inFirst.set(photo.identity, random() < 0.5);
  return inFirst;
}
