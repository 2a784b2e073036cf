/**
 * Error rates of groups. The sets carry no labels of groups, but axes of the nets order people by looks: the second
 * strongest of HSE-FaceRes, and the strongest of MobileFaceNet's own.
 */
import type { Calibration } from '../../core/domain/scores/scores.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { distanceAtFmr } from '../../core/domain/scores/scores.ts';
import type { DescriptorParts } from '../../core/vision/fusion.ts';
import { meanOf, principalAxes } from '../../research/fusion/linear.ts';
import { table } from '../report.ts';
import { compareAll, type Comparisons } from './comparisons.ts';
import type { Photo } from './photos.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

/** Shares of the people, from the low end of the axis to the high one. */
const GROUPS = [
  { name: 'lowest tenth', from: 0, to: 0.1 },
  { name: 'to the middle', from: 0.1, to: 0.5 },
  { name: 'from the middle', from: 0.5, to: 0.9 },
  { name: 'highest tenth', from: 0.9, to: 1 },
] as const;
const FMRS = [1e-3, 1e-4];

/** Photos along an axis, with whom they show. */
export type Places = readonly { identity: string; along: number }[];

/** Where photos lie along the two axes by which groups are measured. */
export interface AlongAxes {
  /** The second strongest of HSE-FaceRes: at the low end, by faces and names, people from East and South-East Asia. */
  looks: number;
  /** The strongest of MobileFaceNet: at the low end, by faces, mostly women, at the high end middle-aged and elderly men. */
  mobile: number;
}

/** A photo whose face the nets have described. */
interface Described {
  photo: Photo;
  parts: DescriptorParts & { faceres: Float32Array };
}

/** Fits both axes to these photos. @returns where each lies */
export function alongAxes(described: readonly Described[]): AlongAxes[] {
  const rooted = described.map(({ parts }) => parts.faceres.map((value) => Math.sqrt(Math.max(0, value))));
  const mobile = described.map(({ parts }) => parts.mobile);
  const looks = alikeFirst(along(rooted, 2), described);
  const own = alikeFirst(along(mobile, 1), described);
  return described.map((_, i) => ({ looks: looks[i]!, mobile: own[i]! }));
}

/** The places along the axis of this rank, counted from 1. */
function along(vectors: readonly Float32Array[], rank: number): number[] {
  const mean = meanOf(vectors);
  const axis = principalAxes(vectors, mean, rank)[rank - 1]!;
  return vectors.map((vector) => vector.reduce((sum, value, i) => sum + (value - mean[i]!) * axis[i]!, 0));
}

/** At this false match rate among everybody the ends of an axis are compared. */
const END_FMR = 1e-3;

/**
 * An axis has no direction of its own. Low is the end whose tenth of the people the 128-D net takes for one another more
 * often, by one photo of each.
 */
function alikeFirst(places: readonly number[], described: readonly Described[]): number[] {
  const first = new Map(described.map((each, i) => [each.photo.identity, { ...each, along: places[i]! }]));
  const people = [...first.values()];
  const comparisons = compareAll(
    people.map(({ photo }) => photo),
    people.map(({ parts }) => parts.recognition),
  );
  const threshold = thresholdAt(comparisons.nonMated.distance.toSorted(), END_FMR);
  const { lowest, highest } = tenths(
    people.map(({ photo: { identity }, along: at }) => ({ identity, along: at })),
  );
  const rate = (group: ReadonlySet<string>) => falseMatchRateWithin(comparisons, group, threshold);
  const turned = rate(highest) > rate(lowest);
  return places.map((place) => (turned ? -place : place));
}

export interface Measured {
  name: string;
  comparisons: Comparisons;
  /** The calibration that gives the thresholds. */
  calibration: Calibration;
}

/**
 * Markdown: what the shipped thresholds do among the people of each group.
 * @param places of every photo along the axis, with whom it shows
 */
export function ratesAlongAxis(places: Places, measured: readonly Measured[]): string {
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

/** The people of the tenths at both ends of an axis. */
export function tenths(places: Places): { lowest: Set<string>; highest: Set<string> } {
  const groups = [...groupsOf(places)];
  const of = (wanted: number) =>
    new Set(groups.flatMap(([identity, group]) => (group === wanted ? identity : [])));
  return { lowest: of(0), highest: of(GROUPS.length - 1) };
}

/** Share of the non-mated pairs within a group that are at or under the threshold. */
export function falseMatchRateWithin(
  { identities, nonMated }: Comparisons,
  group: ReadonlySet<string>,
  threshold: number,
): number {
  const member = identities.map((identity) => group.has(identity));
  let [impostors, matches] = [0, 0];
  for (const [i, distance] of nonMated.distance.entries()) {
    if (!member[nonMated.a[i]!] || !member[nonMated.b[i]!]) continue;
    impostors++;
    if (distance <= threshold) matches++;
  }
  return matches / impostors;
}

/** The group of every person, by the mean of their photos. */
function groupsOf(places: Places): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { identity, along: place } of places) {
    const { sum, count } = sums.get(identity) ?? { sum: 0, count: 0 };
    sums.set(identity, { sum: sum + place, count: count + 1 });
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
  let [impostors, pairs, matches] = [0, 0, 0];
  for (const [i, distance] of nonMated.distance.entries()) {
    const [a, b] = [nonMated.a[i]!, nonMated.b[i]!];
    if (!member[a] || !member[b]) continue;
    impostors++;
    if (distance <= threshold) falseMatches.push({ a, b });
  }
  for (const [i, distance] of mated.distance.entries()) {
    if (!member[mated.identity[i]!]) continue;
    pairs++;
    if (distance <= threshold) matches++;
  }
  // The people of the group, redrawn with replacement: few of them are in many false matches.
  const random = repeatable(1);
  const people = [...identities.keys()].filter((i) => member[i]);
  const rates = Array.from({ length: ROUNDS }, () => {
    const times = new Uint8Array(identities.length);
    for (const _ of people) times[people[Math.floor(random() * people.length)]!]!++;
    return falseMatches.reduce((sum, { a, b }) => sum + times[a]! * times[b]!, 0) / impostors;
  }).sort((p, q) => p - q);
  const [low, high] = [0.025, 0.975].map((share) => rates[Math.floor(share * ROUNDS)]!.toExponential(1));
  const rate = (falseMatches.length / impostors).toExponential(1);
  return `${rate} (${falseMatches.length} of ${impostors}; ${low} to ${high}), ${((100 * matches) / pairs).toFixed(1)} of ${pairs}`;
}
