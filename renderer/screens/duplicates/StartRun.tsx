import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import {
  DUPLICATE_RUN_MODES,
  PEOPLE_PER_FALSE_ALARM,
  type DuplicateRunPage,
  type DuplicateRunPlan,
  type DuplicateRunRequest,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { duplicatePlanQuery, startDuplicateRun } from '../../api/duplicates.ts';
import { useSession } from '../../api/session.ts';
import { Form } from '../../components/Form.tsx';
import { Panel } from '../../components/Panel.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { roughly } from './RunCard.tsx';

/** Shares of people that the operator chooses from, as one in so many. */
const RATES = [100, PEOPLE_PER_FALSE_ALARM.usual, 10_000, 100_000] as const;

/** The scope and threshold of a run, with its expected duration and false alarms. */
export function StartRun({ runs, close }: { runs: DuplicateRunPage | undefined; close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
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
    <Panel title={t('duplicates.runTitle')} close={close} focused>
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
            label: t(
              people === PEOPLE_PER_FALSE_ALARM.usual ? 'duplicates.rateUsual' : 'duplicates.rateChoice',
              {
                people: count(people),
              },
            ),
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
        <Button
          type="submit"
          className="push"
          loading={start.isPending}
          disabled={plan.data === undefined || plan.data.faces === 0 || runs?.current != null}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
        >
          {t('duplicates.start')}
        </Button>
      </Form>
    </Panel>
  );
}

/** The faces that the search compares, its duration, and the pairs that chance alone would propose. */
function PlanFacts({ plan }: { plan: DuplicateRunPlan }) {
  const { t } = useTranslation();
  const { count, span } = useFormats();
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
  const { t } = useTranslation();
  const { company, permissions } = useSession();
  const { data } = useQuery({
    ...blacklistsQuery,
    enabled: company.features.blacklists && permissions.includes('blacklists:read'),
  });
  return (
    <fieldset className="run-lists">
      <legend>{t('duplicates.lists')}</legend>
      <Checkbox checked disabled label={t('duplicates.mainList')} description={t('duplicates.listsHelp')} />
      {(data?.items ?? []).map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            choose(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
          }
        />
      ))}
    </fieldset>
  );
}
