import { useEffect, useRef, type ReactNode } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslation } from 'react-i18next';
import './rows.css';

const ROW_HEIGHT = 36;
/** The head stays in sight while the rows move under it. */
const HEAD_HEIGHT = 32;
/** Rows before the end of what is loaded at which more is asked for. */
const ASK_AHEAD = 80;

export interface Column<T> {
  key: string;
  label: string;
  /** A CSS grid track, e.g. `minmax(120px, 2fr)`. */
  track: string;
  cell: (row: T) => ReactNode;
  /** Says nothing in the head: a picture speaks for itself. */
  bare?: boolean;
}

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Rows there are, loaded or not. */
  total: number;
  rowKey: (row: T) => number | string;
  /** The row the keyboard is on. */
  cursor: number;
  /** The row whose details are open. */
  openKey: number | string | null;
  open: (row: T, index: number) => void;
  /** More rows are wanted; called again until they are there. */
  more: (() => void) | null;
}

/** A list of any length: only what is on screen is in the page. Rows are 36 px, so nothing ever moves. */
export function VirtualRows<T>(props: Props<T>) {
  const { label, columns, rows, total, rowKey, cursor, openKey, open, more } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== null && last >= rows.length - ASK_AHEAD) more();
  }, [last, rows.length, more]);
  useEffect(() => {
    if (cursor >= 0) virtualizer.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, virtualizer]);
  const template = { gridTemplateColumns: columns.map(({ track }) => track).join(' ') };
  const active = rows[cursor];
  return (
    <div
      ref={scroller}
      className="rows"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      tabIndex={0}
      aria-activedescendant={active === undefined ? undefined : `row-${rowKey(active)}`}
    >
      <div className="rows-head" role="row" aria-rowindex={1} style={template}>
        {columns.map(({ key, label: name, bare }) => (
          <span key={key} role="columnheader" className="cut">
            {bare === true ? <span className="sr-only">{name}</span> : name}
          </span>
        ))}
      </div>
      <div className="rows-length" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const key = rowKey(row);
          return (
            <div
              key={key}
              id={`row-${key}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={key === openKey}
              className={`rows-row${index === cursor ? ' at' : ''}`}
              style={{ ...template, transform: `translateY(${start - HEAD_HEIGHT}px)` }}
              onClick={() => open(row, index)}
            >
              {columns.map((column) => (
                <span key={column.key} role="gridcell" className="cut">
                  {column.cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
      {more === null ? null : <p className="rows-more soft">{t('common.moreLoading')}</p>}
    </div>
  );
}
