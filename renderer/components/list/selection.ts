type Key = number | string;

/** Rows that an operator marked for one action. */
export interface RowSelection<T> {
  /** The marked rows, as they were when they were marked. */
  rows: ReadonlyMap<Key, T>;
  /** Marks or unmarks a row. With `range`, marks all rows from the last one that was marked. */
  toggle: (row: T, index: number, range: boolean) => void;
  /** Marks these rows, besides those that are marked. */
  add: (rows: readonly T[]) => void;
  /** Called by Ctrl A: marks all rows of the filter. */
  all: () => void;
  clear: () => void;
}
