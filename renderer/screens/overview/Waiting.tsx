import { workApi } from '../../../core/contracts/dashboard/work.ts';
import { useState } from 'react';
import {
  IconCircleCheck,
  IconClipboardCheck,
  IconCopy,
  IconFileAlert,
  IconLoader,
  IconRoute,
  IconUpload,
  IconUsersGroup,
  type Icon,
  IconPhotoPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient, queryOptions } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { duplicateCountsQuery, duplicateRunsQuery } from '../../api/persons.ts';
import { useSession, useMay } from '../../api/session.ts';
import { useWords } from '../../i18n/words.tsx';
import { ConfirmByTyping } from '../../components/Form.tsx';
import { undoStore } from '../../state/undo.ts';
import { ask } from '../../api/client.ts';
import { unfinishedOf } from '../enrol/unfinished.ts';

/** The next steps of the operator: work that waits, each with the action that does it, and the run that is in progress. */
export function Waiting({ of: { waiting, health }, day }: { of: Overview; day: string }) {
  const { t, count, span } = useWords();
  const may = useMay();
  const { company } = useSession();
  const [unfinished] = useState(() => (may('uploads:create') ? unfinishedOf(company.id) : null));
  const readsGroups = { enabled: may('duplicates:read') };
  const openGroups = useQuery({ ...duplicateCountsQuery, ...readsGroups }).data?.open ?? 0;
  const runs = useQuery({ ...duplicateRunsQuery, ...readsGroups }).data;
  // One face alone has nothing to be compared with.
  const comparable = runs?.current === null && (runs.items.length > 0 || runs.newFaces > 1);
  const newFaces = comparable && may('duplicates:run') ? runs.newFaces : 0;
  const { perMinute, queued } = health;
  const missing = unfinished === null ? 0 : unfinished.total - unfinished.sent;
  const rows: WaitingRow[] = [
    {
      key: 'unfinished',
      number: missing,
      Icon: IconUpload,
      to: '/enrol',
      text: t('overview.unfinished', { count: missing }),
      next: t('overview.continueUpload'),
    },
    {
      key: 'review',
      number: waiting.review,
      Icon: IconClipboardCheck,
      to: may('validations:decide') ? '/review' : '/validations?status=2',
      text: t('overview.review', { count: waiting.review }),
      next: t(may('validations:decide') ? 'overview.startReview' : 'overview.show'),
    },
    {
      key: 'failed',
      number: waiting.failedUploads,
      Icon: IconFileAlert,
      to: `/enrol/uploads?show=failed&from=${day}`,
      text: t('overview.failed', { count: waiting.failedUploads, images: count(waiting.failedImages) }),
      next: t(may('uploads:create') ? 'overview.fixPhotos' : 'overview.show'),
    },
    {
      key: 'newFaces',
      number: newFaces,
      Icon: IconUsersGroup,
      to: '/duplicates/find?mode=new',
      text: t('overview.newFaces', { count: newFaces }),
      next: t('overview.compareNew'),
    },
    {
      key: 'duplicates',
      number: openGroups,
      Icon: IconCopy,
      to: '/duplicates',
      text: t('overview.duplicates', { count: openGroups }),
      next: t(may('duplicates:review') ? 'overview.decideGroups' : 'overview.show'),
    },
    {
      key: 'drafts',
      number: waiting.draftFlows,
      Icon: IconRoute,
      to: '/trust-flows?show=drafts',
      text: t('overview.drafts', { count: waiting.draftFlows }),
      next: t(may('flows:write') ? 'overview.publishDrafts' : 'overview.show'),
    },
    {
      key: 'running',
      number: waiting.runningUploads,
      Icon: IconLoader,
      to: '/enrol/uploads?show=running',
      text: t('overview.running', { count: waiting.runningUploads, images: count(waiting.waitingImages) }),
      next:
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
  /** The action that the row leads to; of work in progress its rate. */
  next: string;
}

function WaitingLine({ row: { key, number, Icon: Picture, to, text, next } }: { row: WaitingRow }) {
  const { count } = useWords();
  return (
    <li>
      <Link to={to} className="waiting-row">
        <Picture size={20} stroke={1.6} aria-hidden />
        <strong className="waiting-number">{count(number)}</strong>
        <span>{text}</span>
        <span className={key === 'running' ? 'soft push' : 'waiting-next push'}>{next}</span>
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
  const may = useMay();
  const client = useQueryClient();
  const load = useMutation({
    mutationFn: async () => {
      // The photos are loaded when they are wanted.
      const { loadDemo } = await import('./demoPhotos.ts');
      await loadDemo(may);
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
          {t('overview.demoLoadedHelp')} <Link to="/enrol/uploads">{t('nav.runs')}</Link>
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
          done={t('overview.demoRemoved')}
          run={async () => {
            await removeDemo();
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
