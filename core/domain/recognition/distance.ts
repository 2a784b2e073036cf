/** Euclidean, between unit vectors: 0 to 2. The same to the last bit when the vectors change places. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  return Math.sqrt(one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0));
}
