import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconUserScan,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircle,
  IconCircleCheckFilled,
  IconX,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Overview, OverviewHit } from '../../../core/contracts/dashboard/overview.ts';
import type { Permission } from '../../../core/contracts/dashboard/permissions.ts';
import { verificationName } from '../../../core/contracts/verifications.ts';
import { Action, Loaded, Page } from '../../components/Page.tsx';
import { overviewQuery } from '../../api/system.ts';
import { useSession } from '../../api/session.ts';
import { dayOf, startOfDay } from '../../i18n/days.ts';
import { useWords } from '../../i18n/words.tsx';
import { DemoData, Waiting } from './Waiting.tsx';
import { Fact, BackupState, StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { screensFor } from '../../state/navigation.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { SeverityBadge, severityOfMatch } from '../../components/Severity.tsx';
import { usePreferences } from '../../state/preferences.ts';
import './overview.css';

const Activity = lazy(() => import('./Activity.tsx'));

/** The first page: work that waits, newest hits, the day and the last two weeks, storage and backup. */
export function Component() {
  const { t, date } = useWords();
  const day = useToday();
  const since = startOfDay(day) ?? new Date().toISOString();
  const query = useQuery({ ...overviewQuery(since), placeholderData: keepPreviousData });
  return (
    <Page
      title={t('nav.overview')}
      state={t('overview.state', { day: date(since) })}
      action={<Action primary Icon={IconUserScan} label={t('nav.verify')} to="/verify" />}
    >
      <Loaded query={query} rows={10}>
        {(now) => (
          <div className="page-scroll column">
            <Health health={now.health} />
            <FirstSteps of={now} />
            <DemoData isNew={!now.firstSteps.enrolled} />
            <div className="overview-columns">
              <div className="overview-column">
                <Waiting of={now} day={day} />
                <Hits hits={now.hits} />
              </div>
              <div className="overview-column">
                <Today today={now.today} day={day} />
                <Suspense fallback={<section className="card activity-space" aria-busy />}>
                  <Activity day={day} today={now.today} />
                </Suspense>
                <Storage of={now} />
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** The reader's day; a page that stays open overnight continues to the next one. */
function useToday(): string {
  const [day, setDay] = useState(() => dayOf(new Date()));
  useEffect(() => {
    const timer = setInterval(() => setDay(dayOf(new Date())), 30_000);
    return () => clearInterval(timer);
  }, []);
  return day;
}

/** Free space, and the last backup for a role that sees the state of the installation. */
function Storage({ of: { health, backup } }: { of: Overview }) {
  const { t, bytes } = useWords();
  return (
    <section className="card" aria-labelledby="overview-storage">
      <h2 id="overview-storage">{t(backup === null ? 'common.storage' : 'overview.storageAndBackup')}</h2>
      <dl className="facts">
        <Fact label={t('common.freeSpace')}>
          {health.freeBytes === null ? t('overview.freeUnknown') : bytes(health.freeBytes)}
        </Fact>
      </dl>
      {backup === null ? null : <BackupState backup={backup} now={Date.now()} />}
    </section>
  );
}

/** The numbers of the day. Each opens the list that it counts. */
function Today({ today, day }: { today: Overview['today']; day: string }) {
  const { t, count } = useWords();
  const { company } = useSession();
  const days = `from=${day}&to=${day}`;
  const validations = `/validations?${days}`;
  const numbers: readonly (readonly [keyof Overview['today'], string])[] = [
    ['validations', validations],
    ['verified', `${validations}&status=3&source=verification`],
    ['rejected', `${validations}&status=1`],
    ['duplicates', `${validations}&hit=duplicate`],
    ['blacklisted', `${validations}&hit=blacklist`],
    ['uploads', `/enrol/uploads?${days}`],
    ['signatures', `/signatures/history?${days}`],
  ];
  const shown = numbers.filter(([key]) => key !== 'blacklisted' || company.features.blacklists);
  return (
    <section className="card" aria-labelledby="overview-today">
      <h2 id="overview-today">{t('days.today')}</h2>
      <ul className="today">
        {shown.map(([key, to]) => (
          <li key={key}>
            <Link to={to} className="today-number">
              <strong>{count(today[key])}</strong>
              <span>{t(`overview.${key}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One line: the service is healthy, or the first problem with a link to it. */
function Health({ health }: { health: Overview['health'] }) {
  const { t, count, bytes } = useWords();
  const { paused, blocked, unerased, inProgress, workers, freeBytes, minFreeBytes } = health;
  const free = freeBytes === null ? t('overview.freeUnknown') : bytes(freeBytes);
  const problem =
    (blocked === null ? null : translateServerMessage({ code: blocked })) ??
    (paused
      ? t('overview.paused')
      : freeBytes !== null && freeBytes < minFreeBytes
        ? t('overview.full', { free, least: bytes(minFreeBytes) })
        : unerased > 0
          ? t('overview.unerased', { records: count(unerased) })
          : null);
  const text =
    problem ?? t('overview.healthy', { inProgress: count(inProgress), workers: count(workers), free });
  const Picture = problem === null ? IconCircleCheck : IconAlertTriangle;
  return (
    <p className={problem === null ? 'health' : 'health health-bad'}>
      <Picture size={18} stroke={1.8} aria-hidden />
      <span>
        <strong>{t('overview.health')}:</strong> {text}
      </span>
      <SystemLink>{t('overview.system')}</SystemLink>
    </p>
  );
}

/** Only where this role has that page. */
function SystemLink({ children }: { children: ReactNode }) {
  const session = useSession();
  const path = '/system';
  return screensFor(session).some((each) => each.path === path) ? (
    <Link to={path} className="push">
      {children}
    </Link>
  ) : null;
}

/** The newest validations in which a face was found again: both faces, the best match, the status. */
function Hits({ hits }: { hits: readonly OverviewHit[] }) {
  const { t } = useWords();
  return (
    <section className="card" aria-labelledby="overview-hits">
      <h2 id="overview-hits">{t('overview.hits')}</h2>
      {hits.length === 0 ? (
        <p className="soft">{t('overview.noHits')}</p>
      ) : (
        <ul className="newest-hits">
          {hits.map((hit) => (
            <HitRow key={hit.id} hit={hit} />
          ))}
        </ul>
      )}
    </section>
  );
}

function HitRow({ hit }: { hit: OverviewHit }) {
  const { t, decimal } = useWords();
  const { match } = hit;
  const severity = severityOfMatch(hit.status, match);
  const isUnnamed = hit.name === '' || hit.name === verificationName(hit.id);
  const title = isUnnamed ? t('palette.validation', { id: hit.id }) : hit.name;
  return (
    <li>
      <Link to={`/validations/${hit.id}`} className="newest-hit">
        <FaceThumbnail url={hit.thumbnailUrl} name={title} size={40} />
        <FaceThumbnail url={match?.thumbnailUrl ?? null} name={match?.name ?? title} size={40} />
        <span className="newest-hit-text">
          <strong dir="auto" className="cut">
            {title}
          </strong>
          <span dir="auto" className="soft cut">
            {match === null
              ? t('overview.matchErased')
              : match.blacklistName === null
                ? t('overview.duplicateOf', { name: match.name })
                : t('overview.onList', { name: match.name, list: match.blacklistName })}
          </span>
        </span>
        <span className="newest-hit-facts">
          <span className="row">
            {severity === null ? null : <SeverityBadge severity={severity} />}
            <StatusBadge of="validation" code={hit.status} />
          </span>
          <span className="soft">
            {match === null ? null : (
              <>
                {t('overview.similarity', { score: decimal(match.score), band: t(`score.${match.band}`) })}
                {' · '}
              </>
            )}
            <Time at={hit.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}

type Step = 'enrolled' | 'blacklisted' | 'flowPublished' | 'verified' | 'backupKey' | 'backup';

const STEPS: readonly { step: Step; to: string; needs: Permission }[] = [
  { step: 'enrolled', to: '/enrol', needs: 'uploads:create' },
  { step: 'blacklisted', to: '/company/internal-biometrics', needs: 'blacklists:write' },
  { step: 'flowPublished', to: '/trust-flows', needs: 'flows:write' },
  { step: 'verified', to: '/verify', needs: 'verifications:create' },
  { step: 'backupKey', to: '/settings/backup', needs: 'system:read' },
  { step: 'backup', to: '/settings/backup', needs: 'system:read' },
];

/**
 * The first steps of a new company. A step is done when its result exists. The list disappears when all steps of the
 * role are done, or when the operator hides it; `/?steps` in the palette shows it again.
 */
function FirstSteps({ of: { firstSteps, backup } }: { of: Overview }) {
  const { t } = useWords();
  const { company, permissions } = useSession();
  const { firstStepsHidden, hideFirstSteps } = usePreferences();
  const [search, setSearch] = useSearchParams();
  const done: Record<Step, boolean> = {
    ...firstSteps,
    backupKey: backup !== null && backup.keyMadeAt !== null,
    backup: backup !== null && backup.lastGoodAt !== null,
  };
  const steps = STEPS.filter(
    ({ step, needs }) =>
      permissions.includes(needs) && (step !== 'blacklisted' || company.features.blacklists),
  );
  const wanted = search.has('steps');
  if (steps.length === 0 || (!wanted && (firstStepsHidden || steps.every(({ step }) => done[step]))))
    return null;
  return (
    <section className="card" aria-labelledby="overview-steps">
      <div className="row">
        <h2 id="overview-steps">{t('overview.steps')}</h2>
        <Tooltip label={t('overview.hideSteps')}>
          <ActionIcon
            className="push"
            variant="subtle"
            color="gray"
            aria-label={t('overview.hideSteps')}
            onClick={() => {
              hideFirstSteps();
              setSearch({});
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <ol className="first-steps">
        {steps.map(({ step, to }) => (
          <li key={step} data-done={done[step]}>
            {done[step] ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircle size={20} stroke={1.6} aria-hidden />
            )}
            <span>
              <Link to={to}>{t(`overview.step_${step}`)}</Link>
              {done[step] ? <span className="sr-only"> {t('overview.stepDone')}</span> : null}
              <span className="soft">{t(`overview.help_${step}`)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
