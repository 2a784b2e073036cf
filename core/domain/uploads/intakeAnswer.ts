import type { UploadId } from '../../contracts/ids.ts';
import type { UploadTarget } from '../ports.ts';

/** Messages per key, as a 422 carries them. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>;

/** Why an upload was not accepted. Nothing of it is kept. */
export type IntakeRefusal =
  /** Its files are not what is taken; every failing key is named. */
  | { kind: 'invalid'; errors: FieldErrors }
  /** The company or the request as a whole does not qualify. */
  | { kind: 'refused'; message: string }
  /** Another upload with the same Idempotency-Key is being received. */
  | { kind: 'running' }
  /** Not now: a retry can help. */
  | { kind: 'unavailable'; cause: 'QUEUE_PAUSED' | 'QUEUE_FULL' | 'DISK_FULL' | 'STORAGE_UNAVAILABLE' };

export interface UploadReceipt {
  id: UploadId;
  target: UploadTarget;
  numberOfImages: number;
}

export type IntakeAnswer = { kind: 'accepted'; receipt: UploadReceipt } | IntakeRefusal;
