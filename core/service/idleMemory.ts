import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Between two looks, milliseconds. */
const PERIOD = 15_000;
/** Share of the time since the last look in which the event loop worked; below it the process is idle. */
const IDLE = 0.1;
/** Bytes that may be held beyond what the last collection left. */
const SPARE = 32 * 1024 * 1024;
/** Collections in a row: buffers are returned to the system by the one after that which found them unused. */
const COLLECTIONS = 2;

/**
 * Decides when an idle process collects its garbage. V8 collects when memory is asked for; a process that is idle after
 * a burst of work asks for none and keeps what the burst left.
 */
export class IdleCollector {
  readonly #held: () => number;
  readonly #collect: () => void;
  #least = 0;
  #due = 0;

  /**
   * @param held bytes that are held now, garbage included
   * @param collect frees what is not used
   */
  constructor(held: () => number, collect: () => void) {
    this.#held = held;
    this.#collect = collect;
  }

  /** @param utilization share of the time since the last look in which the event loop worked, 0 to 1 */
  look(utilization: number): void {
    if (utilization >= IDLE) return;
    if (this.#due === 0 && this.#held() > this.#least + SPARE) this.#due = COLLECTIONS;
    if (this.#due === 0) return;
    this.#collect();
    this.#due -= 1;
    this.#least = this.#held();
  }
}

/** Returns memory to the system while this process is idle. @returns ends it */
export function collectWhenIdle(): () => Promise<void> {
  // Node offers no other way to a collection than V8's own function, which this flag puts into new contexts.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // `process.memoryUsage` also reads the size of the process from /proc, which fails where no file can be opened.
  const held = () => {
    const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external;
  };
  const collector = new IdleCollector(held, collect);
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    collector.look(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  }, PERIOD).unref();
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
