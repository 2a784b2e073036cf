/** How alike the signatures of a known set are: the numbers from which everything else is computed. */

/** Log-odds of similarity, of a questioned signature and of known ones. */
export interface Likeness {
  /** To each known signature. */
  questioned: readonly number[];
  /** `among[i][j]`, symmetric; the diagonal is not read. */
  among: readonly (readonly number[])[];
}

/** The likeness with one known signature left out. */
export function without({ questioned, among }: Likeness, index: number): Likeness {
  const rest = <T>(list: readonly T[]) => list.filter((_, i) => i !== index);
  return { questioned: rest(questioned), among: rest(among).map(rest) };
}

/** Every pair of known signatures once. */
export function pairsAmong(among: Likeness['among']): number[] {
  return among.flatMap((row, i) => row.slice(0, i));
}

/** Mean likeness of a known signature to the other known ones; NaN without others. */
export function toOthers(among: Likeness['among'], index: number): number {
  return meanOf((among[index] ?? []).filter((_, j) => j !== index));
}

/**
 * Known signatures that are copies of one another, directly or through a third, as groups of indices; a signature
 * without a copy is a group of its own.
 * @param natural the highest likeness of two natural signatures
 */
export function copiesAmong(among: Likeness['among'], natural: number): number[][] {
  const groups: number[][] = [];
  among.forEach((row, index) => {
    const touching = groups.filter((group) => group.some((other) => row[other]! > natural));
    for (const group of touching) groups.splice(groups.indexOf(group), 1);
    groups.push([...touching.flat(), index]);
  });
  return groups;
}

/** The likeness between groups of copies: a group counts as one signature, with the mean of its members. */
export function ofGroups({ questioned, among }: Likeness, groups: readonly (readonly number[])[]): Likeness {
  return {
    questioned: groups.map((group) => meanOf(group.map((i) => questioned[i]!))),
    among: groups.map((one) =>
      groups.map((other) =>
        one === other ? NaN : meanOf(one.flatMap((i) => other.map((j) => among[i]![j]!))),
      ),
    ),
  };
}

// Means and middles of lists of numbers: the order of a list changes no bit of the result.

/** NaN of none. */
export function meanOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}

/** The upper one of two middle values; NaN of none. */
export function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
