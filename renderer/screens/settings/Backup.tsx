import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SystemState } from '../../../core/contracts/dashboard/system.ts';
import { systemQuery } from '../../api/system.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import './settings.css';

/** The last backup. The local administrator creates and restores backups at the terminal. */
export function Component() {
  const { t } = useTranslation();
  const query = useQuery(systemQuery);
  return (
    <Page title={t('nav.backup')}>
      <div className="page-scroll">
        <Loaded query={query} rows={4}>
          {({ backup }) => <BackupCard backup={backup} />}
        </Loaded>
      </div>
    </Page>
  );
}

function BackupCard({ backup }: { backup: SystemState['backup'] }) {
  const { t } = useTranslation();
  const { keyMadeAt, lastAt } = backup;
  const [text, command] =
    keyMadeAt === null
      ? [t('system.backupNoKey'), 'vouch backup-key create']
      : [t('system.backupHow'), 'vouch backup FILE'];
  return (
    <section className="card column settings-narrow">
      <dl className="facts">
        <dt>{t('system.backupLast')}</dt>
        <dd>{lastAt === null ? t('system.never') : <Time at={lastAt} />}</dd>
        <dt>{t('system.backupKey')}</dt>
        <dd>{keyMadeAt === null ? t('system.never') : <Time at={keyMadeAt} />}</dd>
      </dl>
      <p className="soft">{text}</p>
      <code className="mono ltr">{command}</code>
    </section>
  );
}
