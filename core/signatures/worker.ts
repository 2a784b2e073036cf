/** A signature worker: `fork`ed by its pool, does one job at a time, and may be killed at any moment. */
import sharp from 'sharp';
import { watchOwnMemory } from '../workers/ownMemory.ts';
import type { JobMessage, WorkerMessage } from '../workers/workerProtocol.ts';
import { runWorkerJob, type SignatureWorkerJob, type SignatureWorkerResult } from './engine.ts';

/** The parent is gone, so there is no work left. Also ends a worker that the parent's crash left behind. */
process.on('disconnect', () => process.exit());
// One comparison is one core's work; more threads would only take cores from the others.
sharp.concurrency(1);
if (process.platform !== 'linux') watchOwnMemory();

function say(message: WorkerMessage<SignatureWorkerResult>): void {
  if (process.connected) process.send?.(message);
}

process.on('message', ({ job }: JobMessage<SignatureWorkerJob>) => {
  runWorkerJob(job).then(
    (result) => say({ kind: 'done', result }),
    (error: unknown) => say({ kind: 'failed', reason: String(error) }),
  );
});
say({ kind: 'ready' });
