import { useState } from 'react';
import type { TFunction } from 'i18next';
import { useTexts } from '../../i18n/useTexts.tsx';
import { useKeys } from '../../state/keys.ts';
import type { RowSelection } from './selection.ts';

/**
 * The keyboard of a list: j and k move, Enter opens; with a selection, x marks a row.
 * @param follow a panel is open beside the list: moving opens, so that a list can be read through with one key
 */
export function useRowKeys<T>(
  rows: readonly T[],
  openRow: (row: T, index: number) => void,
  options: { follow?: boolean; selection?: RowSelection<T> | undefined } = {},
) {
  const { t } = useTexts();
  const [cursor, setCursor] = useState(-1);
  const open = (row: T, index: number) => {
    setCursor(index);
    openRow(row, index);
  };
  const step = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, cursor + by));
    setCursor(next);
    const row = rows[next];
    if (row !== undefined && options.follow === true) open(row, next);
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
  return { cursor, setCursor, open };

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
