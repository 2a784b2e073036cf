/** The messages between the pool and a worker process, over the channel that `fork` opens (structured clones). */
import type { Problem } from '../contracts/errors/problem.ts';
import type { Box, ExtractedFace } from '../contracts/faces.ts';
import type { QualityThresholds } from '../contracts/settings.ts';
import type {
  EnrolAnalysis,
  FaceMeasurement,
  FacesOfPhoto,
  MeasuredKind,
  PictureConversion,
  TokenImage,
  SearchAnalysis,
  ReextractionResult,
} from '../domain/ports/recognition.ts';
import type { PipelineId } from '../contracts/ids.ts';

/** The name says where to find it, the id which one is meant: a pack may have changed under its name. */
export interface PipelineReference {
  name: string;
  id: PipelineId;
  /** Components of its templates. */
  dimensions: number;
}

export type VisionJob = { pipeline: PipelineReference } & (
  | {
      kind: 'enrol';
      image: Uint8Array;
      gate: QualityThresholds | undefined;
      severalFaces: FacesOfPhoto;
      /** Templates of one photo at most this far apart are of one person. */
      samePerson: number;
    }
  | { kind: 'search'; image: Uint8Array }
  | { kind: 'reextract'; image: Uint8Array; place: Box }
  | { kind: 'measure'; image: Uint8Array; of: MeasuredKind; gate: QualityThresholds }
  | { kind: 'convert'; image: Uint8Array; samePerson: number | undefined }
  | { kind: 'tokenImage'; image: Uint8Array; eyes: ExtractedFace['eyes'] }
  /** Loads the pipeline and nothing more. */
  | { kind: 'try' }
);

export type VisionResult =
  | EnrolAnalysis
  | SearchAnalysis
  | ReextractionResult
  | FaceMeasurement
  | PictureConversion
  | ({ kind: 'tokenImage' } & TokenImage)
  | { kind: 'usable' }
  /** The pipeline cannot be run. The reason is for the person who installed it; `detail`, the text of the runtime, for the log. */
  | { kind: 'unusable'; reason: Problem; detail: string | null };

/** One at a time: the pool sends the next only after the answer to the last. */
export interface JobMessage<Job = VisionJob> {
  job: Job;
}

export type WorkerMessage<Result = VisionResult> =
  /** Its libraries and models are loaded; sent once. */
  | { kind: 'ready' }
  /** It cannot be loaded; the worker ends after saying so. */
  | { kind: 'unable'; reason: string }
  | { kind: 'done'; result: Result }
  /** The engine threw: a fault of ours, not of the image's form. */
  | { kind: 'failed'; reason: string };
