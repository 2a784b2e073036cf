/** Photos of two people of whom one is hidden, photos of one person, and pages that show one person twice. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { qualityThresholds } from '../../core/contracts/settings.ts';
import type { EnrolAnalysis } from '../../core/domain/ports/recognition.ts';
import { bandOf, distanceAtFmr, distanceOf, STRONG_FMR, type Band } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { loadTemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine, type Engine } from '../../core/vision/pool/engine.ts';
import { dataPath } from '../data.ts';
import { table } from '../report.ts';
import { createFaceFinder, MODELS } from '../vision/faceFinder.ts';
import { listPictures, randomNumbers } from '../vision/pictures.ts';
import type { DeskOptions } from './part.ts';
import {
  croppedToHead,
  SceneMaker,
  withoutPeople,
  type Person,
  type Sources,
} from '../../research/heads/scenes.ts';
import {
  COVERS,
  isHeldOut,
  onSheet,
  resized,
  sideBySide,
  type Cover,
  type Placed,
  type Portrait,
} from './people.ts';

/** Composed photos of each cover, and composed cards and pages of each kind. */
const PER_COVER = 182;
const PER_PAGE = 125;
/** Photos of each kind with a smaller hidden head, and composed photos of one person. */
const PER_GROUP = 100;
const COMPOSED = 1000;
/** Of the portraits of cards and pages: room beside the face, in its widths. */
const HEAD_MARGIN = 0.5;
/** Pictures of failures of each kind that are written. */
const PICTURES = 10;

/** Tables of whom the engine takes for the subject. */
export async function measureFaces({ every, pictures }: DeskOptions): Promise<string> {
  const nobody = await withoutPeople();
  const engine = await createEngine(MODELS, await loadTemplateExtractor(MODELS, 'full'));
  const photos = new PhotoBench(engine, pictures);
  // Whole people, so that a part of them has several photos of one, too.
  const people = Map.groupBy(await listPictures(dataPath('faces', 'lfw')), (file) => basename(dirname(file)));
  const files = [...people]
    .filter(([name]) => isHeldOut(name))
    .filter((_, i) => i % every === 0)
    .flatMap(([, own]) => own);
  const { portraits, groups, alone } = await photos.portraits(files);
  const covered = await photos.covered(portraits, Math.ceil(PER_COVER / every));
  const beside = await photos.hiddenBeside(portraits, groups, Math.ceil(PER_GROUP / every));
  const composed = await photos.composed(
    { alone: portraits, groups: [], ...nobody },
    Math.ceil(COMPOSED / every),
  );
  const pages = await photos.pages(portraits, Math.ceil(PER_PAGE / every));
  const compared = await photos.compared(portraits, Math.ceil(PER_PAGE / every));
  return [
    `A photo of two people, side by side; the head of the larger one is hidden. "Other taken": the smaller one is enrolled.`,
    '',
    covered,
    '',
    'Photos of several people of whom one is hidden, by all covers in turn. "Another taken": a smaller person than the hidden one is enrolled.',
    '',
    beside,
    '',
    `Photos as they are, ${files.length} of LFW. "Head beside": refused because of a head that is no confirmed face.`,
    '',
    alone,
    '',
    composed,
    '',
    'Cards and pages of one person, and the same with two people. "Right": the person is enrolled; two people are not taken for one.',
    '',
    pages,
    '',
    'The same cards and pages compared with another photo of the person, and with a photo of another person, by the bands of *Compare faces* and of verifications. First the portrait without a page.',
    '',
    compared,
  ].join('\n');
}

const SAME_PERSON = distanceAtFmr(CALIBRATIONS.full, STRONG_FMR);
const GATE = qualityThresholds.parse({});

class PhotoBench {
  readonly #engine: Engine;
  readonly #folder: string;
  readonly #written = new Map<string, number>();
  readonly #random = randomNumbers(11);

  constructor(engine: Engine, folder: string) {
    this.#engine = engine;
    this.#folder = folder;
  }

