/** All comparisons among the photos of a set: pairs of one person (mated), pairs of two (non-mated). */
import type { Descriptions } from './describing.ts';
import type { Photo } from './photos.ts';

/** One comparison: who is compared, by index into the identities, and how far apart. */
export interface Comparisons {
  /** Names of the people; the indices below point here. */
  identities: readonly string[];
  /** Mated comparisons; a photo without a face makes the distance infinite. */
  mated: { identity: Uint16Array; distance: Float32Array };
  /** Non-mated comparisons that could be made. */
  nonMated: { a: Uint16Array; b: Uint16Array; distance: Float32Array };
  /** Photos without a face. */
  missed: number;
}

/** Compares every photo with every other by Euclidean distance. */
export function compareAll(photos: readonly Photo[], descriptions: Descriptions): Comparisons {
  const identities = [...new Set(photos.map(({ identity }) => identity))];
  const indexOf = new Map(identities.map((identity, i) => [identity, i]));
  const people = photos.map(({ identity }) => indexOf.get(identity)!);
  const mated = { identity: [] as number[], distance: [] as number[] };
  const most = (photos.length * (photos.length - 1)) / 2;
  const nonMated = {
    a: new Uint16Array(most),
    b: new Uint16Array(most),
    distance: new Float32Array(most),
  };
  let count = 0;
  for (let i = 0; i < photos.length; i++) {
    for (let j = i + 1; j < photos.length; j++) {
      const [a, b] = [descriptions[i], descriptions[j]];
      const same = people[i] === people[j];
      if (!same && (!a || !b)) continue;
      const distance = a && b ? euclidean(a, b) : Infinity;
      if (same) {
        mated.identity.push(people[i]!);
        mated.distance.push(distance);
      } else {
        nonMated.a[count] = people[i]!;
        nonMated.b[count] = people[j]!;
        nonMated.distance[count++] = distance;
      }
    }
  }
  return {
    identities,
    mated: { identity: Uint16Array.from(mated.identity), distance: Float32Array.from(mated.distance) },
    nonMated: {
      a: nonMated.a.subarray(0, count),
      b: nonMated.b.subarray(0, count),
      distance: nonMated.distance.subarray(0, count),
    },
    missed: descriptions.filter((description) => description === undefined).length,
  };
}

export function euclidean(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
