import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorState, LoadingRows } from '../states.tsx';
import type { Rows } from './infiniteRows.ts';
import type { RowSorting } from './RowsHead.tsx';
import type { RowSelection } from './selection.ts';
import type { Column } from './columns.ts';
import { useRowKeys } from './useRowKeys.ts';
import { VirtualRows } from './VirtualRows.tsx';

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
  const { t } = useTranslation();
  return (
    <EmptyState
      Icon={IconFilterOff}
      title={title}
      action={
        <Button variant="default" onClick={clear}>
          {t('validations.clear')}
        </Button>
      }
    >
      {help ?? t('validations.noneFilteredHelp')}
    </EmptyState>
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
function RowList<T>(
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
