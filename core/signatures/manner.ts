/**
 * The manner of a hand, apart from what it writes: in which directions its lines run, and where and how sharply they
 * bend. A forger follows the course of a signature and keeps their own manner. After the directional
 * distributions that distinguish writers of documents (Bulacu and Schomaker 2007).
 */
import { DIRECTIONS } from './descriptors.ts';
import type { Bends, OrientedPoints } from './points.ts';

/** Bins of the directions, twice as fine as the descriptors'. */
const FINE_DIRECTIONS = 2 * DIRECTIONS;
/** Sides to which a line may bulge, and steps of how sharply it bends; small bends have finer steps. */
const SIDES = 16;
const SHARPNESS = 6;

/** Shares of the directions in which the line runs; they add up to 1. */
export function directionShares({ angle, count }: OrientedPoints): Float64Array {
  const out = new Float64Array(FINE_DIRECTIONS);
  for (let i = 0; i < count; i++) {
    const turns = angle[i]! / Math.PI;
    const place = (turns - Math.floor(turns)) * FINE_DIRECTIONS;
    const low = Math.floor(place);
    out[low % FINE_DIRECTIONS]! += (1 - place + low) / count;
    out[(low + 1) % FINE_DIRECTIONS]! += (place - low) / count;
  }
  return out;
}

/**
 * Shares of the bends by side and sharpness; they add up to 1, or are all 0 where no line runs on for two legs.
 * @param turned the signature is turned by so many radians before
 */
export function bendShares(bends: Bends, turned: number): Float64Array {
  const out = new Float64Array(SIDES * SHARPNESS);
  const total = bends.turn.length;
  for (let i = 0; i < total; i++) {
    const turns = (bends.bulge[i]! + turned) / (2 * Math.PI);
    const side = (turns - Math.floor(turns)) * SIDES;
    const sharp = Math.min(SHARPNESS - 1.001, Math.sqrt(bends.turn[i]! / Math.PI) * SHARPNESS);
    const [left, low] = [Math.floor(side), Math.floor(sharp)];
    const one = (left % SIDES) * SHARPNESS + low;
    const two = ((left + 1) % SIDES) * SHARPNESS + low;
    out[one]! += (1 - side + left) * (1 - sharp + low);
    out[one + 1]! += (1 - side + left) * (sharp - low);
    out[two]! += (side - left) * (1 - sharp + low);
    out[two + 1]! += (side - left) * (sharp - low);
  }
  return total > 0 ? out.map((sum) => sum / total) : out;
}

/** Half the city-block distance of two lists of shares: 0 the same, 1 nothing in common. */
export function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / 2;
}

export interface Manners {
  directions: number;
  bends: number;
}

/** How different the manners of two signatures are, the second turned by `turn` radians. */
export function mannersApart(
  first: { points: OrientedPoints; bends: Bends },
  second: { turned: OrientedPoints; bends: Bends },
  turn: number,
): Manners {
  return {
    directions: apart(directionShares(first.points), directionShares(second.turned)),
    bends: apart(bendShares(first.bends, 0), bendShares(second.bends, turn)),
  };
}
