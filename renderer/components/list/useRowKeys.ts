import { useState } from 'react';
import { useTexts } from '../../i18n/useTexts.tsx';
import { useKeys } from '../../state/keys.ts';

/**
 * The keyboard of a list: j and k move, Enter opens.
 * @param follow a panel is open beside the list: moving opens, so that a list can be read through with one key
 */
export function useRowKeys<T>(
  rows: readonly T[],
  openRow: (row: T, index: number) => void,
  options: { follow?: boolean } = {},
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
}
