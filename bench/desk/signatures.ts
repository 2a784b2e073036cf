/** Signatures as offices bring them: foreign ink, marks that are no signature, and pictures that lie otherwise. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { table } from '../report.ts';
import { percent } from '../statistics.ts';
import { pairsOf } from '../signatures/accuracy.ts';
import type { LabelledPair } from '../signatures/accuracy.ts';
import { FOREIGN, laidOn, onSurface } from '../signatures/foreign.ts';
import type { Canvas } from '../signatures/foreign.ts';
import { developSignature, sign } from '../signatures/hand.ts';
import { LIKE_NAMES, MARKS, photographed } from '../signatures/marks.ts';
import { SHORT_NAMES } from '../signatures/names.ts';
import type { Name } from '../signatures/names.ts';
import { Chance } from '../signatures/random.ts';
import type { DeskOptions } from './part.ts';
import { MEASURED_SIGNATURE_BANDS } from '../../core/contracts/signatures.ts';
import { doubtOf, verdictOf } from '../../core/domain/signatures/matching.ts';
import { cleanInk } from '../../core/signatures/clean.ts';
import { comparePair, prepareSignature } from '../../core/signatures/compare.ts';
import type { Prepared } from '../../core/signatures/compare.ts';
import type { Colours } from '../../core/signatures/raster.ts';

const SETS = ['cedar', 'crossmedia'] as const;
const [WIDTH, HEIGHT] = [800, 420];
/** Room of the signature on the canvas. */
const [INK_WIDTH, INK_HEIGHT] = [500, 240];
/** Points of similarity by which a picture may lose against its clean one, with foreign ink and where it lies otherwise. */
const FOREIGN_LOSS = 15;
const PLACE_LOSS = 10;

const picture = ({ data, width, height }: Colours) => sharp(data, { raw: { width, height, channels: 3 } });
const png = (colours: Colours) => picture(colours).png().toBuffer();

async function raw(image: Sharp): Promise<Colours> {
  const { data, info } = await image
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** Does work for a file once. */
function once<T>(work: (file: string) => Promise<T>): (file: string) => Promise<T> {
  const done = new Map<string, Promise<T>>();
  return (file) => {
    const result = done.get(file) ?? work(file);
    done.set(file, result);
    return result;
  };
}

const prepared = once((file) => prepareSignature(readFileSync(file)));

/** The ink of a file with a little paper, whose grey becomes white. */
const cropped = once(async (file: string): Promise<Colours> => {
  const bytes = readFileSync(file);
  const colours = await raw(sharp(bytes).flatten({ background: '#fff' }));
  const { bounds } = cleanInk(colours);
  if (!bounds) throw new Error(`${file} has no ink`);
  const around = 6;
  const left = Math.max(0, bounds.left - around);
  const top = Math.max(0, bounds.top - around);
  const width = Math.min(colours.width, bounds.right + around) - left;
  const height = Math.min(colours.height, bounds.bottom + around) - top;
  const paper = colours.data.toSorted()[Math.floor(colours.data.length * 0.6)]!;
  return raw(
    picture(colours)
      .extract({ left, top, width, height })
      .linear(250 / paper, 0),
  );
});

/** The signature in the middle of a white canvas. */
async function onCanvas(signature: Colours): Promise<{ colours: Colours; canvas: Canvas }> {
  const scale = Math.min(INK_WIDTH / signature.width, INK_HEIGHT / signature.height);
  const ink = { width: Math.round(signature.width * scale), height: Math.round(signature.height * scale) };
  const [left, top] = [Math.round((WIDTH - ink.width) * 0.42), Math.round((HEIGHT - ink.height) * 0.45)];
  const placed = await picture(signature).resize(ink.width, ink.height, { fit: 'fill' }).png().toBuffer();
  const colours = await raw(
    sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fff' } }).composite([
      { input: placed, left, top, blend: 'multiply' },
    ]),
  );
  return { colours, canvas: { width: WIDTH, height: HEIGHT, ink: { left, top, ...ink } } };
}

type Alter = (signature: Colours, chance: Chance) => Promise<Buffer>;

const FOREIGN_KINDS: Record<string, Alter> = {
  ...Object.fromEntries(
    Object.entries(FOREIGN).map(([kind, { draw }]) => [
      kind,
      async (signature: Colours, chance: Chance) => {
        const { colours, canvas } = await onCanvas(signature);
        return png(await laidOn(colours, draw(canvas, chance)));
      },
    ]),
  ),
  'dark desk': async (signature, chance) =>
    png(
      await onSurface(
        (await onCanvas(signature)).colours,
        chance.pick(['#2a211b', '#4a3728', '#333', '#1c2733', '#6b4a2f']),
        chance,
      ),
    ),
  'light desk': async (signature, chance) =>
    png(
      await onSurface(
        (await onCanvas(signature)).colours,
        chance.pick(['#c9a87c', '#b9b9b9', '#a8c0cc', '#d8c8a8']),
        chance,
      ),
    ),
};

