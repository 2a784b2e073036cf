import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { runQueryById } from '../../api/enrolmentRuns.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { RunActor, RunDuration, RunName, waitingOf } from '../uploads/runColumns.tsx';

/** The run whose photos are listed: folder, list, account, time and totals. */
export function RunFacts({ id }: { id: string }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const query = useQuery(runQueryById(id));
  return (
    <Loaded query={query} rows={1}>
      {(run) => (
        <dl className="run-facts" aria-label={t('uploads.run')}>
          {(
            [
              ['uploads.folder', <RunName key="n" run={run} />],
              ['enrol.target', run.blacklistName ?? t('enrol.duplicate')],
              ['uploads.startedBy', <RunActor key="a" run={run} />],
              ['uploads.started', <Time key="t" at={run.startedAt} />],
              ['uploads.duration', <RunDuration key="d" run={run} />],
              ['enrol.images', count(Math.max(run.planned ?? 0, run.images))],
              ['status.enrolled', count(run.enrolled)],
              ['status.failed', count(run.failed)],
              ['uploads.waiting', count(waitingOf(run))],
              ['enrol.severalFaces', t(`enrol.severalFaces_${run.severalFaces}`)],
            ] as const
          ).map(([label, value]) => (
            <div key={label}>
              <dt className="soft">{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
