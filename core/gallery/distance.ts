/**
 * The one definition of how far two templates are apart: the squared Euclidean distance of their float32 vectors,
 * differences, squares and sum in double precision, summed from the first component to the last. Every other number
 * in this folder is only a bound that says which rows need this one.
 * @param start where the other vector begins among `rows`.
 */
export function squaredDistance(probe: Float32Array, rows: Float32Array, start = 0): number {
  let sum = 0;
  for (let i = 0; i < probe.length; i++) {
    const difference = probe[i]! - rows[start + i]!;
    sum += difference * difference;
  }
  return sum;
}
