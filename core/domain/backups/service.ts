import {
  type BackupRun,
  type BackupSchedule,
  type BackupState,
  type BackupSummary,
} from '../../contracts/dashboard/backups.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { BackupStream } from '../ports/backup.ts';
import type { BackupKeys, BackupOutcome } from '../ports/backupRuns.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import { countedStream } from './countedStream.ts';
import {
  expectedBytes,
  refuseMissingKey,
  refusePlace,
  refuseSeveralCompanies,
  type PlacePorts,
} from './preconditions.ts';
import { failure, problemOf } from './problems.ts';
import { lastDue, nextDue } from './schedule.ts';
import { hasPassed } from '../common/elapsed.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';
import type { Backups } from '../../storage/backup/backups.ts';
import type { BackupRuns } from '../../storage/backup/runs.ts';

interface BackupServicePorts extends PlacePorts {
  backups: Backups;
  backupRuns: BackupRuns;
  backupKeys: Pick<BackupKeys, 'fingerprintOf'>;
  installationKeys: InstallationKeys;
  clock: Clock;
  log: Logger;
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
export class BackupService {
  readonly #ports: BackupServicePorts;
  #current: Current | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ports: BackupServicePorts) {
    this.#ports = ports;
  }

  /** Ends the runs that a crash cut off. Called once, before anything starts a backup. */
  async recover(): Promise<void> {
    const { backupRuns, backupPlaces, clock } = this.#ports;
    for (const { id, state, place, file } of await backupRuns.list()) {
      if (state !== 'running') continue;
      if (place !== null && file !== null)
        await backupPlaces.removePartial(place, file).catch((error: unknown) => {
          this.#ports.log.warn({ err: error, place }, 'an unfinished backup could not be removed');
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
    if (trigger === 'download') await refuseSeveralCompanies(this.#ports.companies);
    const current = this.#reserve();
    try {
      const { backups, backupRuns, version } = this.#ports;
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
    await refuseSeveralCompanies(this.#ports.companies);
    await refuseMissingKey(this.#ports.installationKeys);
    const current = this.#reserve();
    try {
      await refusePlace(this.#ports, place);
      const file = fileName(act.at);
      current.id = await this.#ports.backupRuns.begin({ trigger, place, file, startedAt: act.at });
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
    const { backupRuns, clock, log } = this.#ports;
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
    await refuseSeveralCompanies(this.#ports.companies);
    if (schedule !== null) await refusePlace(this.#ports, schedule.place);
    await this.#ports.backupRuns.setSchedule(schedule, act);
  }

  /** The state for the overview and the System screen. */
  async summary(): Promise<BackupSummary> {
    const { backupRuns, installationKeys, clock } = this.#ports;
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
    await refuseSeveralCompanies(this.#ports.companies);
    await refuseMissingKey(this.#ports.installationKeys);
    if (this.#current !== undefined) throw new CodedError(problem('BACKUP_RUNNING'));
  }

  async state(): Promise<BackupState> {
    const { backupRuns, backupPlaces, companies, installationKeys, backupKeys, clock } = this.#ports;
    const available = (await companies.list()).length === 1;
    const [key, kept, needed] = await Promise.all([
      installationKeys.recovery(),
      backupRuns.schedule(),
      expectedBytes(this.#ports),
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
      startedAt: this.#ports.clock.now(),
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
    const { backups, backupPlaces, log, version } = this.#ports;
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
    await this.#ports.backupRuns.end(current.id, recorded, this.#ports.clock.now());
  }

  /** Deletes the scheduled backups beyond those that the schedule keeps. */
  async #removeOld(): Promise<void> {
    const { backupRuns, backupPlaces } = this.#ports;
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
    const seconds = (this.#ports.clock.now().getTime() - current.startedAt.getTime()) / 1000;
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
