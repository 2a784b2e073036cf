import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { IconPhotoX, IconRefresh, IconScissors } from '@tabler/icons-react';
import type { FailureQuery, FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Action, Loaded, ErrorLine } from '../../components/Page.tsx';
import { cropAround, readingOrder } from '../../../core/contracts/facePlaces.ts';
import { cropToJpeg } from '../../compare/geometry.ts';
import { setUnfixable } from '../../api/enrolment.ts';
import { Dialog, Form, FormDialog, Submit } from '../../components/Form.tsx';
import { readableImage } from '../../components/readableImage.ts';
import { useObjectUrl } from '../../components/ImageDrop.tsx';
import { useWords } from '../../i18n/words.tsx';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { undoStore } from '../../state/undo.ts';
import { sendNow } from './fixQueue.ts';
import { portraitsOf } from './FixPhoto.tsx';
import { MAX_FACES, MAX_SHEETS, photosOfOneStep } from './oneStep.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import type { RowSelection } from '../../components/list/columns.ts';

interface Crop {
  failure: FailureRow;
  /** The main face, or every face of a sheet in reading order. */
  photos: readonly Blob[];
}

/** `main`: the main face of each photo; `all`: every face of each sheet. */
export type FacesTaken = 'main' | 'all';

interface SeveralFacesProps {
  taken: FacesTaken;
  /** Names the failed photos for the cache of the page. */
  name: FailureQuery | readonly number[];
  load: () => Promise<readonly FailureRow[]>;
  close: () => void;
}

/**
 * The main faces of the failed photos with several faces, or all faces of sheets. The operator sees each face before it is
 * sent, and leaves out the photos that are not meant.
 */
