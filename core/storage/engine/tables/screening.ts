/** Trust Flows, Trust Validations, blacklists, and the results of screening. */
import type { Generated } from 'kysely';
import type { BlacklistStatus, TrustValidationStatus, UploadKind } from '../../../contracts/codes.ts';
import type { Severity } from '../../../contracts/faceListing.ts';
import type { FailureCode } from '../../../contracts/errors/failures.ts';
import type { IncompleteCode } from '../../../contracts/incomplete.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  TrustFlowId,
  TrustValidationId,
} from '../../../contracts/ids.ts';
import type { HistoryEntry } from '../../../contracts/validations.ts';
import type { MatchBand } from '../../../domain/scores/scores.ts';

interface TrustFlowTable {
  id: Generated<TrustFlowId>;
  company_id: CompanyId;
  name: string;
  /** 1: the internal flow of bulk enrolment. */
  system: Generated<number>;
  created_at: number;
  /** JSON: FlowSettings of the draft; null when the flow has no draft. */
  draft: string | null;
  /** Counts the changes of the draft and of the version. */
  revision: Generated<number>;
  updated_at: number | null;
}

interface TrustFlowVersionTable {
  id: Generated<number>;
  company_id: CompanyId;
  trust_flow_id: TrustFlowId;
  number: number;
  settings: string;
  /** JSON: names of the selected blacklists by id. */
  blacklist_names: string;
  created_at: number;
}

interface TrustValidationTable {
  id: Generated<TrustValidationId>;
  company_id: CompanyId;
  trust_flow_id: TrustFlowId;
  status: TrustValidationStatus;
  /** The name in lists. Bulk enrolment takes the file's name without its extension. */
  name: string;
  created_at: number;
  finalized_at: number | null;
  source: Generated<'enrolment' | 'verification'>;
  flow_version_id: number | null;
  /** JSON, as the client sent it. */
  metadata: string | null;
  /** The request of an operator that started the verification; null: a program or bulk enrolment created it. */
  request_id: string | null;
  duplicate_detected: Generated<number>;
  blacklist_detected: Generated<number>;
  /** Why the newest selfie was refused; null once a selfie is accepted. Shown while the status is Incomplete. */
  incomplete_reason: IncompleteCode | null;
  /** Score of the best match; 0: no match. Sorts the list. */
  best_score: Generated<number>;
  /** The key by which people find it, and the version of the folding that made the key. */
  search_key: Generated<string>;
  search_folding: Generated<number>;
}

interface BlacklistTable {
  id: Generated<BlacklistId>;
  company_id: CompanyId;
  name: string;
  /** The name in the form that is compared. */
  name_key: string;
  description: string | null;
  status: BlacklistStatus;
  created_at: number;
  updated_at: number;
}

interface ScreeningTable {
  trust_validation_id: TrustValidationId;
  company_id: CompanyId;
  /** JSON: ScreeningFacts. */
  facts: string;
}

interface ScreeningMatchTable {
  id: Generated<number>;
  company_id: CompanyId;
  trust_validation_id: TrustValidationId;
  kind: UploadKind;
  blacklist_id: BlacklistId | null;
  blacklist_name: string | null;
  face_id: FaceId;
  /** The selfie that was compared. */
  probe_face_id: FaceId;
  matched_trust_validation_id: TrustValidationId | null;
  full_name: string;
  distance: number;
  score: number;
  band: MatchBand;
  enrolled_at: number;
  /** Of the face of the blacklist when it matched; null: a duplicate. */
  severity: Severity | null;
  reason: string | null;
}

interface ValidationHistoryTable {
  id: Generated<number>;
  company_id: CompanyId;
  trust_validation_id: TrustValidationId;
  at: number;
  actor: string;
  action: HistoryEntry['action'];
  from_status: TrustValidationStatus | null;
  to_status: TrustValidationStatus;
  note: string | null;
  /** Why a selfie was rejected. */
  failure_code: FailureCode | null;
}

export interface ScreeningTables {
  trust_flow: TrustFlowTable;
  trust_flow_version: TrustFlowVersionTable;
  trust_validation: TrustValidationTable;
  blacklist: BlacklistTable;
  screening: ScreeningTable;
  screening_match: ScreeningMatchTable;
  validation_history: ValidationHistoryTable;
}
