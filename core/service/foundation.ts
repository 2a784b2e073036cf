/**
 * The part of the composition that the running service and the administrator's commands without a service share: the store, the
 * installed pipelines and the application services. It starts no worker process and reads no face.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BlacklistTransferCommands } from '../admin/blacklistTransfer.ts';
import { createAdminCommands, type DispatchAdminCommand } from '../admin/socket.ts';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import type { NodeRole } from '../contracts/nodes.ts';
import { anchorAndReport } from '../domain/audit/anchor.ts';
import { BackupKeyService } from '../domain/backups/keys.ts';
import { BackupService } from '../domain/backups/service.ts';
import { BlacklistTransferService } from '../domain/blacklistTransfer/service.ts';
import { CalibrationRuns } from '../domain/calibration/runs.ts';
import { SignatureCalibrationRuns } from '../domain/signatures/calibrationRuns.ts';
import { createSignatures, type Signatures } from '../signatures/signatures.ts';
import { Doctor } from '../domain/diagnostics/service.ts';
import { GroupService } from '../domain/duplicates/groups.ts';
import { IdentityService } from '../domain/persons/service.ts';
import { SpecimenService } from '../domain/persons/specimens.ts';
import { DuplicateSearch } from '../domain/duplicates/service.ts';
import { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import { PassphraseHasher } from '../domain/identity/passphrase.ts';
import { NetworkAccessService } from '../domain/network/service.ts';
import { PipelineService } from '../domain/pipelines/service.ts';
import { TemplateMigration } from '../domain/pipelines/templateMigration.ts';
import type { BackupStream } from '../domain/ports/backup.ts';
import type { Confinement, DoctorPorts, RunningService } from '../domain/ports/diagnostics.ts';
import type { Logger } from '../domain/ports/machine.ts';
import type { Metrics } from '../domain/ports/metrics.ts';
import type { IssueCertificate, NetworkSocket } from '../domain/ports/network.ts';
import { PipelineRegistry } from '../domain/recognition/pipelineRegistry.ts';
import { UnexpiredGallery } from '../domain/blacklists/unexpiredGallery.ts';
import { Verifications } from '../domain/screening/verifications.ts';
import { createAccessServices, createCompanyServices } from '../domain/services.ts';
import type { Gallery } from '../gallery/index.ts';
import { argon2id } from '../runtime/argon2.ts';
import { BOOT_CLOCK, PORTS, readProcessor } from '../runtime/machine.ts';
import { BACKUP_KEYS } from '../encryption/backupKey.ts';
import { PLATFORM } from '../runtime/platform.ts';
import { transferPackages } from '../transfer/transferPackages.ts';
import { VERSION } from '../runtime/version.ts';
import { openHome, openStorage, photoFolders, type Home, type Storage } from '../storage/index.ts';
import { isPipelineName, type PipelineName } from '../vision/builtInPipelines.ts';
import { inspectModels } from '../vision/nets/inspect.ts';
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
  /** 32 bytes, where the store key is kept outside the home; absent: the home's key file. */
  storeKey?: Uint8Array;
  /** Address of the PostgreSQL database of a new installation; absent: what the home names, else SQLite. */
  database?: string;
  /** The folder or the S3 address of the images. */
  images?: string;
}

/** The steps that end what was opened; the last one that was added runs first. */
export type Closing = (() => Promise<unknown>)[];

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
  closing: Closing;
  close: () => Promise<void>;
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

/** Few installations need a certificate: the library that makes it is loaded then. */
const issueWhenAsked: IssueCertificate = async (wanted) =>
  (await import('../runtime/certificate.ts')).issueCertificate(wanted);

