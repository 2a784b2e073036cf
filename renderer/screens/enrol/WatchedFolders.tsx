import { folderApi, type WatchedFolder, REPORT_EVERY_MS } from '../../../core/contracts/dashboard/folders.ts';
import {
  IconAlertTriangle,
  IconEye,
  IconPlayerStop,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { Link } from 'react-router';
import { StatusMark, type Tone, Time } from '../../components/StatusBadge.tsx';
import { ErrorLine, WideTable } from '../../components/Page.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useWords } from '../../i18n/words.tsx';
import { ask } from '../../api/client.ts';

const APPEARANCES: Record<WatchedFolder['state'], { tone: Tone; Icon: Icon }> = {
  watching: { tone: 'good', Icon: IconEye },
  waiting: { tone: 'warn', Icon: IconAlertTriangle },
  stopped: { tone: 'calm', Icon: IconPlayerStop },
  lost: { tone: 'bad', Icon: IconPlugConnectedX },
};

/** The folders that `vouch watch` watches on this machine: state, counts, the last file, errors. */
export function WatchedFolders() {
  const { t, count } = useWords();
  const { data, error } = useQuery(watchedFoldersQuery);
  if (data === undefined) return <ErrorLine error={error} />;
  if (data.items.length === 0) return null;
  return (
    <section>
      <h2 className="recent-title">{t('watched.title')}</h2>
      <WideTable
        label={t('watched.title')}
        head={(['folder', 'state', 'enrolled', 'failed', 'left', 'lastFile'] as const).map((column) =>
          t(`watched.${column}`),
        )}
      >
        {data.items.map((folder) => (
          <tr key={folder.id}>
            <td>
              <span className="mono ltr">{folder.folder}</span>
              {folder.problem === null ? null : (
                <div className="soft watched-problem">{translateServerMessage(folder.problem)}</div>
              )}
            </td>
            <td>
              <StatusMark {...APPEARANCES[folder.state]} label={t(`watched.state_${folder.state}`)} />
              <div className="soft watched-time">
                <Time at={folder.reportedAt} />
              </div>
            </td>
            <td>{count(folder.enrolled)}</td>
            <td>{count(folder.failed)}</td>
            <td>{count(folder.left)}</td>
            <td>{folder.lastFile === null ? null : <LastFile of={folder.lastFile} />}</td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

function LastFile({ of }: { of: NonNullable<WatchedFolder['lastFile']> }) {
  const { t } = useWords();
  const { path, status, trustValidationId, at } = of;
  const reason = useReason(of);
  return (
    <>
      <span className="ltr">{path}</span>{' '}
      {trustValidationId === null ? (
        <strong>{t(`watched.file_${status}`)}</strong>
      ) : (
        <Link to={`/validations/${trustValidationId}`}>{t('watched.file_enrolled')}</Link>
      )}
      <div className="soft">
        <Time at={at} />
      </div>
      {reason === null ? null : <div className="soft watched-problem">{reason}</div>}
    </>
  );
}

/** Why the file was not enrolled; null: it was. */
function useReason({ failureCode, cause }: NonNullable<WatchedFolder['lastFile']>): string | null {
  const { t } = useWords();
  if (failureCode !== null)
    return `${t(`failures.${failureCode}.sentence`)} ${t(`failures.${failureCode}.remedy`)}`;
  switch (cause) {
    case null:
      return null;
    case 'fixed':
    case 'refused':
      return t(`watched.cause_${cause}`);
    default:
      return t(`enrol.skip_${cause}`);
  }
}

const watchedFoldersQuery = queryOptions({
  queryKey: ['watched-folders'],
  queryFn: ({ signal }) => ask(folderApi.watched, { signal }),
  refetchInterval: REPORT_EVERY_MS,
});
