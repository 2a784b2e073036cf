/** Signatures that are compared as known sets: of both development sets and of invented writers. */
import { readdirSync, readFileSync } from 'node:fs';
import { dataPath } from '../../data.ts';
import { Chance } from '../random.ts';
import { developSignature, imitate, sign } from '../hand.ts';
import { SCRIPTS } from '../letters.ts';
import type { Script } from '../letters.ts';
import { inventName } from '../names.ts';
import { MEDIA, render } from '../page.ts';
import { prepareSignature } from '../../../core/signatures/compare.ts';
import { cleanInk } from '../../../core/signatures/clean.ts';
import { shapeOf } from '../../../core/signatures/points.ts';
import type { Shape } from '../../../core/signatures/points.ts';

/** One written form of one writer, and what is questioned against it. */
export interface KnownGroup {
  set: string;
  writer: string;
  /** Name of the group within its set; also its place in the cache. */
  id: string;
  genuine: Shape[];
  /** The same form by other writers. */
  imitations: Shape[];
  /** Signatures of other forms by other writers. */
  strangers: Shape[];
}

/** A group whose images are read only when its measurements are not in the cache. */
export interface Planned {
  set: string;
  writer: string;
  id: string;
  load: () => Promise<KnownGroup>;
}

async function shapes(paths: readonly string[]): Promise<Shape[]> {
  const out: Shape[] = [];
  for (const path of paths) {
    const prepared = await prepareSignature(readFileSync(path));
    if (prepared.kind === 'signature') out.push(prepared);
  }
  return out;
}

/** 12 writers on paper, 24 genuine and about 22 imitations each, and one signature of each other writer. */
function cedar(): Planned[] {
  const folder = dataPath('signatures', 'cedar');
  const files = readdirSync(folder).sort();
  const of = (kind: string, writer: number) =>
    files.filter((name) => name.startsWith(`${kind}_${writer}_`)).map((name) => `${folder}/${name}`);
  const writers = Array.from({ length: 12 }, (_, index) => index + 1);
  return writers.map((writer) => ({
    set: 'cedar',
    writer: String(writer),
    id: String(writer),
    load: async () => ({
      set: 'cedar',
      writer: String(writer),
      id: String(writer),
      genuine: await shapes(of('original', writer)),
      imitations: await shapes(of('forgeries', writer)),
      strangers: await shapes(
        writers.filter((other) => other !== writer).map((other) => of('original', other)[writer]!),
      ),
    }),
  }));
}

const NAMES = 10;
const FILES = 4;
const CROSS_WRITERS = 30;

/** Ten names by 30 writers; each writes a name four times, and the medium of the four differs. */
function crossMedia(): Planned[] {
  const path = (writer: number, name: number, file: number) =>
    dataPath('signatures', 'crossmedia', `${writer}/${file * NAMES + name}.png`);
  const exists = new Set(
    readdirSync(dataPath('signatures', 'crossmedia'), { recursive: true, encoding: 'utf8' }),
  );
  const has = (writer: number, name: number, file: number) =>
    exists.has(`${writer}/${file * NAMES + name}.png`);
  const plans: Planned[] = [];
  for (let writer = 1; writer <= CROSS_WRITERS; writer++)
    for (let name = 1; name <= NAMES; name++) {
      const chance = new Chance(writer * 100 + name);
      const of = (who: number, what: number) =>
        Array.from({ length: FILES }, (_, file) => file)
          .filter((file) => has(who, what, file))
          .map((file) => path(who, what, file));
      const another = () => ((writer - 1 + chance.whole(1, CROSS_WRITERS - 1)) % CROSS_WRITERS) + 1;
      const otherName = () => ((name - 1 + chance.whole(1, NAMES - 1)) % NAMES) + 1;
      const id = `${writer}-${name}`;
      plans.push({
        set: 'crossmedia',
        writer: String(writer),
        id,
        load: async () => ({
          set: 'crossmedia',
          writer: String(writer),
          id,
          genuine: await shapes(of(writer, name)),
          imitations: await shapes([1, 2].map(() => chance.pick(of(another(), name)))),
          strangers: await shapes([chance.pick(of(another(), otherName()))]),
        }),
      });
    }
  return plans;
}

const GENUINE = 11;
const IMITATIONS = 4;
const STRANGERS = 2;
const SEED = 20_261_123;

/** Invented writers, half of them always on one medium. */
function invented(set: string, scripts: readonly Script[]): Planned[] {
  return scripts.map((script, index) => {
    const writer = { set, writer: String(index), id: `${index}-${script}` };
    return { ...writer, load: () => Promise.resolve({ ...writer, ...inventSignatures(index, script) }) };
  });
}

type Signatures = Pick<KnownGroup, 'genuine' | 'imitations' | 'strangers'>;

function inventSignatures(index: number, script: Script): Signatures {
  const plain = Math.floor(index / SCRIPTS.length) % 2 === 1;
  const chance = new Chance(Math.imul(SEED, 31) + index);
  const name = inventName(chance, script, plain);
  const signature = developSignature(name, chance);
  const usual = chance.happens(0.5) ? chance.pick(MEDIA) : undefined;
  const seen = (paths: ReturnType<typeof sign>) => {
    const { ink } = cleanInk(render(paths, usual ?? chance.pick(MEDIA), chance));
    const shape = ink && shapeOf(ink.strokes);
    return shape ? [shape] : [];
  };
  const times = (count: number) => Array.from({ length: count }, (_, i) => i);
  return {
    genuine: times(GENUINE).flatMap(() => seen(sign(signature, chance))),
    imitations: times(IMITATIONS).flatMap((i) =>
      seen(
        i === IMITATIONS - 1
          ? sign(developSignature(name, chance), chance)
          : imitate(signature, chance.next(), chance),
      ),
    ),
    strangers: times(STRANGERS).flatMap(() =>
      seen(sign(developSignature(inventName(chance, script, plain), chance), chance)),
    ),
  };
}

/** The groups of a set, in a fixed order. */
export function plannedGroups(set: string, writers: number): Planned[] {
  if (set === 'cedar') return cedar();
  if (set === 'crossmedia') return crossMedia();
  const scripts = (count: number, of: (index: number) => Script) =>
    invented(
      set,
      Array.from({ length: count }, (_, index) => of(index)),
    );
  return scripts(writers, (index) => SCRIPTS[index % SCRIPTS.length]!);
}
