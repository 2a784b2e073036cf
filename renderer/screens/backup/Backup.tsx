import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Progress, NumberInput, TextInput } from '@mantine/core';
import { IconDatabaseExport, IconDownload } from '@tabler/icons-react';
import {
  type BackupRun,
  type BackupState,
  MAX_BACKUPS_KEPT,
  type BackupPlace,
  type BackupSchedule,
} from '../../../core/contracts/dashboard/backups.ts';
import { Action, Loaded, ErrorLine, Page, WideTable } from '../../components/Page.tsx';
import {
  backupQuery,
  cancelBackup,
  downloadBackup,
  startBackup,
  setBackupSchedule,
} from '../../api/system.ts';
import { useMay } from '../../api/session.ts';
import { CopyText } from '../../components/ShownOnce.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useWords } from '../../i18n/words.tsx';
import { BackupKeyCard } from './BackupKeyCard.tsx';
import { Select } from '../../components/Select.tsx';
import { useReauthentication, Form, Submit } from '../../components/Form.tsx';
import { undoStore } from '../../state/undo.ts';
import '../settings/settings.css';

/** The backup key, backups now and on a schedule, their history, and how to restore one. */
export function Component() {
  const { t, time } = useWords();
  const query = useQuery(backupQuery);
  const last = query.data?.lastGood?.endedAt ?? null;
  const state =
    query.data === undefined
      ? null
      : last === null
        ? t('backups.state_noBackup')
        : t('backups.state_good', { time: time(last) });
  return (
    <Page title={t('nav.backup')} state={state}>
      <div className="page-scroll backup">
        <Loaded query={query} rows={6}>
          {(backup) => <Cards backup={backup} />}
        </Loaded>
      </div>
    </Page>
  );
}

function Cards({ backup }: { backup: BackupState }) {
  const { t } = useWords();
  const may = useMay();
  const { available, key, places, schedule } = backup;
  if (!available)
    return (
      <section className="card column">
        <p>{t('errors.BACKUP_SEVERAL_COMPANIES')}</p>
        <code className="mono ltr">vouch backup FILE</code>
      </section>
    );
  const canWrite = may('backups:write');
  return (
    <>
      {canWrite && key !== null ? (
        <>
          <BackupNow backup={backup} />
          <ScheduleForm
            key={JSON.stringify(schedule)}
            now={schedule}
            nextAt={backup.nextAt}
            places={places}
          />
        </>
      ) : null}
      <BackupKeyCard present={key} canWrite={canWrite} />
      <BackupRuns runs={backup.runs} />
      <RestoreHelp last={backup.lastGood} />
    </>
  );
}

/** The file with its folder; null: the backup was sent to the caller. */
function pathOf({ place, file }: BackupRun): string | null {
  return place === null || file === null ? file : `${place.replace(/\/$/, '')}/${file}`;
}

const SHOWN = 20;

