/** Spreads images over worker processes: one image per worker at a time, and no image can take more than itself down. */
import type { FailureCode } from '../contracts/failures.ts';
import type { PipelineId } from '../contracts/ids.ts';
import { UnavailableError, type Priority } from '../domain/ports.ts';
import { WorkerProcess } from './workerProcess.ts';
import type { VisionJob, VisionResult, WorkerMessage } from './workerProtocol.ts';

export interface PoolOptions {
  modelsFolder: string;
  /** Program of a worker. */
  workerPath: string;
  /** How many worker processes. */
  workers: number;
  /** Time that one image may take, milliseconds. */
  timeLimitMs: number;
  /** Told of every worker that ended unasked, for the log. */
  onWorkerDeath(reason: string): void;
}

interface Task {
  job: VisionJob;
  priority: Priority;
  /** How often it was tried in vain. */
  failures: number;
  resolve(result: VisionResult): void;
  reject(error: Error): void;
}

interface Slot {
  worker: WorkerProcess;
  state: 'starting' | 'idle' | 'busy';
  task?: Task;
  timer?: NodeJS.Timeout;
  /** The time limit, not the image, ended this worker. */
  timedOut: boolean;
}

/** An image is given up after this many attempts that ended its worker or its time. */
const ATTEMPTS = 2;
/** After this many workers in a row that ended before they were ready, none can be had for now. */
const STARTS = 3;
/** Pause before a worker that could not start is started again, milliseconds. */
const RESTART_PAUSE = 1000;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Record<Priority, Task[]> = { interactive: [], bulk: [] };
  #pipelineId: PipelineId | undefined;
  #failedStarts = 0;
  #closed = false;
  #started: { resolve(): void; reject(error: Error): void } | undefined;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Resolves when every worker is ready; throws what keeps them from it. */
  async start(): Promise<PipelineId> {
    const ready = new Promise<void>((resolve, reject) => {
      this.#started = { resolve, reject };
    });
    this.#fill();
    try {
      await ready;
    } catch (error) {
      await this.close();
      throw error;
    }
    return this.#pipelineId!;
  }

  submit(job: VisionJob, priority: Priority): Promise<VisionResult> {
    if (this.#closed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.#waiting[priority].push({ job, priority, failures: 0, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    const slots = [...this.#slots];
    for (const task of this.#takeAll()) task.reject(closed());
    for (const slot of slots) {
      clearTimeout(slot.timer);
      slot.task?.reject(closed());
      delete slot.task;
    }
    await Promise.all(slots.map(({ worker }) => worker.end()));
  }

  #fill(): void {
    while (!this.#closed && this.#slots.size < this.#options.workers) this.#spawn();
  }

  #spawn(): void {
    const worker = new WorkerProcess(this.#options, {
      ready: (pipelineId) => this.#onReady(slot, pipelineId),
      answered: (message) => this.#onAnswer(slot, message),
      ended: (reason) => this.#onEnd(slot, reason),
    });
    const slot: Slot = { worker, state: 'starting', timedOut: false };
    this.#slots.add(slot);
  }

  #onReady(slot: Slot, pipelineId: PipelineId): void {
    this.#pipelineId = pipelineId;
    this.#failedStarts = 0;
    slot.state = 'idle';
    if ([...this.#slots].every(({ state }) => state !== 'starting')) this.#started?.resolve();
    this.#dispatch();
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.state !== 'idle') continue;
      const task = this.#waiting.interactive.shift() ?? this.#waiting.bulk.shift();
      if (task === undefined) return;
      slot.state = 'busy';
      slot.task = task;
      slot.timer = setTimeout(() => {
        slot.timedOut = true;
        slot.worker.kill();
      }, this.#options.timeLimitMs);
      slot.worker.send(task.job);
    }
  }

  #onAnswer(slot: Slot, message: Extract<WorkerMessage, { kind: 'done' | 'failed' }>): void {
    const task = this.#release(slot);
    // Killed for its time while the answer was on its way: the end of the worker settles the task.
    if (task === undefined) return;
    slot.state = 'idle';
    if (message.kind === 'done') task.resolve(message.result);
    else this.#onFailure(task, 'ENGINE_ERROR', message.reason);
    this.#dispatch();
  }

  #onEnd(slot: Slot, reason: string): void {
    this.#slots.delete(slot);
    const task = this.#release(slot);
    if (this.#closed) return;
    if (slot.state === 'starting') {
      this.#onFailedStart(reason);
      return;
    }
    if (task === undefined) this.#options.onWorkerDeath(reason);
    else this.#onFailure(task, slot.timedOut ? 'TIMEOUT' : 'ENGINE_ERROR', reason);
    this.#fill();
  }

  #release(slot: Slot): Task | undefined {
    const { task } = slot;
    clearTimeout(slot.timer);
    delete slot.task;
    return task;
  }

  /** The first time may have been bad luck (memory ran out); it goes to the head of its lane. */
  #onFailure(task: Task, code: FailureCode, reason: string): void {
    this.#options.onWorkerDeath(`${code}: ${reason}`);
    task.failures++;
    if (task.failures >= ATTEMPTS) task.resolve({ kind: 'refused', code });
    else this.#waiting[task.priority].unshift(task);
  }

  #onFailedStart(reason: string): void {
    this.#options.onWorkerDeath(reason);
    this.#failedStarts++;
    if (this.#failedStarts >= STARTS) {
      const error = new UnavailableError(`vision workers cannot start: ${reason}`);
      this.#started?.reject(error);
      for (const task of this.#takeAll()) task.reject(error);
    }
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.#fill(), RESTART_PAUSE);
  }

  #takeAll(): Task[] {
    return [...this.#waiting.interactive.splice(0), ...this.#waiting.bulk.splice(0)];
  }
}

function closed(): UnavailableError {
  return new UnavailableError('vision is closed');
}
