import { translateServerMessage } from '../../i18n/errors.ts';
import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconRefresh,
  type Icon,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { HealthReport, HealthState } from '../../../core/contracts/diagnostics.ts';
import { checkHealth, healthQuery } from '../../api/system.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { StatusMark, type Tone } from '../../components/StatusBadge.tsx';
import { useFormats } from '../../i18n/format.ts';

const APPEARANCES: Record<HealthState, { Icon: Icon; tone: Tone }> = {
  good: { Icon: IconCircleCheck, tone: 'good' },
  attention: { Icon: IconAlertTriangle, tone: 'warn' },
  failed: { Icon: IconCircleX, tone: 'bad' },
  skipped: { Icon: IconCircleDashed, tone: 'calm' },
};
/** The one line of the checks that passed, pixels. */
const ROW_HEIGHT = 36;

/** The numbered checks, each with what to do; `vouch doctor` prints the same. */
export function Health() {
  const { t } = useTranslation();
  const { list, time } = useFormats();
  const client = useQueryClient();
  const query = useQuery(healthQuery);
  const { data } = query;
  const again = useMutation({
    mutationFn: checkHealth,
    onSuccess: (report) => client.setQueryData(healthQuery.queryKey, report),
  });
  return (
    <section className="card system-wide" aria-busy={data === undefined || again.isPending}>
      <div className="row">
        <h2>{t('system.health')}</h2>
        <p className="soft" aria-live="polite">
          {data === undefined
            ? t('system.checking')
            : `${verdict(data)} ${t('system.checkedAt', { time: time(data.at) })}`}
        </p>
        <Button
          className="push"
          size="compact-sm"
          variant="default"
          loading={again.isPending}
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => again.mutate()}
        >
          {t('system.checkAgain')}
        </Button>
      </div>
      <ErrorLine error={again.error} />
      <Loaded query={query} rows={1} height={ROW_HEIGHT}>
        {({ checks }) => <Results checks={checks} />}
      </Loaded>
    </section>
  );

  function verdict({ checks }: HealthReport): string {
    const of = (wanted: HealthState) =>
      checks.filter(({ state }) => state === wanted).map(({ number }) => number);
    const [bad, warned] = [of('failed'), of('attention')];
    if (bad.length > 0) return t('system.healthBad', { numbers: list(bad) });
    return warned.length > 0
      ? t('system.healthWarnings', { count: warned.length, numbers: list(warned) })
      : t('system.healthGood');
  }
}

/** Checks that need attention are open; the others are one line, which opens the whole list of them. */
function Results({ checks }: { checks: HealthReport['checks'] }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const good = checks.filter(({ state }) => state === 'good');
  const rest = checks.filter(({ state }) => state !== 'good');
  return (
    <>
      {rest.length === 0 ? null : <Checks checks={rest} />}
      {good.length === 0 ? null : (
        <details className="checks-good">
          <summary>
            <StatusMark tone="good" Icon={IconCircleCheck}>
              {t('system.passed', { count: good.length, checks: count(good.length) })}
            </StatusMark>
          </summary>
          <Checks checks={good} />
        </details>
      )}
    </>
  );
}

function Checks({ checks }: { checks: HealthReport['checks'] }) {
  const { t } = useTranslation();
  return (
    <ol className="checks">
      {checks.map(({ number, name, state, code, facts, whatToDo }) => {
        const { Icon, tone } = APPEARANCES[state];
        return (
          <li key={number} className="check">
            <span className="check-number">{number}</span>
            <span className="check-name">{t(`system.check_${name}`)}</span>
            <StatusMark tone={tone} Icon={Icon}>
              {t(`system.state_${state}`)}
            </StatusMark>
            <div className="check-text">
              <p>{t(`system.findings.${code}.finding`, { replace: shown(facts) })}</p>
              {whatToDo === null ? null : (
                <p className="soft">{t(`system.findings.${code}.whatToDo`, { replace: shown(facts) })}</p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The facts of a finding as texts. */
function shown(facts: HealthReport['checks'][number]['facts']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? fact : translateServerMessage(fact),
    ]),
  );
}
