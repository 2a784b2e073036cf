/** Seeded draws of known sets from measured groups, with the questioned signatures that are laid beside them. */
import { FEATURES } from '../../../core/signatures/features.ts';
import type { FeatureName } from '../../../core/signatures/features.ts';
import { CALIBRATION } from '../../../core/signatures/calibration.ts';
import { logitOf, scoreOf } from '../../../core/signatures/fusion.ts';
import type { Likeness } from '../../../core/signatures/known/likeness.ts';
import { Chance } from '../random.ts';
import type { MeasuredGroup, PairValues } from './measured.ts';

export type CaseKind = 'genuine' | 'imitation' | 'stranger';

/** One questioned signature beside one drawn known set. */
export interface Case {
  kind: CaseKind;
  writer: string;
  group: string;
  likeness: Likeness;
}

/** Known sets drawn from each group. */
const DRAWS = 20;
/** Genuine signatures that are questioned beside one drawn set, at most. */
const QUESTIONED = 6;

export function logitOfValues(values: PairValues): number {
  const named = Object.fromEntries(FEATURES.map((name, i) => [name, values[i]!])) as Record<
    FeatureName,
    number
  >;
  return logitOf(scoreOf(named, CALIBRATION), CALIBRATION);
}

/** The logits of a group's pairs, computed once. */
interface Logits {
  among: number[][];
  imitations: number[][];
  strangers: number[][];
}

function logitsOf(group: MeasuredGroup): Logits {
  const all = (rows: readonly (readonly PairValues[])[]) => rows.map((row) => row.map(logitOfValues));
  const lower = all(group.among);
  return {
    among: lower.map((_, i) => lower.map((_, j) => (i === j ? NaN : i > j ? lower[i]![j]! : lower[j]![i]!))),
    imitations: all(group.imitations),
    strangers: all(group.strangers),
  };
}

/** All cases of the groups with `known` known signatures each; groups with fewer genuine signatures are left out. */
export function drawnCases(groups: readonly MeasuredGroup[], known: number): Case[] {
  return groups.flatMap((group, index) => {
    const logits = logitsOf(group);
    const chance = new Chance(5000 + 31 * index + known);
    const count = logits.among.length;
    if (count <= known) return [];
    const draws = Math.min(DRAWS, count * 2);
    return Array.from({ length: draws }, () => drawn(group, logits, known, chance)).flat();
  });
}

function drawn(group: MeasuredGroup, logits: Logits, known: number, chance: Chance): Case[] {
  const order = logits.among.map((_, i) => ({ i, at: chance.next() })).sort((a, b) => a.at - b.at);
  const set = order.slice(0, known).map(({ i }) => i);
  const left = order.slice(known, known + QUESTIONED).map(({ i }) => i);
  const among = set.map((i) => set.map((j) => logits.among[i]![j]!));
  const one = (kind: CaseKind, row: readonly number[]): Case => ({
    kind,
    writer: group.writer,
    group: group.id,
    likeness: { questioned: set.map((i) => row[i]!), among },
  });
  return [
    ...left.map((i) => one('genuine', logits.among[i]!)),
    ...logits.imitations.map((row) => one('imitation', row)),
    ...logits.strangers.map((row) => one('stranger', row)),
  ];
}
