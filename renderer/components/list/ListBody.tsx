import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { RowList, type RowListProps } from '../RowList.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../states.tsx';
import type { Rows } from './infiniteRows.ts';

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