/** Opens a home. @param log is opened when the home is locked for this process */
export async function openFoundation(
  options: FoundationOptions,
  log: (home: Home) => Logger,
): Promise<Foundation> {
  const home = openHome(options.home);
  const storage = await openStorage(home, CLOCK, options.storeKey, options);
  const closing: Closing = [() => storage.close()];
  const close = async () => {
    for (const step of closing.splice(0)) await step();
  };
  try {
    const opened = log(home);
    const wanted = pipelineOfEnvironment();
    const runner = await createVision({
      modelsFolder: MODELS,
      packsFolder: home.packs,
      workers: options.workers ?? availableParallelism(),
      pipeline: wanted ?? 'full',
      onWorkerDeath: (reason) => {
        opened.warn({ reason }, 'a vision worker ended unasked; another takes its place');
      },
      onPacksUnreadable: (error) => {
        opened.warn({ err: error }, 'the folder of the recognition packs could not be read');
      },
    });
    closing.unshift(() => runner.close());
    const vision = await PipelineRegistry.open(runner, storage);
    await storage.pipelines.register(runner.installed);
    const signatures = createSignatures({
      onWorkerDeath: (reason) => {
        opened.warn({ reason }, 'a signature worker ended unasked; another takes its place');
      },
    });
    closing.unshift(() => signatures.close());
    const anchor = () => anchorAndReport({ ...storage, clock: CLOCK, log: opened });
    await anchor();
    closing.unshift(anchor);
    return { home, storage, runner, signatures, vision, wanted, log: opened, closing, close };
  } catch (error) {
    await close();
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

/** The parts of the running service that the application services use. */
export interface RunningParts {
  /** Every matchable face, with those whose expiry is not followed yet. */
  gallery: Gallery;
  /** Where other machines connect; absent: they cannot. */
  networkSocket?: NetworkSocket;
  /** Images that are being processed. */
  inProgress: () => number;
  /** Starts the processing of the queue. */
  wake: () => void;
  metrics?: Metrics;
  /** Where it listens; null: it does not. */
  address: () => string | null;
  port: number;
  confinement: () => Confinement;
  service: () => Omit<RunningService, 'networkProblem'> | null;
}

/** The application services over an open store, one instance of each, and the administrator's commands. */
export type Services = ReturnType<typeof createServices>;

export function createServices(
  { home, storage, runner, signatures, vision, log }: Foundation,
  running: RunningParts,
) {
  const clock = CLOCK;
  const gallery = new UnexpiredGallery({
    ...storage,
    gallery: running.gallery,
    clock,
    metrics: running.metrics,
  });
  const verifications = new Verifications({
    ...storage,
    vision,
    gallery,
    clock,
    log,
    metrics: running.metrics,
  });
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
  const templateMigration = new TemplateMigration({ ...changing, gallery: running.gallery });
  const duplicateSearch = new DuplicateSearch({
    ...changing,
    gallery: running.gallery,
    inProgress: running.inProgress,
  });
  const groups = new GroupService(changing);
  const identityService = new IdentityService({ ...storage, groups });
  const specimenService = new SpecimenService({ ...storage, signatures, log });
  duplicateSearch.follow(async ({ run, ended }) => {
    if (ended) await groups.refresh(run.company);
  });
  const pipelineService = new PipelineService({ ...changing, templateMigration });
  const calibrationRuns = new CalibrationRuns(changing);
  const signatureCalibrationRuns = new SignatureCalibrationRuns({ ...changing, signatures });
  const exchange = new BlacklistTransferService({
    ...storage,
    ...PLATFORM,
    packages: transferPackages(storage),
    vision,
    gallery,
    clock,
    log,
  });
  const access = createAccessServices({
    ...storage,
    ...PLATFORM,
    hasher: new PassphraseHasher({ ...PLATFORM, hashing: argon2id() }),
    clock,
  });
  const company = createCompanyServices({ ...changing, blacklistTransfer: exchange });
  const folderGrants = new FolderGrants({
    ...{ ...PLATFORM, clock, home: home.folder, folders: photoFolders },
    companies: storage.companies,
    signIn: access.signIn,
  });
  const network = new NetworkAccessService({
    ...{ ...storage, ...PLATFORM, clock, log },
    networkSocket: running.networkSocket,
    issueCertificate: issueWhenAsked,
  });
  const doctor = createDoctor({ home, storage }, running, network);
  const runAdminCommand: DispatchAdminCommand = createAdminCommands({
    ...storage,
    ...PLATFORM,
    ...access,
    ...company,
    vision,
    pipelineService,
    exchange,
    folderGrants,
    recognition: vision,
    calibrationRuns,
    signatures,
    signatureCalibrationRuns,
    duplicateSearch,
    groups,
    identityService,
    specimenService,
    gallery,
    doctor,
    network,
    clock,
    process: {
      version: VERSION,
      address: running.address,
      inProgress: running.inProgress,
      pipeline: () => runner.standard.id,
    },
    wake: running.wake,
  });
  return {
    ...createBackupServices({ storage, log }),
    access,
    company,
    gallery,
    verifications,
    templateMigration,
    duplicateSearch,
    groups,
    identityService,
    specimenService,
    pipelineService,
    calibrationRuns,
    signatureCalibrationRuns,
    folderGrants,
    network,
    doctor,
    transferStore: exchange,
    runAdminCommand,
    exchange: new BlacklistTransferCommands({ ...storage, exchange, clock }),
  };
}

function createDoctor(
  { home, storage }: Pick<Foundation, 'home' | 'storage'>,
  running: RunningParts,
  network: NetworkAccessService,
): Doctor {
  return new Doctor({
    ...hostInspectors(home),
    confinement: running.confinement,
    home: storage.homeInspection,
    store: storage,
    port: running.port,
    service: () => {
      const service = running.service();
      return service && { ...service, networkProblem: network.problem };
    },
  });
}

function createBackupServices({ storage, log }: Pick<Foundation, 'storage' | 'log'>) {
  const backupService = new BackupService({
    ...storage,
    backupKeys: BACKUP_KEYS,
    clock: CLOCK,
    log,
    version: VERSION,
  });
  return {
    backupService,
    backupKeyService: new BackupKeyService({ ...storage, backupKeys: BACKUP_KEYS }),
    /** Writes the backup that an administrator asked for in a terminal. */
    backUp: (): Promise<BackupStream> =>
      backupService.stream('terminal', { by: 'local-admin', at: CLOCK.now() }),
  };
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
