/** Pairs of invented signatures, from the plan to the cleaned points: what the constants of the matcher are fitted on. */
import { Chance } from './random.ts';
import { SCRIPTS } from './letters.ts';
import type { Script } from './letters.ts';
import { inventName } from './names.ts';
import { developSignature, imitate, sign } from './hand.ts';
import type { Path } from './pen.ts';
import { MEDIA, render } from './page.ts';
import type { Medium } from './page.ts';
import { cleanInk } from '../../core/signatures/clean.ts';
import { shapeOf } from '../../core/signatures/points.ts';
import type { Shape } from '../../core/signatures/points.ts';

export type PairKind = 'genuine' | 'skilled' | 'random';

export interface Pair {
  kind: PairKind;
  writer: number;
  first: Shape;
  second: Shape;
}

interface Specimens {
  genuine: Shape[];
  skilled: Shape[];
}

const GENUINE = 4;
const IMITATIONS = 3;

/** Writers of one block: pairs of different writers are made within it, so that a block can be made on its own. */
const BLOCK = 6;

/**
 * How the people of a block write: people of one place write one script, and in every second block with the same script
 * they write their names out in full. Such names are the most alike.
 */
export function mannerOf(block: number): { script: Script; plain: boolean } {
  const round = Math.floor(block / SCRIPTS.length);
  return { script: SCRIPTS[block % SCRIPTS.length]!, plain: round % 2 === 1 };
}

/** All pairs of one block of six invented people; the same seed and number give the same pairs. */
export function inventBlock(seed: number, block: number): Pair[] {
  const chance = new Chance(Math.imul(seed, 7919) + block);
  const people = Array.from({ length: BLOCK }, () => specimens(chance.split(), mannerOf(block)));
  return people.flatMap(({ genuine, skilled }, index) => {
    const writer = block * BLOCK + index;
    const pair = (kind: PairKind, first: Shape, second: Shape): Pair => ({
      kind,
      writer,
      first,
      second,
    });
    const others = people.filter((_, other) => other !== index);
    return [
      ...genuine.flatMap((one, i) => genuine.slice(i + 1, i + 3).map((other) => pair('genuine', one, other))),
      ...skilled.map((other, i) => pair('skilled', genuine[i % genuine.length]!, other)),
      ...others.map((other) => pair('random', chance.pick(genuine), chance.pick(other.genuine))),
    ];
  });
}

function specimens(chance: Chance, { script, plain }: ReturnType<typeof mannerOf>): Specimens {
  const name = inventName(chance, script, plain);
  const signature = developSignature(name, chance);
  // Half of the people always sign on the same medium; the others on any.
  const usual = chance.happens(0.5) ? chance.pick(MEDIA) : undefined;
  const seen = (paths: Path[]) => photograph(paths, usual ?? chance.pick(MEDIA), chance);
  const genuine = Array.from({ length: GENUINE }, () => seen(sign(signature, chance)));
  const skilled = Array.from({ length: IMITATIONS }, () => seen(imitate(signature, chance.next(), chance)));
  skilled.push(seen(sign(developSignature(name, chance), chance)));
  return {
    genuine: genuine.filter((one) => one !== undefined),
    skilled: skilled.filter((one) => one !== undefined),
  };
}

function photograph(paths: Path[], medium: Medium, chance: Chance): Shape | undefined {
  const { ink } = cleanInk(render(paths, medium, chance));
  return ink && shapeOf(ink.strokes);
}
