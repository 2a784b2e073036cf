/** How well groups of photos agree with the people on them. */

export interface Scores {
  /** Over the photos: the mean share of a photo's group that shows its person (B-cubed, Bagga and Baldwin 1998). */
  precision: number;
  /** Over the photos: the mean share of its person's photos that are in its group. */
  recall: number;
  /** B-cubed over the photos of people with two photos or more. */
  several: { precision: number; recall: number };
  /** Over the pairs of photos: the share of the grouped ones that show one person, and of those of one person that are grouped. */
  pairs: { precision: number; recall: number };
  /** Groups of two photos or more. */
  groups: number;
  /** Groups that show several people. */
  wrong: number;
  /** Photos in the largest of them; 0: there are none. */
  largestWrong: number;
  /** One decision for each person that a proposed group shows. */
  decisions: number;
  /** Joins of one person's parts that no proposed group shows: one fewer than the parts. */
  missed: number;
}

/**
 * @param identities of all photos, by index
 * @param groups of indices, without overlap; a photo in none is alone
 */
export function scoresOf(identities: readonly string[], groups: readonly (readonly number[])[]): Scores {
  const sizes = countOf(identities);
  const inside = groups.map((group) => countOf(group.map((photo) => identities[photo]!)));
  const photos = bCubed(identities, groups);
  const together = sum(groups.map(({ length }) => pairsAmong(length)));
  const right = sum(inside.flatMap((counts) => [...counts.values()].map(pairsAmong)));
  const impure = groups.filter((_, index) => inside[index]!.size > 1);
  return {
    ...means(photos),
    several: means(photos.filter(({ several }) => several)),
    pairs: {
      precision: ratio(right, together),
      recall: ratio(right, sum([...sizes.values()].map(pairsAmong))),
    },
    groups: groups.length,
    wrong: impure.length,
    largestWrong: Math.max(0, ...impure.map(({ length }) => length)),
    decisions: sum(inside.map(({ size }) => size)),
    missed:
      identities.length -
      sum(groups.map(({ length }) => length)) +
      sum(inside.map(({ size }) => size)) -
      sizes.size,
  };
}

/** B-cubed of each photo, by index. */
export function bCubed(
  identities: readonly string[],
  groups: readonly (readonly number[])[],
): { several: boolean; precision: number; recall: number }[] {
  const sizes = countOf(identities);
  const inside = groups.map((group) => countOf(group.map((photo) => identities[photo]!)));
  const groupOf = new Map(groups.flatMap((group, index) => group.map((photo) => [photo, index] as const)));
  return identities.map((identity, photo) => {
    const group = groupOf.get(photo);
    const own = group === undefined ? 1 : inside[group]!.get(identity)!;
    const all = group === undefined ? 1 : groups[group]!.length;
    return { several: sizes.get(identity)! > 1, precision: own / all, recall: own / sizes.get(identity)! };
  });
}

/** The harmonic mean of precision and recall that weighs precision twice as much as recall: F with β = 0.5. */
export function fHalf({ precision, recall }: { precision: number; recall: number }): number {
  return (1.25 * precision * recall) / (0.25 * precision + recall);
}

function countOf(identities: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const identity of identities) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  return counts;
}

function means(photos: readonly { precision: number; recall: number }[]): {
  precision: number;
  recall: number;
} {
  return {
    precision: ratio(sum(photos.map(({ precision }) => precision)), photos.length),
    recall: ratio(sum(photos.map(({ recall }) => recall)), photos.length),
  };
}

/** Of nothing, nothing is wrong and nothing is missed. */
const ratio = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
const pairsAmong = (size: number) => (size * (size - 1)) / 2;
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
