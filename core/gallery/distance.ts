/**
 * The one definition of how far two templates are apart: the squared Euclidean distance of their float32 vectors,
 * differences, squares and sum in double precision, summed from the first component to the last. Every other number
 * in this folder is only a bound that says which rows need this one.
 * @param rows vectors of `probe.length` components, one after the other; `row` counts vectors.
 */
export function squaredDistance(probe: Float32Array, rows: Float32Array, row: number): number {
  const start = row * probe.length;
  let sum = 0;
  for (let i = 0; i < probe.length; i++) {
    const difference = probe[i]! - rows[start + i]!;
    sum += difference * difference;
  }
  return sum;
}
