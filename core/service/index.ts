/**
 * The composition root. The path of an uploaded photo: `api` streams it through `domain/enrolment/intake` into `storage`;
 * `domain/enrolment/dispatcher` sends it to a `vision` worker and stores the result in `storage`; after COMMIT the `gallery`
 * follows.
 */
import { join } from 'node:path';
import { startAdminSocket } from '../admin/socket.ts';
import { createApi } from '../api/app.ts';
import { NetworkListenerServer } from '../api/http/networkListener.ts';
import { Dispatcher } from '../domain/enrolment/dispatcher.ts';
import type { Reports } from '../domain/ports/reports.ts';
import { openGallery } from '../gallery/index.ts';
import { collectWhenIdle } from '../runtime/idleMemory.ts';
import { openLog } from '../runtime/log.ts';
import { PLATFORM } from '../runtime/platform.ts';
import { VERSION } from '../runtime/version.ts';
import { metricsWhenRead } from '../metrics/index.ts';
import { inspectModels } from '../vision/nets/inspect.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';
import {
  CLOCK,
  createServices,
  DEFAULT_PORT,
  MODELS,
  openFoundation,
  requireErasures,
  requireSharedStore,
  PROJECT,
  type Foundation,
  type FoundationOptions,
  type Services,
} from './foundation.ts';
import { Membership } from './membership.ts';
import { readinessOf } from './readiness.ts';
import { startTimers } from './timers.ts';
import { wakeRegularly } from './wakeRegularly.ts';

export { DEFAULT_PORT };

export interface ServiceOptions extends FoundationOptions {
  /** The work of this service; default: all. `api` leaves the queue to other services. */
  role?: 'all' | 'api';
  /** 127.0.0.1 port; 0 takes a free one. */
  port?: number;
  logLevel?: string;
}

export interface Service extends Pick<Services, 'runAdminCommand'> {
  /** Where it listens, e.g. http://127.0.0.1:4610. */
  readonly address: string;
  /**
   * Resolves when a worker of each kind is ready; photos and comparisons that arrive before wait for it.
   * @throws {UnavailableError} workers cannot start, so the service is of no use
   */
  readonly ready: Promise<void>;
  /** Tells load balancers and the other services that this one takes no new requests. It still answers those that come. */
  drain(): Promise<void>;
  /** Finishes what is being processed, answers what was asked, and unlocks the home. */
  close(): Promise<void>;
}

type OpenGallery = Awaited<ReturnType<typeof openGallery>>;

/** Few requests ask for a report: what draws it is loaded then. */
const REPORTS: Reports = {
  search: async (report) => (await import('../reports/index.ts')).pdfReports.search(report),
  signatures: async (report) => (await import('../reports/index.ts')).pdfReports.signatures(report),
  knownSignatures: async (report) => (await import('../reports/index.ts')).pdfReports.knownSignatures(report),
  erasure: async (report) => (await import('../reports/index.ts')).pdfReports.erasure(report),
  duplicateGroup: async (report) => (await import('../reports/index.ts')).pdfReports.duplicateGroup(report),
  faceCase: async (report) => (await import('../reports/index.ts')).pdfReports.faceCase(report),
  faceComparison: async (report) => (await import('../reports/index.ts')).pdfReports.faceComparison(report),
};

