/** Pairs of invented signatures, from the plan to the cleaned points: what the constants of the matcher are fitted on. */
import { Chance } from './random.ts';
import { inventName } from './names.ts';
import { developSignature, imitate, sign } from './hand.ts';
import type { Path } from './pen.ts';
import { MEDIA, render } from './page.ts';
import type { Medium } from './page.ts';
import { cleanInk } from '../../core/vision/signatures/clean.ts';
import { pointsOf } from '../../core/vision/signatures/points.ts';
import type { OrientedPoints } from '../../core/vision/signatures/points.ts';

export type PairKind = 'genuine' | 'skilled' | 'random';

export interface Pair {
  kind: PairKind;
  writer: number;
  first: OrientedPoints;
  second: OrientedPoints;
}

interface Specimens {
  genuine: OrientedPoints[];
  skilled: OrientedPoints[];
}

const GENUINE = 4;
const IMITATIONS = 3;

/** All pairs of `writers` invented people; the same seed gives the same pairs. */
export function* inventPairs(writers: number, seed: number): Generator<Pair> {
  const chance = new Chance(seed);
  let others: Specimens[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const own = specimens(chance.split());
    const { genuine, skilled } = own;
    for (let i = 0; i < genuine.length; i++)
      for (let j = i + 1; j < genuine.length && j < i + 3; j++)
        yield { kind: 'genuine', writer, first: genuine[i]!, second: genuine[j]! };
    for (const [i, second] of skilled.entries())
      yield { kind: 'skilled', writer, first: genuine[i % genuine.length]!, second };
    for (const other of others)
      yield { kind: 'random', writer, first: chance.pick(genuine), second: chance.pick(other.genuine) };
    others = [own, ...others].slice(0, 5);
  }
}

function specimens(chance: Chance): Specimens {
  const name = inventName(chance);
  const signature = developSignature(name, chance);
  // Half of the people always sign on the same medium; the others on any.
  const usual = chance.happens(0.5) ? chance.pick(MEDIA) : undefined;
  const seen = (paths: Path[]) => photograph(paths, usual ?? chance.pick(MEDIA), chance);
  const genuine = Array.from({ length: GENUINE }, () => seen(sign(signature, chance)));
  const skilled = Array.from({ length: IMITATIONS }, () => seen(imitate(signature, chance.next(), chance)));
  skilled.push(seen(sign(developSignature(name, chance), chance)));
  return { genuine: genuine.filter((one) => one !== undefined), skilled: skilled.filter((one) => one !== undefined) };
}

function photograph(paths: Path[], medium: Medium, chance: Chance): OrientedPoints | undefined {
  return pointsOf(cleanInk(render(paths, medium, chance)).strokes)?.points;
}
