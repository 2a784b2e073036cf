import type { RunRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { column } from '../../components/list/columns.ts';
import type { MakeColumns } from '../../components/list/ListBody.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';

/** The folder of a run, or the kind of its sender. */
export function RunName({ run }: { run: Pick<RunRow, 'name' | 'source'> }) {
  const { t } = useWords();
  return run.name === null ? (
    <span className="soft">{t(`uploads.source_${run.source}`)}</span>
  ) : (
    <bdi>{run.name}</bdi>
  );
}

/** The account that started a run. */
export function RunActor({ run }: { run: Pick<RunRow, 'startedBy' | 'startedByName'> }) {
  return <bdi>{run.startedByName ?? run.startedBy}</bdi>;
}

/** From the start to the last processed photo, to the second. A dash while photos wait. Corrections do not count. */
export function RunDuration({ run: { startedAt, endedAt } }: { run: Pick<RunRow, 'startedAt' | 'endedAt'> }) {
  const { duration } = useWords();
  if (endedAt === null) return <>–</>;
  return <>{duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)}</>;
}

/** Photos of a run that have no result: in the queue, not uploaded yet, or refused before the queue. */
export function withoutResult({ waiting, planned, images }: RunRow): number {
  return waiting + Math.max(0, (planned ?? images) - images);
}

export const RUN_COLUMNS: MakeColumns<RunRow> = ({ t, count }) => [
  column(
    'folder',
    t('facts.folder'),
    { minWidth: 130, grow: 1, dropOrder: 0 },
    (run) => run.name ?? <RunName run={run} />,
  ),
  column(
    'target',
    t('enrol.target'),
    { minWidth: 130, grow: 1, dropOrder: 5 },
    ({ blacklistName }) => blacklistName ?? t('common.mainGallery'),
  ),
  column(
    'who',
    t('uploads.startedBy'),
    { minWidth: 100, dropOrder: 7 },
    (run) => run.startedByName ?? run.startedBy,
  ),
  column('when', t('common.started'), { minWidth: 150, dropOrder: 4 }, ({ startedAt }) => (
    <Time at={startedAt} />
  )),
  column('duration', t('uploads.duration'), { minWidth: 150, dropOrder: 8 }, (run) => (
    <RunDuration run={run} />
  )),
  column('total', t('facts.photos'), { minWidth: 64, dropOrder: 2 }, ({ planned, images }) =>
    count(Math.max(planned ?? 0, images)),
  ),
  column('enrolled', t('status.enrolled'), { minWidth: 70, dropOrder: 3 }, ({ enrolled }) => count(enrolled)),
  column('failed', t('status.failed'), { minWidth: 64, dropOrder: 1 }, ({ failed }) => count(failed)),
  column('waiting', t('uploads.noResult'), { minWidth: 64, dropOrder: 6 }, (run) =>
    count(withoutResult(run)),
  ),
];
