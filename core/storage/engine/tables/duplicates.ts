/** Runs that look for near pairs of faces, the faces that they have compared, and the pairs. */
import type { Generated } from 'kysely';
import type { DuplicateRunMode, DuplicateRunState } from '../../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateRunId, FaceId, PipelineId } from '../../../contracts/ids.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';

interface DuplicateRunTable {
  id: Generated<DuplicateRunId>;
  company_id: CompanyId;
  mode: DuplicateRunMode;
  state: DuplicateRunState;
  /** The run whose compared faces and pairs this one adds to; null: it has its own. */
  base_id: DuplicateRunId | null;
  pipeline_id: PipelineId;
  /** JSON: ids of the blacklists whose faces are compared, too, rising. */
  blacklists: string;
  /** Of so many people enrolled once about one is proposed by chance. */
  one_in: number;
  /** JSON: DistanceTail. Null: not measured yet. */
  tail: string | null;
  /** Euclidean distance of the near pairs, 0 to 2; null: not chosen yet. */
  max_distance: number | null;
  /** The last face that was compared in the present pass over the ids. */
  last_face: Generated<number>;
  /** Faces of its lists when the run started, and those of them that it had to compare. */
  total: number;
  faces: number;
  compared: Generated<number>;
  pairs: Generated<number>;
  identical: Generated<number>;
  /** Faces with more near pairs than are kept of one face. */
  truncated: Generated<number>;
  started_by: Actor;
  started_at: number;
  ended_at: number | null;
  /** Code of why it failed. */
  problem: string | null;
}

interface ComparedFaceTable {
  face_id: FaceId;
  /** Of mode `all`. */
  run_id: DuplicateRunId;
  company_id: CompanyId;
}

interface NearPairTable {
  first_face: FaceId;
  second_face: FaceId;
  /** Of mode `all`. */
  run_id: DuplicateRunId;
  company_id: CompanyId;
  /** Euclidean, 0 to 2. */
  distance: number;
  /** 1: both photos are the same bytes. */
  identical: number;
}

export interface DuplicatesTables {
  duplicate_run: DuplicateRunTable;
  compared_face: ComparedFaceTable;
  near_pair: NearPairTable;
}
