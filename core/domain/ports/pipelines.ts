/** The parts of the store and of recognition that a change of pipeline uses. */
import type { Problem } from '../../contracts/errors/problem.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { Recogniser } from './recognition.ts';
import type { Calibration } from '../scores/scores.ts';
import type { PipelineStore } from '../../storage/faces/pipelines.ts';
import type { Companies } from '../../storage/settings/companies.ts';

/** A pipeline that can be selected. */
export interface PipelineFacts {
  id: PipelineId;
  /** Its name: `full`, `light`, or the folder of its pack. */
  name: string;
  title: string;
  /** Ships with the product; otherwise it is a pack. */
  builtIn: boolean;
  /** Superseded: still used for companies that are not described by its successor yet, and not selectable. */
  retired: boolean;
  /** Numbers in a template. */
  dimensions: number;
  licence: string;
  calibration: Calibration;
  /** The rates of its distances among people who look alike to it; a pack has no such table. */
  strict?: Calibration;
}

/** Runs any installed pipeline. */
export interface PipelineRunner {
  /** The pipeline of companies that have none yet. */
  readonly standard: PipelineFacts;
  /**
   * Undefined when no such pipeline was installed when the packs were last read; then they are read again soon.
   * @param company whose images it will see: a worker process serves one company; absent: only its facts are read
   */
  using(pipeline: PipelineId, company?: CompanyId): Recogniser | undefined;
  /** The successor of a built-in pipeline of an earlier version of the product, whether that can still run or not. */
  successorOf(pipeline: PipelineId): PipelineFacts | undefined;
  /** Looks for packs once more. */
  list(): Promise<{ pipelines: PipelineFacts[]; refused: { name: string; reason: Problem }[] }>;
  /** Loads a pipeline in a worker. @returns what keeps it from being used; undefined when nothing does */
  problemWith(pipeline: PipelineId): Promise<Problem | undefined>;
}

/** The template that a pipeline extracted from a face. */
export type ExtractionResult = { faceId: FaceId } & (
  | { vector: Float32Array }
  | { vector?: never; code: FailureCode }
);

/** How far a migration is: faces of the company, and of them those that have a template or were refused. */
export interface MigrationCounts {
  total: number;
  extracted: number;
  refused: number;
}

/** The gallery as it is changed from one pipeline to another. */
export interface GallerySwitch {
  /** Brings the templates of a pipeline into memory, beside those that are searched. */
  prepare(company: CompanyId, pipeline: PipelineId): Promise<void>;
  /** Makes what was prepared agree with the store; nothing may change the company's faces meanwhile. */
  settle(company: CompanyId, pipeline: PipelineId): Promise<void>;
  /** From here on the company is searched by this pipeline; the other templates leave the memory. */
  serve(company: CompanyId, pipeline: PipelineId): void;
  /** Takes back what was prepared. */
  abandon(company: CompanyId, pipeline: PipelineId): void;
}

/** A company whose pipeline is not installed. */
export interface MissingPipeline {
  company: string;
  pipeline: PipelineId;
  /** Faces of the company that have a template of another pipeline, of all; null: no change is under way. */
  change: { extracted: number; total: number } | null;
}

export interface MissingPorts {
  companies: Pick<Companies, 'list'>;
  pipelines: Pick<PipelineStore, 'active' | 'migrations' | 'counts'>;
}
