import { useRowKeys } from './useRowKeys.ts';
import { VirtualRows, type Column } from './VirtualRows.tsx';

/**
 * A list that the mouse and the keyboard open rows of: j and k move, Enter opens.
 * `follow`: while a row is open, moving opens the next, so that a list can be read through with one key.
 */
export function RowList<T>(props: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => number | string;
  /** The row that is open beside the list. */
  openKey: number | string | null;
  open: (row: T) => void;
  follow?: boolean;
  /** Rows there are, where not all are loaded. */
  total?: number;
  more?: (() => void) | null;
}) {
  const { open: openRow, follow, total, more, ...list } = props;
  const { rows, openKey } = list;
  const { cursor, open } = useRowKeys(rows, openRow, { follow: follow === true && openKey !== null });
  return (
    <VirtualRows {...list} total={total ?? rows.length} cursor={cursor} open={open} more={more ?? null} />
  );
}
