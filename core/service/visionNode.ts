/** A service that enrols waiting photos of a database that others share. It listens on no port and holds no gallery. */
import type { SendLocally } from '../contracts/local.ts';
import { Dispatcher } from '../domain/enrolment/dispatcher.ts';
import type { Logger } from '../domain/ports/machine.ts';
import { deferredGallery } from '../gallery/deferred.ts';
import { openLog } from './log.ts';
import { PLATFORM } from '../platform/platform.ts';
import { VERSION } from '../platform/version.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';
import {
  CLOCK,
  DEFAULT_PORT,
  openFoundation,
  requireErasures,
  requireLog,
  requireSharedStore,
  type Foundation,
  type FoundationOptions,
} from './foundation.ts';
import { localRoutes, workOf } from './apiPorts.ts';
import { createServices } from './services.ts';
import { Membership } from './membership.ts';
import { wakeRegularly } from './wakeRegularly.ts';

/** A running vision node. */
export interface VisionNode {
  readonly log: Logger;
  /** Answers a request as the local administrator's. */
  readonly send: SendLocally;
  /** It listens on no port. */
  readonly address: null;
  /** Resolves when a worker is ready. @throws {UnavailableError} workers cannot start, so the node is of no use */
  readonly ready: Promise<void>;
  /** Tells the other services that this one is about to stop. */
  drain(): Promise<void>;
  /** Finishes what is being processed, gives back the rest, and unlocks the home. */
  close(): Promise<void>;
}

/** Opens a home whose rows are in a PostgreSQL database, and enrols photos that the services of the database accepted. */
export async function openVisionNode(
  options: FoundationOptions & { logLevel?: string },
): Promise<VisionNode> {
  const foundation = await openFoundation(options, ({ logs }) => openLog(logs, options.logLevel ?? 'info'));
  try {
    requireSharedStore(foundation, 'vision');
    await requireErasures(foundation);
    await requireLog(foundation);
    return await serveVision(foundation);
  } catch (error) {
    foundation.log.error({ err: error }, 'the service cannot start');
    await foundation.ending.run();
    throw error;
  }
}

/** Serves the queue and the local administrator of this home. */
async function serveVision(foundation: Foundation): Promise<VisionNode> {
  const { storage, runner, vision, log, ending } = foundation;
  // Only a command that searches fills it. The other services read the enrolled faces from the database.
  const gallery = deferredGallery(async () =>
    (await import('../gallery/index.ts')).openGallery(
      { pipelineId: runner.standard.id, serving: vision.serving },
      storage,
      log,
    ),
  );
  ending.add('the gallery', () => gallery.close());
  const dispatcher = new Dispatcher({ ...storage, ...PLATFORM, vision, gallery, clock: CLOCK, log });
  ending.add('photos in progress', () => dispatcher.stop());
  const services = createServices(foundation, {
    gallery,
    inProgress: () => dispatcher.inProgress,
    wake: () => {
      dispatcher.wake();
    },
    address: () => null,
    port: DEFAULT_PORT,
    confinement: () => (runner.workerStats().confinement === 'runtime' ? 'runtime' : confinementHere()),
    service: () => null,
  });
  const state = { startedAt: CLOCK.now(), address: null };
  const local = localRoutes(foundation, services, { ...workOf({ dispatcher, state }), address: () => null });
  await local.listen();
  const ready = runner.start().then(() => undefined);
  ready.catch((error: unknown) => {
    log.error({ err: error }, 'workers cannot start');
  });
  dispatcher.start();
  ending.add('the queue', wakeRegularly(dispatcher));
  const membership = new Membership({
    nodes: storage.nodes,
    role: 'vision',
    version: VERSION,
    address: () => null,
    answered: () => dispatcher.pace.total,
    log,
  });
  ending.add('the other services', () => membership.stop());
  await membership.start();
  log.info({ node: storage.nodes?.name, workers: vision.workers }, 'the vision node enrols waiting photos');
  return {
    log,
    address: null,
    ready,
    send: local.send,
    drain: () => ending.waitFor('the other services', () => membership.drain()),
    close: () => ending.run(),
  };
}
