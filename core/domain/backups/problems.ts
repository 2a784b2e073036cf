import { CodedError, problem, type Problem } from '../../contracts/errors/problem.ts';
import { NoBackupKey } from '../ports/backup.ts';
import type { BackupOutcome } from '../ports/backupRuns.ts';
import { DiskFull } from '../ports/machine.ts';

const MIB = 2 ** 20;

/** The outcome of a backup that failed. */
export function failure(reason: Problem): BackupOutcome {
  return { state: 'failed', bytes: 0, lostImages: 0, problem: reason };
}

/**
 * The problem that the history shows for an error.
 * @param place of the backup; empty for a stream
 */
export function problemOf(error: unknown, place: string): Problem {
  if (error instanceof CodedError) return error.problem;
  if (error instanceof NoBackupKey) return problem('BACKUP_NO_KEY');
  if (error instanceof DiskFull) return fullPlace(place, 0, 0);
  return problem('BACKUP_FAILED');
}

/** @param free,needed in bytes */
export function fullPlace(place: string, free: number, needed: number): Problem {
  return problem('BACKUP_PLACE_FULL', {
    place,
    free: Math.floor(free / MIB),
    needed: Math.ceil(needed / MIB),
  });
}
