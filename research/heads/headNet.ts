/** Fits the net of core/vision/nets/heads.json: one layer of units that pass on what is positive, four answers. */
import { accumulate, descend, layer, outputs, shuffle, standardised } from '../occlusion/coverNet.ts';

/** A cell of BlazeFace, and what is there. */
export interface Cell {
  features: Float32Array;
  isHead: boolean;
  /** How much it counts. */
  weight: number;
  /** Of a head: its middle in cells from the cell's, and the logarithm to base 2 of its width in 32 pixels. */
  place: readonly [x: number, y: number, width: number];
}

export interface HeadNet {
  bias: readonly number[];
  /** For each feature one number for each unit. */
  weights: readonly (readonly number[])[];
  /** Logarithm of the odds of a head, then its place; of each the bias in front. */
  answers: readonly (readonly number[])[];
}

const HIDDEN = 48;
const ROUNDS = 10;
const BATCH = 512;
const STEP = 3e-3;
const RIDGE = 1e-4;
/** How much a wrong place counts beside a wrong answer. */
const PLACE = 0.1;

/** The features of the cells are standardised in place. */
export function fitHeadNet(cells: readonly Cell[], random: () => number): HeadNet {
  const { means, scales } = standardised(cells);
  for (const { features } of cells)
    for (let k = 0; k < features.length; k++) features[k] = (features[k]! - means[k]!) / scales[k]!;
  const hidden = layer(HIDDEN, means.length, 1 / Math.sqrt(means.length), random);
  const answers = layer(4, HIDDEN, 0.3 / Math.sqrt(HIDDEN), random);
  const batches = Math.ceil(cells.length / BATCH);
  const order = cells.map((_, i) => i);
  for (let step = 0; step < ROUNDS * batches; step++) {
    if (step % batches === 0) shuffle(order, random);
    const batch = order.slice((step % batches) * BATCH, ((step % batches) + 1) * BATCH);
    for (const i of batch) {
      const { features, isHead, weight, place } = cells[i]!;
      const input = new Float64Array(features);
      const sums = outputs(hidden, input);
      const passed = sums.map((sum) => Math.max(0, sum));
      const errors = outputs(answers, passed).map((answer, k) => {
        if (k === 0) return weight * (1 / (1 + Math.exp(-answer)) - Number(isHead));
        return isHead ? PLACE * Math.max(-1, Math.min(1, answer - place[k - 1]!)) : 0;
      });
      accumulate(answers, passed, errors);
      const back = sums.map((sum, unit) =>
        sum > 0
          ? errors.reduce(
              (total, error, k) => total + error * answers.values[k * (HIDDEN + 1) + 1 + unit]!,
              0,
            )
          : 0,
      );
      accumulate(hidden, input, back);
    }
    const rate = STEP * (1 - step / (ROUNDS * batches));
    for (const each of [hidden, answers]) descend(each, batch.length, step + 1, { rate, ridge: RIDGE });
  }
  return unstandardised(hidden.values, answers.values, means, scales);
}

/** The standardisation becomes part of the first weights. Four digits. */
function unstandardised(
  hidden: Float64Array,
  answers: Float64Array,
  means: Float64Array,
  scales: Float64Array,
): HeadNet {
  const inputs = means.length;
  const short = (value: number) => Number(value.toPrecision(4));
  const weight = (k: number, unit: number) => hidden[unit * (inputs + 1) + 1 + k]! / scales[k]!;
  const units = Array.from({ length: HIDDEN }, (_, unit) => unit);
  return {
    bias: units.map((unit) =>
      short(means.reduce((sum, mean, k) => sum - mean * weight(k, unit), hidden[unit * (inputs + 1)]!)),
    ),
    weights: Array.from({ length: inputs }, (_, k) => units.map((unit) => short(weight(k, unit)))),
    answers: Array.from({ length: 4 }, (_, k) =>
      [...answers.subarray(k * (HIDDEN + 1), (k + 1) * (HIDDEN + 1))].map(short),
    ),
  };
}
