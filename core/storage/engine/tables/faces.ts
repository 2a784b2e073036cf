/** Faces, their templates and thumbnails, and the snapshots of the gallery. */
import type { Generated } from 'kysely';
import type { UploadKind } from '../../../contracts/codes.ts';
import type { Severity } from '../../../contracts/faceListing.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  PipelineId,
  TrustValidationId,
} from '../../../contracts/ids.ts';

interface FaceTable {
  id: Generated<FaceId>;
  company_id: CompanyId;
  kind: UploadKind;
  blacklist_id: BlacklistId | null;
  trust_validation_id: TrustValidationId | null;
  name: string;
  image_id: ImageId;
  /** JSON: {box, eyes, confidence}. */
  geometry: string;
  quality_score: number;
  /** JSON: QualityMeasures. */
  quality_measures: string;
  enrolled_at: number;
  /** 1: the gallery contains it. A selfie is matchable exactly while its Trust Validation is Verified. */
  matchable: Generated<number>;
  /** 1: a selfie of a verification that a later one replaced. Never matchable. */
  superseded: Generated<number>;
  /** Of a face of a blacklist; null: of another face. */
  severity: Severity | null;
  reason: string | null;
  /** From this time on a face of a blacklist is not matchable; null: without end. */
  expires_at: number | null;
  /** The key by which people find it, and the version of the folding that made the key. */
  search_key: Generated<string>;
  search_folding: Generated<number>;
}

interface TemplateTable {
  face_id: FaceId;
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** Little-endian float32. */
  vector: Uint8Array;
}

interface FaceThumbnailTable {
  face_id: FaceId;
  company_id: CompanyId;
  jpeg: Uint8Array;
}

interface GallerySnapshotTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  node: string;
  after_face: FaceId;
  up_to_face: FaceId;
  content: Uint8Array;
}

export interface FacesTables {
  face: FaceTable;
  template: TemplateTable;
  face_thumbnail: FaceThumbnailTable;
  gallery_snapshot: GallerySnapshotTable;
}
