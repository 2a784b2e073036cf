import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PipelineChange, PipelineState } from '../../../core/contracts/dashboard/pipelines.ts';
import { measuredElsewhere } from '../../../core/contracts/pipelines.ts';
import { changePipeline, choosePipeline, pipelinesQuery } from '../../api/pipelines.ts';
import { useMay } from '../../api/session.ts';
import { SegmentBar } from '../../components/SegmentBar.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';
import { useChange } from './useChange.ts';

/** How far the change is, how long it still takes, and stopping it. */
export function ChangeCard({ change, state }: { change: PipelineChange; state: PipelineState }) {
  const { t } = useTranslation();
  const { count, decimal, span, time } = useFormats();
  const { stage, faces, extracted, refused, facesPerSecond, secondsLeft } = change;
  const left = Math.max(0, faces - extracted - refused);
  return (
    <section className="card column" aria-label={t('pipelines.progress')}>
      <div className="row wrap">
        <h2>{t('pipelines.changing', { name: change.targetName ?? change.target })}</h2>
        <span className="soft">{t('pipelines.since', { time: time(change.startedAt) })}</span>
        <Steps change={change} serving={state.servingName ?? state.serving} />
      </div>
      <SegmentBar
        label={t('pipelines.progress')}
        done={extracted}
        total={faces}
        segments={[
          { word: t('pipelines.extracted'), tone: 'good', number: extracted },
          { word: t('pipelines.refused'), tone: 'bad', number: refused },
          { word: t('pipelines.left'), tone: 'calm', number: left },
        ]}
      />
      <p>
        <strong>{t('pipelines.of', { done: count(extracted), total: count(faces) })}</strong>{' '}
        {facesPerSecond === null || secondsLeft === null ? null : (
          <span className="soft">
            {t('pipelines.rate', { rate: decimal(facesPerSecond), left: span(secondsLeft) })}
          </span>
        )}
      </p>
      <p>{t(`pipelines.stage_${stage}`)}</p>
      {state.servingName === null ? null : (
        <p className="soft">{t('pipelines.until', { name: state.servingName })}</p>
      )}
      {state.measured.includes(state.serving) && measuredElsewhere(state.measured, change.target) ? (
        <p className="pipeline-thresholds">
          {t('pipelines.thresholdsStay', { name: change.targetName ?? change.target })}
        </p>
      ) : null}
    </section>
  );
}

function Steps({ change, serving }: { change: PipelineChange; serving: string }) {
  const { t } = useTranslation();
  const may = useMay();
  const client = useQueryClient();
  const pause = useChange(changePipeline);
  const { stage, targetName } = change;
  const cancel = useChange(changePipeline, () => {
    const text = t('pipelines.cancelled', { name: serving });
    // Extracted templates are kept, so a change to the same pipeline continues.
    if (targetName === null) undoStore.getState().notify(text);
    else
      undoStore.getState().offer(text, async () => {
        client.setQueryData(pipelinesQuery.queryKey, await choosePipeline(targetName));
      });
  });
  if (!may('pipelines:write')) return null;
  const paused = stage === 'paused';
  return (
    <span className="push row wrap">
      <ErrorLine error={pause.error ?? cancel.error} />
      {stage === 'refused' ? null : (
        <Button
          size="compact-sm"
          variant="default"
          loading={pause.isPending}
          leftSection={
            paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => pause.mutate(paused ? 'resume' : 'pause')}
        >
          {t(paused ? 'queue.resume' : 'queue.pause')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={cancel.isPending}
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => cancel.mutate('cancel')}
      >
        {t('pipelines.cancel')}
      </Button>
    </span>
  );
}
