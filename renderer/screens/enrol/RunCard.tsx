import { useMemo, useState } from 'react';
import {
  IconCopy,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import { column } from '../../components/list/columns.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { announceExport } from '../../api/validations.ts';
import { ExportButton, downloadFile } from '../../components/ExportButton.tsx';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { useWords } from '../../i18n/words.tsx';
import { PersonFaults } from './PlanCard.tsx';
import { cancelRun, pauseRun, resumeRun } from './uploadRun.ts';
import { resultTable, countsOf, paceOf, type Run, type ItemState, type RunItem } from './run.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { StatusFilter } from '../../components/filters.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useSmallEnough } from '../../components/readableImage.ts';
import { useObjectUrl } from '../../components/ImageDrop.tsx';
import { RowList, type MakeColumns, useColumns } from '../../components/list/ListBody.tsx';

/** Progress, status and time left of a run; after its end the summary. */
export function RunCard({ run, retry, finish }: { run: Run; retry: () => void; finish: () => void }) {
  const { t, count } = useWords();
  const counts = countsOf(run);
  const target = run.target.kind === 'duplicate' ? t('common.mainGallery') : run.target.name;
  const several =
    run.severalFaces === 'refuse'
      ? ''
      : ` · ${t('enrol.severalFaces')}: ${t(`enrol.severalFaces_${run.severalFaces}`)}`;
  return (
    <section className="card column" aria-label={t('enrol.progress')}>
      <div className="row wrap">
        <div role="status">
          <h2 className="run-title">{t(`enrol.phase_${run.phase}`)}</h2>
          {run.finishedAt === null ? null : (
            <span className="sr-only">
              {t('enrol.state', {
                enrolled: count(counts.enrolled),
                failed: count(counts.failed),
                total: count(counts.total),
              })}
            </span>
          )}
        </div>
        <span className="soft">
          {t('enrol.into', { target })}
          {several}
        </span>
        <span className="push row wrap">
          <RunButtons run={run} retry={retry} finish={finish} />
        </span>
      </div>
      <SegmentBar
        label={t('enrol.progress')}
        done={counts.answered}
        total={counts.total}
        segments={[
          { word: t('status.enrolled'), tone: 'good', number: counts.enrolled },
          { word: t('status.failed'), tone: 'bad', number: counts.failed },
          { word: t('enrol.inQueue'), tone: 'busy', number: counts.sent },
          { word: t('enrol.waiting'), tone: 'calm', number: counts.waiting },
        ]}
      />
      <p className="run-counts">
        <strong>
          {t('enrol.answered', { answered: count(counts.answered), total: count(counts.total) })}
        </strong>
        <RunStatus run={run} />
      </p>
      {run.held === null ? null : (
        <p className="error-line" role="alert">
          {run.held}
        </p>
      )}
      <Gap run={run} />
      <PersonFaults faults={run.personFaults} />
      {counts.failed === 0 ? null : (
        <Reasons images={run.items} refused={run.items.filter(({ state }) => state === 'refused').length} />
      )}
    </section>
  );
}

/** The time for which the service did not answer. */
function Gap({ run: { gap } }: { run: Run }) {
  const { t, clock } = useWords();
  if (gap === null) return null;
  return (
    <p className="row soft" role="status">
      <IconPlugConnectedX size={16} aria-hidden />
      {gap.until === null
        ? t('enrol.gapOpen', { since: clock(gap.since) })
        : t('enrol.gap', { since: clock(gap.since), until: clock(gap.until) })}
    </p>
  );
}

function RunStatus({ run }: { run: Run }) {
  const { t, count, span } = useWords();
  const { answered, total, sent, waiting } = countsOf(run);
  if (run.finishedAt !== null)
    return (
      <span className="soft">{t('enrol.took', { span: span((run.finishedAt - run.startedAt) / 1000) })}</span>
    );
  const pace = paceOf(run);
  const doing = t('enrol.doing', { sent: count(sent), waiting: count(waiting) });
  const left =
    pace === null || run.phase !== 'running'
      ? null
      : t('queue.rate', { rate: count(Math.round(pace * 60)), left: span((total - answered) / pace) });
  return (
    <span className="soft" aria-live="off">
      {doing}
      {left === null ? '' : ` · ${left}`}
    </span>
  );
}

