import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { runsQuery } from '../../api/enrolmentRuns.ts';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { useRunColumns } from '../uploads/runColumns.tsx';

const RECENT = 8;

/** The latest runs. The service processes them whether a window is open or not. */
export function RecentRuns() {
  const { t } = useTranslation();
  const columns = useRunColumns();
  const { data, error, refetch } = useInfiniteQuery(runsQuery({ limit: RECENT }));
  const recent = data?.pages[0]?.items;
  if (error !== null && recent === undefined)
    return <ErrorState error={error} retry={() => void refetch()} />;
  if (recent === undefined) return <LoadingRows rows={4} />;
  if (recent.length === 0) return null;
  return (
    <section>
      <div className="row">
        <h2 className="recent-title">{t('enrol.recent')}</h2>
        <Link className="push" to="/enrol/failures?state=open">
          {t('uploads.allFailures')}
        </Link>
        <Link to="/enrol/uploads">{t('uploads.all')}</Link>
      </div>
      <WideTable label={t('enrol.recent')}>
        <table className="table">
          <thead>
            <tr>
              {columns.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {recent.map((run) => (
              <tr key={run.runId}>
                {columns.map(({ key, cell }, index) => (
                  <td key={key}>
                    {index === 0 ? (
                      <Link to={`/enrol/failures?run=${run.runId}`}>{cell(run)}</Link>
                    ) : (
                      cell(run)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
