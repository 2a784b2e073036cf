/** Mean and strongest directions of variation of many vectors. */
import { repeatableRandom } from '../accuracy/errorRates.ts';

export function meanOf(vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / vectors.length;
  return mean;
}

/** Enough for the strongest directions to stand still to five digits; the last ones may turn among themselves. */
const ITERATIONS = 60;
/** More are looked for than asked for: the last ones stand still later. */
const SPARE = 4;

/**
 * The `count` directions along which the vectors vary most, orthonormal, strongest first: orthogonal iteration on the
 * covariance, which is never written out.
 */
export function principalAxes(
  vectors: readonly Float32Array[],
  mean: Float64Array,
  count: number,
): Float64Array[] {
  const random = repeatableRandom(7);
  let axes = Array.from({ length: count + SPARE }, () => Float64Array.from(mean, () => random() - 0.5));
  orthonormalise(axes);
  for (let round = 0; round < ITERATIONS; round++) {
    const next = axes.map(() => new Float64Array(mean.length));
    for (const vector of vectors) {
      for (const [k, axis] of axes.entries()) {
        let along = 0;
        for (let i = 0; i < mean.length; i++) along += (vector[i]! - mean[i]!) * axis[i]!;
        for (let i = 0; i < mean.length; i++) next[k]![i]! += along * (vector[i]! - mean[i]!);
      }
    }
    orthonormalise(next);
    axes = next;
  }
  return axes.slice(0, count);
}

/** Gram-Schmidt, in place, first to last. */
export function orthonormalise(axes: readonly Float64Array[]): void {
  for (const [k, axis] of axes.entries()) {
    for (const earlier of axes.slice(0, k)) {
      const along = dot(axis, earlier);
      for (let i = 0; i < axis.length; i++) axis[i]! -= along * earlier[i]!;
    }
    const length = Math.sqrt(dot(axis, axis));
    for (let i = 0; i < axis.length; i++) axis[i] = axis[i]! / length;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
