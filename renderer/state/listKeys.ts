import { useTranslation } from 'react-i18next';
import { useKeys } from './keys.ts';

/** j/k and the arrows move through a list, Enter opens the row. */
export function useListKeys<T>(list: {
  rows: readonly T[];
  cursor: number;
  setCursor: (cursor: number) => void;
  open: (row: T, index: number) => void;
}): void {
  const { t } = useTranslation();
  const { rows, cursor, setCursor, open } = list;
  const step = (by: number) => setCursor(Math.max(0, Math.min(rows.length - 1, cursor + by)));
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
}
