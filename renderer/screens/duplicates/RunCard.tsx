import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  type DuplicateRun,
  type DuplicateRunChange,
  type DuplicateRunPage,
  DUPLICATE_RUN_MODES,
  PEOPLE_PER_FALSE_ALARM,
  type DuplicateRunPlan,
  type DuplicateRunRequest,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { Action, ErrorLine, Panel } from '../../components/Page.tsx';
import {
  changeDuplicateRun,
  duplicateRunsQuery,
  duplicatePlanQuery,
  startDuplicateRun,
} from '../../api/persons.ts';
import { useMay, useSession } from '../../api/session.ts';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { Form } from '../../components/Form.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Select } from '../../components/Select.tsx';

/** The search that runs with its progress, or what the last one found. */
export function RunCard({ runs }: { runs: DuplicateRunPage }) {
  const { t } = useWords();
  const run = runs.current ?? runs.items[0];
  if (run === undefined) return null;
  return (
    <section className="card duplicate-run" aria-label={t('duplicates.run')}>
      {runs.current === null ? null : <Progress run={runs.current} />}
      <p role="status">{runs.current === null ? <Ended run={run} /> : null}</p>
      {runs.current === null ? <Outcome run={run} newFaces={runs.newFaces} /> : null}
    </section>
  );
}

function Progress({ run }: { run: DuplicateRun }) {
  const { t, count, span } = useWords();
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
          { word: t('common.remaining'), tone: 'calm', number: Math.max(0, faces - compared) },
        ]}
      />
      <p>{useFound(run)}</p>
    </>
  );
}

function Ended({ run }: { run: DuplicateRun }) {
  const { t, time } = useWords();
  const { state, endedAt, startedAt } = run;
  const ended = state === 'running' || state === 'paused' ? 'done' : state;
  return (
    <>
      <strong>{t(`duplicates.run_${ended}`, { time: time(endedAt ?? startedAt) })}</strong> {useFound(run)}
    </>
  );
}

function Outcome({ run, newFaces }: { run: DuplicateRun; newFaces: number }) {
  const { t, count } = useWords();
  const { truncated, problem } = run;
  return (
    <>
      {problem === null ? null : <p>{t(`duplicates.problem_${problem}`)}</p>}
      {truncated === 0 ? null : (
        <p className="soft">{t('duplicates.truncated', { count: truncated, faces: count(truncated) })}</p>
      )}
      {newFaces === 0 ? null : (
        <p className="row wrap">
          {t('duplicates.newFaces', { count: newFaces, faces: count(newFaces) })}
          <Action size="compact-sm" label={t('overview.compareNew')} to="/duplicates/find?mode=new" />
        </p>
      )}
    </>
  );
}

/** The pairs found so far, beside the pairs that chance explains. */
function useFound({ pairs, identical, expected }: DuplicateRun): string {
  const { t, count } = useWords();
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
  const { t } = useWords();
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
      <Action
        size="compact-sm"
        Icon={Picture}
        label={t(paused ? 'queue.resume' : 'queue.pause')}
        disabled={work.isPending}
        onClick={() => work.mutate(paused ? 'resume' : 'pause')}
      />
      <Action
        size="compact-sm"
        Icon={IconX}
        label={t('duplicates.cancelRun')}
        disabled={work.isPending}
        onClick={() => work.mutate('cancel')}
      />
    </span>
  );
}

/** Shares of people that the operator chooses from, as one in so many. */
const RATES = [100, PEOPLE_PER_FALSE_ALARM.usual, 10_000, 100_000] as const;

