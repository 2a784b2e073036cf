/** Uploads, and the queue that answers their images. */
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import type { FoundFaces, RunSource, SeveralFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { PhotoPerson } from '../../contracts/uploads.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  RunId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../contracts/ids.ts';
import type { Actor, AuditContext } from './auditContext.ts';
import type { Watchlist } from './gallery.ts';
import type { WrittenImage } from './images.ts';

/** Where the images of an upload land. */
export type UploadTarget =
  | { kind: 'duplicate'; trustFlowId: TrustFlowId }
  | { kind: 'blacklist'; blacklistId: BlacklistId };

export function watchlistOf(target: UploadTarget): Watchlist {
  return target.kind === 'duplicate'
    ? { kind: 'duplicate' }
    : { kind: 'blacklist', blacklistId: target.blacklistId };
}

/** The run that an upload belongs to. Its first upload creates it with these facts; later uploads join it. */
export interface NewRun {
  /** Absent: the upload is a run of its own. */
  id?: RunId | undefined;
  /** Of the folder. */
  name?: string | undefined;
  source: RunSource;
  /** As many as the sender plans to send. */
  photos?: number | undefined;
  severalFaces: SeveralFaces;
}

/** The failed photos that the photos of an upload are sent for, and how they were corrected. */
export interface Fix {
  /** In the order of the photos; null, or no entry: the photo is sent for none. */
  items: readonly (UploadItemId | null)[];
  /** The number of the chosen face, from 1 by rows from the top; null: none was chosen. */
  face: number | null;
  /** How many faces were found in the failed photo. */
  faces: number;
}

export interface NewUpload {
  id: UploadId;
  target: UploadTarget;
  accepted: AuditContext;
  /** In the order of their index. */
  images: readonly { fileName: string; image: WrittenImage; person?: PhotoPerson | null }[];
  idempotency?: { key: string; fingerprint: string } | undefined;
  /** Where its photo comes from, for the audit log; absent: its sender has it. */
  from?: 'search' | undefined;
  /** For the faces of a blacklist; absent: the default. */
  listing?: FaceListing | undefined;
  /** Absent: a run of its own, sent by a program. */
  run?: NewRun | undefined;
  fix?: Fix | undefined;
}

/** One image in progress. */
export interface LeasedItem {
  id: UploadItemId;
  companyId: CompanyId;
  uploadId: UploadId;
  target: UploadTarget;
  fileName: string;
  imageId: ImageId;
  severalFaces: SeveralFaces;
  /** The person that the photo shows, and the account that says so; null: the sender named none. */
  named: (PhotoPerson & { by: Actor }) | null;
  /** The failed photo that this one was sent for. */
  fixes: UploadItemId | null;
  /** How often work on it has begun, this time included. */
  attempts: number;
}

/** The result for an image in progress. */
export type ItemAnswer = { item: LeasedItem } & (
  | { enrolled: { image: ImageFacts; face: ExtractedFace; found?: FoundFaces } }
  | { failed: { code: FailureCode; found?: FoundFaces } }
);

/** The rows that an answer wrote, for the gallery to follow after COMMIT. */
export interface EnrolledFace {
  faceId: FaceId;
  trustValidationId: TrustValidationId | null;
  /** false: its time in the blacklist is over already, so the gallery must not take it. */
  matchable: boolean;
}
