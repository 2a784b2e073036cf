import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay, useSession } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';
import { demoState } from '../../../core/contracts/dashboard/demo.ts';
import { uploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { requestJson } from '../../api/client.ts';
import { sendBatch } from '../../api/work.ts';

/** Loads sample portraits into a new company, and erases them. @param isNew no photo is enrolled yet */
export function DemoData({ isNew }: { isNew: boolean }) {
  const may = useMay();
  const { data } = useQuery({ ...demoQuery, enabled: may('uploads:read') });
  if (data === undefined) return null;
  if (data.photos > 0) return <Loaded photos={data.photos} />;
  return isNew && may('uploads:create') ? <Offer /> : null;
}

function Offer() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const load = useMutation({
    mutationFn: async () => {
      // The photos are loaded when they are wanted.
      const { cutDemoPhotos } = await import('./demoPhotos.ts');
      await sendDemo(await cutDemoPhotos());
    },
    onSuccess: () => undoStore.getState().notify(t('overview.demoSent')),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <section className="card row wrap" aria-label={t('overview.demo')}>
      <span className="demo-text">
        <strong>{t('overview.demo')}</strong>
        <span className="soft">{t('overview.demoHelp')}</span>
      </span>
      <Button
        className="push"
        variant="default"
        leftSection={<IconPhotoPlus size={16} aria-hidden />}
        loading={load.isPending}
        onClick={() => load.mutate()}
      >
        {t('overview.demoLoad')}
      </Button>
      <ErrorLine error={load.error} />
    </section>
  );
}

function Loaded({ photos }: { photos: number }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { company } = useSession();
  const may = useMay();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <section className="card row wrap" aria-label={t('overview.demo')}>
      <span className="demo-text">
        <strong>{t('overview.demoLoaded', { photos: count(photos) })}</strong>
        <span className="soft">
          {t('overview.demoLoadedHelp')} <Link to="/enrol/uploads">{t('uploads.title')}</Link>
        </span>
      </span>
      {may('persons:erase') ? (
        <Button
          className="push"
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t('overview.demoRemove')}
        </Button>
      ) : null}
      {asking ? (
        <ConfirmByTyping
          title={t('overview.demoRemove')}
          name={company.name}
          action={t('overview.demoRemove')}
          close={() => setAsking(false)}
          run={async () => {
            await removeDemo();
            undoStore.getState().notify(t('overview.demoRemoved'));
            await client.invalidateQueries();
          }}
        >
          {t('overview.demoRemoveWhat', { photos: count(photos) })}
        </ConfirmByTyping>
      ) : null}
    </section>
  );
}

const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => requestJson('GET', '/demo', demoState, { signal }),
});

/** Erases all demo photos of the company with a receipt. */
const removeDemo = () => requestJson('DELETE', '/demo', demoState);

/** Enrols demo photos as one run, in uploads of the size that the company allows. */
async function sendDemo(photos: readonly { file: File; name: string }[]): Promise<void> {
  const { imagesPerUpload } = await requestJson('GET', '/uploads/limits', uploadLimits);
  const { signal } = new AbortController();
  const run = {
    id: crypto.randomUUID(),
    name: 'Demo photos',
    photos: photos.length,
    severalFaces: 'refuse' as const,
    fixes: null,
    demo: true as const,
  };
  for (let sent = 0; sent < photos.length; sent += imagesPerUpload) {
    const batch = photos.slice(sent, sent + imagesPerUpload);
    await sendBatch({ kind: 'duplicate' }, batch, crypto.randomUUID(), signal, run);
  }
}
