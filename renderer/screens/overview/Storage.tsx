import { useTranslation } from 'react-i18next';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import { BackupState } from '../../components/BackupState.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Free space, and the last backup for a role that sees the state of the installation. */
export function Storage({ of: { health, backup } }: { of: Overview }) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  return (
    <section className="card" aria-labelledby="overview-storage">
      <h2 id="overview-storage">{t(backup === null ? 'overview.storage' : 'overview.storageAndBackup')}</h2>
      <dl className="facts">
        <dt>{t('overview.free')}</dt>
        <dd>{health.freeBytes === null ? t('overview.freeUnknown') : bytes(health.freeBytes)}</dd>
      </dl>
      {backup === null ? null : <BackupState backup={backup} now={Date.now()} />}
    </section>
  );
}
