/** Small numbers that several measurements state. */

/** The middle value; NaN: there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** A share of 0 to 1 as "12.3 %". */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
