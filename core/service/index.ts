/**
 * The composition root: the only file that knows every folder. What happens to an uploaded photo, read from here:
 * `api` streams it through `domain/uploads/intake` into `storage`; `domain/uploads/dispatcher` takes it to a `vision`
 * worker and lands the answer in `storage`; after COMMIT the `gallery` follows.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../api/app.ts';
import { NetworkListenerServer } from '../api/http/networkListener.ts';
import { startAdminSocket } from '../admin/socket.ts';
import { PassphraseHasher } from '../domain/identity/passphrase.ts';
import { anchorAndReport } from '../domain/audit/anchor.ts';
import type { HealthReport } from '../contracts/diagnostics.ts';
import type { BackupStream } from '../domain/ports/backup.ts';
import { createAdminCommands, type RunAdminCommand } from '../admin/commands.ts';
import { BlacklistTransferCommands } from '../admin/blacklistTransfer.ts';
import { BlacklistTransferService } from '../domain/blacklistTransfer/service.ts';
import { NetworkAccessService } from '../domain/network/service.ts';
import type { IssueCertificate } from '../domain/ports/network.ts';
import { Doctor } from '../domain/diagnostics/service.ts';
import type { DoctorPorts } from '../domain/ports/diagnostics.ts';
import { Verifications } from '../domain/screening/verifications.ts';
import { createAccessServices, createCompanyServices } from '../domain/services.ts';
import { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import { Dispatcher } from '../domain/enrolment/dispatcher.ts';
import { openGallery } from '../gallery/index.ts';
import { argon2id } from '../runtime/argon2.ts';
import { PLATFORM } from '../runtime/platform.ts';
import { startTimers } from './timers.ts';
import { collectWhenIdle } from '../runtime/idleMemory.ts';
import { openLog } from '../runtime/log.ts';
import { BOOT_CLOCK, PORTS, readProcessor } from '../runtime/machine.ts';
import { pdfReports } from '../reports/index.ts';
import {
  HomeLocked,
  type Home,
  homeOf,
  inspectHome,
  openHome,
  openStorage,
  photoFolders,
} from '../storage/index.ts';
import { isPipelineName, type PipelineName } from '../vision/descriptor.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';
import { inspectModels } from '../vision/nets/inspect.ts';
import { CalibrationRuns } from '../domain/calibration/runs.ts';
import { PipelineService } from '../domain/pipelines/service.ts';
import { TemplateMigration } from '../domain/pipelines/templateMigration.ts';
import { PipelineRegistry } from '../domain/recognition/pipelineRegistry.ts';
import { createSignatures } from '../signatures/signatures.ts';
import { VERSION } from '../runtime/version.ts';
import { listPipelines } from '../vision/pool/pipelines.ts';
import { createVision } from '../vision/pool/vision.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const MODELS = join(PROJECT, 'models');
export const DEFAULT_PORT = 4610;
const CLOCK = { now: () => new Date() };

export interface ServiceOptions {
  /** The folder that holds everything. */
  home: string;
  /** false: nothing listens and nothing is processed; only the owner's commands work. */
  listen: boolean;
  /** true: the administrator's commands are answered on the home's socket although nothing listens or is processed. */
  answersCommands?: boolean;
  /** 127.0.0.1 port; 0 takes a free one. */
  port?: number;
  /** Vision workers; default: as many as cores. */
  workers?: number;
  logLevel?: string;
  /** 32 bytes, from whoever keeps the store key; absent: the home's key file. */
  storeKey?: Uint8Array;
}

export interface Service {
  /** Where it listens, e.g. http://127.0.0.1:4610; null when it does not. */
  readonly address: string | null;
  readonly runAdminCommand: RunAdminCommand;
  /** Starts a backup of everything; the service goes on working while it is read. */
  backUp(): Promise<BackupStream>;
  /** Blacklists to other sites and from them, as the owner sends and takes them. */
  readonly exchange: BlacklistTransferCommands;
  /** Finishes what is in work, answers what was asked, leaves the home unlocked. */
  close(): Promise<void>;
}

/**
 * VOUCH_PIPELINE: `full` (both recognition nets) or `light` (one, for weak machines). Companies that have chosen none
 * are changed to it in the background; undefined: everybody keeps what serves them, and new companies get `full`.
 */
