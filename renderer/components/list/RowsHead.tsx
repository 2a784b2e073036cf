import type { CSSProperties } from 'react';
import { useTexts } from '../../i18n/useTexts.tsx';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import type { Column } from './columns.ts';

/** The order of a list, and how to change it. */
export interface RowSorting {
  by: string;
  descending: boolean;
  /** Sorts by a column; sorts the other way round where the list is sorted by it already. */
  change: (by: string) => void;
}

/** The names of the columns. A column that the list can be sorted by is a button. */
export function RowsHead<T>(props: {
  columns: readonly Column<T>[];
  layout: CSSProperties;
  /** The list has a column of check boxes. */
  selectable: boolean;
  sorting: RowSorting | undefined;
}) {
  const { t } = useTexts();
  const { columns, layout, selectable, sorting } = props;
  return (
    <div className="rows-head" role="row" aria-rowindex={1} style={layout}>
      {selectable ? (
        <span role="columnheader">
          <span className="sr-only">{t('keys.select')}</span>
        </span>
      ) : null}
      {columns.map(({ key, label, iconOnly, sort }) => {
        if (sort === undefined || sorting === undefined)
          return (
            <span key={key} role="columnheader" className="cut">
              {iconOnly === true ? <span className="sr-only">{label}</span> : label}
            </span>
          );
        const own = sorting.by === sort;
        const Order = sorting.descending ? IconSortDescending : IconSortAscending;
        return (
          <span
            key={key}
            role="columnheader"
            className="cut"
            aria-sort={own ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" className="rows-sort" onClick={() => sorting.change(sort)}>
              <span className="cut">{label}</span>
              {own ? <Order size={14} stroke={1.8} aria-hidden /> : null}
            </button>
          </span>
        );
      })}
    </div>
  );
}
