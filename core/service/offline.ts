/**
 * Commands on a data directory without a running service: the local administrator's routes on the store alone, and the
 * self-diagnosis.
 */
import { existsSync } from 'node:fs';
import type { HealthReport } from '../contracts/diagnostics.ts';
import type { SendLocally } from '../contracts/local.ts';
import { Doctor } from '../domain/diagnostics/doctor.ts';
import { UnavailableError, type Logger } from '../domain/ports/machine.ts';
import { deferredGallery } from '../gallery/deferred.ts';
import { openLog } from './log.ts';
import { HomeLocked, homeOf, inspectHome, openStorage, type Home, type Storage } from '../storage/index.ts';
import { confinementHere } from '../workers/confinement/confinement.ts';
import { CLOCK, DEFAULT_PORT, hostInspectors, openFoundation, type FoundationOptions } from './foundation.ts';
import { localRoutes } from './apiPorts.ts';
import { createServices } from './services.ts';
import { within } from '../domain/work/turns.ts';
import { TIMER } from '../platform/platform.ts';
import { messageOf } from '../contracts/errors/problem.ts';

/** Milliseconds to open a store. The server of a database that hangs accepts connections and says nothing. */
const ANSWER_TIME = 10_000;

/** The routes of the local administrator on an open home. */
export interface OpenHome {
  send: SendLocally;
  close(): Promise<void>;
}

/**
 * Opens a home for the local administrator, under its lock. A command that recognises faces starts a worker or fills the
 * gallery when it needs them; the others use the store alone.
 */
export async function openForCommands(
  options: FoundationOptions & {
    /** true: the commands are also answered on the home's socket. */
    answers?: boolean;
  },
): Promise<OpenHome> {
  const foundation = await openFoundation({ ...options, use: 'command' }, logWhenUsed);
  const { storage, runner, vision, log, ending } = foundation;
  try {
    const gallery = deferredGallery(async () =>
      (await import('../gallery/index.ts')).openGallery(
        { pipelineId: runner.standard.id, serving: vision.serving },
        storage,
        log,
      ),
    );
    ending.add('the gallery', () => gallery.close());
    const services = createServices(foundation, {
      gallery,
      inProgress: () => 0,
      wake: () => undefined,
      address: () => null,
      port: DEFAULT_PORT,
      confinement: confinementHere,
      service: () => null,
    });
    const idle = { inProgress: () => 0, perMinute: () => null, wake: () => undefined, address: () => null };
    const local = localRoutes(foundation, services, { ...idle, startedAt: CLOCK.now() });
    if (options.answers === true) await local.listen();
    return { send: local.send, close: () => ending.run() };
  } catch (error) {
    await ending.run();
    throw error;
  }
}

/** Most commands log nothing: the log, whose files have to be found and opened, is opened by the first line. */
function logWhenUsed({ logs }: Home): Logger {
  let log: Logger | undefined;
  const opened = () => (log ??= openLog(logs, 'warn'));
  return {
    info: (facts, text) => {
      opened().info(facts, text);
    },
    warn: (facts, text) => {
      opened().warn(facts, text);
    },
    error: (facts, text) => {
      opened().error(facts, text);
    },
  };
}

/** A store that opens after {@link ANSWER_TIME} is closed, so that the command can end. @throws {UnavailableError} it took longer */
async function openInTime(home: Home): Promise<Storage> {
  const opening = openStorage(home, CLOCK, undefined, { use: 'diagnosis' });
  try {
    return await within(TIMER, ANSWER_TIME, opening);
  } catch (cause) {
    void opening.then((late) => late.close()).catch(() => undefined);
    throw cause;
  }
}

/**
 * Examines a home that no service runs on, also one that cannot be opened. Starts nothing, and makes no store in a home
 * that was never used.
 */
export async function examineHome(options: { home: string; port?: number }): Promise<HealthReport> {
  const home = homeOf(options.home);
  const around = {
    ...hostInspectors(home),
    log: logWhenUsed(home),
    service: () => null,
    port: options.port ?? DEFAULT_PORT,
  };
  const storage =
    existsSync(home.database) || existsSync(home.databaseAddress)
      ? await openInTime(home).catch((error: unknown) => ({
          refused: (error instanceof UnavailableError ? error.problem : undefined) ?? messageOf(error),
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
