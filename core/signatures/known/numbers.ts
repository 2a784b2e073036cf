/** Means and middles of lists of numbers; the order of a list changes no bit of the result. */

/** NaN of none. */
export function meanOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}

/** The upper one of two middle values; NaN of none. */
export function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