function RunButtons(props: { run: Run; retry: () => void; finish: () => void }) {
  const { t } = useWords();
  const { run, retry, finish } = props;
  const { enrolled, failed } = countsOf(run);
  const pause = useMutation({ mutationFn: () => (run.phase === 'paused' ? resumeRun(run) : pauseRun(run)) });
  if (run.finishedAt === null)
    return (
      <>
        <ErrorLine error={pause.error} />
        <Action
          Icon={run.phase === 'paused' ? IconPlayerPlay : IconPlayerPause}
          label={t(run.phase === 'paused' ? 'queue.resume' : 'queue.pause')}
          work={pause}
        />
        <Action Icon={IconX} label={t('enrol.cancel')} onClick={() => cancelRun(run)} />
      </>
    );
  return (
    <>
      <ExportButton
        label={t('common.downloadCsv')}
        icon={<IconDownload size={16} aria-hidden />}
        run={() => announceExport({ kind: 'uploadResults', uploads: uploadsOf(run) })}
        done={() => {
          const table = resultTable(run, (code) => t(`failures.${code as FailureCode}.sentence`));
          downloadFile(
            'vouch-enrolment.csv',
            new Blob([`\ufeff${table}`], { type: 'text/csv;charset=utf-8' }),
          );
        }}
      />
      {failed === 0 ? null : (
        <Action primary label={t('enrol.fixFailed')} to={`/enrol/failures?run=${run.serviceId}&state=open`} />
      )}
      {run.target.kind === 'duplicate' ? null : (
        <Action label={t('common.backToList')} to={`/company/internal-biometrics/${run.target.id}`} />
      )}
      {failed === 0 ? null : <Action Icon={IconRefresh} label={t('enrol.retryFailed')} onClick={retry} />}
      {run.target.kind === 'duplicate' && enrolled > 0 ? (
        <Action
          variant={failed === 0 ? 'filled' : 'default'}
          Icon={IconCopy}
          label={t('overview.compareNew')}
          to="/duplicates/find?mode=new"
        />
      ) : null}
      <Action label={t('uploads.enrol')} onClick={finish} />
    </>
  );
}

/** The uploads of a run. A refused photo has none. */
function uploadsOf(run: Run): string[] {
  return [...new Set(run.items.flatMap(({ uploadId }) => uploadId ?? []))];
}

const CODES: Record<ItemState, number> = {
  waiting: ITEM_STATUS.Pending,
  sent: ITEM_STATUS.Pending,
  enrolled: ITEM_STATUS.Enrolled,
  failed: ITEM_STATUS.Failed,
  refused: ITEM_STATUS.Failed,
};
const FILTERS = ['all', 'failed', 'enrolled'] as const;
type Filter = (typeof FILTERS)[number];

/** Every file of the run: its photo, where it is, why it failed and what to do. */
export function ResultRows({ run }: { run: Run }) {
  const { t } = useWords();
  const [filter, setFilter] = useState<Filter>('all');
  const columns = useColumns(COLUMNS);
  const rows = useMemo(() => run.items.filter((item) => passes(item, filter)), [run.items, filter]);
  const counts = countsOf(run);
  const numbers = { all: counts.total, failed: counts.failed, enrolled: counts.enrolled };
  const navigate = useNavigate();
  const { target } = run;
  const openItem = ({ state, trustValidationId, faceId }: RunItem) => {
    if (state === 'failed') void navigate(`/enrol/failures?run=${run.id}&state=open`);
    else if (faceId !== null && target.kind === 'blacklist')
      void navigate(`/company/internal-biometrics/${target.id}?face=${faceId}`);
    else if (trustValidationId !== null) void navigate(`/validations/${trustValidationId}`);
  };
  return (
    <>
      <div className="filters">
        <StatusFilter states={FILTERS} numbers={numbers} value={filter} onChange={setFilter} />
      </div>
      <RowList
        label={t('enrol.results')}
        columns={columns}
        rows={rows}
        total={rows.length}
        rowKey={({ key }) => key}
        openKey={null}
        open={openItem}
        more={null}
      />
    </>
  );
}

function passes({ state }: RunItem, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'failed' ? state === 'failed' || state === 'refused' : state === 'enrolled';
}

const COLUMNS: MakeColumns<RunItem> = ({ t }) => [
  column('photo', t('validations.column_face'), { minWidth: 28, iconOnly: true }, (item) => (
    <Thumbnail item={item} />
  )),
  column('file', t('facts.file'), { minWidth: 140, grow: 1 }, ({ path }) => <Place path={path} />),
  column('status', t('common.status'), 110, ({ state }) => <StatusBadge of="image" code={CODES[state]} />),
  column('reason', t('facts.result'), { minWidth: 160, grow: 1 }, (item) => <Outcome item={item} />),
];

/** The name first: where there is little room, its folder gives way, which is that of many. */
function Place({ path }: { path: string }) {
  const at = path.lastIndexOf('/');
  return (
    <span title={path}>
      <bdi>{path.slice(at + 1)}</bdi>{' '}
      {at < 0 ? null : <bdi className="soft file-folder">{path.slice(0, at)}</bdi>}
    </span>
  );
}

function Outcome({ item }: { item: RunItem }) {
  const { t } = useWords();
  const { failureCode, reason, state, trustValidationId } = item;
  if (failureCode !== null) {
    return `${t(`failures.${failureCode}.sentence`)} ${t(`failures.${failureCode}.remedy`)}`;
  }
  if (state === 'refused') return reason ?? t('enrol.skip_unreadable');
  if (trustValidationId === null) return null;
  // With its own key, so that the focus never passes to the link of another row.
  return (
    <Link key={trustValidationId} to={`/validations/${trustValidationId}`}>
      {t('palette.validation', { id: trustValidationId })}
    </Link>
  );
}

/**
 * The aligned face of an enrolled photo; before that, and after a failure, the photo itself from the disk. A photo that
 * the service reads in its folder is not available to the page.
 */
function Thumbnail({ item }: { item: RunItem }) {
  const { thumbnailUrl, file, path } = item;
  const local = useObjectUrl(useSmallEnough(thumbnailUrl === null && file instanceof File ? file : null));
  const url = thumbnailUrl ?? local;
  return url === null ? null : <FaceThumbnail key={url} url={url} name={path} />;
}
