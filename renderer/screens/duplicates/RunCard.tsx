import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type {
  DuplicateRun,
  DuplicateRunChange,
  DuplicateRunPage,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { changeDuplicateRun, duplicateRunsQuery } from '../../api/duplicates.ts';
import { useMay } from '../../api/session.ts';
import { SegmentBar } from '../../components/SegmentBar.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';

/** The search that runs with its progress, or what the last one found. */
export function RunCard({ runs }: { runs: DuplicateRunPage }) {
  const { t } = useTranslation();
  const run = runs.current ?? runs.items[0];
  if (run === undefined) return null;
  return (
    <section className="card duplicate-run" aria-label={t('duplicates.run')}>
      {runs.current === null ? (
        <Outcome run={run} newFaces={runs.newFaces} />
      ) : (
        <Progress run={runs.current} />
      )}
    </section>
  );
}

function Progress({ run }: { run: DuplicateRun }) {
  const { t } = useTranslation();
  const { count, span } = useFormats();
  const { faces, compared, facesPerSecond, secondsLeft, state } = run;
  return (
    <>
      <div className="row wrap">
        <h2>{t(state === 'paused' ? 'duplicates.run_paused' : 'duplicates.run_running')}</h2>
        {facesPerSecond === null || secondsLeft === null ? null : (
          <span className="soft">
            {t('duplicates.speed', { rate: count(roughly(facesPerSecond)), left: span(secondsLeft) })}
          </span>
        )}
        <Steps run={run} />
      </div>
      <SegmentBar
        label={t('duplicates.progress')}
        done={compared}
        total={faces}
        segments={[
          { word: t('duplicates.compared'), tone: 'good', number: compared },
          { word: t('duplicates.left'), tone: 'calm', number: Math.max(0, faces - compared) },
        ]}
      />
      <p>{useFound(run)}</p>
    </>
  );
}

function Outcome({ run, newFaces }: { run: DuplicateRun; newFaces: number }) {
  const { t } = useTranslation();
  const { count, time } = useFormats();
  const may = useMay();
  const { state, endedAt, startedAt, truncated, problem } = run;
  const ended = state === 'running' || state === 'paused' ? 'done' : state;
  return (
    <>
      <p>
        <strong>{t(`duplicates.run_${ended}`, { time: time(endedAt ?? startedAt) })}</strong> {useFound(run)}
      </p>
      {problem === null ? null : <p>{t(`duplicates.problem_${problem}`)}</p>}
      {truncated === 0 ? null : (
        <p className="soft">{t('duplicates.truncated', { count: truncated, faces: count(truncated) })}</p>
      )}
      {newFaces === 0 ? null : (
        <p className="row wrap">
          {t('duplicates.newFaces', { count: newFaces, faces: count(newFaces) })}
          {may('duplicates:run') ? (
            <Button component={Link} to="/duplicates/find?mode=new" size="compact-sm" variant="default">
              {t('duplicates.compareNew')}
            </Button>
          ) : null}
        </p>
      )}
    </>
  );
}

/** The pairs found so far, beside the pairs that chance explains. */
function useFound({ pairs, identical, expected }: DuplicateRun): string {
  const { t } = useTranslation();
  const { count } = useFormats();
  const parts: string[] = [t('duplicates.found', { count: pairs, pairs: count(pairs) })];
  if (identical > 0)
    parts.push(t('duplicates.identicalFound', { count: identical, pairs: count(identical) }));
  if (expected !== null)
    parts.push(
      t(expected.extrapolated ? 'duplicates.expectedExtrapolated' : 'duplicates.expected', {
        pairs: count(roughly(expected.pairs)),
        low: count(roughly(expected.low)),
        high: count(roughly(expected.high)),
      }),
    );
  return parts.join(' ');
}

/** Two digits: the estimate is no more precise than that. */
export function roughly(value: number): number {
  if (value < 10) return Math.round(value * 10) / 10;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.round(value / step) * step;
}

function Steps({ run }: { run: DuplicateRun }) {
  const { t } = useTranslation();
  const may = useMay();
  const client = useQueryClient();
  const work = useMutation({
    mutationFn: (change: DuplicateRunChange) => changeDuplicateRun(run.id, change),
    onSuccess: (_run, change) => {
      if (change === 'cancel') undoStore.getState().notify(t('duplicates.cancelled'));
    },
    onSettled: () => client.invalidateQueries({ queryKey: duplicateRunsQuery.queryKey }),
  });
  if (!may('duplicates:run')) return null;
  const paused = run.state === 'paused';
  const Picture = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <span className="push row wrap">
      <ErrorLine error={work.error} />
      <Button
        size="compact-sm"
        variant="default"
        disabled={work.isPending}
        leftSection={<Picture size={14} aria-hidden />}
        onClick={() => work.mutate(paused ? 'resume' : 'pause')}
      >
        {t(paused ? 'duplicates.resume' : 'duplicates.pause')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={work.isPending}
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => work.mutate('cancel')}
      >
        {t('duplicates.cancelRun')}
      </Button>
    </span>
  );
}
