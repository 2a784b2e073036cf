/** Invented galleries that lead a grouping rule astray: photos between two people, and people who each resemble the next. */
import { euclidean } from '../../bench/accuracy/comparisons.ts';
import { randomFrom } from '../../bench/gallery/templates.ts';

export interface InventedGallery {
  name: string;
  identities: string[];
  vectors: Float32Array[];
}

const DIMENSIONS = 128;
/** Photos of each of the two people between whom the bridges lie. */
const PHOTOS = 200;
const CHAIN = 300;

/**
 * Two people of 200 photos whose centres are `apart`, and photos halfway between them: a morph, or a poor photo.
 * The photos of a person are spread so that two of them are `within` apart on average.
 */
export function bridged(bridges: number, apart: number, within: number): InventedGallery {
  const random = randomFrom(11);
  // Two unit vectors at an angle: their chord is the distance.
  const half = Math.asin(apart / 2);
  const centreAt = (angle: number) => {
    const centre = new Float64Array(DIMENSIONS);
    [centre[0], centre[1]] = [Math.cos(angle), Math.sin(angle)];
    return centre;
  };
  const photosOf = (centre: Float64Array, count: number, spread: number) =>
    Array.from({ length: count }, () => unit(centre.map((x) => x + spread * normal(random))));
  // Noise of this size in every direction: after scaling to unit length, squared distance 2 − 2 / (1 + spread² · dimensions).
  const spread = Math.sqrt((1 / (1 - within ** 2 / 2) - 1) / DIMENSIONS);
  return {
    name: `${bridges} between two people ${apart.toFixed(2)} apart`,
    identities: [
      ...Array<string>(PHOTOS).fill('one'),
      ...Array<string>(PHOTOS).fill('two'),
      ...Array<string>(bridges).fill('bridge'),
    ],
    vectors: [
      ...photosOf(centreAt(-half), PHOTOS, spread),
      ...photosOf(centreAt(half), PHOTOS, spread),
      ...photosOf(centreAt(0), bridges, spread / 4),
    ],
  };
}

/** 300 people in a row, each `step` away from the next, in random directions. */
export function chained(step: number): InventedGallery {
  const random = randomFrom(13);
  const vectors = [unit(Float64Array.from({ length: DIMENSIONS }, () => normal(random)))];
  while (vectors.length < CHAIN) {
    const last = vectors.at(-1)!;
    const aside = unit(Float64Array.from({ length: DIMENSIONS }, () => normal(random)));
    // On the sphere a step off the tangent is shorter; the direction is made longer until the step is reached.
    let next = last;
    for (let length = step; euclidean(last, next) < step; length *= 1.01)
      next = unit(Float64Array.from(last, (x, axis) => x + length * aside[axis]!));
    vectors.push(next);
  }
  return {
    name: `chain, each ${step.toFixed(2)} from the next`,
    identities: vectors.map((_, index) => `person ${index}`),
    vectors,
  };
}

function unit(vector: Float64Array): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (x) => x / length);
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
