/** Runs that look for near pairs of faces, and what they have found. */
import type { DuplicateRunMode, DuplicateRunState } from '../../contracts/dashboard/duplicates.ts';
import type { BlacklistId, CompanyId, DuplicateRunId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { Actor, AuditContext } from './auditContext.ts';
import type { FacePair, FacePairs } from './gallery.ts';
import type { Result } from './result.ts';

/** The lists that a run compares, and its rate. */
export interface DuplicateRunChoice {
  mode: DuplicateRunMode;
  /** The faces of these are compared as well as those of duplicate detection. */
  blacklists: readonly BlacklistId[];
  /** Of so many people enrolled once about one is proposed by chance. */
  oneIn: number;
}

/**
 * √(−ln FMR) = level + slope · (distance − at): straight where the lower tail falls off as that of a normal distribution does, which
 * the shipped calibrations use as well.
 */
export interface TailLaw {
  at: number;
  level: number;
  slope: number;
}

/** How rare near pairs of different people are in a gallery, as measured on random pairs. */
export interface DistanceTail {
  /** Random faces, one of each person, all pairs of which were measured. */
  faces: number;
  pairs: number;
  /** Within this distance a comparison of two photos is called strong. */
  strong: number;
  /** The lowest rate of the pairs that the law was fitted to; rates below are extrapolated. */
  measuredTo: number;
  law: TailLaw;
  /** Variances of `level` and `slope`, and their covariance. */
  error: { level: number; slope: number; both: number };
}

/** A run as it is stored. */
export interface DuplicateRun extends DuplicateRunChoice {
  id: DuplicateRunId;
  company: CompanyId;
  state: DuplicateRunState;
  /** The run of mode `all` whose compared faces and pairs this run adds to; its own id in that mode. */
  base: DuplicateRunId;
  pipeline: PipelineId;
  /** Null: not measured yet. */
  tail: DistanceTail | null;
  /** Pairs at most this far apart are near pairs: Euclidean, 0 to 2. Null: not chosen yet. */
  maxDistance: number | null;
  /** The last face that was compared in the present pass over the ids; 0 at the start of a pass. */
  lastFace: FaceId;
  /** Faces of its lists when it started, those that it had to compare, and those that it has compared. */
  total: number;
  faces: number;
  compared: number;
  /** Near pairs found, and those of identical photos among them. */
  pairs: number;
  identical: number;
  /** Faces with more near pairs than are kept of one face. */
  truncated: number;
  startedBy: Actor;
  startedAt: Date;
  endedAt: Date | null;
  problem: DuplicateRunProblem | null;
}

/** Why a run failed. */
export type DuplicateRunProblem = 'PIPELINE_CHANGED';

export interface NearPair extends FacePair {
  /** Both photos are the same bytes. */
  identical: boolean;
}

/** Faces that a run has yet to compare. */
export interface PendingFaces {
  /** By rising ids. */
  faces: FaceId[];
  /** All faces up to this one were looked at; undefined: all faces. */
  upTo: FaceId | undefined;
}

/** The faces that a run compares: those of duplicate detection and of some blacklists, as far as they can be matched. */
export interface FaceScope {
  pipeline: PipelineId;
  blacklists: readonly BlacklistId[];
}

/** How many faces a run would compare. */
export interface PendingCounts {
  /** Faces that can be matched in the lists of the run. */
  total: number;
  /** Those that its base has not compared. */
  pending: number;
}

/**
 * A run of mode `all` is the base of later runs of mode `new`. Its near pairs are all pairs of two faces that it or they have
 * compared. The store keeps that true: a face that can no longer be matched leaves the compared faces with its pairs.
 */
export interface DuplicateRuns {
  /**
   * Starts a run in state `running`. A run of mode `new` for which {@link base} finds no run becomes one of mode `all`.
   * @param gallery its pipeline, and how many faces of the lists can be matched in it
   */
  begin(
    company: CompanyId,
    choice: DuplicateRunChoice,
    gallery: { pipeline: PipelineId; total: number },
    act: AuditContext,
  ): Promise<Result<{ run: DuplicateRun }, 'unfinished'>>;
  /** The company's last finished run of mode `all`, if it has this pipeline, these lists and this rate. */
  base(
    company: CompanyId,
    choice: Pick<DuplicateRunChoice, 'blacklists' | 'oneIn'>,
    pipeline: PipelineId,
  ): Promise<DuplicateRun | undefined>;
  /** The runs in state `running`, of all companies, oldest first. */
  running(): Promise<DuplicateRun[]>;
  find(company: CompanyId, id: DuplicateRunId): Promise<DuplicateRun | undefined>;
  /** Newest first. @param before only runs with lower ids */
  list(
    company: CompanyId,
    page: { before?: DuplicateRunId | undefined; limit: number },
  ): Promise<DuplicateRun[]>;
  count(company: CompanyId): Promise<number>;
  /** The run in state `running` or `paused`. */
  unfinished(company: CompanyId): Promise<DuplicateRun | undefined>;
  /** The last finished run, whose near pairs are the company's. */
  latest(company: CompanyId): Promise<DuplicateRun | undefined>;
  /** Pauses, resumes or cancels. @returns false: the run is in another state than `from` */
  change(
    company: CompanyId,
    id: DuplicateRunId,
    step: { from: readonly DuplicateRunState[]; to: 'running' | 'paused' | 'cancelled' },
    act: AuditContext,
  ): Promise<boolean>;
  /** Notes the tail that was measured and the distance that was chosen. */
  choose(run: DuplicateRun, tail: DistanceTail, maxDistance: number): Promise<void>;
  /** How many faces a base and the runs that add to it have compared; those that can no longer be matched are left out. */
  comparedFaces(company: CompanyId, base: DuplicateRunId): Promise<number>;
  /** Ids of the first faces above `after`, by rising ids. */
  facesAfter(company: CompanyId, scope: FaceScope, after: FaceId, limit: number): Promise<FaceId[]>;
  /** Faces above `after` that the base has not compared: the first `most` of a bounded stretch of ids. */
  pending(run: DuplicateRun, after: FaceId, most: number): Promise<PendingFaces>;
  /** The highest face that the base has compared; 0: none. */
  highestCompared(run: DuplicateRun): Promise<FaceId>;
  /**
   * Keeps the near pairs of a portion, its faces as compared, and `upTo`, in one transaction. Faces that were erased or can no
   * longer be matched are left out.
   * @returns the pairs that are new; undefined: the run is not in state `running` any more, and nothing was kept
   */
  store(run: DuplicateRun, found: FacePairs, upTo: FaceId): Promise<NearPair[] | undefined>;
  /** Ends a running run. @returns false: it is in another state */
  finish(
    run: DuplicateRun,
    end: { state: 'done' } | { state: 'failed'; problem: DuplicateRunProblem },
    act: AuditContext,
  ): Promise<boolean>;
  /** Removes some rows of runs that newer ones have replaced. @returns whether there may be more */
  removeReplaced(most: number): Promise<boolean>;
  /** Near pairs of the company's latest finished run, by rising first and second face. @param after the last pair of the page before */
  pairs(
    company: CompanyId,
    page: { after?: { first: FaceId; second: FaceId } | undefined; limit: number },
  ): Promise<NearPair[]>;
  /** Those of them that hold one of these faces. */
  pairsOf(company: CompanyId, faces: readonly FaceId[]): Promise<NearPair[]>;
}
