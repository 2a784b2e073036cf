/**
 * The tables as the queries see them. Times are integers, milliseconds since 1970 UTC; blobs are bytes;
 * JSON columns are text, parsed by the zod schema of their content where they are read.
 */
import type { Generated } from 'kysely';
import type {
  BlacklistStatus,
  HmacProfileName,
  ItemStatus,
  TrustValidationStatus,
  UploadKind,
} from '../contracts/codes.ts';
import type { OperatorRole } from '../contracts/dashboard/session.ts';
import type { ImageFormat } from '../contracts/faces.ts';
import type { FailureCode } from '../contracts/failures.ts';
import type { Verdict } from '../contracts/signatures.ts';
import type { HistoryEntry } from '../contracts/validations.ts';
import type { Actor } from '../domain/actor.ts';
import type { SiteKeyPurpose } from '../domain/backup/ports.ts';
import type { Band } from '../domain/scores.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  OperatorId,
  PipelineId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../contracts/ids.ts';

/** A new row is given its id by the database; the brand stays on what comes back. */
type Key<T> = Generated<T>;

interface CompanyTable {
  id: Key<CompanyId>;
  name: string;
  storage_folder: string | null;
  settings: string;
  created_at: number;
}

interface SiteTable {
  id: number;
  settings: string;
}

