/**
 * The composition root. The path of an uploaded photo: `api` streams it through `domain/enrolment/intake` into `storage`;
 * `domain/enrolment/dispatcher` sends it to a `vision` worker and stores the result in `storage`; after COMMIT the `gallery`
 * follows.
 */
import { createApi } from '../api/app.ts';
import type { SendLocally } from '../contracts/local.ts';
import type { Logger } from '../domain/ports/machine.ts';
import { collectWhenIdle } from './idleMemory.ts';
import { openLog } from './log.ts';
import {
  CLOCK,
  CUT_REQUESTS,
  DEFAULT_PORT,
  openFoundation,
  requireErasures,
  requireLog,
  requireSharedStore,
  type Foundation,
  type FoundationOptions,
} from './foundation.ts';
import { apiPorts, localRoutes, workOf } from './apiPorts.ts';
import { assemble, type ServiceParts, type ServingRole } from './parts.ts';
import { VERSION } from '../platform/version.ts';
import { startTimers } from './timers.ts';
import { wakeRegularly } from './wakeRegularly.ts';

export { DEFAULT_PORT };

export interface ServiceOptions extends FoundationOptions {
  /** The work of this service; default: all. */
  role?: ServingRole;
  /** 127.0.0.1 port; 0 takes a free one. */
  port?: number;
  logLevel?: string;
}

export interface Service {
  readonly log: Logger;
  /** Answers a request as the local administrator's. */
  readonly send: SendLocally;
  /** Where it listens, e.g. http://127.0.0.1:4610. */
  readonly address: string;
  /**
   * Resolves when a worker of each kind is ready; photos and comparisons that arrive before wait for it.
   * @throws {UnavailableError} workers cannot start, so the service is of no use
   */
  readonly ready: Promise<void>;
  /** Rejects when the service must not go on; whoever opened it closes it. */
  readonly failure: Promise<never>;
  /** Tells load balancers and the other services that this one takes no new requests. It still answers those that come. */
  drain(): Promise<void>;
  /** Finishes what is being processed, answers what was asked, and unlocks the home. */
  close(): Promise<void>;
}

/** Opens a home and serves it. Starting is recovering: there is no other start. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const foundation = await openFoundation(options, ({ logs }) => openLog(logs, options.logLevel ?? 'info'));
  const { role = 'all', port = DEFAULT_PORT } = options;
  foundation.log.info({ version: VERSION, role }, 'the service starts');
  try {
    requireSharedStore(foundation, role);
    await requireErasures(foundation);
    await requireLog(foundation);
    return await serve(foundation, port, role);
  } catch (error) {
    foundation.log.error({ err: error }, 'the service cannot start');
    await foundation.ending.run();
    throw error;
  }
}

async function serve(foundation: Foundation, port: number, role: ServingRole): Promise<Service> {
  const { storage, log, ending } = foundation;
  const parts = await assemble(foundation, port, role);
  const { services, state, dispatcher, membership } = parts;
  const api = await createApi(apiPorts(foundation, parts));
  ending.add('requests', () => api.close());
  ending.whenLate(CUT_REQUESTS, 'requests were cut off', () => api.server.closeAllConnections());
  const address = await api.listen({ host: '127.0.0.1', port });
  state.address = address;
  await services.network.start();
  const { backupService } = services;
  await backupService.recover();
  ending.add('the backup in progress', () => backupService.stop());
  const local = localRoutes(foundation, services, { ...workOf(parts), address: () => state.address });
  await local.listen();
  const failure = Promise.withResolvers<never>();
  // Nobody may wait for it.
  failure.promise.catch(() => undefined);
  if (role === 'all') {
    dispatcher.start();
    if (storage.nodes !== undefined) ending.add('the queue', wakeRegularly(dispatcher));
  }
  await services.pipelineService.applyInstallationPipeline(storage.companies, foundation.wanted, {
    by: 'service',
    at: CLOCK.now(),
  });
  ending.add('the other services', () => membership.stop());
  await membership.start();
  const { retention, faceListingService } = services.company;
  ending.add('retention rules', () => retention.stop());
  await logStart(foundation, parts, address);
  ending.add('connections to MOSIP', () => services.mosipLinks.close());
  ending.add(
    'periodic work',
    startTimers({
      ...storage,
      ...services,
      backups: backupService,
      retention,
      faceListingService,
      clock: CLOCK,
      log,
      leads: () => membership.leads,
      fail: failure.reject,
    }),
  );
  ending.add('the memory', collectWhenIdle());
  const ready = parts.workerStart.begin();
  return {
    log,
    address,
    ready,
    failure: failure.promise,
    send: local.send,
    drain: () => ending.waitFor('the other services', () => membership.drain()),
    close: () => ending.run(),
  };
}

/** Logs that the service listens, and the companies whose pipeline is not installed. */
async function logStart(
  { runner, vision, log }: Foundation,
  { services, memory }: ServiceParts,
  address: string,
): Promise<void> {
  for (const { company, pipeline, installed } of await services.pipelineService.serving())
    if (!installed) log.error({ company, pipeline }, 'the pipeline of a company is not installed');
  log.info(
    {
      address,
      faces: memory.faces,
      fromSnapshots: memory.restored,
      workers: vision.workers,
      pipeline: runner.standard.id,
    },
    'the service listens',
  );
}
