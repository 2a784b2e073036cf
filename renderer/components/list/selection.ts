import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

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
