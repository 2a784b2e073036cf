import { Button } from '@mantine/core';
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
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import { announceExport } from '../../api/exports.ts';
import { useMay } from '../../api/session.ts';
import { ExportButton } from '../../components/ExportButton.tsx';
import { SegmentBar } from '../../components/SegmentBar.tsx';
import { Reasons } from '../../components/Reasons.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { PersonFaults } from './PersonChoice.tsx';
import { cancelRun, pauseRun, resumeRun } from './uploadRun.ts';
import { downloadFile } from '../../components/downloadFile.ts';
import { resultTable } from './resultTable.ts';
import { countsOf, paceOf, type Run } from './run.ts';

/** Progress, status and time left of a run; after its end the summary. */
export function RunCard({ run, retry, finish }: { run: Run; retry: () => void; finish: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const counts = countsOf(run);
  const target = run.target.kind === 'duplicate' ? t('enrol.duplicate') : run.target.name;
  const several =
    run.severalFaces === 'main' ? ` · ${t('enrol.severalFaces')}: ${t('enrol.severalFaces_main')}` : '';
  return (
    <section className="card column" aria-label={t('enrol.progress')}>
      <div className="row wrap">
        <h2 className="run-title">{t(`enrol.phase_${run.phase}`)}</h2>
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
  const { t } = useTranslation();
  const { clock } = useFormats();
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
  const { t } = useTranslation();
  const { count, span } = useFormats();
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
  const { t } = useTranslation();
  const { run, retry, finish } = props;
  const may = useMay();
  const { enrolled, failed } = countsOf(run);
  const pause = useMutation({ mutationFn: () => (run.phase === 'paused' ? resumeRun(run) : pauseRun(run)) });
  if (run.finishedAt === null)
    return (
      <>
        <ErrorLine error={pause.error} />
        <Button
          variant="default"
          loading={pause.isPending}
          leftSection={
            run.phase === 'paused' ? (
              <IconPlayerPlay size={16} aria-hidden />
            ) : (
              <IconPlayerPause size={16} aria-hidden />
            )
          }
          onClick={() => pause.mutate()}
        >
          {t(run.phase === 'paused' ? 'queue.resume' : 'queue.pause')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => cancelRun(run)}
        >
          {t('enrol.cancel')}
        </Button>
      </>
    );
  return (
    <>
      <ExportButton
        label={t('enrol.csv')}
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
        <Button component={Link} to={`/enrol/failures?run=${run.serviceId}&state=open`}>
          {t('enrol.fixFailed')}
        </Button>
      )}
      {run.target.kind === 'duplicate' ? null : (
        <Button component={Link} variant="default" to={`/company/internal-biometrics/${run.target.id}`}>
          {t('enrol.backToList')}
        </Button>
      )}
      {failed === 0 ? null : (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={retry}>
          {t('enrol.retryFailed')}
        </Button>
      )}
      {may('duplicates:run') && run.target.kind === 'duplicate' && enrolled > 0 ? (
        <Button
          component={Link}
          to="/duplicates/find?mode=new"
          variant={failed === 0 ? 'filled' : 'default'}
          leftSection={<IconCopy size={16} aria-hidden />}
        >
          {t('enrol.compareNew')}
        </Button>
      ) : null}
      <Button variant="default" onClick={finish}>
        {t('enrol.another')}
      </Button>
    </>
  );
}

/** The uploads of a run. A refused photo has none. */
function uploadsOf(run: Run): string[] {
  return [...new Set(run.items.flatMap(({ uploadId }) => uploadId ?? []))];
}
