/** The vision ports over a pool of worker processes. */
import { problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { PipelineFacts, PipelineRunner } from '../../domain/ports/pipelines.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import type { Priority, Recogniser, VisionPort } from '../../domain/ports/recognition.ts';
import { distanceAtFmr, STRONG_FMR } from '../../domain/scores/scores.ts';
import type { PipelineName } from '../builtInPipelines.ts';
import { IMAGE_LIMITS } from '../../contracts/limits/limits.ts';
import { ProcessPool, type ProcessPoolOptions, type WorkerStats } from '../../workers/processPool.ts';
import { visionAnswer } from '../../workers/workerAnswers.ts';
import { netBytes } from '../packs/reading.ts';
import { listPipelines } from './pipelines.ts';
import type { VisionJob, VisionResult } from '../../workers/workerProtocol.ts';

export interface VisionOptions {
  /** Absolute folder of the nets and their manifest. */
  modelsFolder: string;
  /** Absolute folder of the installation's packs; absent: only the built-in pipelines. */
  packsFolder?: string;
  /** Default `full`: both recognition nets; `light`: one, for weak machines. Their templates do not mix. */
  pipeline?: PipelineName;
  /** Worker processes at most, each 150–250 MB; by default as many as cores. */
  workers?: number;
  /** Time that one image may take, milliseconds. */
  timeLimitMs?: number;
  /** Told of every worker that ended unasked; for the log. */
  onWorkerDeath?: (reason: string) => void;
  /** Told why a pack cannot be run, in the words of its runtime; for the log. */
  onPackUnusable?: (name: string, detail: string) => void;
  /** Told why the folder of the packs could not be read again; for the log. */
  onPacksUnreadable?: (error: unknown) => void;
}

/** Recognition by the pipeline that was asked for, and by every other one that is installed. */
export interface Vision extends VisionPort, PipelineRunner {
  /** The pipelines that were installed at the start. */
  readonly installed: readonly PipelineFacts[];
  /** Starts the first worker, so that the first photo does not wait for the networks. @throws {UnavailableError} it cannot start */
  start(): Promise<void>;
  /** Counts and confinement of the workers. */
  workerStats(): WorkerStats;
}

/** A 50-megapixel progressive JPEG takes 2 s on a slow core; ten times that is no honest photo. */
const TIME_LIMIT_MS = 20_000;

/** Reading the packs hashes their nets, some 0.3 s for 200 MB: between two readings that a refusal asks for. */
const REREAD_INTERVAL_MS = 2_000;

/** Reads which pipelines are installed. Workers start with the first job, or with {@link Vision.start}. */
export async function createVision(options: VisionOptions): Promise<Vision> {
  const workers = options.workers ?? availableParallelism();
  const preferred = options.pipeline ?? 'full';
  const folders = { models: options.modelsFolder, packs: options.packsFolder ?? null };
  // A worker receives its readable folders at its start; a folder that is made later would stay closed to it.
  if (folders.packs !== null) mkdirSync(folders.packs, { recursive: true, mode: 0o700 });
  const found = await listPipelines(folders);
  const known = new Map(found.pipelines.map((facts) => [facts.id, facts]));
  const pool = new WorkerPool({
    modelsFolder: folders.models,
    packsFolder: folders.packs,
    preload: [preferred],
    workerPath: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    workers,
    timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
    onWorkerDeath: options.onWorkerDeath ?? (() => undefined),
  });
  const submit: Submit = async (job, priority, company) => {
    const result = await pool.submit(job, priority, company);
    if (result.kind === 'unusable' && result.detail !== null)
      options.onPackUnusable?.(job.pipeline.name, result.detail);
    return result;
  };
  const list = async () => {
    const listed = await listPipelines(folders);
    known.clear();
    for (const facts of listed.pipelines) known.set(facts.id, facts);
    return listed;
  };
  let lastReadAt = performance.now();
  /** Reads the packs again, at most every few seconds: an unknown pack might have been restored since. */
  const rereadPacks = () => {
    if (performance.now() - lastReadAt < REREAD_INTERVAL_MS) return;
    lastReadAt = performance.now();
    list().catch((error: unknown) => options.onPacksUnreadable?.(error));
  };
  const using: PipelineRunner['using'] = (id, company) => {
    const facts = known.get(id);
    if (facts === undefined) rereadPacks();
    return facts && recogniserOf(facts, submit, company ?? null);
  };
  const standard = found.pipelines.find(({ name }) => name === preferred)!;
  return {
    ...recogniserOf(standard, submit, null),
    workers,
    async convert(image, { company, priority, use }) {
      const { id, name, dimensions, calibration } = standard;
      const samePerson = use === 'sheet' ? distanceAtFmr(calibration, STRONG_FMR) : undefined;
      const job = { kind: 'convert', image, samePerson, pipeline: { id, name, dimensions } } as const;
      const result = await submit(job, priority, company);
      if (result.kind === 'refused') return { kind: 'unconvertible', reason: problem(result.code) };
      if (result.kind === 'converted' || result.kind === 'unconvertible') return result;
      throw new UnavailableError(`A worker could not convert a picture (${result.kind}).`);
    },
    async tokenImage(company, image, eyes) {
      const { id, name, dimensions } = standard;
      const job = { kind: 'tokenImage', image, eyes, pipeline: { id, name, dimensions } } as const;
      const result = await submit(job, 'interactive', company);
      if (result.kind === 'tokenImage') return result;
      throw new UnavailableError(`A worker could not cut out a face (${result.kind}).`);
    },
    start: () => pool.start(),
    workerStats: () => pool.stats,
    standard,
    installed: found.pipelines,
    using,
    successorOf: (id) =>
      known.get(id)?.retired === false
        ? undefined
        : found.pipelines.find((each) => each.builtIn && !each.retired && familyOf(each.id) === familyOf(id)),
    list,
    async problemWith(id) {
      const facts = known.get(id);
      if (facts === undefined) return problem('PIPELINE_UNUSABLE');
      const { name, dimensions } = facts;
      const result = await submit({ kind: 'try', pipeline: { id, name, dimensions } }, 'interactive', null);
      if (result.kind === 'unusable') return result.reason;
      return result.kind === 'usable' ? undefined : problem('PIPELINE_UNUSABLE');
    },
    close: () => pool.close(),
  };
}

/** Of a built-in pipeline: which networks extract its templates, the last part of its id without the version. */
function familyOf(id: PipelineId): string | undefined {
  return /\.([^./]+)\/\d+$/.exec(id)?.[1];
}

type Submit = (job: VisionJob, priority: Priority, company: CompanyId | null) => Promise<VisionResult>;

function recogniserOf(
  { id, name, dimensions, calibration, strict }: PipelineFacts,
  submit: Submit,
  company: CompanyId | null,
): Recogniser {
  const pipeline = { id, name, dimensions };
  const samePerson = distanceAtFmr(calibration, STRONG_FMR);
  /** @throws {UnavailableError} the pipeline was taken away while it served */
  const run = async <K extends VisionResult['kind']>(job: VisionJob, priority: Priority, ...kinds: K[]) => {
    const result = await submit(job, priority, company);
    if (result.kind === 'unusable')
      throw new UnavailableError(`The pipeline "${name}" cannot be used: ${sentenceOf(result.reason)}`);
    if (!isOneOf(result, kinds)) throw new Error(`A worker answered "${job.kind}" with "${result.kind}".`);
    return result;
  };
  return {
    pipelineId: id,
    dimensions,
    calibration,
    strict,
    enrol: async (image, { gate, severalFaces = 'refuse', priority }) =>
      run({ kind: 'enrol', image, gate, severalFaces, samePerson, pipeline }, priority, 'face', 'refused'),
    search: async (image, { priority }) =>
      run({ kind: 'search', image, pipeline }, priority, 'faces', 'refused'),
    reextract: async (image, place, priority = 'bulk') =>
      run({ kind: 'reextract', image, place, pipeline }, priority, 'extracted', 'refused'),
    measure: async (image, { kind: of, gate }) =>
      run({ kind: 'measure', image, of, gate, pipeline }, 'interactive', 'measured', 'refused'),
  };
}

function isOneOf<K extends VisionResult['kind']>(
  result: VisionResult,
  kinds: readonly K[],
): result is Extract<VisionResult, { kind: K }> {
  return (kinds as readonly string[]).includes(result.kind);
}

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
  '--expose-gc',
];

type Shared = Pick<
  ProcessPoolOptions<VisionJob, VisionResult>,
  'workerPath' | 'workers' | 'timeLimitMs' | 'idleMs' | 'onWorkerDeath'
>;

interface PoolOptions extends Shared {
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
