/**
 * The base of each program that opens a home: the store and the installed pipelines. It starts no worker process and reads no
 * face.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import type { NodeRole } from '../contracts/nodes.ts';
import { anchorAndReport, requireAnchoredLog } from '../domain/audit/anchor.ts';
import { createSignatures, type Signatures } from '../signatures/signatures.ts';
import type { DoctorPorts } from '../domain/ports/diagnostics.ts';
import type { Logger } from '../domain/ports/machine.ts';
import { PipelineRegistry } from '../domain/recognition/pipelineRegistry.ts';
import { Ending } from './ending.ts';
import { BOOT_CLOCK, PORTS, readProcessor } from './machine.ts';
import { PLATFORM } from '../platform/platform.ts';
import { openHome, openStorage, type Home, type Storage } from '../storage/index.ts';
import { isPipelineName, type PipelineName } from '../vision/builtInPipelines.ts';
import { inspectModels } from '../vision/nets/manifest.ts';
import { listPipelines } from '../vision/pool/pipelines.ts';
import { createVision, type Vision } from '../vision/pool/vision.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';

export const PROJECT = join(import.meta.dirname, '..', '..');
export const MODELS = join(PROJECT, 'models');
export const DEFAULT_PORT = 4610;
export const CLOCK = { now: () => new Date() };

export interface FoundationOptions {
  /** The folder that holds everything. */
  home: string;
  /** Vision workers at most; default: as many as cores. */
  workers?: number;
  /** Signature workers at most; default: one. */
  signatureWorkers?: number;
  /** 32 bytes, where the store key is kept outside the home; absent: the home's key file. */
  storeKey?: Uint8Array | undefined;
  /** Address of the PostgreSQL database of a new installation; absent: what the home names, else SQLite. */
  database?: string;
  /** The folder or the S3 address of the images. */
  images?: string;
  /** Absent: a service. */
  use?: 'command';
}

/** Milliseconds after which photos and comparisons in progress are given up. A photo takes a second on an idle machine. */
const GIVE_UP_WORK = 3_000;
/** Milliseconds after which requests are cut off, so that a slow caller does not keep the service. */
export const CUT_REQUESTS = 5_000;

/** The open store, and the pipelines that can be run. */
export interface Foundation {
  home: Home;
  storage: Storage;
  /** Its workers start with the first job. */
  runner: Vision;
  /** Its workers start with the first comparison. */
  signatures: Signatures;
  vision: PipelineRegistry;
  /** The pipeline that VOUCH_PIPELINE names. */
  wanted: PipelineName | undefined;
  log: Logger;
  /** Ends all of it. */
  ending: Ending;
}

/**
 * VOUCH_PIPELINE: `full` (both recognition networks) or `light` (one, for weak machines). Companies that have chosen none are
 * changed to it in the background; undefined: each company keeps its pipeline, and new companies get `full`.
 */
function pipelineOfEnvironment(): PipelineName | undefined {
  const name = process.env.VOUCH_PIPELINE;
  if (name !== undefined && !isPipelineName(name))
    throw new Error(
      `VOUCH_PIPELINE is "${name}", it must be full or light. Packs are chosen with: vouch pipeline use`,
    );
  return name;
}

/** Opens a home. @param log is opened when the home is locked for this process */
export async function openFoundation(
  options: FoundationOptions,
  log: (home: Home) => Logger,
): Promise<Foundation> {
  const home = openHome(options.home);
  const storage = await openStorage(home, CLOCK, options.storeKey, options);
  const ending = new Ending();
  ending.add('the store', () => storage.close());
  try {
    const opened = log(home);
    ending.log = opened;
    storage.reportDamage((damaged) => {
      opened.error({ err: damaged }, 'a row of the database was changed on its server, and is left out');
    });
    const wanted = pipelineOfEnvironment();
    const runner = await createVision({
      modelsFolder: MODELS,
      packsFolder: home.packs,
      workers: options.workers ?? availableParallelism(),
      pipeline: wanted ?? 'full',
      onWorkerDeath: (reason) => {
        opened.warn({ reason }, 'a vision worker ended unasked; another takes its place');
      },
      onPackUnusable: (pack, detail) => {
        opened.warn({ pack, detail }, 'a recognition pack cannot be run');
      },
      onPacksUnreadable: (error) => {
        opened.warn({ err: error }, 'the folder of the recognition packs could not be read');
      },
    });
    ending.add('the workers of faces', () => runner.close());
    const vision = await PipelineRegistry.open(runner, storage);
    await storage.pipelines.register(runner.installed);
    const signatures = createSignatures({
      workers: options.signatureWorkers ?? 1,
      onWorkerDeath: (reason) => {
        opened.warn({ reason }, 'a signature worker ended unasked; another takes its place');
      },
    });
    ending.add('the workers of signatures', () => signatures.close());
    ending.whenLate(GIVE_UP_WORK, 'work in progress was given up: photos wait for the next start', () => {
      void runner.close();
      void signatures.close();
    });
    const anchor = () => anchorAndReport({ ...storage, clock: CLOCK, log: opened });
    await anchor();
    ending.add('the anchors of the audit log', anchor);
    ending.add('the totals of rows', () => storage.rowTotals.keep());
    return { home, storage, runner, signatures, vision, wanted, log: opened, ending };
  } catch (error) {
    await ending.run();
    throw error;
  }
}

/** @throws {Error} a service of this role needs other services, which SQLite does not have */
export function requireSharedStore({ storage }: Pick<Foundation, 'storage'>, role: NodeRole): void {
  if (role !== 'all' && storage.nodes === undefined)
    throw new Error(
      `The role ${role} needs a PostgreSQL database that other services use too. Start without --role, or name the database with --database.`,
    );
}

/** @throws {CodedError} the database was restored to a state in which it has the records of erased persons */
export async function requireErasures({ storage }: Pick<Foundation, 'storage'>): Promise<void> {
  const { length } = await storage.erasures.undone();
  if (length > 0) throw new CodedError(problem('ERASURES_UNDONE', { erasures: length }));
}

/** @throws {CodedError} the audit log contradicts the anchors of the home, or rows were put back, and no administrator has accepted that */
export async function requireLog({ storage }: Pick<Foundation, 'storage'>): Promise<void> {
  await requireAnchoredLog({ ...storage, clock: CLOCK });
  const rows = await storage.rowTotals.lost();
  if (rows.length > 0) throw new CodedError(problem('ROWS_START_REFUSED', { rows: rows.join('; ') }));
}

/** Facts of the machine for the self-diagnosis, with or without an open store. */
export function hostInspectors({
  packs,
}: Pick<Home, 'packs'>): Pick<
  DoctorPorts,
  | 'clock'
  | 'timer'
  | 'readCertificate'
  | 'bootClock'
  | 'processor'
  | 'models'
  | 'installedPipelines'
  | 'ports'
  | 'confinement'
> {
  return {
    ...PLATFORM,
    confinement: confinementHere,
    clock: CLOCK,
    bootClock: BOOT_CLOCK,
    processor: readProcessor,
    models: () => inspectModels(MODELS),
    installedPipelines: async () =>
      new Set((await listPipelines({ models: MODELS, packs })).pipelines.map(({ id }) => id)),
    ports: PORTS,
  };
}

/** The workers of each kind, of the version that they run. */
export function workersOf({ runner, signatures }: Pick<Foundation, 'runner' | 'signatures'>) {
  return [
    { work: 'faces', version: runner.standard.id, ...runner.workerStats() } as const,
    { work: 'signatures', version: signatures.modelVersion, ...signatures.workerStats() } as const,
  ];
}