function pipelineOfSite(): PipelineName | undefined {
  const name = process.env.VOUCH_PIPELINE;
  if (name !== undefined && !isPipelineName(name))
    throw new Error(
      `VOUCH_PIPELINE is "${name}", it must be full or light. Packs are chosen with: vouch pipeline use`,
    );
  return name;
}

/** Few sites ever need one: what makes it is loaded then. */
const issueWhenAsked: IssueCertificate = async (wanted) =>
  (await import('../runtime/certificate.ts')).issueCertificate(wanted);

/** Opens a home and puts the product together on it. Starting is recovering: there is no other start. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const clock = CLOCK;
  const startedAt = clock.now();
  const home = openHome(options.home);
  const storage = await openStorage(home, clock, options.storeKey);
  const closing: (() => Promise<unknown>)[] = [() => storage.close()];
  const close = async () => {
    for (const step of closing.splice(0)) await step();
  };
  try {
    const log = openLog(home.logs, options.logLevel ?? 'info');
    const wanted = pipelineOfSite();
    const runner = await createVision({
      modelsFolder: MODELS,
      packsFolder: home.packs,
      workers: options.workers ?? availableParallelism(),
      pipeline: wanted ?? 'full',
      onWorkerDeath: (reason) => {
        log.warn({ reason }, 'a vision worker ended unasked; another takes its place');
      },
      onPacksUnreadable: (error) => {
        log.warn({ err: error }, 'the folder of the recognition packs could not be read');
      },
    });
    closing.unshift(() => runner.close());
    const pools = [() => runner.staff()];
    const vision = await PipelineRegistry.open(runner, storage);
    await storage.pipelines.learn(runner.installed);
    const anchor = () => anchorAndReport({ ...storage, clock, log });
    await anchor();
    closing.unshift(anchor);
    const { galleryMemoryMiB } = await storage.site.settings();
    const exactBudget = galleryMemoryMiB === null ? Infinity : galleryMemoryMiB * 2 ** 20;
    const gallery = await openGallery(
      { pipelineId: runner.standard.id, serving: vision.serving, exactBudget },
      storage,
      log,
    );
    closing.unshift(() => gallery.close());
    const dispatcher = new Dispatcher({ ...storage, ...PLATFORM, vision, gallery, clock, log });

    const hasher = new PassphraseHasher({ ...PLATFORM, hashing: argon2id() });
    const verifications = new Verifications({ ...storage, vision, gallery, clock, log });
    const changing = {
      ...storage,
      ...PLATFORM,
      runner,
      vision,
      recognition: vision,
      gallery,
      verifications,
      clock,
      bootClock: BOOT_CLOCK,
      log,
    };
    const reembedding = new TemplateMigration(changing);
    const desk = new PipelineService({ ...changing, reembedding });
    const exchange = new BlacklistTransferService({ ...storage, vision, gallery, clock, log });
    const access = createAccessServices({ ...storage, ...PLATFORM, hasher, clock });
    const services = createCompanyServices({ ...changing, waitingLists: exchange });
    const { retention } = services;
    const offeredFolders = new FolderGrants({
      ...PLATFORM,
      folders: photoFolders,
      companies: storage.companies,
      signIn: access.signIn,
      clock,
      home: home.folder,
    });
    const ownersExchange = new BlacklistTransferCommands({ ...storage, exchange, clock });

    const lanDoor = options.listen ? new NetworkListenerServer() : undefined;
    const lan = new NetworkAccessService({
      ...storage,
      ...PLATFORM,
      lanSocket: lanDoor,
      issueCertificate: issueWhenAsked,
      clock,
      log,
    });
    let address: string | null = null;
    const doctor = new Doctor({
      ...hostInspectors(home),
      // A pool whose workers did not start otherwise has given up what this machine has.
      confinement: () =>
        pools.some((staff) => staff().confinement === 'runtime') ? 'runtime' : confinementHere(),
      home: storage.homeInspection,
      store: storage,
      port: options.port ?? DEFAULT_PORT,
      service: () =>
        address === null
          ? null
          : {
              address,
              startedAt,
              inWork: dispatcher.inWork,
              lastAnswered: dispatcher.pace.lastProcessedAt,
              lanProblem: lan.problem,
            },
    });
    const administrate = createAdminCommands({
      ...storage,
      ...access,
      ...services,
      vision,
      desk,
      exchange,
      offeredFolders,
      recognition: vision,
      calibrationRuns: new CalibrationRuns(changing),
      gallery,
      doctor,
      lan,
      clock,
      process: {
        version: VERSION,
        address: () => address,
        inWork: () => dispatcher.inWork,
        pipeline: () => runner.standard.id,
      },
      wake: () => {
        dispatcher.wake();
      },
    });
    const backUp = () => storage.backups.open({ by: 'local-admin', at: clock.now() }, VERSION);
    if (options.listen) {
      closing.unshift(() => dispatcher.stop());
      const signatures = await createSignatures({
        onWorkerDeath: (reason) => {
          log.warn({ reason }, 'a signature worker ended unasked; another takes its place');
        },
      });
      closing.unshift(() => signatures.close());
      pools.push(() => signatures.staff());
      const api = await createApi({
        ...storage,
        ...PLATFORM,
        ...access,
        verifications,
        vision,
        signatures,
        clock,
        log,
        accepted: () => {
          dispatcher.wake();
        },
        ...(lanDoor && { lanDoor }),
        dashboard: {
          ...storage,
          ...PLATFORM,
          verifications,
          vision,
          gallery,
          signatures,
          pipelineDesk: desk,
          exchange,
          ...services,
          offeredFolders,
          reports: pdfReports,
          clock,
          log,
          inWork: () => dispatcher.inWork,
          doctor,
          lan,
          models: () => inspectModels(MODELS),
          process: {
            version: VERSION,
            startedAt,
            perMinute: () => dispatcher.pace.perMinute(clock.now()),
            staff: () => [
              { work: 'faces', version: runner.standard.id, ...runner.staff() },
              { work: 'signatures', version: signatures.modelVersion, ...signatures.staff() },
            ],
          },
          accepted: () => {
            dispatcher.wake();
          },
          pagesFolder: join(PROJECT, 'dist', 'renderer'),
        },
      });
      closing.unshift(() => api.close());
      address = await api.listen({ host: '127.0.0.1', port: options.port ?? DEFAULT_PORT });
      await lan.start();
    }
    if (options.listen || options.answersCommands === true) {
      const door = await startAdminSocket(
        { administrate, backUp, exchange: ownersExchange },
        home.socket,
        log,
      );
      closing.unshift(() => door.close());
    }
    if (options.listen) {
      dispatcher.start();
      await desk.applyInstallationPipeline(storage.companies, wanted, { by: 'service', at: clock.now() });
      closing.unshift(() => reembedding.stop());
      reembedding.start();
      closing.unshift(() => retention.stop());
      for (const { company, pipeline, installed } of (await administrate('status', {})).companies)
        if (!installed) log.error({ company, pipeline }, 'the pipeline of a company is not installed');
      log.info(
        {
          address,
          faces: gallery.faces,
          fromSnapshots: gallery.restored,
          workers: vision.workers,
          pipeline: runner.standard.id,
        },
        'the service is ready',
      );
      closing.unshift(startTimers({ ...storage, retention, clock, log }));
      closing.unshift(collectWhenIdle());
    }
    return { address, runAdminCommand: administrate, backUp, exchange: ownersExchange, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Examines a home that no service runs on, also one that cannot be opened. Starts nothing, and makes no store in a home
 * that was never used.
 */
export async function examineHome(options: { home: string; port?: number }): Promise<HealthReport> {
  const home = homeOf(options.home);
  const around = { ...hostInspectors(home), service: () => null, port: options.port ?? DEFAULT_PORT };
  const storage = existsSync(home.database)
    ? await openStorage(home, CLOCK).catch((error: unknown) => ({
        refused: error instanceof Error ? error.message : String(error),
        held: error instanceof HomeLocked,
      }))
    : { refused: null };
  if ('refused' in storage)
    return new Doctor({ ...around, home: inspectHome(home), store: storage }).report({ fresh: true });
  try {
    return await new Doctor({ ...around, home: storage.homeInspection, store: storage }).report({
      fresh: true,
    });
  } finally {
    await storage.close();
  }
}

function hostInspectors({
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
