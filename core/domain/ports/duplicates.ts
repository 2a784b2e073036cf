/** Runs that look for near pairs of faces, and what they have found. */
import type { DuplicateRunMode } from '../../contracts/dashboard/duplicates.ts';
import type { BlacklistId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { FacePair } from './gallery.ts';

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
