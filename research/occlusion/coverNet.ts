/** Fits the net of core/vision/occlusion.ts: one layer of units that pass on what is positive, two logistic answers. */
import type { OcclusionNet, Unit } from '../../core/vision/occlusion.ts';

export interface Sample {
  features: Float32Array;
  eyes: boolean;
  mouth: boolean;
}

const HIDDEN = 12;
/** Pull of the weights towards 0. */
const RIDGE = 3e-3;
const ROUNDS = 30;
const BATCH = 256;
/** Of Adam (Kingma & Ba 2015): first step, falling to nothing, and how slowly the two means move. */
const STEP = 0.01;
const MOMENTUM = 0.9;
const MEMORY = 0.999;

/** Weights of one layer in a row, unit by unit, each with its bias in front; and Adam's means of their gradients. */
export interface Layer {
  inputs: number;
  values: Float64Array;
  gradient: Float64Array;
  first: Float64Array;
  second: Float64Array;
}

/**
 * @param prior by how much the logarithm of the odds of a cover is lower where photos arrive than among the samples, half of
 * which are covered
 */
export function fitCoverNet(samples: readonly Sample[], prior: number, random: () => number): OcclusionNet {
  const { means, scales } = standardised(samples);
  const inputs = samples.map(({ features }) =>
    Float64Array.from(features, (value, k) => (value - means[k]!) / scales[k]!),
  );
  const hidden = layer(HIDDEN, means.length, 1 / Math.sqrt(means.length), random);
  const answers = layer(2, HIDDEN, 0.3, random);
  const batches = Math.ceil(samples.length / BATCH);
  const steps = ROUNDS * batches;
  const order = samples.map((_, i) => i);
  for (let step = 0; step < steps; step++) {
    if (step % batches === 0) shuffle(order, random);
    const start = (step % batches) * BATCH;
    const batch = order.slice(start, start + BATCH);
    for (const i of batch) backwards(inputs[i]!, samples[i]!, hidden, answers);
    for (const each of [hidden, answers])
      descend(each, batch.length, step + 1, { rate: STEP * (1 - step / steps), ridge: RIDGE });
  }
  // The standardisation becomes part of the first weights.
  const units = unitsOf(hidden).map(({ bias, weights }) => ({
    bias: bias - weights.reduce((sum, weight, k) => sum + (weight * means[k]!) / scales[k]!, 0),
    weights: weights.map((weight, k) => weight / scales[k]!),
  }));
  const [eyes, mouth] = unitsOf(answers).map((unit) => ({ ...unit, bias: unit.bias - prior }));
  return { hidden: units, eyes: eyes!, mouth: mouth! };
}

/** Means and spreads of features. A feature that hardly varies is not blown up. */
export function standardised(samples: readonly { features: Float32Array }[]) {
  const length = samples[0]!.features.length;
  const means = new Float64Array(length);
  const scales = new Float64Array(length);
  for (const { features } of samples)
    for (let k = 0; k < length; k++) means[k]! += features[k]! / samples.length;
  for (const { features } of samples)
    for (let k = 0; k < length; k++) scales[k]! += (features[k]! - means[k]!) ** 2 / samples.length;
  for (let k = 0; k < length; k++) scales[k] = Math.sqrt(scales[k]!) + 0.01;
  return { means, scales };
}

export function layer(units: number, inputs: number, spread: number, random: () => number): Layer {
  const count = units * (inputs + 1);
  // The sum of four even spreads has a standard deviation of 1 / √3.
  const normal = () => (random() + random() + random() + random() - 2) * Math.sqrt(3) * spread;
  const empty = () => new Float64Array(count);
  const values = empty().map((_, i) => (i % (inputs + 1) === 0 ? 0 : normal()));
  return { inputs, values, gradient: empty(), first: empty(), second: empty() };
}

/** Adds one sample's gradients of the cross entropy. */
function backwards(input: Float64Array, { eyes, mouth }: Sample, hidden: Layer, answers: Layer): void {
  const sums = outputs(hidden, input);
  const passed = sums.map((sum) => Math.max(0, sum));
  const errors = outputs(answers, passed).map(
    (sum, part) => 1 / (1 + Math.exp(-sum)) - Number([eyes, mouth][part]),
  );
  accumulate(answers, passed, errors);
  const stride = HIDDEN + 1;
  const back = sums.map((sum, unit) =>
    sum > 0 ? errors[0]! * answers.values[1 + unit]! + errors[1]! * answers.values[stride + 1 + unit]! : 0,
  );
  accumulate(hidden, input, back);
}

export function outputs({ inputs, values }: Layer, input: Float64Array): Float64Array {
  return Float64Array.from({ length: values.length / (inputs + 1) }, (_, unit) => {
    const start = unit * (inputs + 1);
    let sum = values[start]!;
    for (let k = 0; k < inputs; k++) sum += values[start + 1 + k]! * input[k]!;
    return sum;
  });
}

export function accumulate({ inputs, gradient }: Layer, input: Float64Array, errors: Float64Array): void {
  for (const [unit, error] of errors.entries()) {
    if (error === 0) continue;
    const start = unit * (inputs + 1);
    gradient[start]! += error;
    for (let k = 0; k < inputs; k++) gradient[start + 1 + k]! += error * input[k]!;
  }
}

/** One step of Adam (Kingma & Ba 2015) with the gradients that were added up, which are then forgotten. */
export function descend(
  { inputs, values, gradient, first, second }: Layer,
  count: number,
  step: number,
  { rate, ridge }: { rate: number; ridge: number },
): void {
  for (let i = 0; i < values.length; i++) {
    const pull = i % (inputs + 1) === 0 ? 0 : ridge * values[i]!;
    const slope = gradient[i]! / count + pull;
    first[i] = MOMENTUM * first[i]! + (1 - MOMENTUM) * slope;
    second[i] = MEMORY * second[i]! + (1 - MEMORY) * slope ** 2;
    const root = Math.sqrt(second[i]! / (1 - MEMORY ** step)) + 1e-8;
    values[i]! -= (rate * first[i]!) / (1 - MOMENTUM ** step) / root;
    gradient[i] = 0;
  }
}

function unitsOf({ inputs, values }: Layer): { bias: number; weights: number[] }[] {
  const stride = inputs + 1;
  return Array.from({ length: values.length / stride }, (_, unit) => ({
    bias: values[unit * stride]!,
    weights: [...values.subarray(unit * stride + 1, (unit + 1) * stride)],
  }));
}

export function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
}

/** The same net in four digits. */
export function rounded({ hidden, eyes, mouth }: OcclusionNet): OcclusionNet {
  const short = ({ bias, weights }: Unit): Unit => ({
    bias: Number(bias.toFixed(4)),
    weights: weights.map((weight) => Number(weight.toFixed(4))),
  });
  return { hidden: hidden.map(short), eyes: short(eyes), mouth: short(mouth) };
}