interface ApiTokenTable {
  id: Key<number>;
  company_id: CompanyId;
  name: string;
  hash: Uint8Array;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface HmacKeyTable {
  id: Key<number>;
  company_id: CompanyId;
  user_id: string;
  name: string;
  secret: string;
  profile: HmacProfileName;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface AcceptedSignatureTable {
  key_id: number;
  signature: Uint8Array;
  forget_at: number;
}

interface TrustFlowTable {
  id: Key<TrustFlowId>;
  company_id: CompanyId;
  name: string;
  /** 1: the internal flow of mass enrolment. */
  system: number;
  created_at: number;
  /** JSON: FlowSettings saved in the tool, not yet with the flow. */
  draft: string | null;
  updated_at: number | null;
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
  idempotency_key: string | null;
  fingerprint: string | null;
}

interface UploadItemTable {
  id: Key<UploadItemId>;
  company_id: CompanyId;
  upload_id: UploadId;
  position: number;
  file_name: string;
  image_id: ImageId | null;
  status: ItemStatus;
  /** How often work on it has begun. */
  attempts: number;
  failure_code: FailureCode | null;
  trust_validation_id: TrustValidationId | null;
  face_id: FaceId | null;
  processed_at: number | null;
}

interface ImageTable {
  id: ImageId;
  company_id: CompanyId;
  /** AES-256 key of this file alone. */
  key: Uint8Array;
  bytes: number;
  sha256: string;
  format: ImageFormat;
  /** Of the upright image; null until it has been decoded. */
  width: number | null;
  height: number | null;
  created_at: number;
}

interface TrustValidationTable {
  id: Key<TrustValidationId>;
  company_id: CompanyId;
  trust_flow_id: TrustFlowId;
  status: TrustValidationStatus;
  /** What the operator sees in lists: for mass enrolment the file's name without its extension. */
  name: string;
  created_at: number;
  finalized_at: number | null;
  source: Generated<'enrolment' | 'verification'>;
  flow_version_id: number | null;
  /** JSON, as the caller sent it. */
  metadata: string | null;
  duplicate_detected: Generated<number>;
  blacklist_detected: Generated<number>;
}

interface FaceTable {
  id: Key<FaceId>;
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
  /** 1: the gallery holds it. A selfie is matchable exactly while its Trust Validation is Verified. */
  matchable: Generated<number>;
}

interface BlacklistTable {
  id: Key<BlacklistId>;
  company_id: CompanyId;
  name: string;
  /** The name as it is compared. */
  name_key: string;
  description: string | null;
  status: BlacklistStatus;
  created_at: number;
  updated_at: number;
}

interface TrustFlowVersionTable {
  id: Key<number>;
  company_id: CompanyId;
  trust_flow_id: TrustFlowId;
  number: number;
  settings: string;
  /** JSON: names of the chosen blacklists by id. */
  blacklist_names: string;
  created_at: number;
}

interface ScreeningTable {
  trust_validation_id: TrustValidationId;
  company_id: CompanyId;
  /** JSON: ScreeningFacts. */
  facts: string;
}

interface ScreeningMatchTable {
  id: Key<number>;
  company_id: CompanyId;
  trust_validation_id: TrustValidationId;
  kind: UploadKind;
  blacklist_id: BlacklistId | null;
  blacklist_name: string | null;
  face_id: FaceId;
  matched_trust_validation_id: TrustValidationId | null;
  full_name: string;
  distance: number;
  score: number;
  band: Band;
  enrolled_at: number;
}

interface ValidationHistoryTable {
  id: Key<number>;
  company_id: CompanyId;
  trust_validation_id: TrustValidationId;
  at: number;
  actor: string;
  action: HistoryEntry['action'];
  from_status: TrustValidationStatus | null;
  to_status: TrustValidationStatus;
  note: string | null;
}

interface SignatureComparisonTable {
  id: Key<number>;
  company_id: CompanyId;
  /** As the caller sent them. */
  template_id: string;
  verification_id: string;
  credential: Actor;
  compared_at: number;
  /** Null: inconclusive. */
  similarity: number | null;
  verdict: Verdict;
  /** JSON: why either image was inconclusive. */
  reasons: string;
  /** The company's thresholds at that time. */
  match_from: number;
  possible_match_from: number;
  model_version: string;
  image1_sha256: Generated<string | null>;
  image2_sha256: Generated<string | null>;
}

interface TemplateTable {
  face_id: FaceId;
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** Little-endian float32. */
  vector: Uint8Array;
}

interface FaceChipTable {
  face_id: FaceId;
  company_id: CompanyId;
  jpeg: Uint8Array;
}

/** One per company; opens the way back in. */
interface RecoveryKeyTable {
  company_id: CompanyId;
  /** SHA-256. */
  hash: Uint8Array;
  made_at: number;
}

interface OperatorTable {
  id: Key<OperatorId>;
  company_id: CompanyId;
  name: string;
  /** The name as it is compared. */
  name_key: string;
  role: OperatorRole;
  active: Generated<number>;
  /** PHC string of argon2id. */
  passphrase_hash: string;
  created_at: number;
  last_signed_in_at: number | null;
}

interface OperatorAppearanceTable {
  operator_id: OperatorId;
  company_id: CompanyId;
  /** JSON: Appearance. */
  choice: string;
}

interface OperatorSessionTable {
  /** SHA-256 of what the cookie holds. */
  hash: Uint8Array;
  company_id: CompanyId;
  operator_id: OperatorId;
  opened_at: number;
  used_at: number;
  confirmed_at: number;
}

interface SignInAttemptTable {
  /** SHA-256 of the typed name as it is compared. */
  name_hash: Uint8Array;
  attempts: number;
  last_at: number;
}

interface GallerySnapshotTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  after_face: FaceId;
  up_to_face: FaceId;
  content: Uint8Array;
}

interface AuditEntryTable {
  sequence: number;
  at: number;
  company_id: CompanyId | null;
  actor: string;
  action: string;
  object: string | null;
  outcome: string;
  /** JSON, to the byte as it was hashed. */
  facts: string;
  hash: Uint8Array;
}

interface AuditHeadTable {
  id: number;
  sequence: number;
  hash: Uint8Array;
  signature: Uint8Array;
}

interface AuditKeyTable {
  id: number;
  /** PKCS #8, DER. */
  private_key: Uint8Array;
  /** SPKI, DER. */
  public_key: Uint8Array;
}

interface LanListenerTable {
  id: number;
  /** JSON array. */
  names: string;
  address: string;
  port: number;
  /** PEM. */
  certificate: string;
  private_key: string;
}

interface SiteKeyTable {
  purpose: SiteKeyPurpose;
  /** 32 raw bytes. */
  public_key: Uint8Array;
  /** PKCS #8, DER; null where the other half is kept elsewhere. */
  private_key: Uint8Array | null;
  created_at: number;
}

interface TrustedSiteTable {
  id: Key<number>;
  company_id: CompanyId;
  name: string;
  /** The name as it is compared. */
  name_key: string;
  /** 32 raw bytes each. */
  signing_key: Uint8Array;
  receiving_key: Uint8Array;
  trusted_at: number;
}

interface ListImportTable {
  id: Key<number>;
  company_id: CompanyId;
  /** SHA-256 of the sender's signing key, hex. */
  sender: string;
  sender_name: string;
  origin_list: number;
  bundle_id: string;
  exported_at: number;
  imported_at: number;
  blacklist_id: BlacklistId;
  /** 1: the import made its list. */
  made_list: number;
  added: number;
  renamed: number;
  undone_at: Generated<number | null>;
}

/** A face that came from another site. */
interface ImportedFaceTable {
  face_id: FaceId;
  company_id: CompanyId;
  origin_site: string;
  origin_face: string;
}

/** A face that an import holds: it goes when no import that was not taken back holds it any more. */
interface ListImportFaceTable {
  import_id: number;
  face_id: FaceId;
  company_id: CompanyId;
  /** Null: the import did not rename it. */
  name_before: string | null;
  name_after: string | null;
}

interface CompanyPipelineTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** 1: somebody chose it for this company. */
  chosen: Generated<number>;
}

