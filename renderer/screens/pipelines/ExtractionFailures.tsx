import { useState } from 'react';
import { IconRefresh, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type PipelineState,
  type PipelineChange,
  measuredElsewhere,
} from '../../../core/contracts/pipelines.ts';
import { Action, ErrorLine, WideTable } from '../../components/Page.tsx';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { changePipeline, extractionFailuresQuery, choosePipeline, pipelinesQuery } from '../../api/system.ts';
import { useMay, useSession } from '../../api/session.ts';
import { FormDialog } from '../../components/Form.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { useInfiniteRows } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { undoStore } from '../../state/undo.ts';

/** Faces that the pipeline which is, or was, changed to refuses: each with its reason, and what can be decided. */
export function ExtractionFailures({ state: { change, serving, servingName } }: { state: PipelineState }) {
  const { t } = useWords();
  const list = useInfiniteRows(useInfiniteQuery(extractionFailuresQuery));
  const { company } = useSession();
  const readable = useMay()('blacklists:read') && company.features.blacklists;
  const blacklists = useQuery({ ...blacklistsQuery, enabled: readable && list.rows.length > 0 }).data?.items;
  if (list.rows.length === 0) return <ErrorLine error={list.error} />;
  return (
    <section className="card column pipeline-list">
      <div className="row wrap">
        <h2>{t('pipelines.refusedTitle')}</h2>
        {change === null || change.refused === 0 ? null : (
          <Decisions refused={change.refused} serving={servingName ?? serving} />
        )}
      </div>
      <p className="soft">{t(change === null ? 'pipelines.refusedServing' : 'pipelines.refusedHelp')}</p>
      <WideTable
        label={t('pipelines.refusedTitle')}
        head={(['face', 'watchlist', 'reason', 'whatToDo'] as const).map((column) =>
          t(`pipelines.${column}`),
        )}
      >
        {list.rows.map(({ faceId, name, blacklistId, code, thumbnailUrl }) => (
          <tr key={faceId}>
            <th scope="row">
              <span className="row">
                <FaceThumbnail url={thumbnailUrl} name={name} /> {name}
              </span>
            </th>
            <td>
              {blacklistId === null ? (
                t('common.mainGallery')
              ) : (
                <Link to={`/company/internal-biometrics/${blacklistId}`}>
                  {blacklists?.find(({ id }) => id === blacklistId)?.name ??
                    t('pipelines.blacklist', { id: blacklistId })}
                </Link>
              )}
            </td>
            <td>{t(`failures.${code}.sentence`)}</td>
            <td>{t(`failures.${code}.remedy`)}</td>
          </tr>
        ))}
      </WideTable>
      {list.loadMore === null ? null : (
        <Action className="pipeline-more" label={t('common.more')} onClick={list.loadMore} />
      )}
    </section>
  );
}

function Decisions({ refused, serving }: { refused: number; serving: string }) {
  const { t } = useWords();
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const retry = useChange(changePipeline);
  if (!may('pipelines:write')) return null;
  return (
    <span className="push row wrap">
      <ErrorLine error={retry.error} />
      <Action
        size="compact-sm"
        Icon={IconRefresh}
        label={t('pipelines.retry')}
        loading={retry.isPending}
        onClick={() => retry.mutate('retry')}
      />
      <Action
        variant="light"
        size="compact-sm"
        color="red"
        label={t('pipelines.leave')}
        onClick={() => setAsking(true)}
      />
      {asking ? <ConfirmLeave refused={refused} serving={serving} close={() => setAsking(false)} /> : null}
    </span>
  );
}

function ConfirmLeave(props: { refused: number; serving: string; close: () => void }) {
  const { t, count } = useWords();
  const leave = useChange(changePipeline, props.close);
  return (
    <FormDialog
      title={t('pipelines.leaveTitle', { faces: count(props.refused) })}
      close={props.close}
      safe
      send={() => leave.mutate('leave')}
      work={leave}
      color="red"
      label={t('pipelines.leave')}
    >
      <p>{t('pipelines.leaveWhat', { name: props.serving })}</p>
    </FormDialog>
  );
}

/** How far the change is, how long it still takes, and stopping it. */
export function ChangeCard({ change, state }: { change: PipelineChange; state: PipelineState }) {
  const { t, count, decimal, span, time } = useWords();
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
          { word: t('common.remaining'), tone: 'calm', number: left },
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
        <p className="callout">
          {t('pipelines.thresholdsStay', { name: change.targetName ?? change.target })}
        </p>
      ) : null}
    </section>
  );
}

function Steps({ change, serving }: { change: PipelineChange; serving: string }) {
  const { t } = useWords();
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
        <Action
          size="compact-sm"
          Icon={paused ? IconPlayerPlay : IconPlayerPause}
          label={t(paused ? 'queue.resume' : 'queue.pause')}
          loading={pause.isPending}
          onClick={() => pause.mutate(paused ? 'resume' : 'pause')}
        />
      )}
      <Action
        size="compact-sm"
        Icon={IconX}
        label={t('pipelines.cancel')}
        loading={cancel.isPending}
        onClick={() => cancel.mutate('cancel')}
      />
    </span>
  );
}

/** Runs a change of the pipelines and shows its answer. */
export function useChange<T>(
  ask: (input: T) => Promise<PipelineState>,
  done?: (state: PipelineState) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    onSuccess: (state) => {
      client.setQueryData(pipelinesQuery.queryKey, state);
      done?.(state);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['pipelines'] }),
  });
}
