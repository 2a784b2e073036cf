import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BackupRun, BackupState } from '../../../core/contracts/dashboard/backups.ts';
import { backupQuery } from '../../api/backups.ts';
import { useMay } from '../../api/session.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useFormats } from '../../i18n/format.ts';
import { BackupKeyCard } from './BackupKeyCard.tsx';
import { BackupNow } from './BackupNow.tsx';
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
      <RestoreHelp last={backup.lastGood} />
    </>
  );
}

/** The file with its folder; null: the backup was sent to the caller. */
function pathOf({ place, file }: BackupRun): string | null {
  return place === null || file === null ? file : `${place.replace(/\/$/, '')}/${file}`;
}

const SHOWN = 20;

/** The newest backups: when, where, how large, and why one failed. */
function BackupRuns({ runs }: { runs: readonly BackupRun[] }) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  return (
    <section className="card backup-wide">
      <h2>{t('backups.history')}</h2>
      {runs.length === 0 ? (
        <p className="soft">{t('backups.neverMade')}</p>
      ) : (
        <WideTable label={t('backups.history')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('backups.started')}</th>
                <th scope="col">{t('backups.trigger')}</th>
                <th scope="col">{t('backups.result')}</th>
                <th scope="col">{t('backups.size')}</th>
                <th scope="col">{t('backups.file')}</th>
              </tr>
            </thead>
            <tbody>
              {runs.slice(0, SHOWN).map((run) => (
                <tr key={run.id}>
                  <td>
                    <Time at={run.startedAt} />
                  </td>
                  <td>{t(`backups.trigger_${run.trigger}`)}</td>
                  <td>
                    <RunResult run={run} />
                  </td>
                  <td>{run.bytes === 0 ? '–' : bytes(run.bytes)}</td>
                  <td className="mono ltr backup-file">{pathOf(run) ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}

function RunResult({ run: { state, place, problem, lostImages } }: { run: BackupRun }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <>
      {t(`backups.run_${state === 'done' && place === null ? 'sent' : state}`)}
      {problem === null ? null : <div className="soft">{translateServerMessage(problem)}</div>}
      {lostImages === 0 ? null : (
        <div className="soft">{t('backups.lostImages', { images: count(lostImages) })}</div>
      )}
    </>
  );
}

/** How to restore a backup. This stays in the terminal: the service must be stopped while its data is replaced. */
function RestoreHelp({ last }: { last: BackupRun | null }) {
  const { t } = useTranslation();
  const path = (last === null ? null : pathOf(last)) ?? 'FILE';
  const word = /^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return (
    <section className="card column backup-wide">
      <h2>{t('backups.restore')}</h2>
      <p>{t('backups.restoreTry')}</p>
      <Command text={`vouch --home elsewhere restore ${word}\nvouch --home elsewhere audit verify`} />
      <p>{t('backups.restoreHelp')}</p>
      <Command text={`vouch restore ${word}\nvouch serve`} />
    </section>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div className="row">
      <pre className="mono ltr backup-file">{text}</pre>
      <CopyText small value={text} />
    </div>
  );
}
