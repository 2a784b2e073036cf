import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { IconPhotoX, IconRefresh } from '@tabler/icons-react';
import type { FailureQuery, FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Action, Loaded, ErrorLine } from '../../components/Page.tsx';
import { cropAround, cropToJpeg } from '../../compare/geometry.ts';
import { setUnfixable } from '../../api/enrolment.ts';
import { Dialog, Form, FormDialog, Submit } from '../../components/Form.tsx';
import { readableImage } from '../../components/readableImage.ts';
import { useObjectUrl } from '../../components/ImageDrop.tsx';
import { useWords } from '../../i18n/words.tsx';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { undoStore } from '../../state/undo.ts';
import { sendNow } from './fixQueue.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import type { RowSelection } from '../../components/list/columns.ts';

/** Photos that are corrected in one step: as many as an operator can look through. */
const MAX_PHOTOS = 200;

interface Crop {
  failure: FailureRow;
  photo: Blob;
}

interface MainFacesProps {
  /** Names the failed photos for the cache of the page. */
  name: FailureQuery | readonly number[];
  load: () => Promise<readonly FailureRow[]>;
  close: () => void;
}

/**
 * The main faces of the failed photos with several faces. The operator sees each face before it is sent, and leaves out
 * those that are not meant.
 */
export function MainFaces({ name, load, close }: MainFacesProps) {
  const { t } = useWords();
  const files = useStore(photoFiles);
  const query = useQuery({
    queryKey: ['fix', 'main', name],
    queryFn: async () => {
      const rows = (await load()).filter(isOpenWithSeveralFaces);
      const main = rows.filter(({ hasMainFace }) => hasMainFace);
      const readable = main.filter((row) => fileOf(files, row) !== undefined);
      const crops: Crop[] = [];
      for (const failure of readable.slice(0, MAX_PHOTOS)) {
        const photo = await mainFaceOf(failure, fileOf(files, failure));
        if (photo !== null) crops.push({ failure, photo });
      }
      return { total: rows.length, main: main.length, unreadable: main.length - readable.length, crops };
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog wide title={t('failedPhotos.mainFaces')} close={close}>
      <div className="column">
        <p>{t('failedPhotos.mainFacesRule')}</p>
        <Loaded query={query} rows={4}>
          {(found) => <Choice found={found} close={close} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

function isOpenWithSeveralFaces({ failureCode, fix }: FailureRow): boolean {
  return failureCode === 'MULTIPLE_FACES' && (fix === null || fix.state === 'failed');
}

interface Found {
  total: number;
  main: number;
  unreadable: number;
  crops: readonly Crop[];
}

function Choice({ found: { total, main, unreadable, crops }, close }: { found: Found; close: () => void }) {
  const { t, count } = useWords();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = crops.filter(({ failure }) => !left.has(failure.id));
  const send = useMutation({
    mutationFn: async () => {
      for (const { failure, photo } of chosen)
        await sendNow({ id: failure.id, photos: [photo], face: 1, faces: failure.found?.boxes.length ?? 0 });
    },
    onSuccess: () => {
      undoStore.getState().notify(t('failedPhotos.mainFacesSent', { photos: count(chosen.length) }));
      close();
    },
  });
  const toggle = (id: number) =>
    setLeft((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <Form className="column" send={() => send.mutate()}>
      <p role="status">
        {t('failedPhotos.mainFacesFound', {
          total: count(total),
          main: count(main),
          shown: count(crops.length),
        })}{' '}
        {unreadable === 0 ? null : t('failedPhotos.mainFacesUnreadable', { photos: count(unreadable) })}
      </p>
      <ul className="main-faces">
        {crops.map((crop) => (
          <li key={crop.failure.id}>
            <Face crop={crop} taken={!left.has(crop.failure.id)} toggle={() => toggle(crop.failure.id)} />
          </li>
        ))}
      </ul>
      <Submit
        work={send}
        cancel={close}
        label={t('failedPhotos.mainFacesSend', { photos: count(chosen.length) })}
        disabled={chosen.length === 0}
      />
    </Form>
  );
}

function Face({ crop, taken, toggle }: { crop: Crop; taken: boolean; toggle: () => void }) {
  const url = useObjectUrl(crop.photo);
  const { fileName } = crop.failure;
  return (
    <button type="button" className="main-face" aria-pressed={taken} onClick={toggle} title={fileName}>
      {url === null ? null : <img src={url} alt="" draggable={false} />}
      <bdi>{fileName}</bdi>
    </button>
  );
}

/** The largest face with surroundings that show no other face; null: the file is not the photo that failed. */
async function mainFaceOf({ found }: FailureRow, file: File | undefined): Promise<Blob | null> {
  const [main, ...others] = found?.boxes ?? [];
  if (found === null || main === undefined || file === undefined) return null;
  try {
    const bitmap = await createImageBitmap(file);
    const isSame = Math.abs(bitmap.width * found.height - bitmap.height * found.width) < 2 * found.width;
    bitmap.close();
    return isSame
      ? await cropToJpeg(file, cropAround(main, others, found), found, { face: main, others })
      : null;
  } catch {
    // Removed or replaced since it failed: the photo is not offered.
    return null;
  }
}

/** Photos that one request marks. */
const MARK_BATCH_SIZE = 1000;

/** The actions on the failed photos that are selected: main faces, files sent once more, and the mark "cannot be fixed". */
export function FailureSelection({ selection }: { selection: RowSelection<FailureRow> }) {
  const { t, count } = useWords();
  const may = useMay();
  const [choosing, setChoosing] = useState(false);
  const files = useStore(photoFiles);
  const rows = [...selection.rows.values()];
  const again = useMutation({
    mutationFn: async () => {
      const open = rows.filter(({ fix }) => fix === null || fix.state === 'failed');
      let [sent, unreadable, refused] = [0, 0, 0];
      for (const { id, ...failure } of open) {
        const photo = await readContent(fileOf(files, failure));
        if (photo === null) unreadable += 1;
        else if (await isAccepted(id, photo)) sent += 1;
        else refused += 1;
      }
      return { sent, unreadable, refused };
    },
    onSuccess: ({ sent, unreadable, refused }) => {
      const numbers = { sent: count(sent), unreadable: count(unreadable), refused: count(refused) };
      undoStore.getState().notify(t('failedPhotos.sentAgain', numbers));
      selection.clear();
    },
  });
  if (rows.length === 0 || !may('uploads:create')) return null;
  return (
    <div className="bulk-bar" role="region" aria-label={t('failedPhotos.selection')}>
      <strong>{t('common.selected', { count: rows.length })}</strong>
      <Action size="compact-sm" label={t('failedPhotos.mainFaces')} onClick={() => setChoosing(true)} />
      <Action
        size="compact-sm"
        Icon={IconRefresh}
        label={t('failedPhotos.sendAgain')}
        title={t('failedPhotos.sendAgainHelp')}
        work={again}
      />
      <Unfixable rows={rows} done={selection.clear} />
      <ErrorLine error={again.error} />
      <Action
        variant="subtle"
        size="compact-sm"
        className="push"
        label={t('keys.unselect')}
        onClick={selection.clear}
      />
      {choosing ? (
        <MainFaces
          name={rows.map(({ id }) => id)}
          load={() => Promise.resolve(rows)}
          close={() => setChoosing(false)}
        />
      ) : null}
    </div>
  );
}

/** Marks the photos as not fixable, with a note that is optional, or removes the mark. */
function Unfixable({ rows, done }: { rows: readonly FailureRow[]; done: () => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const isMarked = rows.every(({ unfixable }) => unfixable !== null);
  const change = useMutation({
    mutationFn: async (unfixable: boolean) => {
      const ids = rows.map(({ id }) => id);
      const send = async (to: boolean) => {
        for (let first = 0; first < ids.length; first += MARK_BATCH_SIZE)
          await setUnfixable({
            ids: ids.slice(first, first + MARK_BATCH_SIZE),
            unfixable: to,
            note: note || null,
          });
        await client.invalidateQueries({ queryKey: ['uploads'] });
      };
      await send(unfixable);
      return () => send(!unfixable);
    },
    onSuccess: (undo, unfixable) => {
      const text = unfixable ? 'failedPhotos.markedUnfixable' : 'failedPhotos.unmarkedUnfixable';
      const said = t(text, { photos: count(rows.length) });
      // The notes of photos that were marked before are gone: only a new mark is undone.
      if (unfixable) undoStore.getState().offer(said, undo);
      else undoStore.getState().notify(said);
      setAsking(false);
      done();
    },
  });
  return (
    <>
      <Action
        size="compact-sm"
        Icon={IconPhotoX}
        label={t(isMarked ? 'failedPhotos.unmarkUnfixable' : 'failedPhotos.markUnfixable')}
        loading={!asking && change.isPending}
        onClick={() => (isMarked ? change.mutate(false) : setAsking(true))}
      />
      {asking ? (
        <FormDialog
          title={t('failedPhotos.unfixableTitle')}
          close={() => setAsking(false)}
          send={() => change.mutate(true)}
          work={change}
          label={t('failedPhotos.markUnfixable')}
        >
          <p>{t('failedPhotos.unfixableHelp', { photos: count(rows.length) })}</p>
          <TextInput
            data-autofocus
            label={t('decision.note')}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </FormDialog>
      ) : (
        <ErrorLine error={change.error} />
      )}
    </>
  );
}

/** The present content of a file, as JPEG or PNG; null: this window cannot read or convert it. */
async function readContent(file: File | undefined): Promise<Blob | null> {
  try {
    if (file === undefined) return null;
    const { file: readable } = await readableImage(file);
    return new Blob([await readable.arrayBuffer()], { type: readable.type });
  } catch {
    // Replaced or removed since it was chosen: the browser gives it out no longer.
    return null;
  }
}

/** Sends a photo for a failed one. @returns false: the service refused it */
async function isAccepted(id: number, photo: Blob): Promise<boolean> {
  try {
    await sendNow({ id, photos: [photo], faces: 0 });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
