import { useCallback, useMemo, useState, useEffect, useRef } from 'react';
import { IconUsers, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Checkbox } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace, BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { Action, EmptyState, ErrorState, LoadingRows } from '../../components/Page.tsx';
import { facesQuery, removeFaces } from '../../api/blacklists.ts';
import { StatusFilter } from '../../components/filters.tsx';
import { FaceDetail, RefusedPhoto, EditListing, MoveFaces } from './FaceDetail.tsx';
import { Concerned, type ConcernedFace } from '../../components/Concerned.tsx';
import { ConfirmByTyping } from '../../components/Form.tsx';
import { useMay } from '../../api/session.ts';
import { useWords } from '../../i18n/words.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScrollIdle, useScrollIdleState } from '../../components/list/scrollIdle.ts';
import { ExpiredBadge, SeverityBadge } from '../../components/Severity.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useChosenByKey } from '../../state/focus.ts';
import { useKeys } from '../../state/keys.ts';

const FILTERS = {
  all: undefined,
  enrolled: ITEM_STATUS.Enrolled,
  pending: ITEM_STATUS.Pending,
  failed: ITEM_STATUS.Failed,
};
type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];

/** The faces of a blacklist; which of them, and the one that is open, are in the address. */
export function FaceGrid({ list }: { list: BlacklistRow }) {
  const { t } = useWords();
  const may = useMay();
  const [address, setAddress] = useSearchParams();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [cursor, setCursor] = useState(-1);
  const filter = NAMES.find((name) => name === address.get('status')) ?? 'all';
  const set = (key: 'status' | 'face' | 'photo', value: string | null) =>
    setAddress((now) => {
      const next = new URLSearchParams(now);
      for (const each of ['face', 'photo']) next.delete(each);
      if (value === null) next.delete(key);
      else next.set(key, value);
      return next;
    });
  const faces = useInfiniteQuery({
    ...facesQuery(list.id, FILTERS[filter]),
    placeholderData: keepPreviousData,
  });
  const items = useMemo(() => faces.data?.pages.flatMap((page) => page.items) ?? [], [faces.data]);
  // No action may concern a face that is not in sight: the filter hides it, or another operator has moved it.
  const chosen = items.flatMap(({ id, name, thumbnailUrl }) =>
    id !== null && selected.has(id) ? [{ id, name, thumbnailUrl }] : [],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = faces;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const toggle = (id: number) =>
    setSelected((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const open = (face: BlacklistFace) =>
    face.id === null ? set('photo', String(face.itemId)) : set('face', String(face.id));
  const face = Number(address.get('face'));
  const photo = items.find(({ itemId }) => String(itemId) === address.get('photo'));
  if (Number.isSafeInteger(face) && face > 0)
    return <FaceDetail key={face} id={face} list={list} back={() => set('face', null)} />;
  if (photo !== undefined)
    return <RefusedPhoto key={photo.itemId} photo={photo} list={list} back={() => set('photo', null)} />;
  return (
    <>
      <div className="face-tools">
        <StatusFilter
          states={NAMES}
          value={filter}
          onChange={(value) => set('status', value === 'all' ? null : value)}
        />
        <span className="row face-selection">
          <span role="status">
            {chosen.length === 0 ? null : t('common.selected', { count: chosen.length })}
          </span>
          <FaceSelection list={list} chosen={chosen} clear={() => setSelected(new Set())} />
        </span>
      </div>
      {faces.error !== null && faces.data === undefined ? (
        <ErrorState error={faces.error} retry={() => void faces.refetch()} />
      ) : faces.data === undefined ? (
        <LoadingRows rows={6} />
      ) : items.length === 0 ? (
        <EmptyState
          Icon={IconUsers}
          title={t(filter === 'all' ? 'blacklists.noFaces' : 'blacklists.noSuchFaces')}
          help={filter === 'all' ? t('blacklists.noFacesHelp') : null}
        />
      ) : (
        <FaceCells
          items={items}
          selected={selected}
          cursor={cursor}
          moveTo={setCursor}
          toggle={may('blacklists:write') || may('blacklists:erase') ? toggle : undefined}
          open={open}
          more={more}
        />
      )}
    </>
  );
}

/** The actions for the selected faces. */
function FaceSelection(props: { list: BlacklistRow; chosen: readonly ConcernedFace[]; clear: () => void }) {
  const { list, chosen, clear } = props;
  const { t, count } = useWords();
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  if (chosen.length === 0) return null;
  const faces = chosen.map(({ id }) => id);
  const concerned = <Concerned faces={chosen} />;
  return (
    <>
      <Action size="compact-sm" label={t('blacklists.unselect')} onClick={clear} />
      <EditListing list={list.id} faces={faces} concerned={concerned} />
      <MoveFaces list={list} faces={faces} concerned={concerned} moved={clear} />
      <Action
        may="blacklists:erase"
        variant="light"
        size="compact-sm"
        color="red"
        Icon={IconTrash}
        label={t('blacklists.removeFaces')}
        onClick={() => setRemoving(true)}
      />
      <ErasePerson start={{ faces }} gone={clear} selected={faces.length} />
      {removing ? (
        <ConfirmByTyping
          title={t('blacklists.removeTitle')}
          name={list.name}
          action={t('blacklists.removeFaces')}
          close={() => setRemoving(false)}
          run={async () => {
            await removeFaces(list.id, faces);
            clear();
            await client.invalidateQueries({ queryKey: ['blacklists'] });
          }}
        >
          <p>{t('blacklists.removeWhat', { count: faces.length, faces: count(faces.length) })}</p>
          {concerned}
        </ConfirmByTyping>
      ) : null}
    </>
  );
}

const CELL = { width: 132, height: 182 };

interface CellActions {
  selected: ReadonlySet<number>;
  /** Undefined for a role that has no action for several faces. */
  toggle: ((id: number) => void) | undefined;
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
function FaceCells({ items, cursor, moveTo, more, ...actions }: Props) {
  const { t } = useWords();
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
  const byKey = useChosenByKey('.face-cell.at .face-name', cursor);
  const step = (by: number) => {
    byKey();
    moveTo(Math.max(0, Math.min(items.length - 1, cursor < 0 ? 0 : cursor + by)));
  };
  const at = items[cursor];
  const { toggle, open } = actions;
  useKeys([
    { keys: ['j', 'Forward'], label: t('keys.next'), run: () => step(1) },
    { keys: ['k', 'Back'], label: t('keys.previous'), run: () => step(-1) },
    { keys: ['ArrowDown'], label: t('keys.below'), run: () => step(across) },
    { keys: ['ArrowUp'], label: t('keys.above'), run: () => step(-across) },
    ...(toggle === undefined
      ? []
      : [
          {
            keys: ['x'],
            label: t('keys.select'),
            run: () => {
              if (at?.id != null) toggle(at.id);
            },
          },
        ]),
    {
      keys: ['Enter'],
      label: t('keys.open'),
      run: () => {
        if (at !== undefined) open(at);
      },
    },
  ]);
  return (
    <div ref={ref} className="face-scroll" tabIndex={0} role="group" aria-label={t('common.enrolledFaces')}>
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
  const { t } = useWords();
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
      {id === null || toggle === undefined ? null : (
        <Checkbox
          className="face-check"
          size="xs"
          aria-label={t('blacklists.select', { name })}
          checked={selected.has(id)}
          onChange={() => toggle(id)}
        />
      )}
      <button type="button" dir="auto" className="face-name cut" onClick={() => open(face)}>
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
