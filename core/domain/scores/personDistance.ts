/**
 * How far a person with several photos is from a probe. The average of the photos is nearer to other photos of the person than
 * most single ones; the nearest photo counts where the photos disagree, so that a wrongly merged photo moves a person by the widening
 * alone: 4 % with two photos, 11 % with sixteen. All constants are of `npm run bench -- persons`.
 */

/** The average brings a person at most this much nearer than the nearest photo. It bounds what a search has to look at. */
const NEAREST_SHARE = 0.92;
/** More photos are nearer to strangers, too: distances are widened by as much as keeps the false match rate of one photo. */
const WIDENED_BY = 0.018;
const WIDENED_BY_DOUBLING = 0.022;

/**
 * The factor that a distance to the best, or to the average, of so many photos is widened by: an average is nearer to strangers, too.
 * The same holds for a probe that is the average of so many photos, because the distance of two templates has no direction.
 */
export function widening(photos: number): number {
  return photos === 1 ? 1 : 1 + WIDENED_BY + WIDENED_BY_DOUBLING * Math.log2(photos);
}

/** No person is nearer than its nearest photo divided by this. */
export const PERSON_REACH = 1 / (NEAREST_SHARE * widening(2));

/**
 * The distance of a person, on the scale of distances between two photos: equal distances have equal false match rates.
 * @param nearest distance to the nearest of its photos @param average to their average, at unit length
 */
export function personDistance(nearest: number, average: number, photos: number): number {
  if (photos === 1) return nearest;
  return widening(photos) * Math.max(NEAREST_SHARE * nearest, Math.min(nearest, average));
}

/** The sum of templates, in their order and in double precision, and its length. */
function sumOf(templates: readonly Float32Array[]): { sum: Float64Array; length: number } {
  const sum = new Float64Array(templates[0]?.length ?? 0);
  for (const template of templates) for (let i = 0; i < sum.length; i++) sum[i]! += template[i]!;
  let squares = 0;
  for (const value of sum) squares += value * value;
  return { sum, length: Math.sqrt(squares) };
}

/** The average of templates, at unit length. @param templates of one person, so that they are not opposite */
export function averageTemplate(templates: readonly Float32Array[]): Float32Array {
  const { sum, length } = sumOf(templates);
  return Float32Array.from(sum, (value) => value / length);
}

/** Euclidean distance to the average of templates, at unit length; in double precision, the templates summed in their order. */
export function averageDistance(probe: Float32Array, templates: readonly Float32Array[]): number {
  const { sum, length } = sumOf(templates);
  // Opposite templates have no average: the nearest photo decides.
  if (length === 0) return Infinity;
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (probe[i]! - sum[i]! / length) ** 2;
  return Math.sqrt(squares);
}
