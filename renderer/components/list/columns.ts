import { type ReactNode, useCallback, useMemo, useLayoutEffect, useRef, useState } from 'react';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';

/** A column of a list. Widths are CSS pixels. */
export interface Column<T> {
  key: string;
  label: string;
  /** Narrower than this the column is dropped. */
  minWidth: number;
  /** Its share of the remaining width; without it the column keeps its minimum width. */
  grow?: number;
  /**
   * Where not all columns fit, the one with the highest number is dropped first; the default is its position. The panel
   * beside the list shows the dropped ones.
   */
  dropOrder?: number;
  cell: (row: T) => ReactNode;
  /** The list can be sorted by it, under this name. */
  sort?: string;
  /** A column of pictures: its label is for assistive technology alone. */
  iconOnly?: boolean;
}

/**
 * A column of a list.
 * @param width the least, CSS pixels; or with what else differs from the other columns
 */
export function column<T>(
  key: string,
  label: string,
  width: number | Omit<Column<T>, 'key' | 'label' | 'cell'>,
  cell: Column<T>['cell'],
): Column<T> {
  return { key, label, ...(typeof width === 'number' ? { minWidth: width } : width), cell };
}

/** Between two columns, and beside the first and the last; as in rows.css. */
const GAP = 12;
const EDGES = 40;

/** Width of the column of check boxes. */
export const SELECT_WIDTH = 20;

/** The columns that fit a list of this width, in their order; at least one. @param width CSS pixels */
export function columnsThatFit<T>(columns: readonly Column<T>[], width: number): readonly Column<T>[] {
  const spared = columns
    .map((each, index) => ({ each, ease: each.dropOrder ?? index }))
    .sort((one, other) => other.ease - one.ease)
    .map(({ each }) => each);
  let shown = columns;
  const needed = () => shown.reduce((sum, { minWidth }) => sum + minWidth + GAP, EDGES - GAP);
  for (const dropped of spared) {
    if (shown.length === 1 || needed() <= width) break;
    shown = shown.filter((each) => each !== dropped);
  }
  return shown;
}

/** The columns as a value of `grid-template-columns`. */
export function gridTemplateOf(columns: readonly { minWidth: number; grow?: number }[]): string {
  return columns
    .map(({ minWidth, grow }) => (grow === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${grow}fr)`))
    .join(' ');
}

/** The loaded part of a list. */
export interface Rows<T> {
  rows: readonly T[];
  /** Number of rows, loaded or not; undefined until the first page is loaded. */
  total: number | undefined;
  /** Null while loaded rows can be shown. */
  error: Error | null;
  /** Requests the next page; null: all are loaded. */
  loadMore: (() => void) | null;
  retry: () => void;
}

/** The loaded pages of a list as one list. */
export function useInfiniteRows<P extends { items: readonly unknown[]; total?: number }>(
  query: UseInfiniteQueryResult<InfiniteData<P>>,
): Rows<P['items'][number]> & { first: P | undefined } {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, error } = query;
  const rows = useMemo(
    (): readonly P['items'][number][] => data?.pages.flatMap(({ items }) => items) ?? [],
    [data],
  );
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const first = data?.pages[0];
  return {
    rows,
    first,
    total: first && (first.total ?? rows.length),
    error: data === undefined ? error : null,
    loadMore: hasNextPage ? more : null,
    retry: () => void refetch(),
  };
}

/** A list that comes whole. */
export function completeRows<T>(
  { data, error, refetch }: UseQueryResult<{ items: readonly T[] }>,
  shown: readonly T[] | undefined = data?.items,
): Rows<T> {
  return {
    rows: shown ?? [],
    total: shown?.length,
    error: data === undefined ? error : null,
    loadMore: null,
    retry: () => void refetch(),
  };
}

type Key = number | string;

/** Rows that an operator marked for one action. */
export interface RowSelection<T> {
  /** The marked rows, as they were when they were marked. */
  rows: ReadonlyMap<Key, T>;
  /** Marks or unmarks a row. With `range`, marks all rows from the last one that was marked. */
  toggle: (row: T, index: number, range: boolean) => void;
  /** Adds these rows to the selection. */
  add: (rows: readonly T[]) => void;
  /** Called by Ctrl A: marks all rows of the filter. */
  all: () => void;
  clear: () => void;
}

/**
 * The selection of a list.
 * @param list the loaded rows
 * @param all marks all rows of the filter, loaded or not
 */
export function useRowSelection<T>(
  list: readonly T[],
  rowKey: (row: T) => Key,
  all: () => void,
): RowSelection<T> {
  const [rows, setRows] = useState<ReadonlyMap<Key, T>>(new Map());
  const anchor = useRef<number | null>(null);
  // One function for the life of the list, so that a row renders only when its own data changes.
  const latest = useRef({ list, rowKey });
  useLayoutEffect(() => {
    latest.current = { list, rowKey };
  });
  const add = useCallback((more: readonly T[]) => {
    setRows((now) => new Map([...now, ...more.map((row) => [latest.current.rowKey(row), row] as const)]));
  }, []);
  const toggle = useCallback(
    (row: T, index: number, range: boolean) => {
      const from = anchor.current;
      anchor.current = index;
      if (range && from !== null) {
        add(latest.current.list.slice(Math.min(from, index), Math.max(from, index) + 1));
        return;
      }
      const key = latest.current.rowKey(row);
      setRows((now) => {
        const next = new Map(now);
        if (!next.delete(key)) next.set(key, row);
        return next;
      });
    },
    [add],
  );
  const clear = useCallback(() => {
    anchor.current = null;
    setRows(new Map());
  }, []);
  return useMemo(() => ({ rows, toggle, add, all, clear }), [rows, toggle, add, all, clear]);
}

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
