import { Worker } from 'node:worker_threads';
import { CandidateRows } from './candidates.ts';
import type { KernelVariant } from './kernel/kernel.ts';
import type { Shape } from './quantiser.ts';
import type { ScanProbe, SegmentScan } from './scan.ts';
import type { FromScanWorker, ToScanWorker } from './scanWorker.ts';
import type { Slab } from './slab.ts';
import { errorOf } from '../contracts/errors/problem.ts';

interface Waiting {
  resolve(answer: FromScanWorker): void;
  reject(cause: Error): void;
}

/** One thread, and who waits for it. */
class ScanThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #failure: Error | undefined;

  constructor(program: string) {
    this.#worker = new Worker(program);
    this.#worker.on('message', (answer: FromScanWorker) => this.#settle(answer));
    this.#worker.on('error', (cause) => this.#fail(cause));
    this.#worker.on('exit', () => this.#fail(new Error('A scanning thread has ended.')));
    // A thread without work keeps no process alive.
    this.#worker.unref();
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  post(message: ToScanWorker): void {
    this.#worker.postMessage(message);
  }

  scan(task: Omit<Extract<ToScanWorker, { kind: 'scan' }>, 'kind' | 'id'>): Promise<FromScanWorker> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#next++;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.post({ kind: 'scan', id, ...task });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: FromScanWorker): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(answer.error));
  }

  #fail(cause: unknown): void {
    this.#failure ??= errorOf(cause);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}

/** Threads that share the slabs; started by the first search that is worth it. */
export class ScanPool {
  readonly #size: number;
  readonly #program: string;
  readonly #variant: KernelVariant;
  readonly #shape: Shape;
  readonly #slabs: readonly Slab[];
  #threads: ScanThread[] = [];

  /** @param program absolute path of scanWorker. @param slabs read when threads start; later ones are announced with `share`. */
  constructor(size: number, program: string, variant: KernelVariant, shape: Shape, slabs: readonly Slab[]) {
    this.#size = size;
    this.#program = program;
    this.#variant = variant;
    this.#shape = shape;
    this.#slabs = slabs;
  }

  /** Tells running threads of a new slab. */
  share(slab: Slab): void {
    for (const [i, thread] of this.#threads.entries()) this.#announce(thread, i, slab);
  }

  /**
   * Scans the segments on all threads, each taking about the same number of rows.
   * @returns a list for each probe.
   */
  async scan(
    probes: readonly ScanProbe[],
    segments: readonly SegmentScan[],
    limit: number,
    threshold: number,
    reach: number,
  ): Promise<CandidateRows[]> {
    this.#start();
    const shares = split(segments, this.#threads.length);
    const answers = await Promise.all(
      shares.map((share, i) => this.#threads[i]!.scan({ probes, limit, threshold, reach, segments: share })),
    );
    return probes.map((_, i) => {
      const found = new CandidateRows(limit, threshold, reach);
      for (const answer of answers) {
        const { segments: of, rows, lower, upper } = answer.found[i]!;
        found.add(of, rows.length, rows, lower, upper);
      }
      found.tighten();
      return found;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
    this.#threads = [];
  }

  /** Starts what is missing, threads that died included. */
  #start(): void {
    for (let i = 0; i < this.#size; i++) {
      if (this.#threads[i]?.failed === false) continue;
      const thread = new ScanThread(this.#program);
      this.#threads[i] = thread;
      for (const slab of this.#slabs) this.#announce(thread, i, slab);
    }
  }

  #announce(thread: ScanThread, index: number, slab: Slab): void {
    // Thread 0 of a slab's scratch space is the main thread.
    const message = { kind: 'slab', index: slab.index, memory: slab.memory, thread: index + 1 } as const;
    thread.post({ ...message, variant: this.#variant, shape: this.#shape });
  }
}

/** Numbers the segments and deals them out, largest first, each to the share with the fewest rows. */
function split(segments: readonly SegmentScan[], parts: number): (readonly [number, SegmentScan])[][] {
  const shares = Array.from({ length: parts }, () => ({
    rows: 0,
    segments: [] as (readonly [number, SegmentScan])[],
  }));
  const numbered = segments.map((segment, number) => [number, segment] as const);
  for (const each of numbered.sort(([, a], [, b]) => b.rows - a.rows)) {
    const least = shares.reduce((a, b) => (b.rows < a.rows ? b : a));
    least.rows += each[1].rows;
    least.segments.push(each);
  }
  return shares.map((share) => share.segments);
}