export function SeveralFacesDialog({ taken, name, load, close }: SeveralFacesProps) {
  const { t } = useWords();
  const files = useStore(photoFiles);
  const query = useQuery({
    queryKey: ['fix', taken, name],
    queryFn: async () => {
      const rows = (await load()).filter(isOpenWithSeveralFaces);
      const meant = rows.filter((row) => (taken === 'main' ? row.hasMainFace : isSheet(row)));
      const readable = meant.filter((row) => fileOf(files, row) !== undefined);
      const crops: Crop[] = [];
      const faces = readable.map(({ found }) => (taken === 'main' ? 1 : (found?.boxes.length ?? 0)));
      const step = photosOfOneStep(faces);
      for (const failure of readable.slice(0, step)) {
        const photos = await facesOf(failure, fileOf(files, failure), taken);
        if (photos.length > 0) crops.push({ failure, photos });
      }
      const unreadable = meant.length - readable.length;
      return { total: rows.length, meant: meant.length, unreadable, later: readable.length - step, crops };
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog wide title={t(`failedPhotos.${taken}Faces`)} close={close}>
      <div className="column">
        <p>{t(`failedPhotos.${taken}FacesRule`)}</p>
        <Loaded query={query} rows={4}>
          {(found) => <Choice found={found} taken={taken} close={close} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

function isOpenWithSeveralFaces({ failureCode, fix }: FailureRow): boolean {
  return failureCode === 'MULTIPLE_FACES' && (fix === null || fix.state === 'failed');
}

/** A photo is split once, before any of its faces was sent. */
function isSheet({ fix, found }: FailureRow): boolean {
  return fix === null && found !== null && found.boxes.length > 1;
}

interface Found {
  total: number;
  meant: number;
  unreadable: number;
  /** More than one step takes. */
  later: number;
  crops: readonly Crop[];
}

function Choice({ found, taken, close }: { found: Found; taken: FacesTaken; close: () => void }) {
  const { total, meant, unreadable, later, crops } = found;
  const { t, count } = useWords();
  // A sheet of which a head would be left out is for the operator to choose.
  const [left, setLeft] = useState<ReadonlySet<number>>(
    () => new Set(taken === 'main' ? [] : crops.filter(hasUnclear).map(({ failure }) => failure.id)),
  );
  const chosen = crops.filter(({ failure }) => !left.has(failure.id));
  const photos = chosen.reduce((sum, crop) => sum + crop.photos.length, 0);
  const send = useMutation({
    mutationFn: async () => {
      for (const crop of chosen) {
        const { id, found: places } = crop.failure;
        const [main] = places?.boxes ?? [];
        const faces = places?.boxes.length ?? 0;
        const face = main === undefined ? 1 : readingOrder(places?.boxes ?? []).indexOf(main) + 1;
        await sendNow({ id, photos: crop.photos, faces, ...(taken === 'main' && { face }) });
      }
    },
    onSuccess: () => {
      undoStore.getState().notify(t('failedPhotos.mainFacesSent', { photos: count(photos) }));
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
        {t(`failedPhotos.${taken}FacesFound`, {
          total: count(total),
          meant: count(meant),
          shown: count(crops.length),
        })}{' '}
        {unreadable === 0 ? null : t('failedPhotos.mainFacesUnreadable', { photos: count(unreadable) })}{' '}
        {later === 0
          ? null
          : t('failedPhotos.mainFacesLater', {
              photos: count(later),
              faces: count(MAX_FACES),
              sheets: count(MAX_SHEETS),
            })}
      </p>
      <ul className={taken === 'main' ? 'main-faces' : 'main-faces sheets'}>
        {crops.map((crop) => (
          <li key={crop.failure.id}>
            <Faces crop={crop} taken={!left.has(crop.failure.id)} toggle={() => toggle(crop.failure.id)} />
          </li>
        ))}
      </ul>
      <Submit
        work={send}
        cancel={close}
        label={t('failedPhotos.mainFacesSend', { photos: count(photos) })}
        disabled={chosen.length === 0}
      />
    </Form>
  );
}

function hasUnclear({ failure: { found } }: Crop): boolean {
  return found !== null && found.unclear.length > 0;
}

function Faces({ crop, taken, toggle }: { crop: Crop; taken: boolean; toggle: () => void }) {
  const { t, count } = useWords();
  const { photos, failure } = crop;
  const isSeveral = photos.length > 1;
  return (
    <button
      type="button"
      className="main-face"
      aria-pressed={taken}
      onClick={toggle}
      title={failure.fileName}
    >
      <span className="row wrap">
        {photos.map((photo, index) => (
          <Portrait key={index} photo={photo} number={isSeveral ? index + 1 : null} />
        ))}
      </span>
      <bdi>{failure.fileName}</bdi>
      {isSeveral && hasUnclear(crop) ? (
        <span className="soft">
          {t('failedPhotos.splitUnclear', { heads: count(failure.found?.unclear.length ?? 0) })}
        </span>
      ) : null}
    </button>
  );
}

function Portrait({ photo, number }: { photo: Blob; number: number | null }) {
  const url = useObjectUrl(photo);
  return (
    <span className="main-portrait">
      {url === null ? null : <img src={url} alt="" draggable={false} />}
      {number === null ? null : <bdi>#{number}</bdi>}
    </span>
  );
}

/** The largest face, or all of them, each with surroundings that show no other; none: the file is not the photo that failed. */
async function facesOf({ found }: FailureRow, file: File | undefined, taken: FacesTaken): Promise<Blob[]> {
  const [main] = found?.boxes ?? [];
  if (found === null || main === undefined || file === undefined) return [];
  try {
    const { file: photo } = await readableImage(file);
    const bitmap = await createImageBitmap(photo);
    const isSame = Math.abs(bitmap.width * found.height - bitmap.height * found.width) < 2 * found.width;
    bitmap.close();
    if (!isSame) return [];
    if (taken === 'all') return await portraitsOf(photo, found, readingOrder(found.boxes), found.unclear);
    const others = found.boxes.slice(1);
    return [await cropToJpeg(photo, cropAround(main, others, found), found, { face: main, others })];
  } catch {
    // Removed or replaced since it failed: the photo is not offered.
    return [];
  }
}

/** Photos that one request marks. */
const MARK_BATCH_SIZE = 1000;

/** The actions on the failed photos that are selected: main faces, files sent once more, and the mark "cannot be fixed". */
export function FailureSelection({ selection }: { selection: RowSelection<FailureRow> }) {
  const { t, count } = useWords();
  const may = useMay();
  const [choosing, setChoosing] = useState<FacesTaken | null>(null);
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
      <Action size="compact-sm" label={t('failedPhotos.mainFaces')} onClick={() => setChoosing('main')} />
      <Action
        size="compact-sm"
        Icon={IconScissors}
        label={t('failedPhotos.allFaces')}
        onClick={() => setChoosing('all')}
      />
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
      {choosing === null ? null : (
        <SeveralFacesDialog
          taken={choosing}
          name={rows.map(({ id }) => id)}
          load={() => Promise.resolve(rows)}
          close={() => setChoosing(null)}
        />
      )}
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
