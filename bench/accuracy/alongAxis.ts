/**
 * Error rates of groups. The sets carry no labels of groups, but the axis that the fusion takes out of the 1024-D orders
 * people by looks: at its low end lie, by their faces and names, people of East and South-East Asia.
 */
import type { Calibration } from '../../core/domain/scores.ts';
import { distanceAtFmr } from '../../core/domain/scores.ts';
import type { FusionConstants } from '../../core/vision/fusion.ts';
import { table } from '../report.ts';
import type { Comparisons } from './comparisons.ts';

/** Shares of the people, from the low end of the axis to the high one. */
const GROUPS = [
  { name: 'lowest tenth', from: 0, to: 0.1 },
  { name: 'to the middle', from: 0.1, to: 0.5 },
  { name: 'from the middle', from: 0.5, to: 0.9 },
  { name: 'highest tenth', from: 0.9, to: 1 },
] as const;
const FMRS = [1e-3, 1e-4];

/** Where a face lies along the axis that is taken out. @param faceres 1024 numbers as the net gives them */
export function alongRemovedAxis(faceres: Float32Array, { mean, removedAxes }: FusionConstants): number {
  const [axis] = removedAxes;
  if (axis === undefined) return 0;
  return faceres.reduce((sum, value, i) => sum + (Math.sqrt(Math.max(0, value)) - mean[i]!) * axis[i]!, 0);
}

export interface Measured {
  name: string;
  comparisons: Comparisons;
  calibration: Calibration;
}

/**
 * Markdown: what the shipped thresholds do among the people of each group.
 * @param places of every photo along the axis, with whom it shows
 */
export function ratesAlongAxis(
  places: readonly { identity: string; along: number }[],
  measured: readonly Measured[],
): string {
  const groupOf = groupsOf(places);
  return table(
    [
      'pipeline',
      'people',
      ...FMRS.map((fmr) => `threshold for FMR ${fmr.toExponential(0)}: FMR found, true match rate in %`),
    ],
    measured.flatMap(({ name, comparisons, calibration }) =>
      GROUPS.map((group, g) => {
        const member = comparisons.identities.map((identity) => groupOf.get(identity) === g);
        const cells = FMRS.map((fmr) => ratesWithin(comparisons, member, distanceAtFmr(calibration, fmr)));
        return [name, `${group.name}: ${member.filter(Boolean).length}`, ...cells];
      }),
    ),
  );
}

/** The group of every person, by the mean of their photos. */
function groupsOf(places: readonly { identity: string; along: number }[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { identity, along } of places) {
    const { sum, count } = sums.get(identity) ?? { sum: 0, count: 0 };
    sums.set(identity, { sum: sum + along, count: count + 1 });
  }
  const people = [...sums].map(([identity, { sum, count }]) => ({ identity, along: sum / count }));
  people.sort((p, q) => p.along - q.along);
  return new Map(
    people.map(({ identity }, i) => [identity, GROUPS.findIndex(({ to }) => i < to * people.length)]),
  );
}

function ratesWithin(
  { mated, nonMated }: Comparisons,
  member: readonly boolean[],
  threshold: number,
): string {
  let [strangers, falseMatches, pairs, matches] = [0, 0, 0, 0];
  for (const [i, distance] of nonMated.distance.entries()) {
    if (!member[nonMated.a[i]!] || !member[nonMated.b[i]!]) continue;
    strangers++;
    if (distance <= threshold) falseMatches++;
  }
  for (const [i, distance] of mated.distance.entries()) {
    if (!member[mated.identity[i]!]) continue;
    pairs++;
    if (distance <= threshold) matches++;
  }
  const rate = (falseMatches / strangers).toExponential(1);
  return `${rate} (${falseMatches} of ${strangers}), ${((100 * matches) / pairs).toFixed(1)} of ${pairs}`;
}
