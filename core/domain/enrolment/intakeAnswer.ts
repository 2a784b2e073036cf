import type { Problem } from '../../contracts/errors/problem.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { BlacklistId, UploadId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { Fix, NewRun, UploadTarget } from '../ports/uploads.ts';

/** The faults per key, in the form of a 422. */
export type FieldErrors = ReadonlyMap<string, readonly Problem[]>;

/** Why an upload was not accepted. Nothing of it is kept. */
export type IntakeRefusal =
  /** Its files are not what is taken; every failing key is named. */
  | { kind: 'invalid'; errors: FieldErrors }
  /** The company or the request as a whole does not qualify. */
  | { kind: 'refused'; reason: Problem }
  /** There is no such watchlist in the company. */
  | { kind: 'unknown' }
  /** Another upload with the same Idempotency-Key is being received. */
  | { kind: 'running' }
  /** Not now: a retry can help. */
  | { kind: 'unavailable'; cause: 'QUEUE_PAUSED' | 'QUEUE_FULL' | 'DISK_FULL' | 'STORAGE_UNAVAILABLE' };

/** Where a caller wants its images; the company's own rules make an {@link UploadTarget} of it, or refuse. */
export type UploadDestination =
  | { kind: 'duplicate' }
  /** `from` is recorded in the audit log: the photo was not sent as such, but comes from a search. */
  | { kind: 'blacklist'; blacklistId: BlacklistId; from?: 'search'; listing?: FaceListing | undefined };

/** `fileName`: the upload is one corrected photo, which keeps the name of the failed one. */
export type NamedFix = Fix & { fileName?: string };

/** The sender of an upload. */
export interface UploadSender {
  by: Actor;
  /** Absent: the upload is a run of its own. */
  run?: NewRun | undefined;
  fix?: NamedFix | undefined;
}

export interface UploadReceipt {
  id: UploadId;
  target: UploadTarget;
  numberOfImages: number;
}

export type IntakeAnswer = { kind: 'accepted'; receipt: UploadReceipt } | IntakeRefusal;
