import {
  IconCircleCheck,
  IconClipboardCheck,
  IconCopy,
  IconFileAlert,
  IconLoader,
  IconRoute,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { duplicateCountsQuery } from '../../api/duplicates.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/format.ts';

/** The work that waits, by role, and the run that is in progress with its rate and the time left. */
export function Waiting({ of: { waiting, health }, day }: { of: Overview; day: string }) {
  const { t } = useTranslation();
  const { count, span } = useFormats();
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
      whom:
        perMinute === null || perMinute === 0
          ? t('overview.runningFor')
          : t('overview.rate', {
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
