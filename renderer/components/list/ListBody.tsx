import { type ReactNode, useMemo, useState } from 'react';
import { IconFilterOff } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { Action, EmptyState, ErrorState, LoadingRows } from '../Page.tsx';
import type { Rows, Column, RowSelection } from './columns.ts';
import { type RowSorting, VirtualRows } from './VirtualRows.tsx';
import { useWords, type Words } from '../../i18n/words.tsx';
import { useKeys } from '../../state/keys.ts';

/** A list in one of its states: failed, loading, empty or with rows. */
export function ListBody<T>({
  list: { rows, total, error, loadMore, retry },
  none,
  ...rest
}: RowListProps<T> & {
  list: Rows<T>;
  /** Said where there is no row: what would be here and the next action, or that a filter leaves none. */
  none: ReactNode;
}) {
  if (error !== null) return <ErrorState error={error} retry={retry} />;
  if (total === undefined) return <LoadingRows />;
  if (rows.length === 0) return none;
  return <RowList {...rest} rows={rows} total={total} more={loadMore} />;
}

/** There are rows, and the filter leaves none of them. */
export function NoneFiltered({ title, help, clear }: { title: string; help?: string; clear: () => void }) {
  const { t } = useWords();
  return (
    <EmptyState
      Icon={IconFilterOff}
      title={title}
      action={<Action label={t('common.clearFilters')} onClick={clear} />}
      help={help ?? t('validations.noneFilteredHelp')}
    />
  );
}

interface RowListProps<T> {
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

/**
 * The keyboard of a list: j and k move, Enter opens; with a selection, x marks a row.
 * @param options.rowKey the cursor follows the record with this key when the list changes
 * @param options.follow a panel is open beside the list: moving opens, so that a list can be read through with one key
 */
function useRowKeys<T>(
  rows: readonly T[],
  openRow: (row: T, index: number) => void,
  options: {
    rowKey: (row: T) => number | string;
    follow?: boolean;
    selection?: RowSelection<T> | undefined;
  },
) {
  const { t } = useWords();
  const { rowKey } = options;
  const [at, setAt] = useState<{ index: number; key: number | string | undefined }>({
    index: -1,
    key: undefined,
  });
  const cursor = useMemo(() => {
    const present = rows[at.index];
    if (at.key === undefined || (present !== undefined && rowKey(present) === at.key)) return at.index;
    // The list changed: the cursor stays on its record, or at its place where the record is gone.
    const moved = rows.findIndex((row) => rowKey(row) === at.key);
    return moved === -1 ? Math.min(at.index, rows.length - 1) : moved;
  }, [rows, rowKey, at]);
  const moveTo = (row: T, index: number) => setAt({ index, key: rowKey(row) });
  const open = (row: T, index: number) => {
    moveTo(row, index);
    openRow(row, index);
  };
  const step = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, cursor + by));
    const row = rows[next];
    if (row === undefined) return;
    if (options.follow === true) open(row, next);
    else moveTo(row, next);
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], label: t('keys.next'), run: () => step(1) },
    { keys: ['k', 'ArrowUp'], label: t('keys.previous'), run: () => step(-1) },
    ...(options.selection === undefined ? [] : selectionKeys(options.selection, t)),
    {
      keys: ['Enter'],
      label: t('keys.open'),
      run: () => {
        const row = rows[cursor];
        if (row !== undefined) open(row, cursor);
      },
    },
  ]);
  return { cursor, open };

  function selectionKeys({ toggle, all, rows: marked, clear }: RowSelection<T>, words: TFunction) {
    const mark = (range: boolean) => {
      const row = rows[cursor];
      if (row !== undefined) toggle(row, cursor, range);
    };
    return [
      { keys: ['x'], label: words('keys.select'), run: () => mark(false) },
      { keys: ['X'], label: words('keys.selectTo'), run: () => mark(true) },
      { keys: ['Control+a'], shown: ['Ctrl A'], label: words('keys.selectAll'), run: all },
      ...(marked.size > 0 ? [{ keys: ['Escape'], label: words('keys.unselect'), run: clear }] : []),
    ];
  }
}

/** Makes the columns of a list from the texts and formats of a language. */
export type MakeColumns<T> = (words: Words) => Column<T>[];

/** The columns of a list in the language of the page. */
export function useColumns<T>(make: MakeColumns<T>): Column<T>[] {
  const words = useWords();
  return useMemo(() => make(words), [make, words]);
}
