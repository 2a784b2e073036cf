/** The parts of a running service. */
import { setImmediate } from 'node:timers/promises';
import { NetworkListenerServer } from '../api/http/networkListener.ts';
import { Dispatcher } from '../domain/enrolment/dispatcher.ts';
import { openGallery } from '../gallery/index.ts';
import { metricsWhenRead } from '../metrics/index.ts';
import { PLATFORM } from '../platform/platform.ts';
import { VERSION } from '../platform/version.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';
import { CLOCK, workersOf, type Foundation } from './foundation.ts';
import { Membership } from './membership.ts';
import { createServices } from './services.ts';

/** `api` leaves the queue to other services. */
export type ServingRole = 'all' | 'api';

export type OpenGallery = Awaited<ReturnType<typeof openGallery>>;

export type ServiceParts = Awaited<ReturnType<typeof assemble>>;

/** Makes the parts of a service. None of them works before `serve` starts it. */
export async function assemble(foundation: Foundation, port: number, role: ServingRole) {
  const { storage, runner, signatures, vision, log, ending } = foundation;
  const state: { readonly startedAt: Date; address: string | null } = {
    startedAt: CLOCK.now(),
    address: null,
  };
  const memory = await openMemory(foundation);
  const address = () => state.address;
  const inProgress = () => dispatcher.inProgress;
  const metrics = metricsWhenRead({
    version: VERSION,
    role,
    waiting: () => storage.queue.waiting(),
    inProgress,
    paused: async () => (await storage.installation.settings()).paused,
    faces: () => memory.totals(),
    workers: () => workersOf(foundation),
    leads: () => membership.leads,
    nodes: storage.nodes,
    standbys: () => storage.storeHealth.standbys(),
  });
  const dispatcher: Dispatcher = new Dispatcher({
    ...storage,
    ...PLATFORM,
    vision,
    gallery: memory,
    clock: CLOCK,
    log,
    metrics,
  });
  ending.add('photos in progress', () => dispatcher.stop());
  const networkListener = new NetworkListenerServer();
  const services = createServices(foundation, {
    gallery: memory,
    networkSocket: networkListener,
    metrics,
    inProgress,
    wake: () => {
      dispatcher.wake();
    },
    address,
    port,
    // A pool whose workers did not start otherwise has given up what this machine has.
    confinement: () =>
      [runner, signatures].some((pool) => pool.workerStats().confinement === 'runtime')
        ? 'runtime'
        : confinementHere(),
    service: () =>
      state.address === null
        ? null
        : {
            address: state.address,
            startedAt: state.startedAt,
            inProgress: inProgress(),
            lastProcessedAt: dispatcher.pace.lastProcessedAt,
          },
  });
  const membership: Membership = new Membership({
    nodes: storage.nodes,
    role,
    version: VERSION,
    address,
    answered: () => dispatcher.pace.total,
    leaderWork: [services.templateMigration, services.duplicateSearch],
    log,
  });
  const workerStart = workerStartOf(foundation);
  return { state, memory, metrics, dispatcher, networkListener, services, membership, workerStart };
}

/** Reads the faces into memory. The gallery is closed with the service. */
async function openMemory({ storage, runner, vision, log, ending }: Foundation): Promise<OpenGallery> {
  const { galleryMemoryMiB } = await storage.installation.settings();
  const exactBudget = galleryMemoryMiB === null ? Infinity : galleryMemoryMiB * 2 ** 20;
  const memory = await openGallery(
    { pipelineId: runner.standard.id, serving: vision.serving, exactBudget },
    storage,
    log,
  );
  ending.add('the gallery', () => memory.close());
  return memory;
}

/** Milliseconds after which the log names workers that are not ready. A start takes three seconds on an idle machine. */
const SLOW_START = 30_000;

/** The start of a worker of each kind, which the readiness of the service reports. */
function workerStartOf({ runner, signatures, log }: Foundation) {
  return {
    isReady: false,
    /**
     * Starts the workers, after whoever waits for the address of the service has it.
     * @throws {UnavailableError} they cannot start, which is logged too
     */
    begin(): Promise<void> {
      const ready = setImmediate()
        .then(() => Promise.all([runner.start(), signatures.start()]))
        .then(() => {
          this.isReady = true;
        });
      const slow = setTimeout(() => {
        log.warn({ seconds: SLOW_START / 1000 }, 'the workers are still starting; photos wait for them');
      }, SLOW_START).unref();
      ready
        .catch((error: unknown) => {
          log.error({ err: error }, 'workers cannot start');
        })
        .finally(() => {
          clearTimeout(slow);
        });
      return ready;
    },
  };
}
