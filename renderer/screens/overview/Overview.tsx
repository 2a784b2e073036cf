import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClipboardCheck,
  IconFileAlert,
  IconLoader,
  IconRoute,
  IconUserScan,
  type Icon,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { overviewQuery } from '../../api/overview.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { navigationFor } from '../../appShell/navigation.ts';
import { dayOf, startOfDay } from '../../i18n/days.ts';
import { useFormats } from '../../i18n/format.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import './overview.css';

/** The first page: what waits for whom, today's counts, health in one line. Every number opens the list it counts. */
export function Component() {
  const { t } = useTranslation();
  const { date } = useFormats();
  const may = useMay();
  const day = useToday();
  const since = startOfDay(day) ?? new Date().toISOString();
  const query = useQuery({ ...overviewQuery(since), placeholderData: keepPreviousData });
  return (
    <Page
      title={t('nav.overview')}
      state={t('overview.state', { day: date(since) })}
      action={
        may('verifications:create') ? (
          <Button component={Link} to="/verify" leftSection={<IconUserScan size={16} aria-hidden />}>
            {t('nav.verify')}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} rows={10}>
        {({ health, waiting, today }) => (
          <div className="page-scroll overview">
            <Health health={health} />
            <Waiting waiting={waiting} day={day} />
            <Today today={today} day={day} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** The reader's day; a page that stays open overnight goes on to the next one. */
function useToday(): string {
  const [day, setDay] = useState(() => dayOf(new Date()));
  useEffect(() => {
    const timer = setInterval(() => setDay(dayOf(new Date())), 30_000);
    return () => clearInterval(timer);
  }, []);
  return day;
}

function Waiting({ waiting, day }: { waiting: Overview['waiting']; day: string }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const session = useSession();
  const reviews = session.permissions.includes('validations:decide');
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
      key: 'failed',
      number: waiting.failedUploads,
      Icon: IconFileAlert,
      to: `/enrol/uploads?show=failed&from=${day}`,
      text: t('overview.failed', { count: waiting.failedUploads, images: count(waiting.failedImages) }),
      whom: t('overview.failedFor'),
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
      whom: t('overview.runningFor'),
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
  const { count } = useFormats();
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

function Today({ today, day }: { today: Overview['today']; day: string }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { company } = useSession();
  const days = `from=${day}&to=${day}`;
  const validations = `/validations?${days}`;
  const numbers: readonly (readonly [keyof Overview['today'], string])[] = [
    ['validations', validations],
    ['verified', `${validations}&status=3`],
    ['rejected', `${validations}&status=1`],
    ['duplicates', `${validations}&hit=duplicate`],
    ['blacklisted', `${validations}&hit=blacklist`],
    ['uploads', `/enrol/uploads?${days}`],
    ['signatures', `/signatures/history?${days}`],
  ];
  const shown = numbers.filter(([key]) => key !== 'blacklisted' || company.features.blacklists);
  return (
    <section className="card" aria-labelledby="overview-today">
      <h2 id="overview-today">{t('overview.today')}</h2>
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
  const { t } = useTranslation();
  const { count, bytes } = useFormats();
  const { paused, blocked, inProgress, workers, freeBytes, minFreeBytes } = health;
  const free = freeBytes === null ? t('overview.freeUnknown') : bytes(freeBytes);
  const problem =
    (blocked === null ? null : translateServerMessage({ code: blocked })) ??
    (paused
      ? t('overview.paused')
      : freeBytes !== null && freeBytes < minFreeBytes
        ? t('overview.full', { free, least: bytes(minFreeBytes) })
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
  return navigationFor(session).some((each) => each.path === path) ? (
    <Link to={path} className="push">
      {children}
    </Link>
  ) : null;
}