const turned =
  (degrees: number): Alter =>
  async (signature, chance) =>
    picture((await onCanvas(signature)).colours)
      .rotate(degrees + (degrees % 90 === 0 && degrees > 0 ? 0 : chance.normal(0.1)), { background: '#fff' })
      .png()
      .toBuffer();

/** The signature `wide` pixels wide somewhere on a page. */
const onPage =
  (width: number, height: number, wide: number): Alter =>
  async (signature, chance) => {
    const ink = await picture(signature).resize(wide).png().toBuffer({ resolveWithObject: true });
    const left = chance.whole(10, width - ink.info.width - 10);
    const top = chance.whole(10, height - ink.info.height - 10);
    return sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .composite([{ input: ink.data, left, top, blend: 'multiply' }])
      .png()
      .toBuffer();
  };
/** The same pixels without the page. */
const asCrop =
  (wide: number): Alter =>
  (signature) =>
    picture(signature).resize(wide).png().toBuffer();

const PLACES: Record<string, { alter: Alter; beside: Alter }> = {
  ...Object.fromEntries(
    [90, 180, 270, 12, -18, 102, 165, 285].map((degrees) => [
      `turned by ${degrees}°`,
      { alter: turned(degrees), beside: turned(0) },
    ]),
  ),
  '400 px on A4 at 300 dpi': { alter: onPage(2480, 3508, 400), beside: asCrop(400) },
  '200 px on A4 at 150 dpi': { alter: onPage(1240, 1754, 200), beside: asCrop(200) },
  '300 px on 1200 × 900': { alter: onPage(1200, 900, 300), beside: asCrop(300) },
  '180 px on 600 × 300': { alter: onPage(600, 300, 180), beside: asCrop(180) },
  '900 px on 3000 × 3000': { alter: onPage(3000, 3000, 900), beside: asCrop(900) },
};

const outcomeOf = (one: Prepared, other: Prepared): number | string =>
  one.kind === 'signature' && other.kind === 'signature'
    ? settled(comparePair(one, other))
    : other.kind === 'unusable'
      ? other.reason
      : 'reference';

/** The service takes a similarity as it is; where its verdict is doubtful, it is inconclusive. */
function settled({ similarity, doubts }: ReturnType<typeof comparePair>): number | string {
  const doubt = doubtOf(verdictOf(similarity, MEASURED_SIGNATURE_BANDS), doubts);
  return doubt ? (doubt.reasons.image1 ?? doubt.reasons.image2)! : similarity;
}

/** So many genuine pairs of each writer. */
function genuinePairs(each: number): LabelledPair[] {
  return SETS.flatMap((set) => {
    const genuine = pairsOf(set, 1).filter(({ kind }) => kind === 'genuine');
    return [...Map.groupBy(genuine, ({ first }) => /(\d+)[/_]\d+\.png$/.exec(first)?.[1]).values()].flatMap(
      (pairs) => pairs.slice(0, set === 'cedar' ? 2 * each : each),
    );
  });
}

interface Case {
  pair: LabelledPair;
  clean: number;
  now: number | string;
  image: Buffer;
}

async function casesOf(pairs: readonly LabelledPair[], alter: Alter, beside: Alter): Promise<Case[]> {
  const out: Case[] = [];
  for (const [index, pair] of pairs.entries()) {
    const chance = () => new Chance(4711 + index);
    const reference = await prepared(pair.first);
    const signature = await cropped(pair.second);
    const clean = outcomeOf(reference, await prepareSignature(await beside(signature, chance())));
    if (typeof clean === 'string') continue;
    const image = await alter(signature, chance());
    out.push({ pair, clean, now: outcomeOf(reference, await prepareSignature(image)), image });
  }
  return out;
}

/** Cases that lose more than allowed, worst first. */
const failures = (cases: readonly Case[], loss: number) =>
  cases.filter(({ clean, now }) => typeof now === 'number' && clean - now > loss);

function rowOf(kind: string, cases: readonly Case[], loss: number): string[] {
  const share = (of: (one: Case) => boolean) => percent(cases.filter(of).length / cases.length);
  const reasons = Map.groupBy(
    cases.filter(({ now }) => typeof now === 'string'),
    ({ now }) => String(now),
  );
  return [
    kind,
    String(cases.length),
    percent(1 - failures(cases, loss).length / cases.length),
    share(
      ({ clean, now }) =>
        typeof now === 'number' &&
        now < MEASURED_SIGNATURE_BANDS.possibleMatch &&
        clean >= MEASURED_SIGNATURE_BANDS.possibleMatch,
    ),
    share(({ now }) => typeof now === 'string'),
    share(({ now, clean }) => typeof now === 'string' && clean >= MEASURED_SIGNATURE_BANDS.possibleMatch),
    [...reasons].map(([reason, of]) => `${reason} ${of.length}`).join(', '),
  ];
}

