/** Fits the constants of the fused descriptor, and says by cross-validation over people what they are worth. */
import { fuse, type DescriptorParts, type FusionConstants } from '../../core/vision/fusion.ts';
import { compareAll, type Comparisons } from '../accuracy/comparisons.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { repeatableRandom, trueMatchRate } from '../accuracy/errorRates.ts';
import type { Photo } from '../accuracy/photos.ts';
import { meanOf, principalAxes } from './principalAxes.ts';

export interface Described {
  photo: Photo;
  parts: DescriptorParts;
}

/** What the fit may choose: the share of the first descriptor, and which axes are taken out of the second. */
interface Choice {
  recognitionShare: number;
  /** Counted from 1, the direction along which faces vary most. */
  axes: readonly number[];
}

interface Validated extends Choice {
  /** True match rates at FMR 1e-3 and 1e-4 on people that the constants were not fitted on. */
  at1e3: number;
  at1e4: number;
}

/** Digits that are kept of the constants: enough that distances stay the same to 1e-5. */
const DIGITS = 5;

/** The highest axis that a choice may name. */
const MOST_AXES = 4;

export type Fit = (choice: Choice) => FusionConstants;

/** Finds mean and axes of the second descriptor once; the answer makes the constants of any choice of axes. */
export function prepareFit(described: readonly Described[]): Fit {
  const roots = described.map(({ parts }) => parts.faceres.map((value) => Math.sqrt(Math.max(0, value))));
  const mean = meanOf(roots);
  const found = principalAxes(roots, mean, MOST_AXES);
  const rounded = (numbers: Float64Array) => Array.from(numbers, (value) => Number(value.toFixed(DIGITS)));
  return ({ recognitionShare, axes }) => ({
    recognitionShare,
    mean: rounded(mean),
    removedAxes: axes.map((axis) => rounded(found[axis - 1]!)),
  });
}

/** Halves the people at random this often; each half is tested with what was fitted on the other. */
const HALVINGS = 2;

/** Validates every set of axes with every share. */
export function crossValidate(
  described: readonly Described[],
  axesToTry: readonly (readonly number[])[],
  shares: readonly number[],
): Validated[] {
  const sums = axesToTry.flatMap((axes) =>
    shares.map((recognitionShare) => ({ axes, recognitionShare, at1e3: 0, at1e4: 0 })),
  );
  for (let halving = 0; halving < HALVINGS; halving++) {
    const [first, second] = halve(described, halving + 1);
    for (const [fitted, tested] of [[first, second] as const, [second, first] as const]) {
      const recognition = compareParts(tested, ({ parts }) => parts.recognition);
      const fit = prepareFit(fitted);
      for (const axes of axesToTry) {
        // With no share for the first descriptor only the second one is compared.
        const constants = fit({ axes, recognitionShare: 0 });
        const faceres = compareParts(tested, ({ parts }) => fuse(parts, constants));
        for (const sum of sums.filter((each) => each.axes === axes)) {
          const [at1e3, at1e4] = rates(recognition, faceres, sum.recognitionShare);
          sum.at1e3 += at1e3 / (2 * HALVINGS);
          sum.at1e4 += at1e4 / (2 * HALVINGS);
        }
      }
    }
  }
  return sums;
}

function compareParts(
  described: readonly Described[],
  vector: (each: Described) => Float32Array,
): Comparisons {
  return compareAll(
    described.map(({ photo }) => photo),
    described.map(vector),
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

/** Within this much of the best sum of both rates a choice is as good as the best: less than chance moves it. */
const AS_GOOD = 0.005;

/** The fewest axes that are as good as the best choice, with their own best share. */
export function choose(validated: readonly Validated[]): Validated {
  const worth = ({ at1e3, at1e4 }: Validated) => at1e3 + at1e4;
  const most = Math.max(...validated.map(worth));
  const [simplest] = validated
    .filter((each) => worth(each) >= most - AS_GOOD)
    .sort((a, b) => a.axes.length - b.axes.length || worth(b) - worth(a));
  return simplest!;
}

/** Two halves without a person in common. */
function halve(described: readonly Described[], seed: number): [Described[], Described[]] {
  const random = repeatableRandom(seed * 7919);
  const inFirst = new Map<string, boolean>();
  for (const { photo } of described)
    if (!inFirst.has(photo.identity)) inFirst.set(photo.identity, random() < 0.5);
  return [
    described.filter(({ photo }) => inFirst.get(photo.identity)),
    described.filter(({ photo }) => !inFirst.get(photo.identity)),
  ];
}
