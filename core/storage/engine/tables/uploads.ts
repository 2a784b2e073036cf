/** Uploads, their items and image files. */
import type { Generated } from 'kysely';
import type { ItemStatus, UploadKind } from '../../../contracts/codes.ts';
import type { ImageFormat } from '../../../contracts/faces.ts';
import type { FailureCode } from '../../../contracts/errors/failures.ts';
import type { RunSource, SeveralFaces } from '../../../contracts/enrolmentRuns.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';
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
} from '../../../contracts/ids.ts';

interface EnrolmentRunTable {
  company_id: CompanyId;
  id: RunId;
  /** Of the folder; null: the sender declared none. */
  name: string | null;
  source: RunSource;
  kind: UploadKind;
  blacklist_id: BlacklistId | null;
  /** As many as the sender plans to send; null: not declared. */
  photos: number | null;
  several_faces: SeveralFaces;
  started_by: Actor;
  started_at: number;
}

interface UploadTable {
  id: UploadId;
  company_id: CompanyId;
  kind: UploadKind;
  trust_flow_id: TrustFlowId | null;
  blacklist_id: BlacklistId | null;
  image_count: number;
  created_at: number;
  completed_at: number | null;
  /** SHA-256 of the key that the client sent, hex: the client may have built it from a name. */
  idempotency_key: string | null;
  fingerprint: string | null;
  /** JSON: FaceListing for the faces of a blacklist; null once all its photos are enrolled. */
  listing: string | null;
  run_id: RunId;
  /** Of a corrected photo: the number of the chosen face, from 1 for the largest, and how many were found. */
  fix_face: number | null;
  fix_faces: number | null;
  fixed_by: Actor | null;
}

interface UploadItemTable {
  id: Generated<UploadItemId>;
  company_id: CompanyId;
  upload_id: UploadId;
  position: number;
  file_name: string;
  /** The key by which people find it, and the version of the folding that made the key. */
  search_key: Generated<string>;
  search_folding: Generated<number>;
  image_id: ImageId | null;
  status: ItemStatus;
  /** How often processing was started. */
  attempts: Generated<number>;
  /** The process that works on it, and the time of the database until which no other takes it, milliseconds. */
  leased_by: string | null;
  leased_until: number | null;
  failure_code: FailureCode | null;
  trust_validation_id: TrustValidationId | null;
  face_id: FaceId | null;
  processed_at: number | null;
  /** JSON of {@link FoundFaces}; null: no face was found, or the photo was not analysed. */
  found: string | null;
  /** The failed item that this photo was sent for, corrected or once more. */
  fixes: UploadItemId | null;
  /** The person that the sender says the photo shows, and who says so; all null once the photo is enrolled. */
  person_name: string | null;
  person_external_id: string | null;
  named_by: Actor | null;
}

interface ImageTable {
  id: ImageId;
  company_id: CompanyId;
  /** AES-256 key of this file only. */
  key: Uint8Array;
  bytes: number;
  sha256: string;
  format: ImageFormat;
  /** Pixels of the upright image; null until the image was decoded. */
  width: number | null;
  height: number | null;
  created_at: number;
}

export interface UploadsTables {
  enrolment_run: EnrolmentRunTable;
  upload: UploadTable;
  upload_item: UploadItemTable;
  image: ImageTable;
}
