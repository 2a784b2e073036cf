import type {
  BackupPlace,
  BackupRun,
  BackupSchedule,
  BackupTrigger,
} from '../../contracts/dashboard/backups.ts';
import type { Problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from './auditContext.ts';
import type { BackupStream } from './backup.ts';

/** How a run ended. */
export interface BackupOutcome {
  state: 'done' | 'failed' | 'cancelled';
  bytes: number;
  lostImages: number;
  problem: Problem | null;
}

/** The history of backups and their schedule. */
export interface BackupRuns {
  /** @returns the id of the run */
  begin(run: {
    trigger: BackupTrigger;
    place: string | null;
    file: string | null;
    startedAt: Date;
  }): Promise<number>;
  end(id: number, outcome: BackupOutcome, at: Date): Promise<void>;
  /** Marks a verified backup as deleted by the schedule. */
  removed(id: number): Promise<void>;
  /** Newest first. */
  list(): Promise<BackupRun[]>;
  schedule(): Promise<{ schedule: BackupSchedule; since: Date } | undefined>;
  setSchedule(schedule: BackupSchedule | null, act: AuditContext): Promise<void>;
}

/** The folders that backups are written to. */
export interface BackupPlaces {
  list(): Promise<BackupPlace[]>;
  /**
   * Writes a backup, reads it back to the last byte, and then gives it its name.
   * @param options.verifying called when all bytes are written
   * @throws {CodedError} the place is not writable, or what was written does not verify; no file is left
   */
  write(
    place: string,
    file: string,
    backup: BackupStream,
    options: { verifying: () => void },
  ): Promise<{ bytes: number; lostImages: number }>;
  /** Deletes a backup; a missing file is none. */
  remove(place: string, file: string): Promise<void>;
  /** Deletes an unfinished backup; a missing file is none. */
  removePartial(place: string, file: string): Promise<void>;
}

/** Makes and reads backup keys. */
export interface BackupKeys {
  create(): { text: string; publicKey: Uint8Array; fingerprint: string };
  fingerprintOf(publicKey: Uint8Array): string;
  /** @returns the fingerprint of a typed key; undefined: mistyped */
  read(typed: string): string | undefined;
}
