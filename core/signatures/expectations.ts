/**
 * How much likeness to expect of two signatures of such a build, by any writer. They are no distances: each is a
 * property of both, and the regression may count it either way.
 */
import { heightOverWidth } from './points.ts';
import type { OrientedPoints } from './points.ts';

export interface Expected {
  /** Height over width: a long line of small letters finds partners in any other. */
  tall: number;
  /**
   * Mean fourth power of the distance from the centre, in units: 1 for a ring, more where little of the ink reaches far
   * out. A flourish that is another one each time moves the centre and the unit of all the rest.
   */
  sprawling: number;
  /** Points within a short reach of a point, itself among them, in the mean: a thick tangle is near to any line. */
  crowded: number;
  /**
   * Mean square of the cosine of the line's direction: 1 for a level line, 0 for an upright one. Names under a head line
   * share that line, whatever they say.
   */
  level: number;
}

/** Radius within which points crowd, units. */
const REACH = 0.15;

/** Of two signatures together; the same whichever comes first. */
export function expectedOf(first: OrientedPoints, second: OrientedPoints): Expected {
  return {
    tall: (heightOverWidth(first) + heightOverWidth(second)) / 2,
    sprawling: Math.sqrt(sprawlOf(first) * sprawlOf(second)),
    crowded: Math.sqrt(crowdOf(first) * crowdOf(second)),
    level: (levelOf(first) + levelOf(second)) / 2,
  };
}

function sprawlOf({ x, y, count }: OrientedPoints): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (x[i]! ** 2 + y[i]! ** 2) ** 2;
  return sum / count;
}

function crowdOf({ x, y, count }: OrientedPoints): number {
  let pairs = 0;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) if ((x[i]! - x[j]!) ** 2 + (y[i]! - y[j]!) ** 2 < REACH * REACH) pairs++;
  return 1 + (2 * pairs) / count;
}

function levelOf({ angle, count }: OrientedPoints): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.cos(angle[i]!) ** 2;
  return sum / count;
}
