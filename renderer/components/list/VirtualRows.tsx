/**
 * Lists of any length. One screen uses these parts together:
 * - `VirtualRows`: draws the rows on screen and asks for more pages near the end of what is loaded.
 * - `columnsThatFit`: decides which columns fit the width; the panel beside the list shows the dropped ones.
 * - `useRowSlots`: assigns DOM elements to rows, so that a filter changes texts instead of replacing elements.
 * - `useScrollIdle`: lets the pictures in the rows load when the list scrolls slowly enough.
 * - `RowsHead`: the names of the columns, which sort the list; `useRowSelection`: rows that are marked for one action.
 * - `RowList`: these rows with the keyboard, and the row that it is on.
 * - `useInfiniteRows`, `completeRows`: loaded pages, or a complete answer, as one list.
 * - `ListBody`: the list, its skeleton, its empty state or its error.
 * - `ListPage`: a screen with such a list; `RecordsPage`: one whose list comes whole, with the panel of a row.
 * Why not a table library: the decision on lists in docs/adr, with measurements.
 */
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
} from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useWords } from '../../i18n/words.tsx';
import {
  columnsThatFit,
  gridTemplateOf,
  SELECT_WIDTH,
  type Column,
  type RowSelection,
  useRowSlots,
} from './columns.ts';
import { ScrollIdle, useScrollIdleState } from './scrollIdle.ts';
import './rows.css';

const ROW_HEIGHT = 36;
/** The head is sticky: rows scroll under it. */
const HEAD_HEIGHT = 32;
/** Rows that are drawn beyond either edge, as many as one frame of scrolling can reveal. */
const OVERSCAN = 8;
/** Once the list was scrolled, the next page is requested so many rows before the end of the loaded ones. */
const ASK_AHEAD = 80;

interface Props<T> {
  ref?: RefObject<HTMLDivElement | null>;
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Number of rows, loaded or not. */
  total: number;
  rowKey: (row: T) => number | string;
  /** The row the keyboard is on. */
  cursor: number;
  /** The row whose details are open. */
  openKey: number | string | null;
  open: (row: T, index: number) => void;
  sorting?: RowSorting | undefined;
  /** Rows can be marked for one action. */
  selection?: RowSelection<T> | undefined;
  /** Requests more rows; called again until they are loaded. Null: all are loaded. */
  more: (() => void) | null;
}

/** A list of any length: only the rows on screen are in the page. All rows are 36 px high, so nothing moves. */
export function VirtualRows<T>(props: Props<T>) {
  const own = useRef<HTMLDivElement>(null);
  const { ref: scroller = own, label, columns, rows, total, rowKey, cursor, openKey, open, more } = props;
  const { sorting, selection } = props;
  const { t } = useWords();
  const shown = useColumnsThatFit(columns, scroller);
  const idleState = useScrollIdleState(scroller);
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
  const selectable = selection !== undefined;
  const layout = useMemo(
    (): CSSProperties => ({
      gridTemplateColumns: `${selectable ? `${SELECT_WIDTH}px ` : ''}${gridTemplateOf(shown)}`,
    }),
    [shown, selectable],
  );
  // One function for the life of the list, so that a row renders only when its own data changes.
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  const openRow = useCallback((row: T, index: number) => latest.current(row, index), []);
  const active = rows[cursor];
  const activeKey = active === undefined ? undefined : rowKey(active);
  const cursorNow = useRef(cursor);
  useEffect(() => {
    cursorNow.current = cursor;
  });
  // Only a move of the cursor scrolls: rows that arrive above it do not take the reader back.
  useEffect(() => {
    if (activeKey !== undefined) virtualizer.scrollToIndex(cursorNow.current, { align: 'auto' });
  }, [activeKey, virtualizer]);
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
      aria-activedescendant={activeKey === undefined ? undefined : `row-${activeKey}`}
    >
      <RowsHead columns={shown} layout={layout} selectable={selectable} sorting={sorting} />
      <div className="rows-length" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        <ScrollIdle value={idleState}>
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
                toggle={selection?.toggle}
                marked={selection?.rows.has(key) === true}
              />
            );
          })}
        </ScrollIdle>
      </div>
      {more === null ? null : <p className="rows-more soft">{t('common.moreLoading')}</p>}
    </div>
  );
}

/** The columns that fit the present width of the list, measured before the first paint. */
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
  toggle: RowSelection<T>['toggle'] | undefined;
  marked: boolean;
}

function PlainRow<T>(props: RowProps<T>) {
  const { name, row, index, top, columns, layout, at, opened, open, toggle, marked } = props;
  return (
    <div
      id={`row-${name}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={toggle === undefined ? opened : marked}
      aria-current={opened ? true : undefined}
      className={at ? 'rows-row at' : 'rows-row'}
      style={{ ...layout, top }}
      onClick={({ shiftKey }) => (shiftKey && toggle ? toggle(row, index, true) : open(row, index))}
    >
      {toggle === undefined ? null : (
        <span role="gridcell">
          <SelectRow marked={marked} mark={(range) => toggle(row, index, range)} />
        </span>
      )}
      {columns.map((column) => {
        const content = column.cell(row);
        return (
          // A picture element is never reused: until its own picture is loaded, a row would show that of another person.
          <span
            key={column.iconOnly === true ? `${column.key} ${name}` : column.key}
            role="gridcell"
            dir={typeof content === 'string' ? 'auto' : undefined}
            className="cut"
          >
            {content}
          </span>
        );
      })}
    </div>
  );
}
/** The check box of a row. A click on it does not open the row. */
function SelectRow({ marked, mark }: { marked: boolean; mark: (range: boolean) => void }) {
  const { t } = useWords();
  return (
    <input
      type="checkbox"
      className="rows-check"
      tabIndex={-1}
      aria-label={t('keys.select')}
      checked={marked}
      onChange={() => undefined}
      onClick={(event) => {
        event.stopPropagation();
        mark(event.shiftKey);
      }}
    />
  );
}

/** Rows that stay on screen while the list scrolls do not render again. */
const Row = memo(PlainRow) as typeof PlainRow;

/** The order of a list, and how to change it. */
export interface RowSorting {
  by: string;
  descending: boolean;
  /** Sorts by a column; sorts the other way round where the list is sorted by it already. */
  change: (by: string) => void;
}

/** The names of the columns. A column that the list can be sorted by is a button. */
function RowsHead<T>(props: {
  columns: readonly Column<T>[];
  layout: CSSProperties;
  /** The list has a column of check boxes. */
  selectable: boolean;
  sorting: RowSorting | undefined;
}) {
  const { t } = useWords();
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