/** The scope and threshold of a run, with its expected duration and false alarms. */
export function StartRun({ runs, close }: { runs: DuplicateRunPage | undefined; close: () => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const [params] = useSearchParams();
  const hasRun = (runs?.items ?? []).some(({ state }) => state === 'done');
  const [mode, setMode] = useState<(typeof DUPLICATE_RUN_MODES)[number]>(
    params.get('mode') === 'new' ? 'new' : 'all',
  );
  const [blacklists, setBlacklists] = useState<readonly number[]>([]);
  const [oneIn, setOneIn] = useState<number>(PEOPLE_PER_FALSE_ALARM.usual);
  const request: DuplicateRunRequest = { mode, blacklists: [...blacklists], oneIn };
  const plan = useQuery(duplicatePlanQuery(request));
  const start = useMutation({
    mutationFn: () => startDuplicateRun(request),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['duplicates'] });
      close();
    },
  });
  return (
    <Panel title={t('actions.findDuplicates')} close={close}>
      <Form className="column" send={() => start.mutate()}>
        <div>
          <p>{t('duplicates.mode')}</p>
          <SegmentedControl
            aria-label={t('duplicates.mode')}
            data={DUPLICATE_RUN_MODES.map((value) => ({
              value,
              label: t(`duplicates.mode_${value}`, { faces: count(runs?.newFaces ?? 0) }),
            }))}
            value={mode}
            onChange={setMode}
            disabled={!hasRun && mode === 'all'}
          />
          <p className="soft">{t(`duplicates.mode_${mode}Help`)}</p>
        </div>
        <Lists chosen={blacklists} choose={setBlacklists} />
        <Select
          w={240}
          label={t('duplicates.rate')}
          description={t('duplicates.rateHelp')}
          value={String(oneIn)}
          onChange={(value) => setOneIn(Number(value))}
          data={RATES.map((people) => ({
            value: String(people),
            label: t(people === PEOPLE_PER_FALSE_ALARM.usual ? 'duplicates.rateUsual' : 'common.oneIn', {
              people: count(people),
            }),
          }))}
        />
        {plan.data === undefined ? (
          plan.error === null ? (
            <p className="soft" role="status">
              {t('duplicates.planning')}
            </p>
          ) : (
            <ErrorLine error={plan.error} />
          )
        ) : (
          <PlanFacts plan={plan.data} />
        )}
        <p className="soft">{t('duplicates.priority')}</p>
        <ErrorLine error={start.error} />
        <Action
          primary
          type="submit"
          className="push"
          Icon={IconPlayerPlay}
          label={t('duplicates.start')}
          disabled={plan.data === undefined || plan.data.faces === 0 || runs?.current != null}
          loading={start.isPending}
        />
      </Form>
    </Panel>
  );
}

/** The faces that the search compares, its duration, and the pairs that chance alone would propose. */
function PlanFacts({ plan }: { plan: DuplicateRunPlan }) {
  const { t, count, span } = useWords();
  const { faces, comparisons, falseAlarms, expected, measuredPairs, seconds } = plan;
  if (faces === 0) return <p role="status">{t('duplicates.planNothing')}</p>;
  return (
    <div className="run-plan column" role="status">
      <p>
        <strong>{t('duplicates.planFaces', { faces: count(faces), comparisons: count(comparisons) })}</strong>
        {seconds === null ? null : (
          <span className="soft"> {t('duplicates.planSeconds', { span: span(seconds) })}</span>
        )}
      </p>
      <p>{t('duplicates.planPeople', { people: count(roughly(falseAlarms)) })}</p>
      {expected === null ? null : (
        <p>
          {t('duplicates.planPairs', {
            pairs: count(roughly(expected.pairs)),
            low: count(roughly(expected.low)),
            high: count(roughly(expected.high)),
          })}{' '}
          {expected.extrapolated ? (
            <span className="soft">
              {t('duplicates.planExtrapolated', { measured: count(measuredPairs) })}
            </span>
          ) : null}
        </p>
      )}
    </div>
  );
}

function Lists(props: { chosen: readonly number[]; choose: (ids: readonly number[]) => void }) {
  const { chosen, choose } = props;
  const { t } = useWords();
  const { company, permissions } = useSession();
  const { data } = useQuery({
    ...blacklistsQuery,
    enabled: company.features.blacklists && permissions.includes('blacklists:read'),
  });
  return (
    <fieldset className="run-lists">
      <legend>{t('search.lists')}</legend>
      <Checkbox checked disabled label={t('common.mainGallery')} description={t('duplicates.listsHelp')} />
      {(data?.items ?? []).map(({ id, name }) => (
        <Checkbox
          key={id}
          label={<bdi>{name}</bdi>}
          checked={chosen.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            choose(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
          }
        />
      ))}
    </fieldset>
  );
}
