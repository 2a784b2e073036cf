/** The linear algebra of the fit: directions of variation of many vectors. */
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

export type Rows = Float64Array[];

export function meanOf(vectors: readonly ArrayLike<number>[]): Float64Array {
  const mean = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / vectors.length;
  return mean;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** The matrix times the vector. */
export function times(rows: Rows, vector: ArrayLike<number>): Float64Array {
  return Float64Array.from(rows, (row) => dot(row, vector));
}

/** The product of two matrices, both by their rows. */
export function product(left: Rows, right: Rows): Rows {
  return left.map((row) => {
    const sum = new Float64Array(right[0]!.length);
    for (let k = 0; k < row.length; k++)
      for (let i = 0; i < sum.length; i++) sum[i]! += row[k]! * right[k]![i]!;
    return sum;
  });
}

export function atUnitLength<V extends Float32Array | Float64Array>(vector: V): V {
  const size = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / size) as V;
}

/** The mean of the vectors' outer products with themselves. */
export function secondMoments(vectors: readonly ArrayLike<number>[]): Rows {
  const size = vectors[0]!.length;
  const sums = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors)
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) sums[i]![j]! += (vector[i]! * vector[j]!) / vectors.length;
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) sums[j]![i] = sums[i]![j]!;
  return sums;
}

export interface Eigen {
  /** Largest first. */
  values: number[];
  /** One unit vector for each value. Its sign is fixed: the largest number in it is positive. */
  vectors: Rows;
}

const SWEEPS = 30;
/** Off the diagonal, share of the whole: as good as nothing in double precision. */
const DIAGONAL = 1e-22;

/** Eigenvectors of a symmetric matrix: cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations, 8.5). */
export function symmetricEigen(matrix: Rows): Eigen {
  const size = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = a.map((_, i) => Float64Array.from(a, (__, j) => (i === j ? 1 : 0)));
  const whole = a.reduce((sum, row) => sum + dot(row, row), 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) off += a[p]![q]! ** 2;
    if (off <= DIAGONAL * whole) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, p, q);
  }
  const order = [...a.keys()].sort((i, j) => a[j]![j]! - a[i]![i]!);
  return { values: order.map((i) => a[i]![i]!), vectors: order.map((i) => signed(v[i]!)) };
}

/** Makes the element p, q zero. The rows of `v` turn along and end as the eigenvectors. */
function rotate(a: Rows, v: Rows, p: number, q: number): void {
  const [rowP, rowQ] = [a[p]!, a[q]!];
  if (rowP[q] === 0) return;
  const theta = (rowQ[q]! - rowP[p]!) / (2 * rowP[q]!);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const row of a) {
    const [x, y] = [row[p]!, row[q]!];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
  for (const [first, second] of [
    [rowP, rowQ],
    [v[p]!, v[q]!],
  ] as const)
    for (let i = 0; i < first.length; i++) {
      const [x, y] = [first[i]!, second[i]!];
      first[i] = c * x - s * y;
      second[i] = s * x + c * y;
    }
}

function signed(vector: Float64Array): Float64Array {
  const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}

/** Enough for the two strongest directions to stand still to five digits. */
const ITERATIONS = 60;
/** More are looked for than asked for: the last ones stand still later. */
const SPARE = 4;

/**
 * The `count` directions along which long vectors vary most around their mean, strongest first: orthogonal iteration on
 * the covariance, which is never written out.
 */
export function principalAxes(vectors: readonly Float32Array[], mean: Float64Array, count: number): Rows {
  const random = repeatable(7);
  let axes: Rows = Array.from({ length: count + SPARE }, () => Float64Array.from(mean, () => random() - 0.5));
  orthonormalise(axes);
  for (let round = 0; round < ITERATIONS; round++) {
    const next = axes.map(() => new Float64Array(mean.length));
    for (const vector of vectors) {
      const centred = Float64Array.from(vector, (value, i) => value - mean[i]!);
      for (const [k, axis] of axes.entries()) {
        const along = dot(centred, axis);
        for (let i = 0; i < mean.length; i++) next[k]![i]! += along * centred[i]!;
      }
    }
    orthonormalise(next);
    axes = next;
  }
  return axes.slice(0, count).map(signed);
}

/** Gram-Schmidt, in place, first to last. */
function orthonormalise(axes: Rows): void {
  for (const [k, axis] of axes.entries()) {
    for (const earlier of axes.slice(0, k)) {
      const along = dot(axis, earlier);
      for (let i = 0; i < axis.length; i++) axis[i]! -= along * earlier[i]!;
    }
    axis.set(atUnitLength(axis));
  }
}
