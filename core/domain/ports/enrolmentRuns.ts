/** Enrolment runs and their failed photos for the dashboard: read-only, one company at a time. */
import type { UploadKind } from '../../contracts/codes.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { FoundFaces, RunSource, SeveralFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { BlacklistId, RunId, TrustValidationId, UploadId, UploadItemId } from '../../contracts/ids.ts';
import type { Actor } from './auditContext.ts';
import type { UploadTarget } from './uploads.ts';

export interface RunView {
  id: RunId;
  name: string | null;
  source: RunSource;
  kind: UploadKind;
  blacklistName: string | null;
  severalFaces: SeveralFaces;
  startedBy: Actor;
  startedAt: Date;
  /** When its last photo was processed, corrections left out; null while any waits. */
  endedAt: Date | null;
  /** As many as the sender planned; null: not declared. */
  planned: number | null;
  /** Photos that the service has accepted; a corrected photo counts as the one that it replaces. */
  images: number;
  enrolled: number;
  failed: number;
  waiting: number;
}

export interface RunFilter {
  /** `running`: some photos wait; `failed`: some failed and are not corrected. */
  show?: 'running' | 'failed' | undefined;
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}

/** The latest corrected photo of a failed one. */
export interface FixView {
  state: 'processing' | 'enrolled' | 'failed';
  uploadId: UploadId;
  by: Actor;
  at: Date;
  /** The number of the chosen face, from 1 for the largest; null: none was chosen. */
  face: number | null;
  faces: number;
  /** Why the corrected photo failed. */
  failureCode: FailureCode | null;
}

export interface FailureView {
  id: UploadItemId;
  uploadId: UploadId;
  index: number;
  runId: RunId;
  runName: string | null;
  kind: UploadKind;
  blacklistId: BlacklistId | null;
  blacklistName: string | null;
  fileName: string;
  failureCode: FailureCode;
  at: Date;
  /** Null: no face was found. */
  found: FoundFaces | null;
  fix: FixView | null;
  /** An operator marked the photo as not fixable. */
  unfixable: { by: Actor; at: Date; note: string | null } | null;
}

/** The fields that a corrected photo takes over from the failed one. */
export interface FailedPhoto {
  fileName: string;
  target: UploadTarget;
  runId: RunId;
  /** Of a photo for a blacklist; null: its upload was sent without one. */
  listing: FaceListing | null;
}

export interface FailureFilter {
  run?: RunId | undefined;
  /** Null: duplicate detection. */
  blacklist?: BlacklistId | null | undefined;
  reason?: FailureCode | undefined;
  /** Part of the file name. */
  text?: string | undefined;
  /** As the query of the dashboard has it. */
  state?: 'open' | 'fixed' | 'unfixable' | undefined;
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}

/** The rows that demo photos left in a company. */
export interface DemoRecords {
  photos: { uploadId: UploadId; index: number }[];
  validations: TrustValidationId[];
}
