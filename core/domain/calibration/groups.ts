/**
 * Error rates by groups of people (ISO/IEC 19795-10), at the thresholds that were measured on all of them. False matches are
 * counted between people of one group: people of two groups look less alike, so pairs across groups would hide the difference.
 */
import { LEAST_IN_GROUP, type GroupRates, type SearchShare } from '../../contracts/calibration.ts';
import { widened } from '../values/share.ts';
import { repeatable } from './repeatable.ts';

/** The person, by number, of each photo of a pair, and the distance of the two. */
export interface Pairs {
  distance: Float32Array;
  a: Uint16Array;
  b: Uint16Array;
}

const ROUNDS = 400;

/**
 * @param people names by number @param templates the photos of them
 * @param groupOf the group of a person, by name in NFC; a person who is not in it belongs to none
 * @param thresholds the rates to state, with their distances
 */
export function groupRates(
  people: readonly string[],
  templates: readonly { person: string }[],
  { mated, nonMated }: { mated: Pairs; nonMated: Pairs },
  groupOf: ReadonlyMap<string, string>,
  thresholds: readonly { fmr: number; distance: number }[],
): GroupRates {
  const photos = Map.groupBy(templates, ({ person }) => person);
  const counts = people.map((person) => photos.get(person)?.length ?? 0);
  const numbers = people.map((_, person) => person);
  const groupOfNumber = people.map((person) => groupOf.get(person.normalize('NFC')));
  const members = Map.groupBy(numbers, (person) => groupOfNumber[person]);
  const ungrouped = members.get(undefined)?.length ?? 0;
  const groups = [...members].flatMap(([group, its]) => {
    const matedPairs = its.reduce((sum, person) => sum + pairsOf(counts[person]!), 0);
    return group === undefined ? [] : [{ group, members: its, people: its.length, matedPairs }];
  });
  const isLarge = (of: (typeof groups)[number]) =>
    of.people >= LEAST_IN_GROUP.people && of.matedPairs >= LEAST_IN_GROUP.matedPairs;
  const large = groups.filter(isLarge).sort((one, other) => one.group.localeCompare(other.group));
  return {
    rates: thresholds.map(({ fmr, distance }) => {
      const missed = new Uint32Array(people.length);
      for (const [i, each] of mated.distance.entries()) if (each > distance) missed[mated.a[i]!]!++;
      const matches: [number, number][] = [];
      for (const [i, each] of nonMated.distance.entries()) {
        const [a, b] = [nonMated.a[i]!, nonMated.b[i]!];
        if (each <= distance && groupOfNumber[a] === groupOfNumber[b]) matches.push([a, b]);
      }
      const rows = large.map(({ group, members: its, people: size }) => ({
        group,
        people: size,
        ...sharesOf(its, {
          counts,
          missed,
          matches: matches.filter(([a]) => groupOfNumber[a] === group),
        }),
      }));
      return { fmr, groups: rows, worstFmr: worstOf(rows, 'fmr'), worstFnmr: worstOf(rows, 'fnmr') };
    }),
    tooSmall: groups
      .filter((each) => !isLarge(each))
      .map(({ group, people: size, matedPairs }) => ({ group, people: size, matedPairs }))
      .sort((one, other) => other.people - one.people),
    ungrouped,
  };
}

const pairsOf = (photos: number) => (photos * (photos - 1)) / 2;

interface Errors {
  /** Photos of each person, and how many of the person's own pairs miss. */
  counts: readonly number[];
  missed: Uint32Array;
  /** The two people of each pair of the group that matches. */
  matches: readonly (readonly [number, number])[];
}

/**
 * The rates of a group. Pairs share people, so each interval reaches as far as the resampled people do, and as far as that of
 * Wilson with people (FNMR) or pairs of people (FMR) for trials: resampling finds no error where none was.
 */
function sharesOf(members: readonly number[], { counts, missed, matches }: Errors) {
  const several = members.filter((person) => counts[person]! > 1);
  const rates = (times: (person: number) => number) => {
    let [misses, mated, photos, own] = [0, 0, 0, 0];
    for (const person of members) {
      const [weight, count] = [times(person), counts[person]!];
      misses += weight * missed[person]!;
      mated += weight * pairsOf(count);
      photos += weight * count;
      own += (weight * count) ** 2;
    }
    const nonMated = (photos ** 2 - own) / 2;
    const found = matches.reduce((sum, [a, b]) => sum + times(a) * times(b), 0);
    return { misses, mated, found, nonMated };
  };
  const once = rates(() => 1);
  const random = repeatable(members.length);
  const resampled = { fmr: [] as number[], fnmr: [] as number[] };
  const drawn = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    drawn.clear();
    for (const _ of members) {
      const person = members[Math.floor(random() * members.length)]!;
      drawn.set(person, (drawn.get(person) ?? 0) + 1);
    }
    const { misses, mated, found, nonMated } = rates((person) => drawn.get(person) ?? 0);
    if (nonMated > 0) resampled.fmr.push(found / nonMated);
    if (mated > 0) resampled.fnmr.push(misses / mated);
  }
  return {
    fmr: statedOf(once.found, once.nonMated, pairsOf(members.length), resampled.fmr),
    fnmr: statedOf(once.misses, once.mated, several.length, resampled.fnmr),
  };
}

/** @param trials that count as independent */
function statedOf(errors: number, of: number, trials: number, resampled: number[]): SearchShare {
  const rate = errors / of;
  resampled.sort((one, other) => one - other);
  const at = (share: number) => resampled[Math.floor(share * resampled.length)]!;
  return { errors, of, rate, ...widened({ low: at(0.025), high: at(0.975) }, rate, trials) };
}

/**
 * The group with the highest rate; null: fewer than two groups, or no group is above the others.
 * `isClear`: its interval is above the rates of all others, so that chance is an unlikely reason.
 */
function worstOf<K extends 'fmr' | 'fnmr'>(
  rows: readonly ({ group: string } & Record<K, SearchShare>)[],
  kind: K,
): { group: string; isClear: boolean } | null {
  const [first, second] = rows.toSorted((one, other) => other[kind].rate - one[kind].rate);
  if (first === undefined || second === undefined || first[kind].rate === second[kind].rate) return null;
  return { group: first.group, isClear: first[kind].low > second[kind].rate };
}
