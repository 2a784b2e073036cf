import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconPhotoX, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { ApiError } from '../../api/client.ts';
import { setUnfixable } from '../../api/enrolmentRuns.ts';
import { useMay } from '../../api/session.ts';
import type { RowSelection } from '../../components/list/selection.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { fileOf, photoFiles } from '../../state/photoFiles.ts';
import { undoStore } from '../../state/undo.ts';
import { sendNow } from './fixQueue.ts';
import { MainFaces } from './MainFaces.tsx';

/** Photos that one request marks. */
const MARK_BATCH_SIZE = 1000;

/** The actions on the failed photos that are selected: main faces, files sent once more, and the mark "cannot be fixed". */
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
      <Unfixable rows={rows} done={selection.clear} />
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

/** Marks the photos as not fixable, with a note that is optional, or removes the mark. */
function Unfixable({ rows, done }: { rows: readonly FailureRow[]; done: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const isMarked = rows.every(({ unfixable }) => unfixable !== null);
  const change = useMutation({
    mutationFn: async (unfixable: boolean) => {
      const ids = rows.map(({ id }) => id);
      const send = async (to: boolean) => {
        for (let first = 0; first < ids.length; first += MARK_BATCH_SIZE)
          await setUnfixable({ ids: ids.slice(first, first + MARK_BATCH_SIZE), unfixable: to, note: note || null });
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
      <Button
        size="compact-sm"
        variant="default"
        loading={!asking && change.isPending}
        leftSection={<IconPhotoX size={15} aria-hidden />}
        onClick={() => (isMarked ? change.mutate(false) : setAsking(true))}
      >
        {t(isMarked ? 'failedPhotos.unmarkUnfixable' : 'failedPhotos.markUnfixable')}
      </Button>
      {asking ? (
        <Dialog title={t('failedPhotos.unfixableTitle')} close={() => setAsking(false)}>
          <Form className="column" send={() => change.mutate(true)}>
            <p>{t('failedPhotos.unfixableHelp', { photos: count(rows.length) })}</p>
            <TextInput
              data-autofocus
              label={t('failedPhotos.unfixableNote')}
              maxLength={1000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <ErrorLine error={change.error} />
            <DialogActions close={() => setAsking(false)}>
              <Button type="submit" loading={change.isPending}>
                {t('failedPhotos.markUnfixable')}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      ) : (
        <ErrorLine error={change.error} />
      )}
    </>
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
