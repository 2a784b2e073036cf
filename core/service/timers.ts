/** The work that the running service repeats. */
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { anchorAndReport, HeadWatch, type AnchorPorts } from '../domain/audit/anchor.ts';
import type { BlacklistTransferService } from '../domain/blacklistTransfer/blacklistTransferService.ts';
import type { FaceListingService } from '../domain/blacklists/faceListings.ts';
import type { BackupService } from '../domain/backups/backupService.ts';
import type { CalibrationRuns } from '../domain/calibration/runs.ts';
import type { Retention } from '../domain/erasure/retention.ts';
import type { Logger } from '../domain/ports/machine.ts';
import type { SignatureCalibrationRuns } from '../domain/signatures/calibrationRuns.ts';
import type { MosipLinks } from '../mosip/links.ts';
import type { Storage } from '../storage/index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface PeriodicJob {
  /** Milliseconds between the beginnings of two runs. */
  interval: number;
  /** The first run begins after the interval instead of at once. */
  later?: true;
  /** One service does it for all that share the store. */
  byLeader?: true;
  run: () => Promise<void>;
  /** For the log when a run fails; the next run takes place all the same. */
  failure: string;
}

interface TimerPorts extends AnchorPorts {
  retention: Pick<Retention, 'check'>;
  backups: Pick<BackupService, 'checkSchedule'>;
  faceListingService: Pick<FaceListingService, 'follow'>;
  mosipLinks: Pick<MosipLinks, 'follow'>;
  blacklistTransfer: Pick<BlacklistTransferService, 'forgetUnused'>;
  calibrationRuns: Pick<CalibrationRuns, 'forgetUnused'>;
  signatureCalibrationRuns: Pick<SignatureCalibrationRuns, 'forgetUnused'>;
  sweepOrphans: Storage['sweepOrphans'];
  galleryFeed: Storage['galleryFeed'];
  refreshKeys: Storage['refreshKeys'];
  rowTotals: Pick<Storage['rowTotals'], 'lost' | 'changed'>;
  /** Whether this service does the work for all. */
  leads: () => boolean;
  /** Ends the service. @param why for whoever supervises it */
  fail: (why: CodedError) => void;
  log: Logger;
}

/** @returns looks whether the log or rows went back while the service runs, and ends the service once they did */
function headWatch({ anchors, log, fail, rowTotals, ...ports }: TimerPorts): () => Promise<boolean> {
  const watch = new HeadWatch({ anchors, ...ports });
  let hasEnded = false;
  return async () => {
    if (hasEnded) return true;
    const lost = await watch.lost();
    const rows = lost === undefined ? await rowTotals.lost() : [];
    hasEnded = lost !== undefined || rows.length > 0;
    if (!hasEnded) return false;
    const why = new CodedError(
      lost === undefined ? problem('ROWS_WENT_BACK', { rows: rows.join('; ') }) : problem('AUDIT_WENT_BACK'),
    );
    log.error(
      { err: why, sequence: lost?.sequence, rows },
      'the audit log or rows of the database went back while the service ran',
    );
    if (lost !== undefined)
      await anchors
        .next(() => Promise.resolve(lost))
        .catch((error: unknown) => {
          log.error({ err: error }, 'the head that was lost could not be anchored');
        });
    fail(why);
    return true;
  };
}

function periodicJobs(ports: TimerPorts): PeriodicJob[] {
  const wentBack = headWatch(ports);
  return [
    {
      interval: MINUTE_MS / 2,
      run: async () => void (await wentBack()),
      failure: 'the audit log could not be compared with the head that was last seen',
    },
    {
      interval: 10 * MINUTE_MS,
      // The log is anchored when the home is opened, before anything listens.
      later: true,
      run: async () => {
        if (!(await wentBack())) await anchorAndReport(ports);
      },
      failure: 'the audit log could not be anchored',
    },
    {
      interval: 60 * MINUTE_MS,
      later: true,
      byLeader: true,
      run: async () => {
        const rows = (await ports.rowTotals.changed()).map((changed) => changed.rows);
        if (rows.length > 0)
          ports.log.error({ rows }, 'rows were deleted or put back on the database server; see vouch doctor');
      },
      failure: 'the rows that are counted could not be compared with their totals',
    },
    {
      interval: 10 * MINUTE_MS,
      byLeader: true,
      run: () => ports.retention.check(),
      failure: 'retention rules could not be applied; they are tried again',
    },
    {
      // A search decides by itself whether a face has expired; this keeps counts and the gallery in memory in step.
      interval: 5_000,
      byLeader: true,
      run: () => ports.faceListingService.follow(),
      failure: 'expired faces of blacklists could not be removed from the gallery; this is tried again',
    },
    {
      // A service that leads no more closes its connections.
      interval: 5_000,
      run: () => ports.mosipLinks.follow(ports.leads()),
      failure: 'the connections to MOSIP could not be brought in step; this is tried again',
    },
    {
      interval: MINUTE_MS,
      byLeader: true,
      run: () => ports.backups.checkSchedule(),
      failure: 'the schedule of backups could not be read',
    },
    {
      interval: MINUTE_MS,
      later: true,
      run: () => {
        ports.calibrationRuns.forgetUnused();
        ports.signatureCalibrationRuns.forgetUnused();
        return Promise.resolve();
      },
      failure: 'calibrations that were left could not be forgotten; this is tried again',
    },
    {
      // Each service keeps the packages that it received.
      interval: MINUTE_MS,
      later: true,
      run: () => ports.blacklistTransfer.forgetUnused(),
      failure: 'received packages that were left could not be deleted; this is tried again',
    },
    {
      interval: 10 * MINUTE_MS,
      run: async () => ports.galleryFeed?.prune(),
      failure: 'changes that the galleries have followed could not be deleted; this is tried again',
    },
    {
      // The keys of an erasure are destroyed, and forgotten by the service that made it, already.
      interval: MINUTE_MS,
      later: true,
      run: () => ports.refreshKeys(),
      failure: 'keys of what was deleted could not be destroyed or forgotten; this is tried again',
    },
    {
      interval: DAY_MS,
      byLeader: true,
      run: async () => {
        const removed = await ports.sweepOrphans();
        if (removed > 0) ports.log.warn({ removed }, 'removed image files that nothing referred to');
      },
      failure: 'the storage folders could not be swept',
    },
  ];
}

/**
 * Runs every job periodically. Runs of one job never overlap: while one lasts, the next is left out.
 * @returns ends all of it; resolves when no run is left
 */
export function startTimers(ports: TimerPorts): () => Promise<void> {
  const ends = periodicJobs(ports).map((job) => repeat(job, ports));
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

function repeat(
  { interval, later, byLeader, run, failure }: PeriodicJob,
  { leads, log }: Pick<TimerPorts, 'leads' | 'log'>,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const next = () => {
    if (byLeader === true && !leads()) return;
    running ??= run()
      .catch((error: unknown) => {
        log.error({ err: error }, failure);
      })
      .finally(() => {
        running = undefined;
      });
  };
  if (later !== true) next();
  const timer = setInterval(next, interval);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
