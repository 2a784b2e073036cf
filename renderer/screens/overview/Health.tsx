import type { ReactNode } from 'react';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { useSession } from '../../api/session.ts';
import { navigationFor } from '../../appShell/navigation.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useFormats } from '../../i18n/format.ts';

/** One line: the service is healthy, or the first problem with a link to it. */
export function Health({ health }: { health: Overview['health'] }) {
  const { t } = useTranslation();
  const { count, bytes } = useFormats();
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
  return navigationFor(session).some((each) => each.path === path) ? (
    <Link to={path} className="push">
      {children}
    </Link>
  ) : null;
}
