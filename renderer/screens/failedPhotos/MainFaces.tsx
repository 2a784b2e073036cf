import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { FailureQuery, FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { cropAround, cropToJpeg } from '../../compare/crop.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import { useFormats } from '../../i18n/format.ts';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { undoStore } from '../../state/undo.ts';
import { sendNow } from './fixQueue.ts';

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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
  const { count } = useFormats();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = crops.filter(({ failure }) => !left.has(failure.id));
  const send = useMutation({
    mutationFn: async () => {
      for (const { failure, photo } of chosen)
        await sendNow({ id: failure.id, photo, face: 1, faces: failure.found?.boxes.length ?? 0 });
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
    <>
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
      <ErrorLine error={send.error} />
      <DialogActions close={close}>
        <Button disabled={chosen.length === 0} loading={send.isPending} onClick={() => send.mutate()}>
          {t('failedPhotos.mainFacesSend', { photos: count(chosen.length) })}
        </Button>
      </DialogActions>
    </>
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