/** Opens a home and serves it. Starting is recovering: there is no other start. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const foundation = await openFoundation(options, ({ logs }) => openLog(logs, options.logLevel ?? 'info'));
  const { role = 'all', port = DEFAULT_PORT } = options;
  try {
    requireSharedStore(foundation, role);
    await requireErasures(foundation);
    return await serve(foundation, port, role);
  } catch (error) {
    await foundation.close();
    throw error;
  }
}

async function serve(foundation: Foundation, port: number, role: 'all' | 'api'): Promise<Service> {
  const { home, storage, runner, signatures, vision, wanted, log, closing, close } = foundation;
  const clock = CLOCK;
  const startedAt = clock.now();
  const memory = await openMemory(foundation);
  const metrics = metricsWhenRead({
    version: VERSION,
    role,
    waiting: () => storage.queue.waiting(),
    inProgress: () => inProgress(),
    paused: async () => (await storage.installation.settings()).paused,
    faces: () => memory.totals(),
    workers: () => workers(),
    leads: () => membership.leads,
    nodes: storage.nodes,
    standbys: () => storage.storeHealth.standbys(),
  });
  const dispatcher = new Dispatcher({
    ...storage,
    ...PLATFORM,
    vision,
    gallery: memory,
    clock,
    log,
    metrics,
  });
  closing.unshift(() => dispatcher.stop());
  const wake = () => {
    dispatcher.wake();
  };
  const inProgress = () => dispatcher.inProgress;
  const workers = () => [
    { work: 'faces', version: runner.standard.id, ...runner.workerStats() } as const,
    { work: 'signatures', version: signatures.modelVersion, ...signatures.workerStats() } as const,
  ];
  const networkListener = new NetworkListenerServer();
  let address: string | null = null;
  const {
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
    ...services
  } = createServices(foundation, {
    gallery: memory,
    networkSocket: networkListener,
    metrics,
    inProgress,
    wake,
    address: () => address,
    port,
    // A pool whose workers did not start otherwise has given up what this machine has.
    confinement: () =>
      [runner, signatures].some((pool) => pool.workerStats().confinement === 'runtime')
        ? 'runtime'
        : confinementHere(),
    service: () =>
      address === null
        ? null
        : { address, startedAt, inProgress: inProgress(), lastProcessedAt: dispatcher.pace.lastProcessedAt },
  });
  const workerStart = workerStartOf(foundation);
  const membership = new Membership({
    nodes: storage.nodes,
    role,
    version: VERSION,
    address: () => address,
    answered: () => dispatcher.pace.total,
    leaderWork: [templateMigration, duplicateSearch],
    log,
  });
  const engines = { verifications, vision, gallery, signatures, clock, log, accepted: wake };
  const api = await createApi({
    ...storage,
    ...PLATFORM,
    ...access,
    ...engines,
    duplicateSearch,
    groups,
    identityService,
    recognition: vision,
    networkListener,
    metrics,
    readiness: readinessOf({
      store: () => storage.installation.settings(),
      gallery: () => memory.moment(),
      workers: () => workerStart.isReady,
      draining: () => membership.draining,
      log,
    }),
    dashboard: {
      ...storage,
      ...PLATFORM,
      ...company,
      ...engines,
      pipelineService,
      calibrationRuns,
      duplicateSearch,
      groups,
      identityService,
      specimenService,
      recognition: vision,
      signatureCalibrationRuns,
      exchange: services.transferStore,
      backupService: services.backupService,
      backupKeyService: services.backupKeyService,
      folderGrants,
      reports: REPORTS,
      inProgress,
      doctor,
      network,
      models: () => inspectModels(MODELS),
      process: {
        version: VERSION,
        startedAt,
        perMinute: () => dispatcher.pace.perMinute(clock.now()),
        workers,
      },
      pagesFolder: join(PROJECT, 'dist', 'renderer'),
    },
  });
  closing.unshift(() => api.close());
  address = await api.listen({ host: '127.0.0.1', port });
  await network.start();
  const { runAdminCommand, backUp, backupService, exchange } = services;
  await backupService.recover();
  closing.unshift(() => backupService.stop());
  const adminSocket = await startAdminSocket({ runAdminCommand, backUp, exchange }, home.socket, log);
  closing.unshift(() => adminSocket.close());
  const ready = workerStart.begin();
  if (role === 'all') {
    dispatcher.start();
    if (storage.nodes !== undefined) closing.unshift(wakeRegularly(dispatcher));
  }
  await pipelineService.applyInstallationPipeline(storage.companies, wanted, {
    by: 'service',
    at: clock.now(),
  });
  closing.unshift(() => membership.stop());
  await membership.start();
  const { retention, faceListingService } = company;
  closing.unshift(() => retention.stop());
  await logStart(foundation, { runAdminCommand, memory, address });
  closing.unshift(
    startTimers({
      ...storage,
      ...{ backups: backupService, retention, faceListingService, clock, log },
      ...{ calibrationRuns, signatureCalibrationRuns },
      leads: () => membership.leads,
    }),
  );
  closing.unshift(collectWhenIdle());
  return { address, ready, runAdminCommand, drain: () => membership.drain(), close };
}

/** Reads the faces into memory. The gallery is closed with the service. */
async function openMemory({ storage, runner, vision, log, closing }: Foundation): Promise<OpenGallery> {
  const { galleryMemoryMiB } = await storage.installation.settings();
  const exactBudget = galleryMemoryMiB === null ? Infinity : galleryMemoryMiB * 2 ** 20;
  const memory = await openGallery(
    { pipelineId: runner.standard.id, serving: vision.serving, exactBudget },
    storage,
    log,
  );
  closing.unshift(() => memory.close());
  return memory;
}

/** The start of a worker of each kind, which the readiness of the service reports. */
function workerStartOf({ runner, signatures, log }: Foundation) {
  return {
    isReady: false,
    /** Starts the workers. @throws {UnavailableError} they cannot start, which is logged too */
    begin(): Promise<void> {
      const ready = Promise.all([runner.start(), signatures.start()]).then(() => {
        this.isReady = true;
      });
      ready.catch((error: unknown) => {
        log.error({ err: error }, 'workers cannot start');
      });
      return ready;
    },
  };
}

/** Logs that the service listens, and the companies whose pipeline is not installed. */
async function logStart(
  { runner, vision, log }: Foundation,
  started: Pick<Services, 'runAdminCommand'> & { memory: OpenGallery; address: string },
): Promise<void> {
  const { companies } = await started.runAdminCommand('status', {});
  for (const { company, pipeline, installed } of companies)
    if (!installed) log.error({ company, pipeline }, 'the pipeline of a company is not installed');
  log.info(
    {
      address: started.address,
      faces: started.memory.faces,
      fromSnapshots: started.memory.restored,
      workers: vision.workers,
      pipeline: runner.standard.id,
    },
    'the service listens',
  );
}
