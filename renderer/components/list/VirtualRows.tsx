import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
} from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useTexts } from '../../i18n/useTexts.tsx';
import { columnsThatFit, gridTemplateOf, type Column } from './columns.ts';
import { useRowSlots } from './rowSlots.ts';
import { ScrollIdle, useScrollIdleState } from './scrollIdle.ts';
import './rows.css';

const ROW_HEIGHT = 36;
/** The head stays in sight while the rows move under it. */
const HEAD_HEIGHT = 32;
/** Rows that are drawn beyond either edge: what one frame of scrolling brings. */
const OVERSCAN = 8;
/** Rows before the end of what is loaded at which more is asked for, once somebody scrolls. */
const ASK_AHEAD = 80;

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
  const { t } = useTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useColumnsThatFit(columns, scroller);
  const pace = useScrollIdleState(scroller);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const ahead = (virtualizer.scrollOffset ?? 0) > 0 ? ASK_AHEAD : 1;
  useEffect(() => {
    if (more !== null && last >= rows.length - ahead) more();
  }, [last, rows.length, ahead, more]);
  useEffect(() => {
    if (cursor >= 0) virtualizer.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, virtualizer]);
  const layout = useMemo((): CSSProperties => ({ gridTemplateColumns: gridTemplateOf(shown) }), [shown]);
  // One function for the life of the list, so that a row is drawn anew only when something of its own changes.
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  const openRow = useCallback((row: T, index: number) => latest.current(row, index), []);
  const active = rows[cursor];
  const slots = useRowSlots(
    items.flatMap(({ index }) => {
      const row = rows[index];
      return row === undefined ? [] : [{ index, key: rowKey(row) }];
    }),
  );
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
      <div className="rows-head" role="row" aria-rowindex={1} style={layout}>
        {shown.map(({ key, label: name, iconOnly }) => (
          <span key={key} role="columnheader" className="cut">
            {iconOnly === true ? <span className="sr-only">{name}</span> : name}
          </span>
        ))}
      </div>
      <div className="rows-length" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        <ScrollIdle value={pace}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            return (
              <Row
                key={slots.get(index)}
                name={key}
                row={row}
                index={index}
                top={start - HEAD_HEIGHT}
                columns={shown}
                layout={layout}
                at={index === cursor}
                opened={key === openKey}
                open={openRow}
              />
            );
          })}
        </ScrollIdle>
      </div>
      {more === null ? null : <p className="rows-more soft">{t('common.moreLoading')}</p>}
    </div>
  );
}

/** Which columns have room in the list as wide as it is now; measured before anything is painted. */
function useColumnsThatFit<T>(
  columns: readonly Column<T>[],
  scroller: { readonly current: HTMLElement | null },
): readonly Column<T>[] {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return useMemo(() => columnsThatFit(columns, width), [columns, width]);
}

interface RowProps<T> {
  name: number | string;
  row: T;
  index: number;
  top: number;
  columns: readonly Column<T>[];
  layout: CSSProperties;
  /** The keyboard is on it. */
  at: boolean;
  /** Its details are open. */
  opened: boolean;
  open: (row: T, index: number) => void;
}

function PlainRow<T>({ name, row, index, top, columns, layout, at, opened, open }: RowProps<T>) {
  return (
    <div
      id={`row-${name}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={opened}
      className={at ? 'rows-row at' : 'rows-row'}
      style={{ ...layout, top }}
      onClick={() => open(row, index)}
    >
      {columns.map((column) => (
        // A picture is never handed on: until its own is there, the row would show that of another.
        <span
          key={column.iconOnly === true ? `${column.key} ${name}` : column.key}
          role="gridcell"
          className="cut"
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  );
}
/** Scrolling moves the window over the rows: those that stay in it are not drawn again. */
const Row = memo(PlainRow) as typeof PlainRow;
