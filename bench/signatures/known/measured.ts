/** Pairs of known groups, measured once and kept in the folder of temporary files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plannedGroups } from './groups.ts';
import { inOrder } from '../../../core/signatures/compare.ts';
import { FEATURES, measure } from '../../../core/signatures/features.ts';
import { CALIBRATION } from '../../../core/signatures/calibration.ts';
import { halfTurnsOf } from '../../../core/signatures/points.ts';
import type { Shape } from '../../../core/signatures/points.ts';

/** The features of one pair, in the order of FEATURES. */
export type PairValues = number[];

export interface MeasuredGroup {
  set: string;
  writer: string;
  id: string;
  /** `among[i][j]`: genuine i and j, for j < i. */
  among: PairValues[][];
  /** `[q][k]`: questioned q beside genuine k. */
  imitations: PairValues[][];
  strangers: PairValues[][];
  /** Half turns of the line of each genuine signature. */
  halfTurns: number[];
}

const CACHE = join(tmpdir(), 'vouch-signature-known');

function valuesOf(one: Shape, other: Shape): PairValues {
  const { values } = measure(...inOrder(one, other));
  return FEATURES.map((name) => Number(values[name].toPrecision(5)));
}

/** Every pair of the groups of a set; a stopped run goes on where it was. */
export async function measuredGroups(set: string, writers: number): Promise<MeasuredGroup[]> {
  mkdirSync(CACHE, { recursive: true });
  const groups: MeasuredGroup[] = [];
  for (const plan of plannedGroups(set, writers)) {
    const file = join(CACHE, `${CALIBRATION.modelVersion}-${set}-${plan.id}.json`);
    if (!existsSync(file)) {
      const { genuine, imitations, strangers, writer, id } = await plan.load();
      const against = (questioned: Shape[]) =>
        questioned.map((one) => genuine.map((other) => valuesOf(one, other)));
      const group: MeasuredGroup = {
        set,
        writer,
        id,
        among: genuine.map((one, i) => genuine.slice(0, i).map((other) => valuesOf(one, other))),
        imitations: against(imitations),
        strangers: against(strangers),
        halfTurns: genuine.map(({ bends }) => halfTurnsOf(bends)),
      };
      writeFileSync(file, JSON.stringify(group));
    }
    groups.push(JSON.parse(readFileSync(file, 'utf8')) as MeasuredGroup);
  }
  return groups;
}
