/** Decisions about who is shown, the persons that follow from them, and the groups that are proposed. */
import type { Generated } from 'kysely';
import type { GroupState } from '../../../contracts/dashboard/duplicates.ts';
import type {
  CompanyId,
  DuplicateGroupId,
  DuplicateRunId,
  FaceId,
  IdentityDecisionId,
  ImageId,
  PersonId,
  PipelineId,
  SignatureSpecimenId,
} from '../../../contracts/ids.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';
import type { DecisionKind } from '../../../domain/ports/persons.ts';

interface IdentityDecisionTable {
  id: Generated<IdentityDecisionId>;
  company_id: CompanyId;
  kind: DecisionKind | 'change' | 'undo';
  undoes: IdentityDecisionId | null;
  /** 1: it takes effect when a second operator confirms it. */
  awaits_second: Generated<number>;
  /** The decision of the first operator, which this one confirms. */
  confirms: IdentityDecisionId | null;
  decided_by: Actor;
  decided_at: number;
  reason: string | null;
  /** The person that the faces belonged to after it, and the other one of a merge, a split or a move. */
  person_id: PersonId | null;
  other_person_id: PersonId | null;
  /** Euclidean, of the least similar pair; and the pipeline of its templates. Null: not measured. */
  distance: number | null;
  pipeline_id: PipelineId | null;
  /** Keyed digests of the Idempotency-Key and the content of the request of a program; null: it has no key. */
  request_key: string | null;
  request_content: string | null;
}

interface IdentityDecisionFaceTable {
  decision_id: IdentityDecisionId;
  face_id: FaceId;
  side: number;
  company_id: CompanyId;
}

interface PersonTable {
  id: Generated<PersonId>;
  company_id: CompanyId;
  /** The decision that the person came of. */
  born: IdentityDecisionId;
  name: string;
  note: string | null;
  external_id: string | null;
  cover_face: FaceId | null;
  version: Generated<number>;
  created_at: number;
  changed_at: number;
  /** The key by which people find it, and the version of the folding that made the key. */
  search_key: Generated<string>;
  search_folding: Generated<number>;
}

interface PersonFaceTable {
  face_id: FaceId;
  person_id: PersonId;
  company_id: CompanyId;
}

interface PersonFormerFaceTable {
  person_id: PersonId;
  face_id: FaceId;
  company_id: CompanyId;
}

interface SignatureSpecimenTable {
  id: Generated<SignatureSpecimenId>;
  company_id: CompanyId;
  face_id: FaceId;
  image_id: ImageId;
  added_by: Actor;
  added_at: number;
}

interface DuplicateGroupTable {
  id: Generated<DuplicateGroupId>;
  company_id: CompanyId;
  oldest_face: FaceId;
  state: GroupState;
  version: Generated<number>;
  /** Distance at which its last two parts were joined, and of its least similar pair; Euclidean. */
  link: number;
  widest: number;
  size: number;
  identical: number;
  created_at: number;
  changed_at: number;
}

interface DuplicateGroupFaceTable {
  group_id: DuplicateGroupId;
  face_id: FaceId;
  company_id: CompanyId;
}

interface FaceToGroupTable {
  id: Generated<number>;
  face_id: FaceId;
  company_id: CompanyId;
}

interface DuplicateGroupingTable {
  company_id: CompanyId;
  run_id: DuplicateRunId | null;
  last_change: Generated<number>;
}

export interface PersonsTables {
  identity_decision: IdentityDecisionTable;
  identity_decision_face: IdentityDecisionFaceTable;
  person: PersonTable;
  person_face: PersonFaceTable;
  person_former_face: PersonFormerFaceTable;
  signature_specimen: SignatureSpecimenTable;
  duplicate_group: DuplicateGroupTable;
  duplicate_group_face: DuplicateGroupFaceTable;
  face_to_group: FaceToGroupTable;
  duplicate_grouping: DuplicateGroupingTable;
}
