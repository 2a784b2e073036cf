/** Whether known signatures agree with one another: one that differs, or two groups. */
import type { ComparedKnownSet } from '../../domain/ports/knownSignatures.ts';
import { meanOf, middleOf, pairsAmong, toOthers, without, type Likeness } from './likeness.ts';
import { ratiosOf, type KnownCalibration } from './ratios.ts';

/** With fewer known signatures no one of them can be named: of three that disagree, any may be the odd one. */
export const LEAST_TO_NAME = 4;
/** A known signature differs when it lies so many median deviations below the middle of the others. */
const DEVIATIONS = 3;
/**
 * Median deviations of a few values can be tiny by chance; no smaller one counts, log-odds. A step of three of them is
 * found among about one in fifty natural sets of five on paper and one in twenty-five synthetic ones, and beyond it lie
 * three of four signatures of other people.
 */
const LEAST_DEVIATION = 0.6;
/** How much less alike two groups are than the signatures within each, log-odds in the mean. */
const GROUP_GAP = 1.5;

/**
 * The known signature that is least like the others, if it stands apart from them.
 * @returns its index and the result without it
 */
export function differingOne(
  likeness: Likeness,
  calibration: KnownCalibration,
): ComparedKnownSet['agreement']['differing'] {
  const { among } = likeness;
  if (among.length < LEAST_TO_NAME) return null;
  const means = among.map((_, i) => toOthers(among, i));
  const index = means.indexOf(Math.min(...means));
  const rest = without(likeness, index);
  const others = rest.among.map((_, i) => toOthers(rest.among, i));
  const middle = middleOf(others);
  const deviation = Math.max(LEAST_DEVIATION, middleOf(others.map((one) => Math.abs(one - middle))));
  if (means[index]! >= middle - DEVIATIONS * deviation) return null;
  return { index, ratiosWithout: ratiosOf(rest, calibration) };
}

/**
 * Two groups of at least two known signatures each, if every pair within a group is more alike than any pair across, by a
 * clear step in the mean.
 */
export function twoGroups(among: Likeness['among']): [number[], number[]] | null {
  const count = among.length;
  if (count < LEAST_TO_NAME) return null;
  // The first signature is in the first group, so that no division is tried twice.
  for (let others = 1; others < 2 ** (count - 1) - 1; others++) {
    const second = among.flatMap((_, i) => (i > 0 && (others >> (i - 1)) & 1 ? [i] : []));
    const first = among.flatMap((_, i) => (second.includes(i) ? [] : [i]));
    if (first.length >= 2 && second.length >= 2 && areApart(among, first, second)) return [first, second];
  }
  return null;
}

function areApart(among: Likeness['among'], first: readonly number[], second: readonly number[]): boolean {
  const part = (group: readonly number[]) => pairsAmong(group.map((i) => group.map((j) => among[i]![j]!)));
  const within = [...part(first), ...part(second)];
  const across = first.flatMap((i) => second.map((j) => among[i]![j]!));
  return Math.min(...within) > Math.max(...across) && meanOf(within) - meanOf(across) > GROUP_GAP;
}
