import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { uploadsQuery } from '../../api/work.ts';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

const RECENT = 8;

/** The latest uploads. The service processes them whether a window is open or not. */
export function RecentUploads() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { data, error, refetch } = useInfiniteQuery(uploadsQuery({ limit: RECENT }));
  const recent = data?.pages[0]?.items;
  if (error !== null && recent === undefined)
    return <ErrorState error={error} retry={() => void refetch()} />;
  if (recent === undefined) return <LoadingRows rows={4} />;
  if (recent.length === 0) return null;
  return (
    <section>
      <div className="row">
        <h2 className="recent-title">{t('enrol.recent')}</h2>
        <Link className="push" to="/enrol/uploads">
          {t('uploads.all')}
        </Link>
      </div>
      <WideTable label={t('enrol.recent')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('enrol.when')}</th>
              <th scope="col">{t('enrol.target')}</th>
              <th scope="col">{t('validations.status')}</th>
              <th scope="col">{t('enrol.images')}</th>
              <th scope="col">{t('status.enrolled')}</th>
              <th scope="col">{t('status.failed')}</th>
            </tr>
          </thead>
          <tbody>
            {recent.map((upload) => (
              <tr key={upload.uploadId}>
                <td>
                  <Link to={`/enrol/uploads/${upload.uploadId}`}>
                    <Time at={upload.createdAt} />
                  </Link>
                </td>
                <td>{upload.blacklistName ?? t('enrol.duplicate')}</td>
                <td>
                  <StatusBadge of="upload" code={upload.status} />
                </td>
                <td>{count(upload.numberOfImages)}</td>
                <td>{count(upload.succeededCount)}</td>
                <td>{count(upload.failedCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
