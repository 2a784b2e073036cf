/** Error rates on real signatures: random and skilled apart, per set, with intervals. */
import { readFileSync } from 'node:fs';
import { dataPath } from '../data.ts';
import { table } from '../report.ts';
import { Chance } from './random.ts';
import { errorRates, ruleOfThree, shareFrom } from './rates.ts';
import { compareSignatures, prepareSignature } from '../../core/signatures/compare.ts';
import type { Prepared } from '../../core/signatures/compare.ts';
import { percent } from '../statistics.ts';

const SETS = ['cedar', 'crossmedia'] as const;
const KINDS = ['random', 'skilled'] as const;
const RESAMPLINGS = 200;

export interface LabelledPair {
  first: string;
  second: string;
  kind: string;
  writer: string;
}

/** The pairs of a set, or a share of them, spread evenly over it. */
export function pairsOf(set: string, share: number): LabelledPair[] {
  const lines = readFileSync(dataPath('signatures', set, 'pairs.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  const chance = new Chance(1);
  return lines
    .filter(() => chance.happens(share))
    .map((line) => {
      const [first = '', second = '', , kind = ''] = line.split(',');
      const writer = /\d+/.exec(first)?.[0] ?? '';
      return {
        first: dataPath('signatures', set, first),
        second: dataPath('signatures', set, second),
        kind,
        writer,
      };
    });
}

/** Prepares each image once. */
export class Album {
  readonly #prepared = new Map<string, Prepared>();

  async open(path: string): Promise<Prepared> {
    let prepared = this.#prepared.get(path);
    if (!prepared) {
      prepared = await prepareSignature(readFileSync(path));
      this.#prepared.set(path, prepared);
    }
    return prepared;
  }

  /** How many images could not be compared, by reason. */
  refusals(): string {
    const reasons = [...this.#prepared.values()].flatMap((image) =>
      image.kind === 'unusable' ? [image.reason] : image.kind === 'fault' ? [image.fault] : [],
    );
    const kinds = [...new Set(reasons)].map(
      (kind) => `${kind} ${reasons.filter((one) => one === kind).length}`,
    );
    return `${reasons.length} of ${this.#prepared.size} images inconclusive${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`;
  }
}

export interface Scored {
  kind: string;
  writer: string;
  /** Not comparable counts as no similarity at all. */
  similarity: number;
  /** Absent in a list of which all pairs were compared. */
  isCompared?: boolean;
}

export async function score(pairs: readonly LabelledPair[], album: Album): Promise<Scored[]> {
  const out: Scored[] = [];
  for (const { first, second, kind, writer } of pairs) {
    const [a, b] = [await album.open(first), await album.open(second)];
    const both = a.kind === 'signature' && b.kind === 'signature';
    out.push({
      kind,
      writer,
      similarity: both ? compareSignatures(a, b).similarity : 0,
      isCompared: both,
    });
  }
  return out;
}

export const similarities = (scored: readonly Scored[], kind: string) =>
  scored.filter((one) => one.kind === kind).map((one) => one.similarity);

/** @param share how much of each set, 0 to 1 */
export async function accuracyReport(share: number): Promise<string> {
  const errors: string[][] = [];
  const bands: string[][] = [];
  const notes: string[] = [];
  for (const set of SETS) {
    const album = new Album();
    const scored = await score(pairsOf(set, share), album);
    const genuine = similarities(scored, 'genuine');
    const compared = scored.filter(({ isCompared }) => isCompared === true);
    const among = KINDS.map((kind) => `${percent(eerOf(compared, kind))} (${kind})`).join(' and ');
    notes.push(`${set}: ${album.refusals()}. Among the pairs that were compared, the EER is ${among}.`);
    for (const kind of KINDS) {
      const impostor = similarities(scored, kind);
      const { eer, auc } = errorRates(genuine, impostor);
      errors.push([
        `${set}, ${kind}`,
        `${genuine.length} / ${impostor.length}`,
        percent(eer),
        intervalOf(scored, (drawn) => eerOf(drawn, kind)),
        auc.toFixed(4),
        percent(ownThresholds(scored, kind)),
      ]);
    }
    const atThresholds = (
      name: string,
      kind: string,
      rate: (scores: number[], threshold: number) => number,
    ) =>
      bands.push([
        `${set}, ${name}`,
        ...[70, 40].flatMap((threshold) => {
          const pairs = similarities(scored, kind);
          const matched = rate(pairs, threshold);
          return [
            percent(matched),
            matched === 0
              ? `${percent(0)} – ${percent(ruleOfThree(pairs.length))}`
              : intervalOf(scored, (drawn) => rate(similarities(drawn, kind), threshold)),
          ];
        }),
      ]);
    for (const kind of KINDS) atThresholds(`${kind}: false matches`, kind, shareFrom);
    atThresholds('genuine: misses', 'genuine', (scores, threshold) => 1 - shareFrom(scores, threshold));
  }
  return [
    table(
      ['set, kind of impostor', 'genuine / impostor pairs', 'EER', '95 %', 'AUC', 'EER by writer'],
      errors,
    ),
    'Intervals: writers drawn with replacement; where no pair errs, up to what the rule of three allows. By writer: the mean when every writer has a threshold of their own, which two images do not give. An image that cannot be compared counts as similarity 0.',
    table(['at or above (false match), below (miss)', '70', '95 %', '40', '95 %'], bands),
    ...notes,
  ].join('\n\n');
}

/** NaN where there are no pairs of either kind. */
function eerOf(scored: readonly Scored[], kind: string): number {
  const [genuine, impostor] = [similarities(scored, 'genuine'), similarities(scored, kind)];
  return genuine.length > 0 && impostor.length > 0 ? errorRates(genuine, impostor).eer : NaN;
}

/** Mean error rate over the writers who have pairs of both kinds, each at their own threshold. */
function ownThresholds(scored: readonly Scored[], kind: string): number {
  const rates = [...byWriter(scored).values()]
    .map((own) => eerOf(own, kind))
    .filter((rate) => !Number.isNaN(rate));
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

function byWriter(scored: readonly Scored[]): Map<string, Scored[]> {
  const groups = new Map<string, Scored[]>();
  for (const one of scored) groups.set(one.writer, [...(groups.get(one.writer) ?? []), one]);
  return groups;
}

/** The middle 95 % of a rate when writers are drawn with replacement; draws without any pair that counts are left out. */
export function intervalOf(scored: readonly Scored[], rate: (drawn: Scored[]) => number): string {
  const chance = new Chance(7);
  const groups = byWriter(scored);
  const writers = [...groups.keys()];
  const rates = Array.from({ length: RESAMPLINGS }, () =>
    rate(writers.flatMap(() => groups.get(chance.pick(writers)) ?? [])),
  )
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const at = (share: number) => percent(rates[Math.floor(rates.length * share)]!);
  return `${at(0.025)} – ${at(0.975)}`;
}
