/** Whether a service can answer, for load balancers. */
import type { Readiness } from '../contracts/nodes.ts';
import { within } from '../domain/work/turns.ts';
import type { Logger } from '../domain/ports/machine.ts';
import { TIMER } from '../platform/platform.ts';

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
