/** The ports of the interface for programs, of the dashboard and of the local socket, from the parts of an open home. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ApiPorts, DashboardPorts, LocalPorts } from '../api/ports.ts';
import { listenLocally, routesOnDemand, sendInProcess } from '../api/local/socket.ts';
import { BOUNDS } from '../api/http/bounds.ts';
import type { SendLocally } from '../contracts/local.ts';
import { UploadIntake } from '../domain/enrolment/intake.ts';
import type { Reports } from '../domain/ports/reports.ts';
import { BACKUP_KEYS } from '../encryption/backupKey.ts';
import { PLATFORM, TIMER } from '../platform/platform.ts';
import { VERSION } from '../platform/version.ts';
import { inspectModels } from '../vision/nets/manifest.ts';
import { CLOCK, CUT_REQUESTS, MODELS, PROJECT, workersOf, type Foundation } from './foundation.ts';
import type { ServiceParts } from './parts.ts';
import type { Services } from './services.ts';
import type { Readiness } from '../contracts/nodes.ts';
import { within } from '../domain/work/turns.ts';
import type { Logger } from '../domain/ports/machine.ts';

/** Few requests ask for a report: what draws it is loaded then. */
function reportsWith(fontsFolder: string): Reports {
  const load = async () => (await import('../reports/index.ts')).pdfReports;
  return {
    siteRates: async (report) => (await load()).siteRates({ ...report, fontsFolder }),
    use: async (report) => (await load()).use({ ...report, fontsFolder }),
    search: async (report) => (await load()).search({ ...report, fontsFolder }),
    signatures: async (report) => (await load()).signatures({ ...report, fontsFolder }),
    knownSignatures: async (report) => (await load()).knownSignatures({ ...report, fontsFolder }),
    erasure: async (report) => (await load()).erasure({ ...report, fontsFolder }),
    examination: async (report) => (await load()).examination({ ...report, fontsFolder }),
    caseFolder: async (report) => (await load()).caseFolder({ ...report, fontsFolder }),
    duplicateGroup: async (report) => (await load()).duplicateGroup({ ...report, fontsFolder }),
    faceCase: async (report) => (await load()).faceCase({ ...report, fontsFolder }),
    faceComparison: async (report) => (await load()).faceComparison({ ...report, fontsFolder }),
  };
}

export function apiPorts(foundation: Foundation, parts: ServiceParts): ApiPorts {
  const { storage, vision, log } = foundation;
  const { services, memory, membership, networkListener, metrics, workerStart } = parts;
  const work = workOf(parts);
  return {
    ...storage,
    ...PLATFORM,
    ...services.access,
    ...screeningPorts(foundation, services, work),
    duplicateSearch: services.duplicateSearch,
    groups: services.groups,
    personService: services.personService,
    encounterService: services.encounterService,
    recognition: vision,
    converter: foundation.runner,
    networkListener,
    metrics,
    readiness: readinessOf({
      store: () => Promise.all([storage.installation.settings(), storage.homeInspection.tryWriting()]),
      gallery: () => memory.moment(),
      workers: () => workerStart.isReady,
      draining: () => membership.draining,
      log,
    }),
    dashboard: dashboardPorts(foundation, services, work),
  };
}

export function workOf({
  dispatcher,
  state: { startedAt },
}: Pick<ServiceParts, 'dispatcher' | 'state'>): Work {
  return {
    startedAt,
    inProgress: () => dispatcher.inProgress,
    perMinute: () => dispatcher.pace.perMinute(CLOCK.now()),
    wake: () => {
      dispatcher.wake();
    },
  };
}

/** The work on the queue in this process. */
interface Work {
  startedAt: Date;
  inProgress(): number;
  /** Images of the last minute; null: unknown. */
  perMinute(): number | null;
  /** Starts the processing of the queue. */
  wake(): void;
}

/** The ports that accept photos and compare them. */
function screeningPorts({ vision, signatures, log }: Foundation, services: Services, work: Work) {
  const { verifications, gallery } = services;
  return {
    verifications,
    vision,
    gallery,
    signatures,
    clock: CLOCK,
    log,
    accepted: () => {
      work.wake();
    },
  };
}

