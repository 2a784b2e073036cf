import { useLayoutEffect, useRef } from 'react';

interface SlottedRow {
  key: number | string;
  slot: number;
}

/**
 * Assigns elements to rows: a row that stays keeps its element, and a row that takes the place of another takes over its
 * element. A filter then changes texts in existing rows. Creating 30 rows of 30 elements each and removing as many took
 * half of the time of a filter.
 * @param shown the rows in the page now, by their index in the list
 * @returns the slot of each place, to be the key of its element
 */
export function useRowSlots(
  shown: readonly { index: number; key: number | string }[],
): ReadonlyMap<number, number> {
  const before = useRef<ReadonlyMap<number, SlottedRow>>(new Map());
  const now = assignSlots(before.current, shown);
  useLayoutEffect(() => {
    before.current = now;
  });
  return new Map([...now].map(([index, { slot }]) => [index, slot]));
}

/** The slots of the rows in the page, from those of the render before. */
export function assignSlots(
  before: ReadonlyMap<number, SlottedRow>,
  shown: readonly { index: number; key: number | string }[],
): ReadonlyMap<number, SlottedRow> {
  const own = new Map([...before.values()].map(({ key, slot }) => [key, slot]));
  const stay = new Set(shown.map(({ key }) => key));
  let last = Math.max(-1, ...own.values());
  return new Map(
    shown.map(({ index, key }) => {
      const there = before.get(index);
      const left = there !== undefined && !stay.has(there.key) ? there.slot : undefined;
      return [index, { key, slot: own.get(key) ?? left ?? (last += 1) }];
    }),
  );
}
