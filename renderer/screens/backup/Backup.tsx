import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BackupState } from '../../../core/contracts/dashboard/backups.ts';
import { backupQuery } from '../../api/backups.ts';
import { useMay } from '../../api/session.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { useFormats } from '../../i18n/format.ts';
import { BackupKeyCard } from './BackupKeyCard.tsx';
import { BackupNow } from './BackupNow.tsx';
import { BackupRuns } from './BackupRuns.tsx';
import { RestoreHelp } from './RestoreHelp.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import './backup.css';

/** The backup key, backups now and on a schedule, their history, and how to restore one. */
export function Component() {
  const { t } = useTranslation();
  const { time } = useFormats();
  const query = useQuery(backupQuery);
  const last = query.data?.lastGood?.endedAt ?? null;
  const state =
    query.data === undefined
      ? null
      : last === null
        ? t('backups.neverMade')
        : t('backups.lastGood', { time: time(last) });
  return (
    <Page title={t('nav.backup')} state={state}>
      <div className="page-scroll backup">
        <Loaded query={query} rows={6}>
          {(backup) => <Cards backup={backup} />}
        </Loaded>
      </div>
    </Page>
  );
}

function Cards({ backup }: { backup: BackupState }) {
  const { t } = useTranslation();
  const may = useMay();
  const { available, key, places, schedule } = backup;
  if (!available)
    return (
      <section className="card column">
        <p>{t('errors.BACKUP_SEVERAL_COMPANIES')}</p>
        <code className="mono ltr">vouch backup FILE</code>
      </section>
    );
  const canWrite = may('backups:write');
  return (
    <>
      {canWrite && key !== null ? (
        <>
          <BackupNow backup={backup} />
          <ScheduleForm
            key={JSON.stringify(schedule)}
            now={schedule}
            nextAt={backup.nextAt}
            places={places}
          />
        </>
      ) : null}
      <BackupKeyCard present={key} canWrite={canWrite} />
      <BackupRuns runs={backup.runs} />
      <RestoreHelp file={backup.lastGood} />
    </>
  );
}
