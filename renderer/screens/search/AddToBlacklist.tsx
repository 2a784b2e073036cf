import { useEffect, useMemo, useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BLACKLIST_STATUS, ITEM_STATUS, UPLOAD_STATUS } from '../../../core/contracts/codes.ts';
import { BLACKLIST_LIMITS } from '../../../core/contracts/dashboard/blacklists.ts';
import {
  searchAddition,
  type SearchAnswer,
  type SearchCandidate,
  type SearchedFace,
} from '../../../core/contracts/dashboard/search.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { ApiError } from '../../api/client.ts';
import { addToBlacklist, undoAddition } from '../../api/search.ts';
import { useMay, useSession } from '../../api/session.ts';
import { uploadQueryById } from '../../api/work.ts';
import { Select } from '../../components/Select.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { undoStore } from '../../state/undo.ts';
import { cropAround, cropToJpeg } from './crop.ts';
import type { Probe } from './probe.ts';

interface Found {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate | undefined;
}

/** The one way from a search into a watchlist: a person adds one face to a blacklist, under a name. */
export function AddToBlacklist(found: Found) {
  const { t } = useTranslation();
  const may = useMay();
  const { company } = useSession();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:add') || !company.features.blacklists) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconUserPlus size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('search.add')}
      </Button>
      {open ? <Addition {...found} close={() => setOpen(false)} /> : null}
    </>
  );
}

type Source = 'probe' | 'candidate';

function Addition({ close, ...found }: Found & { close: () => void }) {
  const { t } = useTranslation();
  // Without a kept photo there is nothing of the candidate to add.
  const candidate = found.candidate?.portrait.imageUrl == null ? undefined : found.candidate;
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
  const { t } = useTranslation();
  const cut = useCroppedFace(found);
  const { data: known, error } = useQuery(blacklistsQuery);
  const lists = known?.items.filter(
    ({ name, status }) => status === BLACKLIST_STATUS.Active && name !== candidate?.blacklistName,
  );
  const [list, setList] = useState<string | null>(null);
  const [name, setName] = useState(candidate?.name ?? '');
  const addition = searchAddition.safeParse({ blacklist: list, name });
  const photo = candidate?.faceId ?? cut.photo;
  const chosen = lists?.find(({ id }) => String(id) === list);
  const work = useAddition(photo, { name: name.trim(), list: chosen?.name ?? '' }, close);
  const ready = addition.success && photo !== undefined && !work.waiting;
  return (
    <form
      className="column"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) work.start(addition.data);
      }}
    >
      <div className="addition-photo">
        {candidate !== undefined ? (
          <img src={candidate.portrait.imageUrl ?? ''} alt={t('face.chip', { name: candidate.name })} />
        ) : cut.url !== undefined ? (
          <img src={cut.url} alt={t('search.addCut')} />
        ) : null}
        <p className="soft">{t(candidate === undefined ? 'search.addCutHelp' : 'search.addKeptHelp')}</p>
      </div>
      <ErrorLine error={candidate === undefined ? cut.error : null} />
      <Select
        data-autofocus
        label={t('search.addList')}
        description={t(lists?.length === 0 ? 'search.addNoList' : 'search.addListHelp')}
        data={lists?.map(({ id, name: label }) => ({ value: String(id), label })) ?? []}
        disabled={work.waiting}
        value={list}
        onChange={setList}
      />
      <TextInput
        label={t('facts.name')}
        description={t('search.addNameHelp')}
        maxLength={BLACKLIST_LIMITS.name}
        error={/[/\\]/.test(name) ? t('search.addNameSlash') : undefined}
        autoComplete="off"
        disabled={work.waiting}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ErrorLine error={error ?? work.error} />
      {work.failure === null ? null : (
        <p role="alert" className="error-line">
          <span>
            <strong>{t('search.addRefused')}</strong> {t(`failures.${work.failure}.sentence`)}{' '}
            {t(`failures.${work.failure}.remedy`)}
          </span>
        </p>
      )}
      <p role="status" className="soft">
        {work.waiting && work.uploadId !== undefined ? (
          <>
            {t('search.addWaits')} <Link to={`/enrol/uploads/${work.uploadId}`}>{t('search.addFollow')}</Link>
          </>
        ) : null}
      </p>
      <div className="row">
        <Button className="push" variant="default" onClick={close}>
          {t(work.waiting ? 'common.close' : 'common.cancel')}
        </Button>
        <Button type="submit" disabled={!ready} loading={work.waiting}>
          {t('search.addDo')}
        </Button>
      </div>
    </form>
  );
}

/** The searched face with what is around it, and nobody else: what will be sent, and an address to look at it. */
function useCroppedFace({ probe, answer, face }: Found) {
  const cut = useQuery({
    queryKey: ['search', 'cut', probe.url, face.box],
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
  const photo = cut.data;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (photo === undefined) return;
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return { photo, url, error: cut.error };
}

/** Sends the face and follows it until it has its answer; once it is enrolled, closes and offers to take it back. */
function useAddition(
  photo: Blob | number | undefined,
  { name, list }: { name: string; list: string },
  close: () => void,
) {
  const { t } = useTranslation();
  const client = useQueryClient();
  // The same for the same addition: one whose answer was lost is not enrolled twice.
  const { key } = useMemo(
    () => ({ key: crypto.randomUUID(), of: { photo, name, list } }),
    [photo, name, list],
  );
  const send = useMutation({
    mutationFn: async (addition: { blacklist: number; name: string }) => {
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
  const image = uploadId === undefined ? undefined : upload.data?.images[0];
  const enrolled = image?.status === ITEM_STATUS.Enrolled;
  useEffect(() => {
    if (!enrolled || uploadId === undefined) return;
    const refresh = () => client.invalidateQueries({ queryKey: ['blacklists'] });
    undoStore.getState().offer(t('search.added', { name, list }), async () => {
      await undoAddition(uploadId);
      await refresh();
      undoStore.getState().notify(t('search.addTakenBack', { name, list }));
    });
    void refresh();
    close();
  }, [enrolled, uploadId, client, t, name, list, close]);
  const answered = image !== undefined && image.status !== ITEM_STATUS.Pending;
  const refused = send.error ?? upload.error;
  return {
    start: send.mutate,
    uploadId,
    waiting: send.isPending || (uploadId !== undefined && !answered && upload.error === null),
    failure: image?.failureCode ?? null,
    error: refused instanceof ApiError ? withFields(refused) : refused,
  };
}

/** What the core says of a field is what was wrong; "Validation error" alone helps nobody. */
function withFields(refusal: ApiError): ApiError {
  const said = Object.values(refusal.fields).flat().join(' ');
  return said === '' ? refusal : new ApiError(refusal.status, said, { requestId: refusal.requestId });
}