/** The newest backups: when, where, how large, and why one failed. */
function BackupRuns({ runs }: { runs: readonly BackupRun[] }) {
  const { t, bytes } = useWords();
  return (
    <section className="card backup-wide">
      <h2>{t('backups.history')}</h2>
      {runs.length === 0 ? (
        <p className="soft">{t('backups.state_noBackup')}</p>
      ) : (
        <WideTable
          label={t('backups.history')}
          head={[
            t('common.started'),
            t('common.source'),
            t('facts.result'),
            t('common.size'),
            t('facts.file'),
          ]}
        >
          {runs.slice(0, SHOWN).map((run) => (
            <tr key={run.id}>
              <td>
                <Time at={run.startedAt} />
              </td>
              <td>{t(`backups.trigger_${run.trigger}`)}</td>
              <td>
                <RunResult run={run} />
              </td>
              <td>{run.bytes === 0 ? '–' : bytes(run.bytes)}</td>
              <td className="mono ltr backup-file">{pathOf(run) ?? '–'}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  );
}

function RunResult({ run: { state, place, problem, lostImages } }: { run: BackupRun }) {
  const { t, count } = useWords();
  return (
    <>
      {t(`backups.run_${state === 'done' && place === null ? 'sent' : state}`)}
      {problem === null ? null : <div className="soft">{translateServerMessage(problem)}</div>}
      {lostImages === 0 ? null : (
        <div className="soft">{t('backups.lostImages', { images: count(lostImages) })}</div>
      )}
    </>
  );
}

/** How to restore a backup. This stays in the terminal: the service must be stopped while its data is replaced. */
function RestoreHelp({ last }: { last: BackupRun | null }) {
  const { t } = useWords();
  const path = (last === null ? null : pathOf(last)) ?? 'FILE';
  const word = /^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return (
    <section className="card column backup-wide">
      <h2>{t('backups.restore')}</h2>
      <p>{t('backups.restoreTry')}</p>
      <Command text={`vouch --home elsewhere restore ${word}\nvouch --home elsewhere audit verify`} />
      <p>{t('backups.restoreHelp')}</p>
      <Command text={`vouch restore ${word}\nvouch serve`} />
    </section>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div className="row">
      <pre className="mono ltr backup-file">{text}</pre>
      <CopyText small value={text} />
    </div>
  );
}

/** A backup now: to a folder of the machine, or through the browser; the one in progress with its progress. */
function BackupNow({ backup }: { backup: BackupState }) {
  const { t, bytes } = useWords();
  const client = useQueryClient();
  const { places, running, expectedBytes } = backup;
  const [chosen, setChosen] = useState(firstPlace(places) ?? null);
  const take = (state: BackupState) => client.setQueryData(backupQuery.queryKey, state);
  const start = useReauthentication(startBackup, take);
  const download = useReauthentication(downloadBackup, () =>
    client.invalidateQueries({ queryKey: backupQuery.queryKey }),
  );
  const cancel = useReauthentication(cancelBackup, take);
  const items = usePlaceItems(places);
  const home = places.find(({ path }) => path === chosen)?.kind === 'home';
  if (running !== null)
    return (
      <section className="card column">
        <h2>{t('backups.running')}</h2>
        <RunningBackup running={running} expectedBytes={expectedBytes} />
        {cancel.field}
        <ErrorLine error={cancel.error} />
        <div>
          <Action label={t('backups.cancel')} work={cancel} />
        </div>
      </section>
    );
  return (
    <section className="card column">
      <h2>{t('backups.now')}</h2>
      <p className="soft">{t('backups.nowHelp', { size: bytes(expectedBytes) })}</p>
      <Select label={t('facts.folder')} data={items} value={chosen} onChange={setChosen} />
      {home ? <p className="soft">{t('backups.homeWarning')}</p> : null}
      {start.field ?? download.field}
      <ErrorLine error={start.error ?? download.error} />
      <div className="row wrap">
        <Action
          primary
          Icon={IconDatabaseExport}
          label={t('backups.start')}
          disabled={chosen === null || start.incomplete || download.field !== null}
          loading={start.isPending}
          onClick={() => {
            if (chosen !== null) start.mutate(chosen);
          }}
        />
        <Action
          Icon={IconDownload}
          label={t('backups.download')}
          disabled={start.field !== null}
          work={download}
        />
      </div>
      <p className="soft">{t('backups.downloadHelp')}</p>
    </section>
  );
}

function RunningBackup(props: { running: NonNullable<BackupState['running']>; expectedBytes: number }) {
  const { running, expectedBytes } = props;
  const { run, phase, bytesPerSecond } = running;
  const { t, bytes, span } = useWords();
  const left = Math.max(0, expectedBytes - run.bytes);
  return (
    <>
      <p>
        {run.place === null ? t(`backups.trigger_${run.trigger}`) : <span className="ltr">{run.place}</span>}
      </p>
      <Progress
        aria-label={t('backups.running')}
        animated={phase === 'verifying'}
        value={phase === 'verifying' ? 100 : Math.min(99, (100 * run.bytes) / Math.max(1, expectedBytes))}
      />
      <p className="soft">
        {phase === 'verifying'
          ? t('backups.verifying', { size: bytes(run.bytes) })
          : bytesPerSecond === null || bytesPerSecond === 0
            ? t('backups.written', { size: bytes(run.bytes) })
            : t('backups.progress', {
                size: bytes(run.bytes),
                rate: bytes(bytesPerSecond),
                left: span(left / bytesPerSecond),
              })}
      </p>
    </>
  );
}

const EVERY = ['off', 'day', 'week'] as const;
const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;

/** When the service makes backups by itself, where it writes them and how many stay. */
function ScheduleForm(props: {
  now: BackupSchedule | null;
  nextAt: string | null;
  places: readonly BackupPlace[];
}) {
  const { now, nextAt, places } = props;
  const { t } = useWords();
  const client = useQueryClient();
  const [every, setEvery] = useState<(typeof EVERY)[number]>(now?.every ?? 'off');
  const [draft, setDraft] = useState<BackupSchedule>(
    now ?? { place: firstPlace(places) ?? '', every: 'day', weekday: 0, minute: 120, keep: 14 },
  );
  const change = (part: Partial<BackupSchedule>) => setDraft((before) => ({ ...before, ...part }));
  const items = usePlaceItems(places, draft.place);
  const wanted = every === 'off' ? null : { ...draft, every };
  const unchanged = JSON.stringify(wanted) === JSON.stringify(now);
  const save = useReauthentication(setBackupSchedule, (state) => {
    client.setQueryData(backupQuery.queryKey, state);
    undoStore.getState().notify(t('backups.scheduleSaved'));
  });
  return (
    <Form className="card column" send={() => save.mutate(wanted)}>
      <h2>{t('backups.schedule')}</h2>
      <p className="soft">
        {nextAt === null ? (
          t('backups.scheduleOff')
        ) : (
          <>
            {t('backups.next')} <Time at={nextAt} />
          </>
        )}
      </p>
      <Select
        label={t('backups.every')}
        data={EVERY.map((value) => ({ value, label: t(`backups.every_${value}`) }))}
        value={every}
        onChange={(value) => setEvery(value ?? 'off')}
      />
      {every === 'off' ? null : (
        <>
          <Select
            label={t('facts.folder')}
            data={items}
            value={draft.place}
            onChange={(place) => change({ place: place ?? draft.place })}
          />
          <div className="backup-fields">
            {every === 'week' ? (
              <Select
                label={t('backups.weekday')}
                data={WEEKDAYS.map((value) => ({ value, label: t(`backups.weekday_${value}`) }))}
                value={String(draft.weekday) as (typeof WEEKDAYS)[number]}
                onChange={(value) => change({ weekday: Number(value ?? 0) })}
              />
            ) : null}
            <TextInput
              type="time"
              label={t('facts.time')}
              value={timeText(draft.minute)}
              onChange={(event) => change({ minute: minuteOf(event.currentTarget.value) ?? draft.minute })}
            />
            <NumberInput
              label={t('backups.keep')}
              min={1}
              max={MAX_BACKUPS_KEPT}
              clampBehavior="strict"
              allowDecimal={false}
              allowNegative={false}
              value={draft.keep}
              onChange={(keep) => change({ keep: typeof keep === 'number' ? keep : draft.keep })}
            />
          </div>
          <p className="soft">{t('backups.scheduleHelp')}</p>
        </>
      )}
      <Submit work={save} start label={t('backups.scheduleSave')} disabled={unchanged} />
    </Form>
  );
}

/** @param minute of the day. @returns e.g. `02:00` */
function timeText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** The places of a select, each with its kind and free space. @param chosen is listed although it is not available now */
function usePlaceItems(places: readonly BackupPlace[], chosen?: string) {
  const { t, bytes } = useWords();
  const items = places.map(({ path, kind, freeBytes, writable }) => ({
    value: path,
    label:
      freeBytes === null || !writable
        ? t('backups.placeUnusable', { path })
        : t(`backups.place_${kind}`, { path, free: bytes(freeBytes) }),
  }));
  return chosen === undefined || items.some(({ value }) => value === chosen)
    ? items
    : [{ value: chosen, label: t('backups.placeUnusable', { path: chosen }) }, ...items];
}

/** The place that is offered first: one that the service can write to, if there is one. */
function firstPlace(places: readonly BackupPlace[]): string | undefined {
  const usable = places.find(({ freeBytes, writable }) => freeBytes !== null && writable);
  return (usable ?? places[0])?.path;
}
