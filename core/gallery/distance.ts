/**
 * The one definition of how far two templates are apart: the squared Euclidean distance of their float32 vectors,
 * differences, squares and sum in double precision, summed from the first component to the last. Every other number
 * in this folder is only a bound that says which rows need this one.
 */
export function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference * difference;
  }
  return sum;
}
