import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Without a backup for so long the overview warns, milliseconds. */
const OVERDUE = 7 * 24 * 60 * 60_000;

/** Free space, and the last backup for a role that sees the state of the installation. */
export function Storage({ of: { health, backup } }: { of: Overview }) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  const warning = backup === null ? null : warningOf(backup);
  return (
    <section className="card" aria-labelledby="overview-storage">
      <h2 id="overview-storage">{t(backup === null ? 'overview.storage' : 'overview.storageAndBackup')}</h2>
      <dl className="facts">
        <dt>{t('overview.free')}</dt>
        <dd>{health.freeBytes === null ? t('overview.freeUnknown') : bytes(health.freeBytes)}</dd>
        {backup === null ? null : (
          <>
            <dt>{t('overview.lastBackup')}</dt>
            <dd>{backup.lastAt === null ? t('overview.never') : <Time at={backup.lastAt} />}</dd>
          </>
        )}
      </dl>
      {warning === null ? null : (
        <p className="row wrap backup-warning">
          <StatusMark tone="warn" Icon={IconAlertTriangle}>
            {t(`overview.${warning}`)}
          </StatusMark>
          <Link to="/settings/backup">{t('overview.openBackup')}</Link>
        </p>
      )}
    </section>
  );
}

function warningOf({ keyMadeAt, lastAt }: NonNullable<Overview['backup']>) {
  if (keyMadeAt === null) return 'noBackupKey';
  if (lastAt === null) return 'noBackup';
  return Date.now() - Date.parse(lastAt) > OVERDUE ? 'oldBackup' : null;
}
