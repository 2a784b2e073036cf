import { useTranslation } from 'react-i18next';
import type { BackupRun } from '../../../core/contracts/dashboard/backups.ts';

/** How to restore a backup. This stays in the terminal: the service must be stopped while its data is replaced. */
export function RestoreHelp({ file }: { file: BackupRun | null }) {
  const { t } = useTranslation();
  const name = file?.file ?? 'FILE';
  return (
    <section className="card column backup-wide">
      <h2>{t('backups.restore')}</h2>
      <p>{t('backups.restoreTry')}</p>
      <pre className="mono ltr backup-file">
        {`vouch --home elsewhere restore ${name}\nvouch --home elsewhere audit verify`}
      </pre>
      <p>{t('backups.restoreHelp')}</p>
      <pre className="mono ltr backup-file">{`vouch restore ${name}\nvouch serve`}</pre>
    </section>
  );
}
