import { useEffect, useMemo, useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { UPLOAD_STATUS } from '../../../core/contracts/codes.ts';
import { BLACKLIST_LIMITS } from '../../../core/contracts/dashboard/blacklists.ts';
import type {
  SearchAnswer,
  SearchCandidate,
  SearchedFace,
} from '../../../core/contracts/dashboard/search.ts';
import type { FaceListing } from '../../../core/contracts/faceListing.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { formatFieldErrors } from '../../api/client.ts';
import { addToBlacklist, undoAddition } from '../../api/validations.ts';
import { useMay, useSession } from '../../api/session.ts';
import { uploadQueryById } from '../../api/enrolment.ts';
import { Select } from '../../components/Select.tsx';
import { Dialog, Form } from '../../components/Form.tsx';
import { listingOf, NEW_LISTING } from '../../components/listingDraft.ts';
import { ListingFields } from '../../components/ListingFields.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { undoStore } from '../../state/undo.ts';
import { additionOf, additionState, hasSlash, offeredBlacklists, type AdditionState } from './addition.ts';
import type { Probe } from './SearchPhoto.tsx';
import { cropAround } from '../../../core/contracts/facePlaces.ts';
import { cropToJpeg } from '../../compare/geometry.ts';
import { useWords } from '../../i18n/words.tsx';

interface Found {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate | undefined;
}

/** The one way from a search into a watchlist: a person adds one face to a blacklist, under a name. */
export function AddToBlacklist(found: Found) {
  const { t } = useWords();
  const may = useMay();
  const { company } = useSession();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:add') || !company.features.blacklists) return null;
  return (
    <>
      <Action size="xs" Icon={IconUserPlus} label={t('search.add')} onClick={() => setOpen(true)} />
      {open ? <Addition {...found} close={() => setOpen(false)} /> : null}
    </>
  );
}

type Source = 'probe' | 'candidate';

function Addition({ close, ...found }: Found & { close: () => void }) {
  const { t } = useWords();
  // Without a kept photo there is nothing of the candidate to add.
  const candidate = found.candidate?.faceImage.imageUrl == null ? undefined : found.candidate;
  const [source, setSource] = useState<Source>('probe');
  const of = source === 'candidate' ? candidate : undefined;
  return (
    <Dialog title={t('search.add')} close={close}>
      <div className="column">
        {candidate === undefined ? null : (
          <SegmentedControl
            aria-label={t('search.addWhich')}
            data={[
              { value: 'probe', label: t('search.addProbe') },
              { value: 'candidate', label: t('search.addCandidate') },
            ]}
            value={source}
            onChange={setSource}
          />
        )}
        <AdditionForm key={source} found={found} candidate={of} close={close} />
      </div>
    </Dialog>
  );
}

/** @param props.candidate whose kept photo is added; undefined: the searched face is */
function AdditionForm(props: { found: Found; candidate: SearchCandidate | undefined; close: () => void }) {
  const { found, candidate, close } = props;
  const { t } = useWords();
  const crop = useCroppedFace(found);
  const { data: known, error } = useQuery(blacklistsQuery);
  const lists = known && offeredBlacklists(known.items, candidate?.blacklistName ?? undefined);
  const [list, setList] = useState<string | null>(null);
  const [name, setName] = useState(candidate?.name ?? '');
  const photo = candidate?.faceId ?? crop.photo;
  const [draft, setDraft] = useState(NEW_LISTING);
  const addition = additionOf({ list, name, photo });
  const listName = lists?.find(({ id }) => String(id) === list)?.name ?? '';
  const work = useAddition(photo, { name: name.trim(), list: listName }, close);
  const busy = work.state.kind === 'sending' || work.state.kind === 'processing';
  return (
    <Form
      className="column"
      send={() => {
        if (addition !== null && !busy) work.start({ ...addition, listing: listingOf(draft) });
      }}
    >
      <AdditionPhoto candidate={candidate} crop={crop} />
      <Select
        data-autofocus
        label={t('facts.blacklist')}
        description={t(lists?.length === 0 ? 'search.addNoList' : 'search.addListHelp')}
        data={lists?.map(({ id, name: label }) => ({ value: String(id), label })) ?? []}
        disabled={busy}
        value={list}
        onChange={setList}
      />
      <TextInput
        label={t('facts.name')}
        description={t('search.addNameHelp')}
        maxLength={BLACKLIST_LIMITS.name}
        error={hasSlash(name) ? t('search.addNameSlash') : undefined}
        autoComplete="off"
        disabled={busy}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ListingFields draft={draft} change={setDraft} disabled={busy} />
      <ErrorLine error={error ?? work.error} />
      <AdditionNote state={work.state} />
      <div className="row">
        <Action className="push" label={t(busy ? 'common.close' : 'common.cancel')} onClick={close} />
        <Action
          primary
          type="submit"
          label={t('search.addDo')}
          disabled={addition === null || busy}
          loading={busy}
        />
      </div>
    </Form>
  );
}

/** The photo that will be sent. */
function AdditionPhoto(props: {
  candidate: SearchCandidate | undefined;
  crop: ReturnType<typeof useCroppedFace>;
}) {
  const { candidate, crop } = props;
  const { t } = useWords();
  return (
    <>
      <div className="addition-photo">
        {candidate !== undefined ? (
          <img src={candidate.faceImage.imageUrl ?? ''} alt={t('face.thumbnail', { name: candidate.name })} />
        ) : crop.url !== undefined ? (
          <img src={crop.url} alt={t('search.addCut')} />
        ) : null}
        <p className="soft">{t(candidate === undefined ? 'search.addCutHelp' : 'search.addKeptHelp')}</p>
      </div>
      <ErrorLine error={candidate === undefined ? crop.error : null} />
    </>
  );
}

/** Why the face was refused, or where its upload can be followed. */
function AdditionNote({ state }: { state: AdditionState }) {
  const { t } = useWords();
  return (
    <>
      {state.kind !== 'refused' || state.failureCode === null ? null : (
        <p role="alert" className="error-line">
          <span>
            <strong>{t('search.addRefused')}</strong> {t(`failures.${state.failureCode}.sentence`)}{' '}
            {t(`failures.${state.failureCode}.remedy`)}
          </span>
        </p>
      )}
      <p role="status" className="soft">
        {state.kind !== 'processing' ? null : (
          <>
            {t('search.addWaits')}{' '}
            <Link to={`/enrol/uploads/${state.uploadId}`}>{t('search.addFollow')}</Link>
          </>
        )}
      </p>
    </>
  );
}

/** The searched face with its surroundings and without other faces: the photo that will be sent, and its object URL. */
function useCroppedFace({ probe, answer, face }: Found) {
  const crop = useQuery({
    queryKey: ['search', 'crop', probe.url, face.box],
    queryFn: () => {
      const size = { width: answer.width ?? 1, height: answer.height ?? 1 };
      const others = answer.faces.filter((each) => each !== face).map(({ box }) => box);
      return cropToJpeg(probe.file, cropAround(face.box, others, size), size);
    },
    staleTime: Infinity,
    // A searched photo is kept nowhere, so nor is a part of it.
    gcTime: 0,
    retry: false,
  });
  const photo = crop.data;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (photo === undefined) return;
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return { photo, url, error: crop.error };
}

/** Sends the face and follows its upload. Once the face is enrolled, closes the dialog and offers to undo the addition. */
function useAddition(
  photo: Blob | number | undefined,
  { name, list }: { name: string; list: string },
  close: () => void,
) {
  const { t } = useWords();
  const client = useQueryClient();
  // The same key for the same addition: if its answer was lost, it is not enrolled twice.
  const { key } = useMemo(
    () => ({ key: crypto.randomUUID(), of: { photo, name, list } }),
    [photo, name, list],
  );
  const send = useMutation({
    mutationFn: async (addition: { blacklist: number; name: string; listing: FaceListing }) => {
      if (photo === undefined) throw new Error('There is no photo to add.');
      return addToBlacklist(photo, addition, key);
    },
  });
  const uploadId = send.data?.uploadId;
  const upload = useQuery({
    ...uploadQueryById(uploadId ?? ''),
    enabled: uploadId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === UPLOAD_STATUS.Processing ? 500 : false),
  });
  const state = additionState({
    isSending: send.isPending,
    uploadId,
    image: uploadId === undefined ? undefined : upload.data?.images[0],
    failed: upload.error !== null,
  });
  const enrolled = state.kind === 'enrolled' ? state.uploadId : undefined;
  useEffect(() => {
    if (enrolled === undefined) return;
    const refresh = () => client.invalidateQueries({ queryKey: ['blacklists'] });
    undoStore.getState().offer(t('search.added', { name, list }), async () => {
      await undoAddition(enrolled);
      await refresh();
      undoStore.getState().notify(t('search.addTakenBack', { name, list }));
    });
    void refresh();
    close();
  }, [enrolled, client, t, name, list, close]);
  return { start: send.mutate, state, error: formatFieldErrors(send.error ?? upload.error) };
}
