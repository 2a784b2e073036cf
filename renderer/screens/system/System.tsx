import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  type Icon,
  IconCircleX,
  IconRefresh,
} from '@tabler/icons-react';
import type { SystemState } from '../../../core/contracts/dashboard/system.ts';
import type { NodeState } from '../../../core/contracts/nodes.ts';
import type { HealthReport, HealthState } from '../../../core/contracts/diagnostics.ts';
import { Action, Loaded, ErrorLine, Page, WideTable } from '../../components/Page.tsx';
import { systemQuery, checkHealth, healthQuery } from '../../api/system.ts';
import { Fact, BackupState, StatusMark, type Tone } from '../../components/StatusBadge.tsx';
import { CopyText } from '../../components/ShownOnce.tsx';
import { useWords } from '../../i18n/words.tsx';
import { pauseQueue } from '../../api/enrolment.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import './system.css';

/** The System status screen: versions, use of resources and health. */
export function Component() {
  const { t, time } = useWords();
  const query = useQuery(systemQuery);
  const { data } = query;
  const state =
    data === undefined ? null : t('system.state', { version: data.version, since: time(data.startedAt) });
  return (
    <Page title={t('nav.system')} state={state}>
      <div className="page-scroll system">
        <Loaded query={query}>
          {(now) => (
            <>
              <QueueCard queue={now.queue} />
              <StorageCard storage={now.storage} />
              <section className="card">
                <h2>{t('nav.backup')}</h2>
                <BackupState backup={now.backup} now={query.dataUpdatedAt} />
              </section>
              <WorkersCard workers={now.workers} />
              {now.nodes === null ? null : <Services {...now.nodes} />}
              <Health />
              <ModelsCard models={now.models} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function StorageCard({ storage }: { storage: SystemState['storage'] }) {
  const { t, bytes, count } = useWords();
  const { folder, freeBytes } = storage;
  return (
    <section className="card">
      <h2>{t('common.storage')}</h2>
      <dl className="facts">
        <Fact label={t('facts.folder')}>
          {folder === null ? t('system.notConfigured') : <span className="mono ltr">{folder}</span>}
        </Fact>
        <Fact label={t('system.images')}>
          {t('system.imagesSize', { images: count(storage.images), size: bytes(storage.imageBytes) })}
        </Fact>
        <Fact label={t('common.freeSpace')}>
          {freeBytes === null
            ? t(folder === null ? 'common.unknown' : 'system.unreadable')
            : t('system.freeLimit', { free: bytes(freeBytes), limit: bytes(storage.minFreeBytes) })}
        </Fact>
        <Fact label={t('system.database')}>{bytes(storage.databaseBytes)}</Fact>
      </dl>
    </section>
  );
}

function WorkersCard({ workers }: { workers: SystemState['workers'] }) {
  const { t, count } = useWords();
  return (
    <section className="card">
      <h2>{t('system.workers')}</h2>
      <dl className="facts">
        {workers.map(({ work, max, alive, restarts, version }) => (
          <Fact key={work} label={t(`system.${work}`)}>
            {t('system.workerCounts', { alive: count(alive), max: count(max), restarts: count(restarts) })}
            <div>
              <span className="mono ltr">{version}</span>
            </div>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function ModelsCard({ models }: { models: SystemState['models'] }) {
  const { t, bytes } = useWords();
  return (
    <section className="card system-wide">
      <h2>{t('system.models')}</h2>
      <WideTable
        label={t('system.models')}
        head={[
          t('system.model'),
          t('common.source'),
          t('system.licence'),
          t('common.size'),
          t('facts.sha256'),
        ]}
      >
        {models.map((model) => (
          <tr key={model.name}>
            <td>
              {model.name}
              <div className="soft">{model.origin}</div>
            </td>
            <td>
              <span className="ltr">{model.source}</span>
            </td>
            <td>{model.licence}</td>
            <td className="system-size">{model.bytes === null ? t('system.missing') : bytes(model.bytes)}</td>
            <td>
              <span className="row">
                <span className="mono ltr" title={model.sha256}>
                  {model.sha256.slice(0, 12)}…
                </span>
                <CopyText small value={model.sha256} />
              </span>
            </td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

/** How much waits, how fast it goes, and stopping it. */
function QueueCard({ queue }: { queue: SystemState['queue'] }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const pause = useMutation({
    mutationFn: pauseQueue,
    onSettled: () => client.invalidateQueries({ queryKey: ['queue'] }),
  });
  const { paused, perMinute } = queue;
  return (
    <section className="card">
      <div className="row">
        <h2>{t('queue.title')}</h2>
        <Action
          may="queue:control"
          size="compact-sm"
          className="push"
          Icon={paused ? IconPlayerPlay : IconPlayerPause}
          label={t(paused ? 'queue.resume' : 'queue.pause')}
          loading={pause.isPending}
          onClick={() => pause.mutate(!paused)}
        />
      </div>
      <dl className="facts">
        <Fact label={t('system.depth')}>{count(queue.waiting)}</Fact>
        <Fact label={t('status.processing')}>{count(queue.inProgress)}</Fact>
        <Fact label={t('system.rate')}>
          {perMinute === null
            ? t('system.noRate')
            : t('system.perMinute', { rate: count(Math.round(perMinute)) })}
        </Fact>
        <Fact label={t('system.oldest')} at={queue.oldest} />
      </dl>
      {paused ? <p className="soft">{t('system.paused')}</p> : null}
      <ErrorLine error={pause.error} />
    </section>
  );
}

const APPEARANCES: Record<'running' | 'stopping' | 'silent', { Icon: Icon; tone: Tone }> = {
  running: { Icon: IconCircleCheck, tone: 'good' },
  stopping: { Icon: IconCircleDashed, tone: 'calm' },
  silent: { Icon: IconAlertTriangle, tone: 'warn' },
};

/** The services that share the database; `vouch cluster status` prints the same. */
function Services({ own, all }: NonNullable<SystemState['nodes']>) {
  const { t, count, time } = useWords();
  return (
    <section className="card system-wide">
      <h2>{t('system.services')}</h2>
      <WideTable
        label={t('system.services')}
        head={[
          t('system.service'),
          t('system.serviceRole'),
          t('common.status'),
          t('status.processing'),
          t('system.serviceAnswered'),
          t('system.serviceVersion'),
          t('system.serviceSince'),
          t('system.serviceSeen'),
        ]}
      >
        {all.map((service) => (
          <tr key={service.name}>
            <td>
              <span className="mono ltr">{service.name}</span>
              {service.name === own ? <div className="soft">{t('system.serviceOwn')}</div> : null}
            </td>
            <td>{t(`system.role_${service.role}`)}</td>
            <td>
              <State service={service} />
              {service.leads ? <div className="soft">{t('system.serviceLeads')}</div> : null}
            </td>
            <td>{count(service.leases)}</td>
            <td>{count(service.answered)}</td>
            <td className="mono ltr">{service.version}</td>
            <td>{time(service.startedAt)}</td>
            <td>{time(service.seenAt)}</td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

function State({ service: { alive, draining } }: { service: NodeState }) {
  const { t } = useWords();
  const state = !alive ? 'silent' : draining ? 'stopping' : 'running';
  return <StatusMark {...APPEARANCES[state]} label={t(`system.service_${state}`)} />;
}

const HEALTH_APPEARANCES: Record<HealthState, { Icon: Icon; tone: Tone }> = {
  good: { Icon: IconCircleCheck, tone: 'good' },
  attention: { Icon: IconAlertTriangle, tone: 'warn' },
  failed: { Icon: IconCircleX, tone: 'bad' },
  skipped: { Icon: IconCircleDashed, tone: 'calm' },
};
/** The one line of the checks that passed, pixels. */
const ROW_HEIGHT = 36;

/** The numbered checks, each with what to do; `vouch doctor` prints the same. */
function Health() {
  const { t, list, time } = useWords();
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
        <Action
          size="compact-sm"
          className="push"
          Icon={IconRefresh}
          label={t('system.checkAgain')}
          work={again}
        />
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
  const { t, count } = useWords();
  const good = checks.filter(({ state }) => state === 'good');
  const rest = checks.filter(({ state }) => state !== 'good');
  return (
    <>
      {rest.length === 0 ? null : <Checks checks={rest} />}
      {good.length === 0 ? null : (
        <details className="checks-good">
          <summary>
            <StatusMark
              tone="good"
              Icon={IconCircleCheck}
              label={t('system.passed', { count: good.length, checks: count(good.length) })}
            />
          </summary>
          <Checks checks={good} />
        </details>
      )}
    </>
  );
}

function Checks({ checks }: { checks: HealthReport['checks'] }) {
  const { t } = useWords();
  return (
    <ol className="checks">
      {checks.map(({ number, name, state, code, facts, whatToDo }) => {
        const { Icon, tone } = HEALTH_APPEARANCES[state];
        return (
          <li key={number} className="check">
            <span className="check-number">{number}</span>
            <span className="check-name">{t(`system.check_${name}`)}</span>
            <StatusMark tone={tone} Icon={Icon} label={t(`system.state_${state}`)} />
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