  #enrol(bytes: Uint8Array): Promise<EnrolAnalysis> {
    return this.#engine.enrol(bytes, { gate: GATE, samePerson: SAME_PERSON });
  }

  async #failed(kind: string, bytes: Uint8Array): Promise<void> {
    const count = this.#written.get(kind) ?? 0;
    if (count >= PICTURES) return;
    this.#written.set(kind, count + 1);
    await writeFile(join(this.#folder, `${kind.replaceAll(/\W+/g, '-')}-${count}.jpg`), bytes);
  }

  /** The photos that are enrolled, with their faces, and a table of all. */
  async portraits(
    files: readonly string[],
  ): Promise<{ portraits: Person[]; groups: Person[][]; alone: string }> {
    const finder = await createFaceFinder();
    const portraits: Person[] = [];
    const groups: Person[][] = [];
    const counts = { enrolled: 0, 'several faces': 0, 'head beside': 0, 'refused otherwise': 0 };
    for (const file of files) {
      const bytes = await readFile(file);
      const analysis = await this.#enrol(bytes);
      const isGroup = analysis.kind === 'refused' && hasSecondFace(analysis);
      if (analysis.kind === 'face' || isGroup) {
        counts[isGroup ? 'several faces' : 'enrolled'] += 1;
        const { view, faces } = await finder.look(bytes);
        const name = basename(dirname(file));
        const people = faces.map(({ eyes, box }) => ({
          name,
          raster: view.raster,
          eyes,
          width: box.width,
          box,
        }));
        const [main, second] = people;
        if (isGroup) groups.push(people);
        else if (main !== undefined && second === undefined) portraits.push(main);
      } else if (analysis.code !== 'MULTIPLE_FACES') counts['refused otherwise'] += 1;
      else {
        counts['head beside'] += 1;
        await this.#failed('head beside', bytes);
      }
    }
    const share = (count: number) => `${((100 * count) / files.length).toFixed(2)} %`;
    return {
      portraits,
      groups,
      alone: table(
        ['answer', 'photos', 'share'],
        Object.entries(counts).map(([answer, count]) => [answer, count, share(count)]),
      ),
    };
  }

  async covered(portraits: readonly Portrait[], count: number): Promise<string> {
    const rows: (string | number)[][] = [];
    for (const [name, cover] of Object.entries(COVERS)) {
      let [taken, refused, other] = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        const [one, two] = this.#pair(portraits, i);
        const larger = await resized(one, 1.1 + 0.5 * this.#random());
        const smaller = await resized(two, 0.6 + 0.4 * this.#random());
        const cloth = portraits[(i * 13 + 5) % portraits.length]!.raster;
        const raster = await cover(larger, cloth, this.#random);
        const bytes = await sideBySide({ ...larger, raster }, smaller, this.#random);
        const analysis = await this.#enrol(bytes);
        if (analysis.kind === 'refused') refused += 1;
        else if (isNarrower(analysis, larger)) {
          other += 1;
          await this.#failed(`other taken ${name}`, bytes);
        } else taken += 1;
      }
      rows.push([name, count, refused, taken, other, `${((100 * other) / count).toFixed(1)} %`]);
    }
    return table(
      ['larger head hidden by', 'photos', 'refused', 'larger taken', 'other taken', 'share'],
      rows,
    );
  }

  /** The largest, second and smallest face of a group hidden; a person behind the subject; one before a poster. */
  async hiddenBeside(
    portraits: readonly Person[],
    groups: readonly Person[][],
    count: number,
  ): Promise<string> {
    const inGroup = (which: (people: readonly Person[]) => number) => async (cover: Cover, i: number) => {
      const people = groups[(i * 5) % groups.length]!;
      const hidden = people[which(people)]!;
      const raster = await cover(hidden, portraits[(i * 13 + 5) % portraits.length]!.raster, this.#random);
      const bytes = await onSheet({ ...raster, colour: [0, 0, 0] }, [
        { portrait: { ...hidden, raster }, left: 0, top: 0 },
      ]);
      return { bytes, hidden };
    };
    /** @param share widths of the hidden face over the clear one's, least and most */
    const beside = (share: readonly [number, number]) => async (cover: Cover, i: number) => {
      const [one, two] = this.#pair(portraits, i);
      const clear = await resized(one, 1.3);
      const wanted = clear.width * (share[0] + (share[1] - share[0]) * this.#random());
      const hidden = await resized(two, wanted / two.width);
      const raster = await cover(hidden, one.raster, this.#random);
      return { bytes: await sideBySide(clear, { ...hidden, raster }, this.#random), hidden };
    };
    const kinds = {
      'largest of a group': inGroup(() => 0),
      'second of a group': inGroup((people) => Math.min(1, people.length - 1)),
      'smallest of a group': inGroup((people) => people.length - 1),
      'person behind the subject': beside([0.5, 0.9]),
      'person before a poster': beside([0.35, 0.5]),
    };
    const covers = Object.entries(COVERS);
    const rows: (string | number)[][] = [];
    for (const [name, compose] of Object.entries(kinds)) {
      let [refused, larger, another] = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        const { bytes, hidden } = await compose(covers[i % covers.length]![1], i);
        const analysis = await this.#enrol(bytes);
        if (analysis.kind === 'refused') refused += 1;
        else if (!isNarrower(analysis, hidden)) larger += 1;
        else {
          another += 1;
          await this.#failed(`another taken ${name}`, bytes);
        }
      }
      rows.push([name, count, refused, larger, another]);
    }
    return table(['hidden', 'photos', 'refused', 'larger taken', 'another taken'], rows);
  }

  /** Photos of one person, composed as those are that the net for heads was fitted on, of other people. */
  async composed(sources: Sources, count: number): Promise<string> {
    const maker = new SceneMaker(sources, this.#random);
    let beside = 0;
    for (let i = 0; i < count; i++) {
      const { bytes } = await maker.single();
      const analysis = await this.#enrol(bytes);
      if (analysis.kind === 'face' || analysis.code !== 'MULTIPLE_FACES' || hasSecondFace(analysis)) continue;
      beside += 1;
      await this.#failed('head beside, composed', bytes);
    }
    const share = `${((100 * beside) / count).toFixed(2)} %`;
    return `Of ${count} composed photos of one person, on sheets and beside pictures without people, ${beside} (${share}) are refused because of a head beside.`;
  }

  async pages(people: readonly Person[], count: number): Promise<string> {
    // As on cards: press photos often show somebody else at their edge.
    const portraits = people.map((person) => croppedToHead(person, HEAD_MARGIN));
    const rows: (string | number)[][] = [];
    for (const [name, page] of Object.entries(PAGES)) {
      for (const shown of [1, 2]) {
        let right = 0;
        for (let i = 0; i < count; i++) {
          const [one, two] = this.#pair(portraits, i);
          const bytes = await page(one, shown === 1 ? one : two, this.#random);
          const analysis = await this.#enrol(bytes);
          const isRight =
            shown === 1
              ? analysis.kind === 'face'
              : analysis.kind === 'refused' || analysis.found?.onePerson !== true;
          if (isRight) right += 1;
          else await this.#failed(`${name} ${shown}`, bytes);
        }
        const who = shown === 1 ? 'one person' : 'two people';
        rows.push([`${name}, ${who}`, count, right, `${((100 * right) / count).toFixed(1)} %`]);
      }
    }
    return table(['page', 'photos', 'right', 'share'], rows);
  }

  /** Cards and pages of one person against other photos. */
  async compared(people: readonly Person[], count: number): Promise<string> {
    const known = [...Map.groupBy(people, ({ name }) => name).values()];
    const several = known.filter(({ length }) => length > 1).slice(0, Math.max(2, count));
    const probes: EnrolAnalysis[] = [];
    for (const [, again] of several) probes.push(await this.#enrol(await portraitAlone(again!)));
    const rows: (string | number)[][] = [];
    const kinds: Readonly<Record<string, Page>> = { 'portrait alone': portraitAlone, ...PAGES };
    for (const [name, page] of Object.entries(kinds)) {
      const holder = { strong: 0, possible: 0, none: 0, inconclusive: 0 };
      let strangers = 0;
      for (let i = 0; i < count; i++) {
        const portrait = croppedToHead(several[i % several.length]![0]!, HEAD_MARGIN);
        const bytes = await page(portrait, portrait, this.#random);
        const shown = await this.#enrol(bytes);
        const verdict = compare(shown, probes[i % several.length]!);
        holder[verdict] += 1;
        if (verdict !== 'strong') await this.#failed(`${name} ${verdict}`, bytes);
        if (compare(shown, probes[(i + 1) % several.length]!) === 'strong') strangers += 1;
      }
      rows.push([name, count, ...Object.values(holder), strangers]);
    }
    return table(
      ['page', 'pairs', 'match', 'possible match', 'no match', 'inconclusive', 'another person: match'],
      rows,
    );
  }

  /** Two photos of different people. */
  #pair(portraits: readonly Portrait[], i: number): [Portrait, Portrait] {
    const one = portraits[(i * 7) % portraits.length]!;
    const others = portraits.filter(({ name }) => name !== one.name);
    return [one, others[Math.floor(this.#random() * others.length)]!];
  }
}

function compare(one: EnrolAnalysis, other: EnrolAnalysis): Band | 'inconclusive' {
  if (one.kind === 'refused' || other.kind === 'refused') return 'inconclusive';
  return bandOf(CALIBRATIONS.full, distanceOf(one.face.template.vector, other.face.template.vector));
}

function hasSecondFace({ found }: Extract<EnrolAnalysis, { kind: 'refused' }>): boolean {
  const [main, second] = found?.boxes ?? [];
  return main !== undefined && second !== undefined && second.width * 3 >= main.width;
}

function isNarrower({ face }: Extract<EnrolAnalysis, { kind: 'face' }>, larger: Portrait): boolean {
  return face.box.width < 0.95 * larger.width;
}

const PAPER = [232, 238, 240] as const;

async function portraitAlone(one: Portrait): Promise<Buffer> {
  return onSheet({ ...one.raster, colour: PAPER }, [{ portrait: one, left: 0, top: 0 }]);
}

type Page = (one: Portrait, other: Portrait, random: () => number) => Promise<Buffer>;

/** Pictures that show a person twice. The first is the portrait; the other one is the second appearance. */
const PAGES: Readonly<Record<string, Page>> = {
  'card with a ghost': async (one, other, random) => {
    const main = await resized(one, 1.24);
    const ghost = await resized(other, 1.24 * (0.33 + 0.2 * random()));
    const placed: Placed[] = [
      { portrait: main, left: 40, top: 130 },
      { portrait: ghost, left: 780, top: 330, opacity: 0.5 + 0.4 * random() },
    ];
    return onSheet({ width: 1010, height: 638, colour: PAPER }, placed);
  },
  'page with an avatar': async (one, other, random) => {
    const main = await resized(one, 2.16);
    const avatar = await resized(other, 0.6 + 0.4 * random());
    const placed: Placed[] = [
      { portrait: main, left: 0, top: 300 },
      { portrait: avatar, left: 20, top: 20, round: true },
    ];
    return onSheet({ width: 540, height: 960, colour: [250, 250, 250] }, placed);
  },
  'strip of four': async (one, other) => {
    const placed = [one, one, one, other].map((portrait, i) => ({ portrait, left: 20, top: 20 + i * 270 }));
    return onSheet({ width: 290, height: 1110, colour: [255, 255, 255] }, placed);
  },
  'two prints of a sheet': async (one, other) => {
    const placed = [one, other].map((portrait, i) => ({ portrait, left: 30 + i * 290, top: 40 }));
    return onSheet({ width: 610, height: 340, colour: [245, 245, 245] }, placed);
  },
};
