/** The parts of the store that an erasure uses. */
import type { Band } from '../scores/scores.ts';
import type {
  CopyPolicy,
  ErasureCandidate,
  ErasureChoice,
  ErasurePlan,
  ErasureReceipt,
  ErasureSummary,
  SignedReceipt,
} from '../../contracts/erasure.ts';
import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { RetentionCounts, RetentionRules } from '../../contracts/retention.ts';
import type { AuditContext } from './auditContext.ts';
import type { Result } from './result.ts';

/** The plan without what only the gallery knows. */
export type StoredPlan = Omit<ErasurePlan, 'candidates'> & {
  /** Faces of the same files, enrolled more than once. */
  sameFiles: ErasureCandidate[];
  /** Other photos of the same persons. */
  samePersons: ErasureCandidate[];
};

/** The company has no records with these ids. */
export interface UnknownRecords {
  kind: 'unknown';
  ids: string[];
}

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

export interface Erasures {
  /** The plan of a choice. `unknown`: the company has no record with these ids. */
  plan(company: CompanyId, choice: ErasureChoice): Promise<UnknownRecords | ({ kind: 'done' } & StoredPlan)>;
  /** All records with the text in their name. */
  byName(company: CompanyId, text: string, limit: number): Promise<ErasureCandidate[]>;
  /**
   * Faces that no search finds, with their templates of the pipeline, by rising ids, page by page: those that are not
   * matchable, and those of blacklists that have expired by `now`.
   */
  unmatchable(
    company: CompanyId,
    pipeline: PipelineId,
    now: Date,
  ): AsyncIterable<readonly { faceId: FaceId; vector: Float32Array }[]>;
  /** Candidates for these faces, by what a list shows of them. */
  ofFaces(company: CompanyId, faces: readonly SimilarFace[]): Promise<ErasureCandidate[]>;
  /**
   * One transaction: every row of the chosen is gone, and the entry is made.
   * @param code of the plan that was confirmed
   * `changed`: the plan is a different one now. `empty`: nothing was chosen.
   */
  begin(
    company: CompanyId,
    choice: ErasureChoice,
    code: string,
    act: AuditContext,
  ): Promise<Result<{ pending: PendingErasure }, 'changed' | 'empty'>>;
  /**
   * The same of some of what is due by the rules, oldest first. The transaction that erases also reads the rules and what is
   * due, so that what an operator has decided before it counts.
   * `changed`: the company has other rules now. `empty`: nothing is due. `records`: how many were due and are gone. `failed`: this
   * choice could not be erased, and nothing of it is gone.
   * @throws a fault of the machine that can pass
   */
  beginDue(company: CompanyId, due: DueRecords, act: AuditContext): Promise<BegunDue>;
  /** Files, journals, copies, the database's log and pages; then the receipts are signed. Can be done again. */
  finish(begun: readonly PendingErasure[], copies: CopyPolicy, now: () => Date): Promise<void>;
  /** The erasures that a crash interrupted, in all companies. */
  unfinished(): Promise<PendingErasure[]>;
  /** Newest first. */
  list(company: CompanyId): Promise<ErasureSummary[]>;
  /** undefined while it is not finished, or when there is none. */
  receipt(company: CompanyId, id: string): Promise<SignedReceipt | undefined>;
  /**
   * Erases what a receipt says once more, after an older state was restored. Begins a new erasure per company.
   * `empty`: no record of the receipt is here.
   */
  again(receipt: ErasureReceipt, act: AuditContext): Promise<Result<{ pending: PendingErasure }, 'empty'>>;
  /** Receipts that this machine keeps and the database lacks, though it has their records: an older state was restored. */
  undone(): Promise<ErasureReceipt[]>;
  /** Whether this very installation signed it. */
  isOurs(receipt: SignedReceipt): Promise<boolean>;
  /** How many would go now. */
  dueCounts(company: CompanyId, rules: RetentionRules, now: Date): Promise<RetentionCounts>;
}

export type BegunDue =
  | Result<{ pending: PendingErasure; records: number }, 'changed' | 'empty'>
  | { kind: 'failed'; choice: ErasureChoice; cause: unknown };

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

export interface RetentionChecks {
  /** undefined: no person has confirmed rules of this company. */
  find(company: CompanyId): Promise<RetentionCheck | undefined>;
  save(company: CompanyId, check: RetentionCheck): Promise<void>;
}
