import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconTrash, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslation } from 'react-i18next';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace, BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { facesQuery, removeFaces } from '../../api/blacklists.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { FaceChip } from '../../components/FaceChip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';

const CELL = { width: 132, height: 158 };
const FILTERS = {
  all: undefined,
  enrolled: ITEM_STATUS.Enrolled,
  pending: ITEM_STATUS.Pending,
  failed: ITEM_STATUS.Failed,
};
type Filter = keyof typeof FILTERS;

/** The faces of a blacklist, however many: a grid of which only what is on screen is in the page. */
export function FaceGrid({ list }: { list: BlacklistRow }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<Filter>('all');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const faces = useInfiniteQuery({
    ...facesQuery(list.id, FILTERS[filter]),
    placeholderData: keepPreviousData,
  });
  const items = useMemo(() => faces.data?.pages.flatMap((page) => page.items) ?? [], [faces.data]);
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
  return (
    <>
      <div className="face-tools">
        <SegmentedControl
          size="xs"
          aria-label={t('validations.status')}
          data={(Object.keys(FILTERS) as Filter[]).map((value) => ({
            value,
            label: t(value === 'all' ? 'common.all' : `status.${value}`),
          }))}
          value={filter}
          onChange={setFilter}
        />
        <Selection list={list} selected={selected} clear={() => setSelected(new Set())} />
      </div>
      {faces.error !== null && faces.data === undefined ? (
        <ErrorState error={faces.error} retry={() => void faces.refetch()} />
      ) : faces.data === undefined ? (
        <LoadingRows rows={6} />
      ) : items.length === 0 ? (
        <EmptyState
          Icon={IconUsers}
          title={t(filter === 'all' ? 'blacklists.noFaces' : 'blacklists.noSuchFaces')}
        >
          {filter === 'all' ? t('blacklists.noFacesHelp') : null}
        </EmptyState>
      ) : (
        <Cells items={items} selected={selected} toggle={toggle} more={more} />
      )}
    </>
  );
}

interface CellsProps {
  items: readonly BlacklistFace[];
  selected: ReadonlySet<number>;
  toggle: (id: number) => void;
  more: () => void;
}

function Cells({ items, selected, toggle, more }: CellsProps) {
  const { t } = useTranslation();
  const { ref: sizeRef, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const across = Math.max(1, Math.floor(width / CELL.width));
  const rows = Math.ceil(items.length / across);
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
  return (
    <div ref={ref} className="face-scroll" tabIndex={0} role="group" aria-label={t('blacklists.faces')}>
      <div className="rows-length" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <ul
            key={index}
            className="face-row"
            style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${across}, 1fr)` }}
          >
            {items.slice(index * across, (index + 1) * across).map((face) => (
              <Cell key={face.itemId} face={face} selected={selected} toggle={toggle} />
            ))}
          </ul>
        ))}
      </div>
    </div>
  );
}

function Cell({ face, selected, toggle }: { face: BlacklistFace } & Pick<CellsProps, 'selected' | 'toggle'>) {
  const { t } = useTranslation();
  const { id, name, chipUrl, status, failureCode } = face;
  const reason = failureCode === null ? undefined : t(`failures.${failureCode}.sentence`);
  return (
    <li className="face-cell" title={reason ?? name}>
      <FaceChip url={chipUrl} name={name} size={92} />
      {id === null ? null : (
        <Checkbox
          className="face-check"
          size="xs"
          aria-label={t('blacklists.select', { name })}
          checked={selected.has(id)}
          onChange={() => toggle(id)}
        />
      )}
      <span className="face-name cut">{name}</span>
      {status === ITEM_STATUS.Enrolled ? (
        <span className="soft face-id">{id}</span>
      ) : (
        <StatusBadge of="image" code={status} />
      )}
      {reason === undefined ? null : <span className="sr-only">{reason}</span>}
    </li>
  );
}

function Selection(props: { list: BlacklistRow; selected: ReadonlySet<number>; clear: () => void }) {
  const { list, selected, clear } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  if (selected.size === 0 || !may('blacklists:erase')) return null;
  return (
    <span className="row push">
      {t('common.selected', { count: selected.size })}
      <Button size="compact-sm" variant="default" onClick={clear}>
        {t('blacklists.unselect')}
      </Button>
      <Button
        size="compact-sm"
        color="red"
        variant="light"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setRemoving(true)}
      >
        {t('blacklists.removeFaces')}
      </Button>
      <ErasePerson start={{ faces: [...selected] }} gone={clear} />
      {removing ? (
        <ConfirmByTyping
          title={t('blacklists.removeTitle')}
          name={list.name}
          action={t('blacklists.removeFaces')}
          close={() => setRemoving(false)}
          run={async () => {
            await removeFaces(list.id, [...selected]);
            clear();
            await client.invalidateQueries({ queryKey: ['blacklists'] });
          }}
        >
          <p>{t('blacklists.removeWhat', { faces: count(selected.size) })}</p>
        </ConfirmByTyping>
      ) : null}
    </span>
  );
}
