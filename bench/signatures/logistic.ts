/** Logistic regression with a ridge, by iteratively reweighted least squares. */

/**
 * @param rows standardised features
 * @param weights how much each row counts
 * @param ridge pull of the weights towards zero; the intercept is free
 * @returns one weight per feature, then the intercept
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  weights: readonly number[],
  ridge: number,
): number[] {
  const size = (rows[0]?.length ?? 0) + 1;
  let beta = new Array<number>(size).fill(0);
  for (let round = 0; round < 30; round++) {
    const hessian = Array.from({ length: size }, (_, r) =>
      Array.from({ length: size }, (_, c) => (r === c && r < size - 1 ? ridge : r === c ? 1e-9 : 0)),
    );
    const gradient = beta.map((value, i) => (i < size - 1 ? -ridge * value : 0));
    rows.forEach((row, n) => {
      const x = [...row, 1];
      const chance = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * beta[i]!, 0)));
      const slope = weights[n]! * chance * (1 - chance);
      for (let r = 0; r < size; r++) {
        gradient[r]! += weights[n]! * (labels[n]! - chance) * x[r]!;
        for (let c = 0; c < size; c++) hessian[r]![c]! += slope * x[r]! * x[c]!;
      }
    });
    const step = solve(hessian, gradient);
    beta = beta.map((value, i) => value + step[i]!);
  }
  return beta;
}

/** Gauss with pivoting. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const m = matrix.map((row, i) => [...row, right[i]!]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let r = column + 1; r < size; r++)
      if (Math.abs(m[r]![column]!) > Math.abs(m[pivot]![column]!)) pivot = r;
    [m[column], m[pivot]] = [m[pivot]!, m[column]!];
    for (let r = 0; r < size; r++) {
      if (r === column) continue;
      const factor = m[r]![column]! / m[column]![column]!;
      for (let c = column; c <= size; c++) m[r]![c]! -= factor * m[column]![c]!;
    }
  }
  return m.map((row, i) => row[size]! / row[i]!);
}
