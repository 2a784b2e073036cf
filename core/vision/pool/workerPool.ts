/** The pool of the face engine's workers. */
import { ProcessPool, type ProcessPoolOptions } from '../../workers/processPool.ts';
import { visionAnswer } from '../../workers/workerAnswers.ts';
import { IMAGE_LIMITS } from '../../contracts/limits/limits.ts';
import { netBytes } from '../packs/reading.ts';
import type { VisionJob, VisionResult } from '../../workers/workerProtocol.ts';

/**
 * A worker holds little but pictures, which live outside of V8's heap and are dropped at once. V8 counts them, and by
 * its own measure would mark the whole heap on further threads at every other photo: a third of a photo's processor
 * time. A small young generation gives pictures back soon, a heap that may grow is marked seldom, on the worker's own
 * thread (docs/research/recognition-speed.md).
 */
export const VISION_WORKER_FLAGS: readonly string[] = [
  '--single-threaded-gc',
  '--initial-heap-size=128',
  '--max-semi-space-size=2',
];

type Shared = Pick<
  ProcessPoolOptions<VisionJob, VisionResult>,
  'workerPath' | 'workers' | 'timeLimitMs' | 'idleMs' | 'onWorkerDeath'
>;

export interface PoolOptions extends Shared {
  modelsFolder: string;
  /** Where packs are; null: only the built-in pipelines. */
  packsFolder: string | null;
  /** Names of pipelines that every worker loads before it is ready; others when they are first asked for. */
  preload: readonly string[];
}

/** As a file, as the runtime's own weights, and as their prepacked form. */
const COPIES_OF_A_NET = 3;

/** An image that is given up is refused with the reason. */
export class WorkerPool extends ProcessPool<VisionJob, VisionResult> {
  constructor({ modelsFolder, packsFolder, preload, ...options }: PoolOptions) {
    super({
      ...options,
      name: 'vision',
      workerArguments: [modelsFolder, packsFolder ?? '', ...preload],
      workerFlags: VISION_WORKER_FLAGS,
      check: visionAnswer,
      reads: packsFolder === null ? [modelsFolder] : [modelsFolder, packsFolder],
      memoryLimit: () =>
        IMAGE_LIMITS.workerBytes + COPIES_OF_A_NET * (packsFolder === null ? 0 : netBytes(packsFolder)),
      isSuspect: ({ kind, ...result }) =>
        kind === 'refused' &&
        'code' in result &&
        (result.code === 'CORRUPT_IMAGE' || result.code === 'UNSUPPORTED_IMAGE'),
      giveUp: (code) => ({ kind: 'refused', code }),
    });
  }
}
