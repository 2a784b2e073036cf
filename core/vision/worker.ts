/**
 * A vision worker: `fork`ed by the pool with the models' folder and the pipeline as its arguments. A process and not a thread, so that a
 * decoder or net that dies on a hostile file takes one worker and blames one image; and it may be killed at any moment.
 */
import { constants, setPriority } from 'node:os';
import { isPipelineName, loadDescriber } from './descriptor.ts';
import { createEngine, type Engine } from './engine.ts';
import type { JobMessage, VisionJob, VisionResult, WorkerMessage } from './workerProtocol.ts';

/** The parent is gone: there is nobody to work for. Also ends a worker that the parent's crash left behind. */
process.on('disconnect', () => process.exit());
// Bulk enrolment keeps every core busy for hours; the machine's owner and the service itself come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

function say(message: WorkerMessage): void {
  // The channel closes when the parent dies; the 'disconnect' above then ends this process.
  if (process.connected) process.send?.(message);
}

const [modelsFolder, pipeline] = process.argv.slice(2);
try {
  if (modelsFolder === undefined) throw new Error("the models' folder is missing");
  if (!isPipelineName(pipeline)) throw new Error('the name of the pipeline is missing');
  const engine = await createEngine(modelsFolder, await loadDescriber(modelsFolder, pipeline));
  process.on('message', (message: JobMessage) => void answer(engine, message.job));
  say({ kind: 'ready', pipelineId: engine.pipelineId });
} catch (error) {
  say({ kind: 'unable', reason: reasonOf(error) });
  process.disconnect();
}

async function answer(engine: Engine, job: VisionJob): Promise<void> {
  try {
    say({ kind: 'done', result: await run(engine, job) });
  } catch (error) {
    say({ kind: 'failed', reason: reasonOf(error) });
  }
}

function run(engine: Engine, job: VisionJob): Promise<VisionResult> {
  return job.kind === 'enrol' ? engine.enrol(job.image, job.gate) : engine.search(job.image);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
