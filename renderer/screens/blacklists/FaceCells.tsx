import { useEffect, useRef } from 'react';
import { Checkbox } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace } from '../../../core/contracts/dashboard/blacklists.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScrollIdle, useScrollIdleState } from '../../components/list/scrollIdle.ts';
import { ExpiredBadge, SeverityBadge } from '../../components/Severity.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useTexts } from '../../i18n/useTexts.tsx';
import { useKeys } from '../../state/keys.ts';

const CELL = { width: 132, height: 182 };

interface CellActions {
  selected: ReadonlySet<number>;
  toggle: (id: number) => void;
  open: (face: BlacklistFace) => void;
}

interface Props extends CellActions {
  items: readonly BlacklistFace[];
  /** Which one the keyboard is on; -1: none yet. */
  cursor: number;
  moveTo: (index: number) => void;
  more: () => void;
}

/** A virtual grid of any number of faces. j and k move, x selects, Enter opens. */
export function FaceCells({ items, cursor, moveTo, more, ...actions }: Props) {
  const { t } = useTexts();
  const { ref: sizeRef, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const across = Math.max(1, Math.floor(width / CELL.width));
  const rows = Math.ceil(items.length / across);
  const pace = useScrollIdleState(scroller);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => CELL.height,
    overscan: 4,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows - 8) more();
  }, [last, rows, more]);
  useEffect(() => {
    if (cursor >= 0 && width > 0) virtualizer.scrollToIndex(Math.floor(cursor / across), { align: 'auto' });
  }, [cursor, across, width, virtualizer]);
  const step = (by: number) => moveTo(Math.max(0, Math.min(items.length - 1, cursor < 0 ? 0 : cursor + by)));
  const at = items[cursor];
  const { toggle, open } = actions;
  useKeys([
    { keys: ['j', 'ArrowRight'], label: t('keys.next'), run: () => step(1) },
    { keys: ['k', 'ArrowLeft'], label: t('keys.previous'), run: () => step(-1) },
    { keys: ['ArrowDown'], label: t('keys.below'), run: () => step(across) },
    { keys: ['ArrowUp'], label: t('keys.above'), run: () => step(-across) },
    {
      keys: ['x'],
      label: t('keys.select'),
      run: () => {
        if (at?.id != null) toggle(at.id);
      },
    },
    {
      keys: ['Enter'],
      label: t('keys.open'),
      run: () => {
        if (at !== undefined) open(at);
      },
    },
  ]);
  return (
    <div ref={ref} className="face-scroll" tabIndex={0} role="group" aria-label={t('blacklists.faces')}>
      <div className="rows-length" style={{ height: virtualizer.getTotalSize() }}>
        <ScrollIdle value={pace}>
          {shown.map(({ index, start }) => (
            <ul
              key={index}
              className="face-row"
              style={{
                transform: `translateY(${start}px)`,
                gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`,
              }}
            >
              {items.slice(index * across, (index + 1) * across).map((face, place) => (
                <Cell
                  key={face.itemId}
                  face={face}
                  at={index * across + place === cursor}
                  here={() => moveTo(index * across + place)}
                  {...actions}
                />
              ))}
            </ul>
          ))}
        </ScrollIdle>
      </div>
    </div>
  );
}

function Cell(props: CellActions & { face: BlacklistFace; at: boolean; here: () => void }) {
  const { face, at, here, selected, toggle, open } = props;
  const { t } = useTexts();
  const { id, name, thumbnailUrl, status, failureCode, listing, expired } = face;
  const reason = failureCode === null ? undefined : t(`failures.${failureCode}.sentence`);
  return (
    <li
      className={at ? 'face-cell at' : 'face-cell'}
      aria-current={at ? true : undefined}
      title={reason ?? listing?.reason ?? name}
      onClick={here}
    >
      <FaceThumbnail url={thumbnailUrl} name={name} size={92} />
      {id === null ? null : (
        <Checkbox
          className="face-check"
          size="xs"
          aria-label={t('blacklists.select', { name })}
          checked={selected.has(id)}
          onChange={() => toggle(id)}
        />
      )}
      <button type="button" className="face-name cut" onClick={() => open(face)}>
        {name}
      </button>
      {expired ? (
        <ExpiredBadge />
      ) : listing !== null ? (
        <SeverityBadge severity={listing.severity} />
      ) : status === ITEM_STATUS.Enrolled ? null : (
        <StatusBadge of="image" code={status} />
      )}
      {id === null ? null : <span className="soft face-id">{id}</span>}
      {reason === undefined ? null : <span className="sr-only">{reason}</span>}
    </li>
  );
}
