/**
 * A vision worker: `fork`ed by the pool with the models' folder, the packs' folder and the pipelines to load as its
 * arguments. A process and not a thread, so that a decoder or net that dies on a hostile file takes one worker and
 * blames one image; and it may be killed at any moment.
 */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { constants, getPriority, setPriority } from 'node:os';
import { createEngine, type Engine } from './engine.ts';
import { watchOwnMemory } from '../../workers/ownMemory.ts';
import { isPipelineName } from '../builtInPipelines.ts';
import { loadTemplateExtractor, type TemplateExtractor } from '../descriptor.ts';
import { loadPackExtractor } from '../packs/templateExtractor.ts';
import { readPack } from '../packs/reading.ts';
import type { PipelineFolders } from './pipelines.ts';
import type {
  JobMessage,
  PipelineReference,
  VisionJob,
  VisionResult,
  WorkerMessage,
} from '../../workers/workerProtocol.ts';

/** The parent is gone, so there is no work left. Also ends a worker that the parent's crash left behind. */
process.on('disconnect', () => process.exit());
// Bulk enrolment keeps every core busy for hours; the service and other programs come first. A service that was started
// with a lower priority still, by `nice` for example, passes that one on, and a confined process must not raise it.
if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

if (process.platform !== 'linux') watchOwnMemory();

/** Pipelines in memory: the active one, the one that templates are re-created with, and another company's. */
const KEPT = 3;

function say(message: WorkerMessage): void {
  // The channel closes when the parent dies; the 'disconnect' above then ends this process.
  if (process.connected) process.send?.(message);
}

const [modelsFolder, packs, ...preload] = process.argv.slice(2);
/** By the name of its pipeline, the one used last at the end. */
const engines = new Map<string, Engine>();
try {
  if (modelsFolder === undefined) throw new Error("the models' folder is missing");
  const folders = { models: modelsFolder, packs: packs === '' || packs === undefined ? null : packs };
  for (const name of preload) await load(folders, name);
  process.on('message', (message: JobMessage) => void answer(folders, message.job));
  say({ kind: 'ready' });
} catch (error) {
  say({ kind: 'unable', reason: reasonOf(error) });
  process.disconnect();
}

/** @throws {CodedError} when there is no such pack, or something is wrong with it */
async function loadPipeline(folders: PipelineFolders, name: string): Promise<TemplateExtractor> {
  if (isPipelineName(name)) return loadTemplateExtractor(folders.models, name);
  if (folders.packs === null) throw new CodedError(problem('PACK_UNKNOWN', { name }));
  return loadPackExtractor(await readPack(folders.packs, name));
}

async function load(folders: PipelineFolders, name: string): Promise<Engine> {
  const extractor = await loadPipeline(folders, name);
  const [other] = engines.values();
  const engine = other?.using(extractor) ?? (await createEngine(folders.models, extractor));
  engines.set(name, engine);
  return engine;
}

/** @throws {CodedError} when there is no such pipeline, or its pack is not what it was */
async function engineFor(folders: PipelineFolders, { name, id }: PipelineReference): Promise<Engine> {
  let engine = engines.get(name);
  if (engine?.pipelineId !== id) engine = await load(folders, name);
  if (engine.pipelineId !== id)
    throw new CodedError(problem('PACK_CHANGED', { name, found: engine.pipelineId, expected: id }));
  engines.delete(name);
  engines.set(name, engine);
  for (const kept of engines.keys()) if (engines.size > KEPT) engines.delete(kept);
  return engine;
}

/** The heap is collected after so many jobs; by itself V8 lets it grow by 80 MiB first (bench/README.md, bulk enrolment). */
const JOBS_PER_COLLECTION = 100;
let jobs = 0;

async function answer(folders: PipelineFolders, job: VisionJob): Promise<void> {
  try {
    say({ kind: 'done', result: await run(await engineFor(folders, job.pipeline), job) });
  } catch (error) {
    if (error instanceof CodedError)
      say({ kind: 'done', result: { kind: 'unusable', reason: error.problem, detail: detailOf(error) } });
    else say({ kind: 'failed', reason: reasonOf(error) });
  }
  jobs += 1;
  if (jobs % JOBS_PER_COLLECTION === 0) globalThis.gc?.();
}

function detailOf({ cause }: CodedError): string | null {
  return cause === undefined ? null : reasonOf(cause);
}

function run(engine: Engine, job: VisionJob): Promise<VisionResult> {
  switch (job.kind) {
    case 'enrol':
      return engine.enrol(job.image, job);
    case 'search':
      return engine.search(job.image);
    case 'measure':
      return engine.measure(job.image, job.of, job.gate);
    case 'reextract':
      return engine.reextract(job.image, job.place);
    case 'convert':
      return engine.convert(job.image, job.samePerson);
    case 'tokenImage':
      return engine.tokenImage(job.image, job.eyes);
    case 'try':
      return Promise.resolve({ kind: 'usable' });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
