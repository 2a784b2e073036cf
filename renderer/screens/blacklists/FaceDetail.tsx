import { type ReactNode, useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { IconArrowLeft, IconUpload, IconPencil, IconArrowMoveRight } from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace, BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import {
  faceListingEdit,
  LISTING_FIELDS,
  ofTexts,
  type FaceListing,
} from '../../../core/contracts/faceListing.ts';
import { Action, Loaded } from '../../components/Page.tsx';
import { faceQuery } from '../../api/validations.ts';
import { useMay } from '../../api/session.ts';
import { FaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { PortraitChecks } from '../../components/PortraitChecks.tsx';
import { ListingFacts } from '../../components/Severity.tsx';
import { RecordButton } from '../../components/ExportButton.tsx';
import { ListingFields } from '../../components/ListingFields.tsx';
import { Fact, StatusBadge, WhoSaw } from '../../components/StatusBadge.tsx';
import { WholePhoto } from '../../components/FaceThumbnail.tsx';
import { useKeys } from '../../state/keys.ts';
import { changeListing, blacklistsQuery, moveFaces } from '../../api/blacklists.ts';
import { ApiError } from '../../api/client.ts';
import { FormDialog } from '../../components/Form.tsx';
import { draftOf, listingOf, NEW_LISTING, type ListingDraft } from '../../components/listingDraft.ts';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { Select } from '../../components/Select.tsx';

const PHOTO = { width: 320, height: 360 };

/** One face of a blacklist: the whole photo with the face's box, and its facts. */
export function FaceDetail({ id, list, back }: { id: number; list: BlacklistRow; back: () => void }) {
  const { t } = useWords();
  const query = useQuery(faceQuery(id));
  return (
    <Detail back={back}>
      <Loaded query={query} rows={6}>
        {({ faceImage, listing, expired }) => (
          <>
            <span className="row wrap">
              <h3 dir="auto" className="cut">
                {faceImage.fileName}
              </h3>
              {listing === null ? null : (
                <EditListing list={list.id} faces={[id]} face={{ name: faceImage.fileName, listing }} />
              )}
              <RecordButton face={id} name={faceImage.fileName} />
              <WhoSaw of={`face:${id}`} />
            </span>
            <div className="face-detail-pair">
              <div className="column">
                <dl className="facts">
                  <Fact label={t('facts.faceUploadId')}>{id}</Fact>
                  {listing === null ? null : <ListingFacts listing={listing} expired={expired} />}
                  <FaceImageFacts faceImage={faceImage} without="file" />
                </dl>
                <PortraitChecks faceImage={faceImage} />
              </div>
              <WholePhoto faceImage={faceImage} name={faceImage.fileName} room={PHOTO} />
            </div>
          </>
        )}
      </Loaded>
    </Detail>
  );
}

/** A photo of the list that is no face yet: why, and what to do. */
export function RefusedPhoto(props: { photo: BlacklistFace; list: BlacklistRow; back: () => void }) {
  const { photo, list, back } = props;
  const { t } = useWords();
  const { name, status, failureCode, addedAt } = photo;
  return (
    <Detail back={back}>
      <h3 className="row">
        <span dir="auto" className="cut">
          {name}
        </span>{' '}
        <StatusBadge of="image" code={status} />
      </h3>
      {failureCode === null ? null : (
        <>
          <p>{t(`failures.${failureCode}.sentence`)}</p>
          <p>{t(`failures.${failureCode}.remedy`)}</p>
        </>
      )}
      <dl className="facts">
        <Fact label={t('blacklists.sent')} at={addedAt} />
      </dl>
      {failureCode !== null && list.status === BLACKLIST_STATUS.Active ? (
        <Action
          primary
          size="xs"
          className="face-detail-next"
          Icon={IconUpload}
          label={t('blacklists.uploadFixed')}
          to={`/enrol?blacklist=${list.id}&name=${encodeURIComponent(list.name)}`}
        />
      ) : null}
    </Detail>
  );
}

function Detail({ back, children }: { back: () => void; children: ReactNode }) {
  const { t } = useWords();
  useKeys([{ keys: ['Escape'], label: t('blacklists.backToFaces'), run: back }]);
  return (
    <div className="face-detail">
      <Action
        variant="subtle"
        size="compact-sm"
        className="face-detail-back"
        Icon={IconArrowLeft}
        mirrored
        label={t('blacklists.backToFaces')}
        onClick={back}
      />
      {children}
    </div>
  );
}

/** The list that is read again after the error may have none of the faces: then the dialog closes with its error. */
function noticeIfGone(error: Error, text: string): void {
  if (error instanceof ApiError && error.status === 404) undoStore.getState().notify(text);
}

interface Target {
  list: number;
  faces: readonly number[];
  /** The one face; undefined: several faces, of which only the chosen fields change. */
  face?: { name: string; listing: FaceListing };
  /** The faces by name, where they are several. */
  concerned?: ReactNode;
}

/** Opens the form for severity, reason and expiry of one face or several, and for the name of one. */
export function EditListing(target: Target) {
  const { t } = useWords();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:write')) return null;
  return (
    <>
      <Action size="compact-sm" Icon={IconPencil} label={t('listing.edit')} onClick={() => setOpen(true)} />
      {open ? <ListingDialog {...target} close={() => setOpen(false)} /> : null}
    </>
  );
}

function ListingDialog({ list, faces, face, concerned, close }: Target & { close: () => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState(face === undefined ? NEW_LISTING : draftOf(face.listing));
  const [name, setName] = useState(face?.name ?? '');
  const renamed = face !== undefined && name.trim() !== face.name;
  // Only these are sent: another operator may have changed the others.
  const [changes, setChanges] = useState({ severity: false, ...ofTexts(() => false), expiresAt: false });
  const change = (next: ListingDraft) => {
    setDraft(next);
    // A field that was edited is meant.
    setChanges((now) => ({
      severity: now.severity || next.severity !== draft.severity,
      ...ofTexts((field) => now[field] || next[field] !== draft[field]),
      expiresAt: now.expiresAt || next.expires !== draft.expires,
    }));
  };
  const work = useMutation({
    mutationFn: () => {
      const listing = listingOf(draft);
      const changed = LISTING_FIELDS.filter((field) => changes[field]).map((field) => [
        field,
        listing[field],
      ]);
      return changeListing(list, faces, {
        ...(renamed && { name: name.trim() }),
        ...faceListingEdit.parse(Object.fromEntries(changed)),
      });
    },
    onSuccess: () => {
      undoStore.getState().notify(t('listing.saved'));
      close();
    },
    onError: (error) => noticeIfGone(error, t('blacklists.facesGone')),
    onSettled: () =>
      Promise.all(
        ['blacklists', 'faces', 'face'].map((queryKey) => client.invalidateQueries({ queryKey: [queryKey] })),
      ),
  });
  const said = work.error instanceof ApiError ? work.error.fields : {};
  return (
    <FormDialog
      title={t('listing.editTitle', { count: faces.length, faces: count(faces.length) })}
      close={close}
      send={() => work.mutate()}
      work={work}
      error={Object.keys(said).length > 0 ? null : work.error}
      label={t('listing.save')}
      disabled={
        (!renamed && !Object.values(changes).some(Boolean)) || (face !== undefined && name.trim() === '')
      }
    >
      {concerned}
      {face === undefined ? null : (
        <TextInput
          label={t('facts.name')}
          maxLength={255}
          disabled={work.isPending}
          error={said.name?.join(' ')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <ListingFields draft={draft} change={change} disabled={work.isPending} said={said} />
      {face === undefined
        ? LISTING_FIELDS.map((field) => (
            <Checkbox
              key={field}
              label={t(`listing.change_${field}`)}
              checked={changes[field]}
              onChange={(event) => setChanges({ ...changes, [field]: event.currentTarget.checked })}
            />
          ))
        : null}
    </FormDialog>
  );
}

interface Props {
  list: BlacklistRow;
  faces: readonly number[];
  concerned: ReactNode;
  moved: () => void;
}

/** Moves selected faces to another active blacklist; the undo bar moves them back. */
export function MoveFaces(props: Props) {
  const { t } = useWords();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:write')) return null;
  return (
    <>
      <Action
        size="compact-sm"
        Icon={IconArrowMoveRight}
        mirrored
        label={t('blacklists.moveFaces')}
        onClick={() => setOpen(true)}
      />
      {open ? <MoveDialog {...props} close={() => setOpen(false)} /> : null}
    </>
  );
}

function MoveDialog({ list, faces, concerned, moved, close }: Props & { close: () => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const { data } = useQuery(blacklistsQuery);
  const others = data?.items.filter(({ id, status }) => id !== list.id && status === BLACKLIST_STATUS.Active);
  const [chosen, setChosen] = useState<string | null>(null);
  const target =
    others?.find(({ id }) => String(id) === chosen) ?? (others?.length === 1 ? others[0] : undefined);
  const refresh = () =>
    Promise.all(
      ['blacklists', 'faces'].map((queryKey) => client.invalidateQueries({ queryKey: [queryKey] })),
    );
  const moveBack = async (to: BlacklistRow, ids: readonly number[]) => {
    try {
      await moveFaces(to.id, ids, list.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'BLACKLIST_INACTIVE') throw error;
      const text = t('blacklists.moveBackInactive', { from: list.name, to: to.name });
      throw new ApiError(error.status, text, { requestId: error.requestId });
    }
  };
  const work = useMutation({
    mutationFn: (to: BlacklistRow) => moveFaces(list.id, faces, to.id),
    onSuccess: ({ ids }, to) => {
      const text = t('blacklists.moved', { count: ids.length, faces: count(ids.length), list: to.name });
      undoStore.getState().offer(text, async () => {
        await moveBack(to, ids);
        await refresh();
      });
      close();
      moved();
    },
    onError: (error) => noticeIfGone(error, t('blacklists.facesGone')),
    onSettled: refresh,
  });
  return (
    <FormDialog
      title={t('blacklists.moveTitle', { count: faces.length, faces: count(faces.length) })}
      close={close}
      send={() => {
        if (target !== undefined) work.mutate(target);
      }}
      work={work}
      label={t('blacklists.move')}
      disabled={target === undefined}
    >
      {concerned}
      {others?.length === 0 ? (
        <p>{t('blacklists.moveNowhere')}</p>
      ) : (
        <Select
          label={t('facts.blacklist')}
          data={others?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={target === undefined ? null : String(target.id)}
          onChange={setChosen}
          disabled={work.isPending}
        />
      )}
      <p className="soft">{t('blacklists.moveWhat')}</p>
    </FormDialog>
  );
}
