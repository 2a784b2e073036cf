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

/** How many vectors `squaredDistances` takes at a time. */
export const TOGETHER = 4;

/** The same of four vectors at a time, each summed as above: one sum alone waits for each of its additions. */
export function squaredDistances(
  probe: Float32Array,
  [a, b, c, d]: readonly Float32Array[],
  [atA, atB, atC, atD]: readonly number[],
  squared: Float64Array,
): void {
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
  for (let i = 0; i < probe.length; i++) {
    const x = probe[i]!;
    const ofA = x - a![atA! + i]!;
    const ofB = x - b![atB! + i]!;
    const ofC = x - c![atC! + i]!;
    const ofD = x - d![atD! + i]!;
    sumA += ofA * ofA;
    sumB += ofB * ofB;
    sumC += ofC * ofC;
    sumD += ofD * ofD;
  }
  squared[0] = sumA;
  squared[1] = sumB;
  squared[2] = sumC;
  squared[3] = sumD;
}
