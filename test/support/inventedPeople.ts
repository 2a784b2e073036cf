import { repeatable } from '../../core/domain/calibration/repeatable.ts';
import type { LabelledTemplate } from '../../core/domain/calibration/measure.ts';

const DIMENSIONS = 16;

/** Templates of people who were never there: a direction each, and photos that stray from it by `noise`. */
export function inventedPeople(
  people: number,
  photosEach: number,
  noise: number,
  seed = 7,
): LabelledTemplate[] {
  const random = repeatable(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: people }, (_, person) => {
    const centre = unit(Array.from({ length: DIMENSIONS }, normal));
    return Array.from({ length: photosEach }, () => ({
      person: `person ${person}`,
      vector: unit(centre.map((value) => value + noise * normal())),
    }));
  }).flat();
}

function unit(vector: ArrayLike<number>): Float32Array {
  const values = Float32Array.from(vector);
  return values.map((value) => value / Math.hypot(...values));
}