function dashboardPorts(foundation: Foundation, services: Services, work: Work): DashboardPorts {
  const { home, storage, vision } = foundation;
  const { company, blacklistTransfer, ...others } = services;
  return {
    ...storage,
    ...PLATFORM,
    ...others,
    ...company,
    ...screeningPorts(foundation, services, work),
    recognition: vision,
    converter: foundation.runner,
    exchange: blacklistTransfer,
    reports: reportsWith(home.fonts),
    inProgress: () => work.inProgress(),
    models: () => inspectModels(MODELS),
    process: {
      version: VERSION,
      startedAt: work.startedAt,
      perMinute: () => work.perMinute(),
      workers: () => workersOf(foundation),
    },
    pagesFolder: join(PROJECT, 'dist', 'renderer'),
  };
}

/**
 * The routes of the local administrator, made when the first command comes.
 * @param work with the address where the service listens; null: it does not
 */
export function localRoutes(
  foundation: Foundation,
  services: Services,
  work: Work & { address: () => string | null },
): { send: SendLocally; listen(): Promise<void> } {
  const { home, ending } = foundation;
  const routes = routesOnDemand((part) => createRoutes(foundation, services, { work, part }));
  ending.add('the routes of the terminal', () => routes.close());
  return {
    send: sendInProcess(routes),
    async listen() {
      const socket = await listenLocally(routes, home.socket);
      ending.add('requests of the terminal', () => socket.close());
      ending.whenLate(CUT_REQUESTS, 'requests of the terminal were cut off', () => socket.cut());
    },
  };
}

async function createRoutes(
  foundation: Foundation,
  services: Services,
  { work, part }: { work: Parameters<typeof localRoutes>[2]; part: string | null },
): Promise<FastifyInstance> {
  const { createLocalApi } = await import('../api/local/index.ts');
  const { storage, runner } = foundation;
  const dashboard = dashboardPorts(foundation, services, work);
  const ports: LocalPorts = {
    ...services.access,
    ...dashboard,
    images: storage.images,
    intake: new UploadIntake(dashboard),
    bounds: BOUNDS,
    backupKeys: BACKUP_KEYS,
    backUp: services.backUp,
    mosipLinks: services.mosipLinks,
    process: { ...dashboard.process, address: work.address, pipeline: () => runner.standard.id },
  };
  return createLocalApi(ports, part);
}

// Whether a service can answer, for load balancers.

/** Milliseconds that a check may take: with the answer around it, a caller waits less than two seconds. */
const TIMEOUT = 1_500;
/** Milliseconds that a result is believed, so that many callers do not keep the disk busy. */
const KEPT = 1_000;

interface ReadinessPorts {
  /** Reads the store, and writes to the disk of the home. */
  store: () => Promise<unknown>;
  /** Follows what other services committed, as each search does. */
  gallery: () => Promise<unknown>;
  /** Whether a worker of each kind is ready. */
  workers: () => boolean;
  /** Whether the service is about to stop. */
  draining: () => boolean;
  log: Logger;
}

/** Makes the checks of `GET /health/ready`. They run side by side and end within two seconds. */
export function readinessOf({ log, ...ports }: ReadinessPorts): () => Promise<Readiness> {
  const store = repeated(ports.store, 'store', log);
  const gallery = repeated(ports.gallery, 'gallery', log);
  return async () => {
    const [hasStore, hasGallery] = await Promise.all([store(), gallery()]);
    const checks = {
      store: hasStore,
      gallery: hasGallery,
      workers: ports.workers(),
      accepting: !ports.draining(),
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
}

/** A check that runs once at a time, however many ask: a disk that hangs would hold a thread for each. */
function repeated(check: () => Promise<unknown>, name: string, log: Logger): () => Promise<boolean> {
  let begunAt = -Infinity;
  let passes: Promise<boolean> = Promise.resolve(false);
  let isRunning = false;
  return async () => {
    if (!isRunning && TIMER.elapsed() - begunAt > KEPT) {
      begunAt = TIMER.elapsed();
      isRunning = true;
      passes = check()
        .then(
          () => true,
          (error: unknown) => failed(error),
        )
        .finally(() => {
          isRunning = false;
        });
    }
    return within(TIMER, TIMEOUT, passes).catch(failed);
  };

  function failed(error: unknown): boolean {
    log.warn({ err: error, check: name }, 'the service is not ready');
    return false;
  }
}
