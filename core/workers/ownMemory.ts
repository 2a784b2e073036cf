/** Where the system does not report the memory of child processes, each worker watches its own. */

/** The variable of a worker's environment that holds its memory limit, bytes. */
export const MEMORY_VARIABLE = 'VOUCH_WORKER_MEMORY';
/** Exit code of a worker that took more. */
export const OVER_MEMORY = 77;
/** How often it looks, milliseconds; decoding runs on other threads, so the timer comes in time. */
const PERIOD = 250;

/** Ends this process when it takes more memory than its environment allows. */
export function watchOwnMemory(): void {
  const limit = Number(process.env[MEMORY_VARIABLE]);
  if (!(limit > 0)) return;
  setInterval(() => {
    if (process.memoryUsage.rss() > limit) process.exit(OVER_MEMORY);
  }, PERIOD).unref();
}
