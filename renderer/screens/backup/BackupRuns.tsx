import { useTranslation } from 'react-i18next';
import type { BackupRun } from '../../../core/contracts/dashboard/backups.ts';
import { Time } from '../../components/Time.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useFormats } from '../../i18n/format.ts';

const SHOWN = 20;

/** The newest backups: when, where, how large, and why one failed. */
export function BackupRuns({ runs }: { runs: readonly BackupRun[] }) {
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
                  <td className="mono ltr backup-file">{run.file ?? '–'}</td>
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
