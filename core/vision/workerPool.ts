/** The pool of the face engine's workers. */
import { ProcessPool } from './processPool.ts';
import type { ProcessPoolOptions } from './processPool.ts';
import type { VisionJob, VisionResult } from './workerProtocol.ts';

type Shared = Pick<
  ProcessPoolOptions<VisionResult>,
  'workerPath' | 'workers' | 'timeLimitMs' | 'onWorkerDeath'
>;

export interface PoolOptions extends Shared {
  modelsFolder: string;
  /** Where packs are; null: only the built-in pipelines. */
  packsFolder: string | null;
  /** Names of pipelines that every worker loads before it is ready; others when they are first asked for. */
  preload: readonly string[];
}

/** An image that is given up is refused with the reason. */
export class WorkerPool extends ProcessPool<VisionJob, VisionResult> {
  constructor({ modelsFolder, packsFolder, preload, ...options }: PoolOptions) {
    super({
      ...options,
      name: 'vision',
      workerArguments: [modelsFolder, packsFolder ?? '', ...preload],
      giveUp: (code) => ({ kind: 'refused', code }),
    });
  }
}
