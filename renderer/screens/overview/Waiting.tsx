import { workApi } from '../../../core/contracts/dashboard/work.ts';
import { useState } from 'react';
import {
  IconCircleCheck,
  IconClipboardCheck,
  IconCopy,
  IconFileAlert,
  IconLoader,
  IconRoute,
  type Icon,
  IconPhotoPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient, queryOptions } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { duplicateCountsQuery } from '../../api/persons.ts';
import { useSession, useMay } from '../../api/session.ts';
import { useWords } from '../../i18n/words.tsx';
import { ConfirmByTyping } from '../../components/Form.tsx';
import { undoStore } from '../../state/undo.ts';
import { ask } from '../../api/client.ts';
import { sendBatch } from '../../api/enrolment.ts';

/** The work that waits, by role, and the run that is in progress with its rate and the time left. */
export function Waiting({ of: { waiting, health }, day }: { of: Overview; day: string }) {
  const { t, count, span } = useWords();
  const session = useSession();
  const reviews = session.permissions.includes('validations:decide');
  const duplicates = useQuery({
    ...duplicateCountsQuery,
    enabled: session.permissions.includes('duplicates:read'),
  });
  const openGroups = duplicates.data?.open ?? 0;
  const { perMinute, queued } = health;
  const rows: WaitingRow[] = [
    {
      key: 'review',
      number: waiting.review,
      Icon: IconClipboardCheck,
      to: reviews ? '/review' : '/validations?status=2',
      text: t('overview.review', { count: waiting.review }),
      whom: t('overview.reviewFor'),
    },
    {
      key: 'duplicates',
      number: openGroups,
      Icon: IconCopy,
      to: '/duplicates',
      text: t('overview.duplicates', { count: openGroups }),
      whom: t('overview.reviewFor'),
    },
    {
      key: 'failed',
      number: waiting.failedUploads,
      Icon: IconFileAlert,
      to: `/enrol/uploads?show=failed&from=${day}`,
      text: t('overview.failed', { count: waiting.failedUploads, images: count(waiting.failedImages) }),
      whom: t('common.operator'),
    },
    {
      key: 'drafts',
      number: waiting.draftFlows,
      Icon: IconRoute,
      to: '/trust-flows?show=drafts',
      text: t('overview.drafts', { count: waiting.draftFlows }),
      whom: t('overview.draftsFor'),
    },
    {
      key: 'running',
      number: waiting.runningUploads,
      Icon: IconLoader,
      to: '/enrol/uploads?show=running',
      text: t('overview.running', { count: waiting.runningUploads, images: count(waiting.waitingImages) }),
      whom:
        perMinute === null || perMinute === 0
          ? t('overview.runningFor')
          : t('queue.rate', {
              rate: count(Math.round(perMinute)),
              left: span((queued / perMinute) * 60),
            }),
    },
  ];
  const open = rows.filter(({ number }) => number > 0);
  return (
    <section className="card" aria-labelledby="overview-waiting">
      <h2 id="overview-waiting">{t('overview.waiting')}</h2>
      {open.length === 0 ? (
        <p className="row soft">
          <IconCircleCheck size={18} stroke={1.6} aria-hidden /> {t('overview.nothingWaits')}
        </p>
      ) : (
        <ul className="waiting">
          {open.map((row) => (
            <WaitingLine key={row.key} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface WaitingRow {
  key: string;
  number: number;
  Icon: Icon;
  to: string;
  text: string;
  whom: string;
}

function WaitingLine({ row: { number, Icon: Picture, to, text, whom } }: { row: WaitingRow }) {
  const { count } = useWords();
  return (
    <li>
      <Link to={to} className="waiting-row">
        <Picture size={20} stroke={1.6} aria-hidden />
        <strong className="waiting-number">{count(number)}</strong>
        <span>{text}</span>
        <span className="soft push">{whom}</span>
      </Link>
    </li>
  );
}

/** Loads sample portraits into a new company, and erases them. @param isNew no photo is enrolled yet */
export function DemoData({ isNew }: { isNew: boolean }) {
  const may = useMay();
  const { data } = useQuery({ ...demoQuery, enabled: may('uploads:read') });
  if (data === undefined) return null;
  if (data.photos > 0) return <Loaded photos={data.photos} />;
  return isNew && may('uploads:create') ? <Offer /> : null;
}

function Offer() {
  const { t } = useWords();
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
      <Action className="push" Icon={IconPhotoPlus} label={t('overview.demoLoad')} work={load} />
      <ErrorLine error={load.error} />
    </section>
  );
}

function Loaded({ photos }: { photos: number }) {
  const { t, count } = useWords();
  const { company } = useSession();
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
      <Action
        may="persons:erase"
        className="push"
        Icon={IconTrash}
        label={t('overview.demoRemove')}
        onClick={() => setAsking(true)}
      />
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
  queryFn: ({ signal }) => ask(workApi.demo, { signal }),
});

/** Erases all demo photos of the company with a receipt. */
const removeDemo = () => ask(workApi.removeDemo);

/** Enrols demo photos as one run, in uploads of the size that the company allows. */
async function sendDemo(photos: readonly { file: File; name: string }[]): Promise<void> {
  const { imagesPerUpload } = await ask(workApi.limits);
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