/** The part `signatures` of the measurement `desk`. */
export async function measureSignatures({ every, pictures }: DeskOptions): Promise<string> {
  const pairs = genuinePairs(PAIRS).filter((_, i) => i % every === 0);
  const kinds = [
    ...Object.entries(FOREIGN_KINDS).map(([kind, alter]) => ({
      kind,
      alter,
      beside: turned(0),
      loss: FOREIGN_LOSS,
    })),
    ...Object.entries(PLACES).map(([kind, place]) => ({ kind, ...place, loss: PLACE_LOSS })),
  ];
  const tables: Record<number, string[][]> = { [FOREIGN_LOSS]: [], [PLACE_LOSS]: [] };
  for (const { kind, alter, beside, loss } of kinds) {
    const cases = await casesOf(pairs, alter, beside);
    const row = rowOf(kind, cases, loss);
    console.log(row.join(' | '));
    tables[loss]!.push(row);
    keep(pictures, kind, failures(cases, loss));
  }
  const head = (loss: number) => [
    'kind',
    'pairs',
    `at most ${loss} less, or inconclusive`,
    'No Match, clean not',
    'inconclusive',
    'inconclusive, clean at least 40',
    'reasons',
  ];
  return [
    'Genuine pairs of all writers of both sets. The second image is the clean signature on a white canvas with something laid on it, or the same signature lying otherwise; similarity against the clean one.',
    ...Object.entries(tables).map(([loss, rows]) => table(head(Number(loss)), rows)),
  ].join('\n\n');
}

/** The part `marks` of the measurement `desk`. */
export async function measureMarks({ every }: DeskOptions): Promise<string> {
  const hands = Math.ceil(HANDS / every);
  const rows: string[][] = [];
  for (const [kind, draw] of Object.entries(MARKS)) rows.push(await markRow(kind, draw, hands, NEXT_HANDS));
  for (const [kind, draw] of Object.entries(LIKE_NAMES))
    rows.push(
      await markRow(
        `${kind}, not limited`,
        (chance) => photographed(draw(chance), chance),
        hands,
        NEXT_HANDS,
      ),
    );
  const names: string[][] = [];
  for (const [kind, invent] of Object.entries(SHORT_NAMES))
    names.push(await markRow(kind, (chance) => written(invent(chance), chance), hands, NEXT_PEOPLE));
  const head = ['pairs', 'match', 'possible match', 'inconclusive', 'reasons of images'];
  return [
    `Marks by ${hands} invented hands each, in pairs of different hands. No constant was fitted on these hands.`,
    table(['mark', ...head], rows),
    `Short names by ${hands} invented people of each kind, in pairs of different people.`,
    table(['name', ...head], names),
  ].join('\n\n');
}

const written = (name: Name, chance: Chance) =>
  photographed(sign(developSignature(name, chance), chance), chance);

/** Genuine pairs of each writer across media; twice as many of CEDAR's. */
const PAIRS = 2;
const HANDS = 63;
/** Seed of the first hand; the law of complexity is fitted on others. */
const FIRST_HAND = 410_000;
/** Each hand's mark, and each person's short name, is compared with those of so many next ones. */
const NEXT_HANDS = 20;
const NEXT_PEOPLE = 5;

async function markRow(
  kind: string,
  draw: (typeof MARKS)[string],
  hands: number,
  next: number,
): Promise<string[]> {
  const images: Prepared[] = [];
  for (let hand = 0; hand < hands; hand++)
    images.push(await prepareSignature(await png(await draw(new Chance(FIRST_HAND + hand)))));
  const outcomes = images.flatMap((one, i) =>
    images.slice(i + 1, i + 1 + next).map((other) => outcomeOf(one, other)),
  );
  const share = (of: (outcome: number | string) => boolean) =>
    percent(outcomes.filter(of).length / outcomes.length);
  const reasons = Map.groupBy(
    images.flatMap((image) => (image.kind === 'unusable' ? [image.reason] : [])),
    (reason) => reason,
  );
  return [
    kind,
    String(outcomes.length),
    share((outcome) => typeof outcome === 'number' && outcome >= MEASURED_SIGNATURE_BANDS.match),
    share(
      (outcome) =>
        typeof outcome === 'number' &&
        outcome >= MEASURED_SIGNATURE_BANDS.possibleMatch &&
        outcome < MEASURED_SIGNATURE_BANDS.match,
    ),
    share((outcome) => typeof outcome === 'string'),
    [...reasons].map(([reason, of]) => `${reason} ${of.length}`).join(', '),
  ];
}

function keep(folder: string, kind: string, cases: readonly Case[]): void {
  for (const [i, { clean, now, image }] of cases.slice(0, 10).entries())
    writeFileSync(
      join(
        folder,
        `${kind.replaceAll(/\W+/g, '-')}-${i}-${clean.toFixed(0)}-${typeof now === 'number' ? now.toFixed(0) : now}.png`,
      ),
      image,
    );
}
