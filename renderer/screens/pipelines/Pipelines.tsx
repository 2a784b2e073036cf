import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconLoader } from '@tabler/icons-react';
import {
  measuredElsewhere,
  type PipelineChoice,
  type PipelineState,
} from '../../../core/contracts/pipelines.ts';
import { Loaded, Page, WideTable } from '../../components/Page.tsx';
import { pipelinesQuery, choosePipeline } from '../../api/system.ts';
import { ChangeCard, ExtractionFailures, useChange } from './ExtractionFailures.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useMay } from '../../api/session.ts';
import { FormDialog } from '../../components/Form.tsx';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import '../settings/settings.css';

/** Which network describes the faces, what else could, and the change from one to the other while it is under way. */
export function Component() {
  const { t } = useWords();
  const query = useQuery(pipelinesQuery);
  const { data } = query;
  const state =
    data === undefined
      ? null
      : data.servingName === null
        ? t('pipelines.stateMissing')
        : t('pipelines.state', { name: data.servingName });
  return (
    <Page title={t('nav.pipelines')} state={state}>
      <div className="page-scroll column">
        <Loaded query={query}>
          {(now) => (
            <>
              {now.servingName === null ? (
                <p className="callout callout-bad" role="alert">
                  {t('pipelines.missing', { id: now.serving })}
                </p>
              ) : null}
              {measuredElsewhere(now.measured, now.serving) ? (
                <p className="callout" role="status">
                  {t('pipelines.thresholdsGone')}{' '}
                  <Link to="/settings/calibration">{t('pipelines.thresholdsSee')}</Link>
                </p>
              ) : null}
              {now.change === null ? null : <ChangeCard change={now.change} state={now} />}
              <ExtractionFailures state={now} />
              <Choices state={now} />
              <section className="card">
                <h2>{t('pipelines.way')}</h2>
                <p className="soft">{t('pipelines.wayHelp')}</p>
                <code className="mono ltr">vouch pipeline purge ID --company NAME</code>
              </section>
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

/** Every pipeline that there is, packs that cannot be used among them, each with why. */
function Choices({ state }: { state: PipelineState }) {
  const { t } = useWords();
  const [chosen, setChosen] = useState<PipelineChoice | null>(null);
  return (
    <section className="card pipeline-list">
      <h2>{t('pipelines.list')}</h2>
      <WideTable
        label={t('pipelines.list')}
        head={[
          ...(['pipeline', 'kind', 'numbers', 'faces', 'status'] as const).map((column) =>
            t(`pipelines.${column}`),
          ),
          null,
        ]}
      >
        {state.pipelines.map((pipeline) => (
          <ChoiceRow key={pipeline.id} pipeline={pipeline} state={state} choose={() => setChosen(pipeline)} />
        ))}
        {state.refusedPacks.map(({ name, reason }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{t('pipelines.pack')}</td>
            <td colSpan={2}>{translateServerMessage(reason)}</td>
            <td>
              <StatusMark tone="warn" Icon={IconAlertTriangle} label={t('status.rejected')} />
            </td>
            <td />
          </tr>
        ))}
      </WideTable>
      {chosen === null ? null : <ConfirmUse pipeline={chosen} state={state} close={() => setChosen(null)} />}
    </section>
  );
}

function ChoiceRow(props: { pipeline: PipelineChoice; state: PipelineState; choose: () => void }) {
  const { pipeline, state, choose } = props;
  const { t, count } = useWords();
  const may = useMay();
  const { id, name, title, licence, templates } = pipeline;
  const serves = id === state.serving;
  const target = id === state.change?.target;
  return (
    <tr>
      <th scope="row">
        {name}
        <div className="soft">
          {title} · {licence}
        </div>
        <div className="soft mono ltr pipeline-id">{id}</div>
      </th>
      <td>{t(pipeline.builtIn ? 'pipelines.builtIn' : 'pipelines.pack')}</td>
      <td>{count(pipeline.dimensions)}</td>
      <td>{count(templates)}</td>
      <td>
        {serves ? (
          <StatusMark tone="good" Icon={IconCircleCheck} label={t('status.active')} />
        ) : target ? (
          <StatusMark tone="busy" Icon={IconLoader} label={t('pipelines.changingTo')} />
        ) : (
          <StatusMark tone="calm" Icon={IconCircleDashed} label={t('pipelines.canBeChosen')} />
        )}
      </td>
      <td className="pipeline-act">
        {serves || target || !may('pipelines:write') ? null : (
          <Button size="compact-sm" variant="default" onClick={choose}>
            {t(templates > 0 && state.change === null ? 'pipelines.back' : 'pipelines.use')}
            <span className="sr-only"> {name}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Says what changing does, before it begins. */
function ConfirmUse(props: { pipeline: PipelineChoice; state: PipelineState; close: () => void }) {
  const { pipeline, state, close } = props;
  const { t, count } = useWords();
  const { name, templates } = pipeline;
  const begin = useChange(choosePipeline, () => {
    undoStore.getState().notify(t('pipelines.started', { name }));
    close();
  });
  return (
    <FormDialog
      title={t('pipelines.useTitle', { name })}
      close={close}
      safe
      send={() => begin.mutate(name)}
      work={begin}
      label={t('pipelines.start')}
    >
      <p>{t('pipelines.useWhat')}</p>
      {state.servingName === null ? null : <p>{t('pipelines.useOld', { name: state.servingName })}</p>}
      {templates > 0 ? <p>{t('pipelines.useBack', { faces: count(templates) })}</p> : null}
      {state.change === null ? null : (
        <p>{t('pipelines.useInstead', { name: state.change.targetName ?? state.change.target })}</p>
      )}
      {measuredElsewhere(state.measured, pipeline.id) ? (
        <p className="callout">{t('pipelines.thresholdsStay', { name })}</p>
      ) : null}
      <p className="soft">{t('pipelines.useCost')}</p>
      <p className="soft">{t('pipelines.useKept')}</p>
    </FormDialog>
  );
}
