import { type ReactNode, useMemo, useRef, useState } from 'react';
import { IconFilterOff } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import {
  Action,
  EmptyState,
  ErrorState,
  LoadingRows,
  Page,
  panelOf,
  Split,
  type PageProps,
} from '../Page.tsx';
import { completeRows, type Rows, type Column, type RowSelection } from './columns.ts';
import { type RowSorting, VirtualRows } from './VirtualRows.tsx';
import { useWords, type Words } from '../../i18n/words.tsx';
import { useKeys } from '../../state/keys.ts';

interface ListBodyProps<T> extends RowListProps<T> {
  list: Rows<T>;
  /** Said where there is no row: what would be here and the next action, or that a filter leaves none. */
  none: ReactNode;
}

/** A list in one of its states: failed, loading, empty or with rows. */
export function ListBody<T>({ list, none, ...rest }: ListBodyProps<T>) {
  const { rows, total, error, loadMore, retry } = list;
  if (error !== null) return <ErrorState error={error} retry={retry} />;
  if (total === undefined) return <LoadingRows />;
  if (rows.length === 0) return none;
  return <RowList {...rest} rows={rows} total={total} more={loadMore} />;
}

interface ListPageProps<T> extends Omit<ListBodyProps<T>, 'label' | 'columns'>, Omit<PageProps, 'children'> {
  /** Its accessible name; without it the title. */
  label?: string;
  columns: MakeColumns<T> | readonly Column<T>[];
  /** Above the list: filters, actions, tabs. */
  above?: ReactNode;
  /** The panel beside the list; null: none is open. */
  beside?: ReactNode;
  /** The panel takes the place of the list. */
  whole?: boolean;
}

/** A screen with a list: its title, filters and columns, and the panel of a row beside it. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, label = title, state, action, above, beside = null, whole, columns, ...list } = props;
  return (
    <Page title={title} state={state} action={action}>
      {above}
      <Split beside={beside} whole={whole}>
        <ListBody {...list} label={label} columns={useColumns(columns)} />
      </Split>
    </Page>
  );
}

interface RecordsPageProps<T> extends Omit<
  ListPageProps<T>,
  'list' | 'rowKey' | 'openKey' | 'open' | 'beside'
> {
  query: UseQueryResult<{ items: T[] }>;
  /** The rows that the filter leaves; without it all. */
  shown?: readonly T[] | undefined;
  /** Names a row in the address. */
  rowKey: (row: T) => number | string;
  /** Address of the list; a row has one below it. */
  place: string;
  /** The query of the addresses. */
  search?: string;
  panel: (row: T, close: () => void) => ReactNode;
  /** Panels of names that are not rows, such as `new`. */
  others?: (close: () => void) => Readonly<Record<string, ReactNode>>;
}

/** A screen with a list that comes whole. The address names the row, or another panel, that is open beside it. */
export function RecordsPage<T>(props: RecordsPageProps<T>) {
  const { query, shown, rowKey, place, search = '', panel, others, ...page } = props;
  const navigate = useNavigate();
  const { id } = useParams();
  const rows = query.data?.items;
  const opened = rows?.find((row) => String(rowKey(row)) === id);
  const close = () => void navigate({ pathname: place, search });
  const beside = panelOf(id, {
    rows,
    opened,
    panel: (row) => panel(row, close),
    others: others?.(close),
  });
  return (
    <ListPage
      {...page}
      beside={beside}
      list={completeRows(query, shown)}
      rowKey={rowKey}
      openKey={opened === undefined ? null : rowKey(opened)}
      open={(row) => void navigate({ pathname: `${place}/${rowKey(row)}`, search })}
    />
  );
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
  /** Undefined for a role that has no action for several rows. */
  selection?: RowSelection<T> | undefined;
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
  const grid = useRef<HTMLDivElement>(null);
  const { cursor, open } = useRowKeys(rows, openRow, {
    rowKey: list.rowKey,
    follow: follow === true && openKey !== null,
    selection: list.selection,
    // A list tells assistive technology which row the keys are on only while it has the focus.
    moved: () => {
      if (document.activeElement?.closest('.panel') == null) grid.current?.focus({ preventScroll: true });
    },
  });
  return <VirtualRows {...list} ref={grid} cursor={cursor} open={open} />;
}

/**
 * The keyboard of a list: j and k move, Enter opens; with a selection, x marks a row.
 * @param options.rowKey the cursor follows the record with this key when the list changes
 * @param options.follow a panel is open beside the list: moving opens, so that a list can be read through with one key
 * @param options.moved a key has moved the cursor
 */
function useRowKeys<T>(
  rows: readonly T[],
  openRow: (row: T, index: number) => void,
  options: {
    rowKey: (row: T) => number | string;
    follow: boolean;
    selection: RowSelection<T> | undefined;
    moved: () => void;
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
    if (options.follow) open(row, next);
    else moveTo(row, next);
    options.moved();
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
export function useColumns<T>(columns: MakeColumns<T> | readonly Column<T>[]): readonly Column<T>[] {
  const words = useWords();
  return useMemo(() => (typeof columns === 'function' ? columns(words) : columns), [columns, words]);
}
