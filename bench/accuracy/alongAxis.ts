/**
 * Error rates of groups. The sets carry no labels of groups, but the axis that the fusion takes out of the 1024-D orders
 * people by looks: at its low end lie, by their faces and names, people of East and South-East Asia.
 */
import type { Calibration } from '../../core/domain/scores.ts';
import { distanceAtFmr } from '../../core/domain/scores.ts';
import type { FusionConstants } from '../../core/vision/fusion.ts';
import { table } from '../report.ts';
import type { Comparisons } from './comparisons.ts';
import { repeatableRandom } from './errorRates.ts';

/** Shares of the people, from the low end of the axis to the high one. */
const GROUPS = [
  { name: 'lowest tenth', from: 0, to: 0.1 },
  { name: 'to the middle', from: 0.1, to: 0.5 },
  { name: 'from the middle', from: 0.5, to: 0.9 },
  { name: 'highest tenth', from: 0.9, to: 1 },
] as const;
const FMRS = [1e-3, 1e-4];

/**
 * Where a face lies along the axis that orders people by looks: the fusion deals with it first, and takes it out.
 * @param faceres 1024 numbers as the net gives them
 */
export function alongGroupAxis(
  faceres: Float32Array,
  { mean, axes }: Pick<FusionConstants, 'mean' | 'axes'>,
): number {
  const axis = axes[0]?.direction;
  if (axis === undefined) return 0;
  return faceres.reduce((sum, value, i) => sum + (Math.sqrt(Math.max(0, value)) - mean[i]!) * axis[i]!, 0);
}

export interface Measured {
  name: string;
  comparisons: Comparisons;
  /** What the thresholds are read off. */
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
      ...FMRS.map(
        (fmr) => `threshold for FMR ${fmr.toExponential(0)}: FMR found (95 %), true match rate in %`,
      ),
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

/** The people of the tenth that the axis puts lowest: those whom the nets take for one another most often. */
export function lowestTenth(places: readonly { identity: string; along: number }[]): Set<string> {
  return new Set([...groupsOf(places)].flatMap(([identity, group]) => (group === 0 ? identity : [])));
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

const ROUNDS = 500;

function ratesWithin(
  { identities, mated, nonMated }: Comparisons,
  member: readonly boolean[],
  threshold: number,
): string {
  const falseMatches: { a: number; b: number }[] = [];
  let [strangers, pairs, matches] = [0, 0, 0];
  for (const [i, distance] of nonMated.distance.entries()) {
    const [a, b] = [nonMated.a[i]!, nonMated.b[i]!];
    if (!member[a] || !member[b]) continue;
    strangers++;
    if (distance <= threshold) falseMatches.push({ a, b });
  }
  for (const [i, distance] of mated.distance.entries()) {
    if (!member[mated.identity[i]!]) continue;
    pairs++;
    if (distance <= threshold) matches++;
  }
  // The people of the group, drawn anew with replacement: few of them are in many false matches.
  const random = repeatableRandom(1);
  const people = [...identities.keys()].filter((i) => member[i]);
  const rates = Array.from({ length: ROUNDS }, () => {
    const times = new Uint8Array(identities.length);
    for (const _ of people) times[people[Math.floor(random() * people.length)]!]!++;
    return falseMatches.reduce((sum, { a, b }) => sum + times[a]! * times[b]!, 0) / strangers;
  }).sort((p, q) => p - q);
  const [low, high] = [0.025, 0.975].map((share) => rates[Math.floor(share * ROUNDS)]!.toExponential(1));
  const rate = (falseMatches.length / strangers).toExponential(1);
  return `${rate} (${falseMatches.length} of ${strangers}; ${low} to ${high}), ${((100 * matches) / pairs).toFixed(1)} of ${pairs}`;
}
