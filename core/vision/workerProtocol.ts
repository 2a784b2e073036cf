/** What the pool and a worker process say to each other, over the channel that `fork` opens (structured clones). */
import type { GateSettings } from '../contracts/settings.ts';
import type { EnrolAnalysis, SearchAnalysis } from '../domain/ports.ts';
import type { PipelineId } from '../contracts/ids.ts';

export type VisionJob =
  | { kind: 'enrol'; image: Uint8Array; gate: GateSettings | undefined }
  | { kind: 'search'; image: Uint8Array };

export type VisionResult = EnrolAnalysis | SearchAnalysis;

/** One at a time: the pool sends the next only after the answer to the last. */
export interface JobMessage<Job = VisionJob> {
  job: Job;
}

export type WorkerMessage<Result = VisionResult> =
  /** What it needs is loaded; said once. */
  | { kind: 'ready'; pipelineId: PipelineId }
  /** It cannot be loaded; the worker ends after saying so. */
  | { kind: 'unable'; reason: string }
  | { kind: 'done'; result: Result }
  /** The engine threw: a fault of ours, not of the image's form. */
  | { kind: 'failed'; reason: string };
