/** The parts of the store that an erasure uses. */
import type { Band } from '../scores/scores.ts';
import type { ErasureCandidate, ErasureChoice, ErasurePlan } from '../../contracts/erasure.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { RetentionRules } from '../../contracts/retention.ts';

/** The plan without what only the gallery knows. */
export type StoredPlan = Omit<ErasurePlan, 'candidates'> & {
  /** Faces of the same files, enrolled more than once. */
  sameFiles: ErasureCandidate[];
  /** Other photos of the same persons. */
  samePersons: ErasureCandidate[];
};

/** Committed, and not finished: its faces match no more and no file can be read, but there is something left to do. */
export interface PendingErasure {
  id: string;
  company: CompanyId;
  /** The gallery forgets them at once. */
  faces: FaceId[];
  /** Pieces of what went, to be searched for; null: unknown, because a crash came between. In memory alone. */
  traces: ErasureResidue | null;
}

export interface ErasureResidue {
  /** Pieces of templates, faces and keys: nowhere by chance. */
  bytes: Uint8Array[];
  /** Names, which others may bear too. */
  names: string[];
}

/** A face that resembles one of the person, with the similarity from 0 to 100. */
export interface SimilarFace {
  face: FaceId;
  score: number;
  band: Band | null;
}

export type BegunDue =
  | { kind: 'done'; pending: PendingErasure; records: number }
  | { kind: 'changed' | 'empty'; pending?: undefined }
  | { kind: 'failed'; pending?: undefined; choice: ErasureChoice; cause: unknown };

/** Some records that are due by rules. */
export interface DueRecords {
  rules: RetentionRules;
  /** Ages are counted to this moment. */
  now: Date;
  /** Records at most. */
  limit: number;
  /** Due records that are left out. */
  except: ErasureChoice;
}

/** The last time at which a company's unattended erasure found the clock plausible, or a person confirmed the rules. */
export interface RetentionCheck {
  at: Date;
  /** Which start of the machine that was; empty where the system does not report it. */
  boot: string;
  /** Milliseconds since that start. */
  uptime: number;
  /** Records that were due when a person confirmed the rules; 0 after the run that followed. */
  confirmed: number;
}
