/** The pool of the face engine's workers. */
import type { PipelineName } from './descriptor.ts';
import { ProcessPool } from './processPool.ts';
import type { ProcessPoolOptions } from './processPool.ts';
import type { VisionJob, VisionResult } from './workerProtocol.ts';

type Shared = Pick<
  ProcessPoolOptions<VisionResult>,
  'workerPath' | 'workers' | 'timeLimitMs' | 'onWorkerDeath'
>;

export interface PoolOptions extends Shared {
  modelsFolder: string;
  pipeline: PipelineName;
}

/** An image that is given up is refused with the reason. */
export class WorkerPool extends ProcessPool<VisionJob, VisionResult> {
  constructor({ modelsFolder, pipeline, ...options }: PoolOptions) {
    super({
      ...options,
      name: 'vision',
      workerArguments: [modelsFolder, pipeline],
      giveUp: (code) => ({ kind: 'refused', code }),
    });
  }
}
