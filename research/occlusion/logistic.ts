/** Logistic regression with a ridge, by Newton's method. */

export interface Sample {
  features: Float32Array;
  positive: boolean;
  /** The known part of the logarithm of the odds; 0 by default. */
  offset?: number;
  /** How much the sample counts; 1 by default. */
  weight?: number;
}

export interface Model {
  bias: number;
  weights: number[];
}

/** @param ridge strength of the pull of every weight (not the bias) towards 0 */
export function fitLogistic(samples: readonly Sample[], ridge: number): Model {
  const length = samples[0]!.features.length + 1;
  let beta = new Float64Array(length);
  for (let step = 0; step < 12; step++) {
    const hessian = Array.from({ length }, () => new Float64Array(length));
    const gradient = new Float64Array(length);
    for (const sample of samples) accumulate(sample, beta, gradient, hessian);
    for (let i = 1; i < length; i++) {
      gradient[i]! -= ridge * beta[i]!;
      hessian[i]![i]! += ridge;
    }
    const change = solve(hessian, gradient);
    beta = beta.map((value, i) => value + change[i]!);
  }
  return { bias: beta[0]!, weights: [...beta.subarray(1)] };
}

function accumulate(
  { features, positive, offset = 0, weight: counts = 1 }: Sample,
  beta: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array[],
): void {
  let sum = beta[0]! + offset;
  for (let i = 0; i < features.length; i++) sum += beta[i + 1]! * features[i]!;
  const expected = 1 / (1 + Math.exp(-sum));
  const error = counts * ((positive ? 1 : 0) - expected);
  const weight = counts * expected * (1 - expected);
  for (let i = 0; i < gradient.length; i++) {
    const x = i === 0 ? 1 : features[i - 1]!;
    gradient[i]! += error * x;
    const row = hessian[i]!;
    const scaled = weight * x;
    for (let j = 0; j <= i; j++) row[j]! += scaled * (j === 0 ? 1 : features[j - 1]!);
  }
}

/** Cholesky; only the lower half of `matrix` is read. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]! + (i === j ? 1e-9 : 0);
      for (let k = 0; k < j; k++) sum -= matrix[i]![k]! * matrix[j]![k]!;
      matrix[i]![j] = i === j ? Math.sqrt(sum) : sum / matrix[j]![j]!;
    }
  }
  const x = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= matrix[i]![k]! * x[k]!;
    x[i]! /= matrix[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= matrix[k]![i]! * x[k]!;
    x[i]! /= matrix[i]![i]!;
  }
  return x;
}
