import type {
  BackupRun,
  BackupSchedule,
  BackupState,
  BackupSummary,
  BackupKeyCheck,
} from '../../contracts/dashboard/backups.ts';
import { CodedError, problem, type Problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { type BackupStream, NoBackupKey, type BackupKeys, type BackupOutcome } from '../ports/backup.ts';
import { DiskFull, type Platform } from '../ports/machine.ts';
import { hasPassed } from '../values/time.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';
import type { StoreHealth } from '../ports/diagnostics.ts';
import type { BackupPlaces } from '../../storage/backup/places.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import { bytesOfHex, hexOf } from '../values/bytes.ts';
import type { Storage } from '../../storage/index.ts';
import { Service } from '../serviceParts.ts';

interface BackupKeyPorts {
  backupKeys: BackupKeys;
  installationKeys: InstallationKeys;
  companies: PlacePorts['companies'];
}

/** The key that opens the backups: the operator keeps it on paper, the installation its public half. */
export class BackupKeyService extends Service<BackupKeyPorts> {
  /** A new key pair, which is stored nowhere: {@link set} takes its public half when the operator has stored the key. */
  draft(): { text: string; publicKey: string; fingerprint: string } {
    const { text, publicKey, fingerprint } = this.ports.backupKeys.create();
    return { text, publicKey: hexOf(publicKey), fingerprint };
  }

  /**
   * Makes a drafted key the key of later backups.
   * @param replaces fingerprint of the present key; null: there is none
   * @throws {CodedError} another key is present
   */
  async set(publicKey: string, replaces: string | null, act: AuditContext): Promise<void> {
    await refuseSeveralCompanies(this.ports.companies);
    const { installationKeys, backupKeys } = this.ports;
    const present = await installationKeys.recovery();
    if ((present === undefined ? null : backupKeys.fingerprintOf(present.publicKey)) !== replaces)
      throw new CodedError(problem('BACKUP_KEY_CHANGED'));
    await installationKeys.setRecovery(bytesOfHex(publicKey), act);
  }

  /** Whether a typed key opens the backups that are made now. */
  async check(typed: string): Promise<BackupKeyCheck> {
    const { installationKeys, backupKeys } = this.ports;
    const fingerprint = backupKeys.read(typed);
    if (fingerprint === undefined) return { result: 'mistyped', fingerprint: null };
    const present = await installationKeys.recovery();
    const right = present !== undefined && backupKeys.fingerprintOf(present.publicKey) === fingerprint;
    return { result: right ? 'right' : 'other', fingerprint };
  }
}

/** Part of the expected size that is added to it before the free space is compared. */
const MARGIN = 0.1;

interface PlacePorts {
  backupPlaces: BackupPlaces;
  companies: Pick<Companies, 'list'>;
  storeHealth: Pick<StoreHealth, 'imageTotals' | 'databaseBytes'>;
}

/**
 * A backup holds the data of all companies, so an operator of one of them must not hold its key.
 * @throws {CodedError} the installation has several companies
 */
async function refuseSeveralCompanies(companies: PlacePorts['companies']): Promise<void> {
  if ((await companies.list()).length !== 1) throw new CodedError(problem('BACKUP_SEVERAL_COMPANIES'));
}

/** @throws {CodedError} the installation has no backup key */
async function refuseMissingKey(keys: Pick<InstallationKeys, 'recovery'>): Promise<void> {
  if ((await keys.recovery()) === undefined) throw new CodedError(problem('BACKUP_NO_KEY'));
}

/** @throws {CodedError} the place is not offered, not writable, or too small for a backup */
async function refusePlace(ports: PlacePorts, place: string): Promise<void> {
  const found = (await ports.backupPlaces.list()).find(({ path }) => path === place);
  if (found?.freeBytes == null) throw new CodedError(problem('BACKUP_PLACE_GONE', { place }));
  if (!found.writable) throw new CodedError(problem('BACKUP_PLACE_UNWRITABLE', { place }));
  const needed = (await expectedBytes(ports)) * (1 + MARGIN);
  if (found.freeBytes < needed) throw new CodedError(fullPlace(place, found.freeBytes, needed));
}

/** Bytes of the database and of all images. */
async function expectedBytes({
  companies,
  storeHealth,
}: Pick<PlacePorts, 'companies' | 'storeHealth'>): Promise<number> {
  let sum = await storeHealth.databaseBytes();
  for (const { id } of await companies.list()) sum += (await storeHealth.imageTotals(id)).bytes;
  return sum;
}

const MIB = 2 ** 20;

/** The outcome of a backup that failed. */
function failure(reason: Problem): BackupOutcome {
  return { state: 'failed', bytes: 0, lostImages: 0, problem: reason };
}

/**
 * The problem that the history shows for an error.
 * @param place of the backup; empty for a stream
 */
function problemOf(error: unknown, place: string): Problem {
  if (error instanceof CodedError) return error.problem;
  if (error instanceof NoBackupKey) return problem('BACKUP_NO_KEY');
  if (error instanceof DiskFull) return fullPlace(place, 0, 0);
  return problem('BACKUP_FAILED');
}

/** @param free,needed in bytes */
function fullPlace(place: string, free: number, needed: number): Problem {
  return problem('BACKUP_PLACE_FULL', {
    place,
    free: Math.floor(free / MIB),
    needed: Math.ceil(needed / MIB),
  });
}

interface BackupServicePorts
  extends
    PlacePorts,
    Pick<Storage, 'backups' | 'backupRuns' | 'installationKeys'>,
    Pick<Platform, 'clock' | 'log'> {
  backupKeys: Pick<BackupKeys, 'fingerprintOf'>;
  version: string;
}

/** The backup in progress. There is at most one, from whichever source. */
interface Current {
  id: number | null;
  startedAt: Date;
  bytes: number;
  phase: 'writing' | 'verifying';
  cancelled: boolean;
}

const RETRY_MS = 60 * 60_000;

/** Makes backups one at a time: on request, on a schedule, as a download, and for the terminal. */
export class BackupService extends Service<BackupServicePorts> {
  #current: Current | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** Ends the runs that a crash cut off. Called once, before anything starts a backup. */
  async recover(): Promise<void> {
    const { backupRuns, backupPlaces, clock } = this.ports;
    for (const { id, state, place, file } of await backupRuns.list()) {
      if (state !== 'running') continue;
      if (place !== null && file !== null)
        await backupPlaces.removePartial(place, file).catch((error: unknown) => {
          this.ports.log.warn({ err: error, place }, 'an unfinished backup could not be removed');
        });
      await backupRuns.end(id, failure(problem('BACKUP_INTERRUPTED')), clock.now());
    }
  }

  /**
   * A backup as a stream for its caller. The run ends with the stream.
   * @throws {CodedError} another backup is in progress, or the dashboard must not make one
   * @throws {NoBackupKey}
   */
  async stream(trigger: 'download' | 'terminal', act: AuditContext): Promise<BackupStream> {
    if (trigger === 'download') await refuseSeveralCompanies(this.ports.companies);
    const current = this.#reserve();
    try {
      const { backups, backupRuns, version } = this.ports;
      const { contentKey, content } = await backups.open(act, version);
      current.id = await backupRuns.begin({ trigger, place: null, file: null, startedAt: act.at });
      const ended = async (state: BackupOutcome['state'], cause?: unknown) => {
        const how =
          state === 'failed' ? failure(problemOf(cause, '')) : { state, lostImages: 0, problem: null };
        try {
          await this.#record(current, { ...how, bytes: current.bytes });
        } finally {
          this.#current = undefined;
        }
      };
      return { contentKey, content: countedStream(content, { counted: this.#count(current), ended }) };
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }

  /** Starts a backup to a place and returns. @throws {CodedError} it cannot start */
  async start(place: string, trigger: 'dashboard' | 'schedule', act: AuditContext): Promise<void> {
    await refuseSeveralCompanies(this.ports.companies);
    await refuseMissingKey(this.ports.installationKeys);
    const current = this.#reserve();
    try {
      await refusePlace(this.ports, place);
      const file = fileName(act.at);
      current.id = await this.ports.backupRuns.begin({ trigger, place, file, startedAt: act.at });
      this.#writing = this.#write(current, { place, file }, act);
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }

  /** Cancels the backup that this service writes. @returns whether one was in progress */
  cancel(): boolean {
    if (this.#current === undefined) return false;
    this.#current.cancelled = true;
    return true;
  }

  /** Starts the backup that the schedule demands, a missed one too. A failed one is repeated every hour. */
  async checkSchedule(): Promise<void> {
    const { backupRuns, clock, log } = this.ports;
    const kept = await backupRuns.schedule();
    if (kept === undefined || this.#current !== undefined) return;
    const now = clock.now();
    const due = lastDue(kept.schedule, now);
    if (due < kept.since) return;
    const [latest] = (await backupRuns.list()).filter(({ trigger }) => trigger === 'schedule');
    const startedAt = latest === undefined ? 0 : Date.parse(latest.startedAt);
    const standing = latest?.state === 'failed' ? RETRY_MS : Infinity;
    if (startedAt >= due.getTime() && !hasPassed(startedAt, standing, now)) return;
    const { place } = kept.schedule;
    try {
      await this.start(place, 'schedule', { by: 'service', at: now });
    } catch (error) {
      log.error({ err: error, place }, 'the scheduled backup could not start');
      const id = await backupRuns.begin({ trigger: 'schedule', place, file: null, startedAt: now });
      await backupRuns.end(id, failure(problemOf(error, place)), now);
    }
  }

  /** @throws {CodedError} the place is not offered, or the dashboard must not make backups */
  async setSchedule(schedule: BackupSchedule | null, act: AuditContext): Promise<void> {
    await refuseSeveralCompanies(this.ports.companies);
    if (schedule !== null) await refusePlace(this.ports, schedule.place);
    await this.ports.backupRuns.setSchedule(schedule, act);
  }

  /** The state for the overview and the System status screen. */
  async summary(): Promise<BackupSummary> {
    const { backupRuns, installationKeys, clock } = this.ports;
    const [key, runs, kept] = await Promise.all([
      installationKeys.recovery(),
      backupRuns.list(),
      backupRuns.schedule(),
    ]);
    return {
      keyMadeAt: key?.createdAt.toISOString() ?? null,
      lastGoodAt: runs.find(({ state }) => state === 'done')?.endedAt ?? null,
      failed: runs[0]?.state === 'failed',
      nextAt: kept === undefined ? null : nextDue(kept.schedule, clock.now()).toISOString(),
    };
  }

  /** @throws {CodedError} a download cannot start now */
  async refuseDownload(): Promise<void> {
    await refuseSeveralCompanies(this.ports.companies);
    await refuseMissingKey(this.ports.installationKeys);
    if (this.#current !== undefined) throw new CodedError(problem('BACKUP_RUNNING'));
  }

  async state(): Promise<BackupState> {
    const { backupRuns, backupPlaces, companies, installationKeys, backupKeys, clock } = this.ports;
    const available = (await companies.list()).length === 1;
    const [key, kept, needed] = await Promise.all([
      installationKeys.recovery(),
      backupRuns.schedule(),
      expectedBytes(this.ports),
    ]);
    const places = available ? await backupPlaces.list() : [];
    // A backup may end while the history is read: a run that is in progress there is shown as such.
    const before = this.#current;
    const runs = await backupRuns.list();
    return {
      available,
      key:
        key === undefined
          ? null
          : { madeAt: key.createdAt.toISOString(), fingerprint: backupKeys.fingerprintOf(key.publicKey) },
      places,
      expectedBytes: needed,
      schedule: kept?.schedule ?? null,
      nextAt: kept === undefined ? null : nextDue(kept.schedule, clock.now()).toISOString(),
      lastGood: runs.find(({ state }) => state === 'done') ?? null,
      running: this.#running(runs, this.#current ?? before),
      runs: runs.filter(({ state }) => state !== 'running'),
    };
  }

  /** Cancels the backup in progress; resolves when it has ended. */
  async stop(): Promise<void> {
    this.cancel();
    await this.#writing;
  }

  #reserve(): Current {
    if (this.#current !== undefined) throw new CodedError(problem('BACKUP_RUNNING'));
    this.#current = {
      id: null,
      startedAt: this.ports.clock.now(),
      bytes: 0,
      phase: 'writing',
      cancelled: false,
    };
    return this.#current;
  }

  async #write(
    current: Current,
    { place, file }: { place: string; file: string },
    act: AuditContext,
  ): Promise<void> {
    const { backups, backupPlaces, log, version } = this.ports;
    let outcome: BackupOutcome;
    try {
      const { contentKey, content } = await backups.open(act, version);
      const counted = countedStream(content, { counted: this.#count(current) });
      const { bytes, lostImages } = await backupPlaces.write(
        place,
        file,
        { contentKey, content: counted },
        { verifying: () => (current.phase = 'verifying') },
      );
      outcome = { state: 'done', bytes, lostImages, problem: null };
    } catch (error) {
      const { cancelled, bytes } = current;
      if (!cancelled) log.error({ err: error, place }, 'a backup failed');
      outcome = cancelled
        ? { state: 'cancelled', bytes, lostImages: 0, problem: null }
        : { ...failure(problemOf(error, place)), bytes };
    }
    try {
      await this.#record(current, outcome);
      if (outcome.state === 'done') await this.#removeOld();
    } catch (error) {
      log.error(
        { err: error, place },
        'the end of a backup could not be recorded, or old backups not removed',
      );
    } finally {
      this.#current = undefined;
    }
  }

  /** Counts the bytes of a stream; ends it when the backup was cancelled. */
  #count(current: Current): (bytes: number) => void {
    return (bytes) => {
      if (current.cancelled) throw new Error('The backup was cancelled.');
      current.bytes += bytes;
    };
  }

  async #record(current: Current, outcome: BackupOutcome): Promise<void> {
    if (current.id === null) return;
    const recorded: BackupOutcome = current.cancelled
      ? { ...outcome, state: 'cancelled', problem: null }
      : outcome;
    await this.ports.backupRuns.end(current.id, recorded, this.ports.clock.now());
  }

  /** Deletes the scheduled backups beyond those that the schedule keeps. */
  async #removeOld(): Promise<void> {
    const { backupRuns, backupPlaces } = this.ports;
    const kept = await backupRuns.schedule();
    if (kept === undefined) return;
    const { place, keep } = kept.schedule;
    const old = (await backupRuns.list())
      .filter((run) => run.trigger === 'schedule' && run.state === 'done' && run.place === place)
      .slice(keep);
    for (const { id, file } of old) {
      if (file !== null) await backupPlaces.remove(place, file);
      await backupRuns.removed(id);
    }
  }

  #running(runs: readonly BackupRun[], current: Current | undefined): BackupState['running'] {
    const run = runs.find(({ id }) => id === current?.id);
    if (current === undefined || run === undefined) return null;
    const seconds = (this.ports.clock.now().getTime() - current.startedAt.getTime()) / 1000;
    return {
      run: { ...run, bytes: current.bytes },
      phase: current.phase,
      bytesPerSecond: seconds < 1 ? null : current.bytes / seconds,
    };
  }
}

/** `vouch-2026-03-01T02-00-00Z.vouch`: sorts by time, and is a file name on every system. */
function fileName(at: Date): string {
  return `vouch-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.vouch`;
}

interface Follower {
  /** Called with the size of each piece before it is handed on; an error ends the stream. */
  counted: (bytes: number) => void;
  /** Called once: the source was read to its end, failed, or was given up by its reader. */
  ended?: (state: 'done' | 'failed' | 'cancelled', cause?: unknown) => Promise<void>;
}

/**
 * Follows a stream. Its end is reported also when the reader gives up before the first piece, which a generator function
 * could not do.
 */
function countedStream(
  source: AsyncIterable<Uint8Array>,
  { counted, ended }: Follower,
): AsyncIterable<Uint8Array> {
  const inner = source[Symbol.asyncIterator]();
  let open = true;
  const end = async (...how: Parameters<NonNullable<Follower['ended']>>) => {
    if (!open) return;
    open = false;
    await ended?.(...how);
  };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const step = await inner.next();
        if (step.done === true) await end('done');
        else counted(step.value.length);
        return step;
      } catch (error) {
        if (open) await inner.return?.();
        await end('failed', error);
        throw error;
      }
    },
    async return() {
      await inner.return?.();
      await end('cancelled');
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/**
 * The latest time at or before `now` at which the schedule demands a backup, in the time zone of the machine.
 * @param schedule daily, or weekly on its weekday
 */
export function lastDue(schedule: BackupSchedule, now: Date): Date {
  const due = onDay(schedule, now, 0);
  return nearest(schedule, due > now ? -1 : 0, now, -1);
}

/** The first time after `now` at which the schedule demands a backup. */
export function nextDue(schedule: BackupSchedule, now: Date): Date {
  const due = onDay(schedule, now, 0);
  return nearest(schedule, due > now ? 0 : 1, now, 1);
}

/** @param days from the day of `now`. @param step direction of the search for the weekday */
function nearest(schedule: BackupSchedule, days: number, now: Date, step: 1 | -1): Date {
  let due = onDay(schedule, now, days);
  for (let tried = 1; schedule.every === 'week' && due.getDay() !== schedule.weekday; tried += 1)
    due = onDay(schedule, now, days + step * tried);
  return due;
}

function onDay({ minute }: BackupSchedule, now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 0, minute);
}
