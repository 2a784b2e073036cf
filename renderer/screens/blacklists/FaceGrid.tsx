import { useCallback, useMemo, useState } from 'react';
import { IconUsers, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace, BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { facesQuery, removeFaces } from '../../api/blacklists.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { FaceCells } from './FaceCells.tsx';
import { FaceDetail, RefusedPhoto } from './FaceDetail.tsx';
import { Button } from '@mantine/core';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { EditListing } from './ListingForm.tsx';
import { MoveFaces } from './MoveFaces.tsx';

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
  const { t } = useTranslation();
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
        <SegmentedControl
          size="xs"
          aria-label={t('validations.status')}
          data={NAMES.map((value) => ({
            value,
            label: t(value === 'all' ? 'common.all' : `status.${value}`),
          }))}
          value={filter}
          onChange={(value) => set('status', value === 'all' ? null : value)}
        />
        <FaceSelection list={list} selected={selected} clear={() => setSelected(new Set())} />
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
        <FaceCells
          items={items}
          selected={selected}
          cursor={cursor}
          moveTo={setCursor}
          toggle={toggle}
          open={open}
          more={more}
        />
      )}
    </>
  );
}

/** The actions for the selected faces. */
function FaceSelection(props: { list: BlacklistRow; selected: ReadonlySet<number>; clear: () => void }) {
  const { list, selected, clear } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  if (selected.size === 0) return null;
  return (
    <span className="row face-selection">
      {t('common.selected', { count: selected.size })}
      <Button size="compact-sm" variant="default" onClick={clear}>
        {t('blacklists.unselect')}
      </Button>
      <EditListing list={list.id} faces={[...selected]} />
      <MoveFaces list={list} faces={[...selected]} moved={clear} />
      {may('blacklists:erase') ? (
        <Button
          size="compact-sm"
          color="red"
          variant="light"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => setRemoving(true)}
        >
          {t('blacklists.removeFaces')}
        </Button>
      ) : null}
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
          <p>{t('blacklists.removeWhat', { count: selected.size, faces: count(selected.size) })}</p>
        </ConfirmByTyping>
      ) : null}
    </span>
  );
}
