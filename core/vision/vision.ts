/** The vision port over a pool of worker processes. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { EnrolAnalysis, SearchAnalysis, VisionPort } from '../domain/ports.ts';
import { CALIBRATIONS } from './calibration.ts';
import type { PipelineName } from './descriptor.ts';
import type { Staff } from './processPool.ts';
import { WorkerPool } from './workerPool.ts';
import type { VisionJob, VisionResult } from './workerProtocol.ts';

export interface VisionOptions {
  /** Absolute folder of the nets and their manifest. */
  modelsFolder: string;
  /** `full` unless told: both recognition nets; `light`: one, for weak machines. Their templates do not mix. */
  pipeline?: PipelineName;
  /** Worker processes, each 150–250 MB; as many as cores unless told. */
  workers?: number;
  /** Time that one image may take, milliseconds. */
  timeLimitMs?: number;
  /** Program of a worker; the source beside this file unless told (a bundle has its own). */
  workerPath?: string;
  /** Told of every worker that ended unasked; for the log. */
  onWorkerDeath?: (reason: string) => void;
}

/** A 50-megapixel progressive JPEG takes 2 s on a slow core; ten times that is no honest photo. */
const TIME_LIMIT_MS = 20_000;

/** The port, and how its workers fare. */
export type Vision = VisionPort & { staff(): Staff };

/** Resolves when all workers are ready (about a second); rejects with `UnavailableError` when they cannot start. */
export async function createVision(options: VisionOptions): Promise<Vision> {
  const workers = options.workers ?? availableParallelism();
  const pipeline = options.pipeline ?? 'full';
  const pool = new WorkerPool({
    modelsFolder: options.modelsFolder,
    pipeline,
    workerPath: options.workerPath ?? fileURLToPath(new URL('./worker.ts', import.meta.url)),
    workers,
    timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
    onWorkerDeath: options.onWorkerDeath ?? (() => undefined),
  });
  const pipelineId = await pool.start();
  return {
    pipelineId,
    calibration: CALIBRATIONS[pipeline],
    workers,
    enrol: async (image, { gate, priority }) =>
      enrolAnalysis(await pool.submit({ kind: 'enrol', image, gate } satisfies VisionJob, priority)),
    search: async (image, { priority }) =>
      searchAnalysis(await pool.submit({ kind: 'search', image } satisfies VisionJob, priority)),
    staff: () => pool.staff,
    close: () => pool.close(),
  };
}

function enrolAnalysis(result: VisionResult): EnrolAnalysis {
  if (result.kind === 'faces') throw new Error('a worker answered an enrolment with a search');
  return result;
}

function searchAnalysis(result: VisionResult): SearchAnalysis {
  if (result.kind === 'face') throw new Error('a worker answered a search with an enrolment');
  return result;
}
