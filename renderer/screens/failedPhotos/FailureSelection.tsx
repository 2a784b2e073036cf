import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import type { RowSelection } from '../../components/list/selection.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { undoStore } from '../../state/undo.ts';
import { sendNow } from './fixQueue.ts';
import { MainFaces } from './MainFaces.tsx';

/** The actions on the failed photos that are selected: take their main faces, or send their files once more. */
export function FailureSelection({ selection }: { selection: RowSelection<FailureRow> }) {
  const { t } = useTranslation();
  const may = useMay();
  const { count } = useFormats();
  const [choosing, setChoosing] = useState(false);
  const files = useStore(photoFiles);
  const rows = [...selection.rows.values()];
  const again = useMutation({
    mutationFn: async () => {
      const open = rows.filter(({ fix }) => fix === null || fix.state === 'failed');
      let [sent, unreadable, refused] = [0, 0, 0];
      for (const { id, ...failure } of open) {
        const photo = await readable(fileOf(files, failure));
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
      <Button size="compact-sm" variant="default" onClick={() => setChoosing(true)}>
        {t('failedPhotos.mainFaces')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        title={t('failedPhotos.sendAgainHelp')}
        loading={again.isPending}
        leftSection={<IconRefresh size={15} aria-hidden />}
        onClick={() => again.mutate()}
      >
        {t('failedPhotos.sendAgain')}
      </Button>
      <ErrorLine error={again.error} />
      <Button className="push" size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t('keys.unselect')}
      </Button>
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

/** The present content of a file; null: this window cannot read it. */
async function readable(file: File | undefined): Promise<Blob | null> {
  try {
    return file === undefined ? null : new Blob([await file.arrayBuffer()], { type: file.type });
  } catch {
    // Replaced or removed since it was chosen: the browser gives it out no longer.
    return null;
  }
}

/** Sends a photo for a failed one. @returns false: the service refused it */
async function isAccepted(id: number, photo: Blob): Promise<boolean> {
  try {
    await sendNow({ id, photo, faces: 0 });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
