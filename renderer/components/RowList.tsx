import type { RowSorting } from './list/RowsHead.tsx';
import type { RowSelection } from './list/selection.ts';
import type { Column } from './list/columns.ts';
import { useRowKeys } from './list/useRowKeys.ts';
import { VirtualRows } from './list/VirtualRows.tsx';

export interface RowListProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rowKey: (row: T) => number | string;
  /** The row that is open beside the list. */
  openKey: number | string | null;
  open: (row: T) => void;
  /** While a row is open, moving opens the next, so that a list can be read through with one key. */
  follow?: boolean;
  sorting?: RowSorting;
  selection?: RowSelection<T>;
}

/** A list that the mouse and the keyboard open rows of: j and k move, Enter opens. */
export function RowList<T>(
  props: RowListProps<T> & {
    rows: readonly T[];
    /** Rows there are, loaded or not. */
    total: number;
    more: (() => void) | null;
  },
) {
  const { open: openRow, follow, ...list } = props;
  const { rows, openKey } = list;
  const { cursor, open } = useRowKeys(rows, openRow, {
    rowKey: list.rowKey,
    follow: follow === true && openKey !== null,
    selection: list.selection,
  });
  return <VirtualRows {...list} cursor={cursor} open={open} />;
}