interface PipelineMigrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  state: 'running' | 'paused';
  without_failed: Generated<number>;
  /** 1: somebody chose it for this company, and not the setting of the site. */
  chosen: number;
  started_at: number;
}

interface SiteCalibrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** JSON: the points of a Calibration. */
  points: string;
  people: number;
  photos: number;
  non_mated_pairs: number;
  /** JSON: a MeasuredCalibration; null in rows from before it was kept. */
  measured: string | null;
  applied_at: number;
}

interface TemplateRefusalTable {
  face_id: FaceId;
  pipeline_id: PipelineId;
  company_id: CompanyId;
  code: FailureCode;
}

interface ErasureTable {
  /** A UUID. */
  id: string;
  company_id: CompanyId;
  at: number;
  /** JSON: ErasureReceipt, to the byte as it was signed. */
  receipt: string;
  /** Null while it is not finished. */
  signature: Uint8Array | null;
  /** JSON: ids of image files that are still to be removed; null when it is finished. */
  images: string | null;
}

export interface Schema {
  company: CompanyTable;
  site: SiteTable;
  api_token: ApiTokenTable;
  hmac_key: HmacKeyTable;
  accepted_signature: AcceptedSignatureTable;
  trust_flow: TrustFlowTable;
  upload: UploadTable;
  upload_item: UploadItemTable;
  image: ImageTable;
  trust_validation: TrustValidationTable;
  face: FaceTable;
  template: TemplateTable;
  face_chip: FaceChipTable;
  company_pipeline: CompanyPipelineTable;
  pipeline_migration: PipelineMigrationTable;
  template_refusal: TemplateRefusalTable;
  site_calibration: SiteCalibrationTable;
  gallery_snapshot: GallerySnapshotTable;
  blacklist: BlacklistTable;
  trust_flow_version: TrustFlowVersionTable;
  screening: ScreeningTable;
  screening_match: ScreeningMatchTable;
  validation_history: ValidationHistoryTable;
  signature_comparison: SignatureComparisonTable;
  operator: OperatorTable;
  operator_appearance: OperatorAppearanceTable;
  operator_session: OperatorSessionTable;
  recovery_key: RecoveryKeyTable;
  sign_in_attempt: SignInAttemptTable;
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  audit_key: AuditKeyTable;
  site_key: SiteKeyTable;
  lan_listener: LanListenerTable;
  erasure: ErasureTable;
  trusted_site: TrustedSiteTable;
  list_import: ListImportTable;
  imported_face: ImportedFaceTable;
  list_import_face: ListImportFaceTable;
}
