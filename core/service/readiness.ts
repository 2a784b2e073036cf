/** Whether a service can answer, for load balancers. */
import type { Readiness } from '../contracts/nodes.ts';
import type { Logger } from '../domain/ports/machine.ts';

/** Milliseconds that a check may take. */
const TIMEOUT = 5_000;

interface ReadinessPorts {
  /** Reads the store. */
  store: () => Promise<unknown>;
  /** Follows what other services committed, as each search does. */
  gallery: () => Promise<unknown>;
  /** Whether a worker of each kind is ready. */
  workers: () => boolean;
  /** Whether the service is about to stop. */
  draining: () => boolean;
  log: Logger;
}

/** Makes the checks of `GET /health/ready`. They run side by side and end within five seconds. */
export function readinessOf(ports: ReadinessPorts): () => Promise<Readiness> {
  const passes = async (check: () => Promise<unknown>, name: string): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`no answer within ${TIMEOUT} ms`));
      }, TIMEOUT);
    });
    try {
      await Promise.race([check(), late]);
      return true;
    } catch (error) {
      ports.log.warn({ err: error, check: name }, 'the service is not ready');
      return false;
    } finally {
      clearTimeout(timer);
    }
  };
  return async () => {
    const [store, gallery] = await Promise.all([
      passes(ports.store, 'store'),
      passes(ports.gallery, 'gallery'),
    ]);
    const checks = { store, gallery, workers: ports.workers(), accepting: !ports.draining() };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
}
