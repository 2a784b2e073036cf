/** Fits the constants of the fused descriptor, and says by cross-validation over people what they are worth. */
import { fuse, type DescriptorParts, type FusionConstants } from '../../core/vision/fusion.ts';
import { compareAll } from '../accuracy/comparisons.ts';
import { repeatableRandom, thresholdAt, trueMatchRate } from '../accuracy/errorRates.ts';
import type { Photo } from '../accuracy/photos.ts';
import { meanOf, principalAxes } from './principalAxes.ts';

export interface Described {
  photo: Photo;
  parts: DescriptorParts;
}

/** What the fit may choose: the share of the first descriptor, and how many axes are taken out of the second. */
export interface Choice {
  recognitionShare: number;
  axes: number;
}

export interface Validated extends Choice {
  /** True match rates at FMR 1e-3 and 1e-4 on people that the constants were not fitted on. */
  at1e3: number;
  at1e4: number;
}

/** Digits that are kept of the constants: enough that distances stay the same to 1e-5. */
const DIGITS = 5;

export function fitConstants(described: readonly Described[], choice: Choice): FusionConstants {
  const roots = described.map(({ parts }) => parts.faceres.map((value) => Math.sqrt(Math.max(0, value))));
  const mean = meanOf(roots);
  const rounded = (numbers: Float64Array) => Array.from(numbers, (value) => Number(value.toFixed(DIGITS)));
  return {
    recognitionShare: choice.recognitionShare,
    mean: rounded(mean),
    removedAxes: choice.axes === 0 ? [] : principalAxes(roots, mean, choice.axes).map(rounded),
  };
}

/** Halves the people at random this often; each half is tested with what was fitted on the other. */
const HALVINGS = 2;

export function crossValidate(described: readonly Described[], choices: readonly Choice[]): Validated[] {
  const sums = choices.map((choice) => ({ ...choice, at1e3: 0, at1e4: 0 }));
  for (let halving = 0; halving < HALVINGS; halving++) {
    const [first, second] = halve(described, halving + 1);
    for (const [fitted, tested] of [[first, second] as const, [second, first] as const]) {
      const byAxes = new Map<number, FusionConstants>();
      for (const sum of sums) {
        const constants = byAxes.get(sum.axes) ?? fitConstants(fitted, sum);
        byAxes.set(sum.axes, constants);
        const rates = validate(tested, { ...constants, recognitionShare: sum.recognitionShare });
        sum.at1e3 += rates[0] / (2 * HALVINGS);
        sum.at1e4 += rates[1] / (2 * HALVINGS);
      }
    }
  }
  return sums;
}

function validate(tested: readonly Described[], constants: FusionConstants): [number, number] {
  const comparisons = compareAll(
    tested.map(({ photo }) => photo),
    tested.map(({ parts }) => fuse(parts, constants)),
  );
  const sorted = comparisons.nonMated.distance.toSorted();
  return [
    trueMatchRate(comparisons, thresholdAt(sorted, 1e-3)),
    trueMatchRate(comparisons, thresholdAt(sorted, 1e-4)),
  ];
}

/** Two halves without a person in common. */
export function halve(described: readonly Described[], seed: number): [Described[], Described[]] {
  const random = repeatableRandom(seed * 7919);
  const inFirst = new Map<string, boolean>();
  for (const { photo } of described)
    if (!inFirst.has(photo.identity)) inFirst.set(photo.identity, random() < 0.5);
  return [
    described.filter(({ photo }) => inFirst.get(photo.identity)),
    described.filter(({ photo }) => !inFirst.get(photo.identity)),
  ];
}
