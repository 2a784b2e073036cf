/**
 * Spreads jobs over worker processes: one job per worker at a time, and no job can take more than itself down. A worker that
 * an image has taken over must not see the images of another company, so each worker serves one company until it ends.
 */
import type { FailureCode } from '../contracts/errors/failures.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { Confinement } from '../domain/ports/diagnostics.ts';
import { UnavailableError } from '../domain/ports/machine.ts';
import type { Priority } from '../domain/ports/recognition.ts';
import { confinedStart, confinementHere } from './confinement/confinement.ts';
import { WorkerProcess } from './workerProcess.ts';
import { AnswerInvalid, type UncheckedMessage } from './workerAnswers.ts';

/** Why a job was given up: its worker ended or threw, its time was over, or it took more memory than a worker may have. */
export type GivenUp = Extract<FailureCode, 'ENGINE_ERROR' | 'TIMEOUT' | 'IMAGE_TOO_LARGE'>;

export interface ProcessPoolOptions<Job, Result> {
  /** The work of the pool, for messages: "vision". */
  name: string;
  /** Program of a worker. */
  workerPath: string;
  /** Its arguments. */
  workerArguments: readonly string[];
  /** Flags of Node itself; none by default. */
  workerFlags?: readonly string[];
  /** Absolute files and folders that the workers read besides the product's own program. */
  reads: readonly string[];
  /** Memory that a worker may have, bytes; asked at each start, and again before a worker is ended for it. */
  memoryLimit(): number;
  /** At most this many worker processes. */
  workers: number;
  /** A worker without a job for so long is ended, milliseconds; five minutes by default. */
  idleMs?: number;
  /** Time that one job may work, milliseconds; what other programs make it wait does not count, as far as the system reports it. */
  timeLimitMs: number;
  /** Told of every worker that ended unasked, for the log. */
  onWorkerDeath(reason: string): void;
  /**
   * Checks a worker's answer to a job.
   * @throws {AnswerInvalid} then the worker is ended, and the job counts as one that ended its worker
   */
  check(answer: unknown, job: Job): Result;
  /** Whether the image of this answer may have taken the worker over: then the worker is replaced. */
  isSuspect?(result: Result): boolean;
  /** The answer to a job that was given up. */
  giveUp(code: GivenUp): Result;
  /** Jobs beyond this many that wait are rejected with `UnavailableError`; no limit by default. */
  maxWaiting?: number;
}

/** Counts and confinement of the workers of a pool. */
export interface WorkerStats {
  /** At most so many run: they start when work arrives and end when there has been none for a while. */
  max: number;
  /** Ready for work, or at it. */
  alive: number;
  /** Workers that ended unasked since the start; each was replaced. */
  restarts: number;
  /** The confinement of the workers, in case that one is taken over. */
  confinement: Confinement;
}

interface Task<Job, Result> {
  job: Job;
  priority: Priority;
  /** null: the job holds no image of a company. */
  company: CompanyId | null;
  /** How often a worker of another company took a later job instead. */
  passedOver: number;
  /** How often it was tried in vain. */
  failures: number;
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface Slot<Job, Result> {
  worker: WorkerProcess<Job>;
  state: 'starting' | 'idle' | 'busy';
  task?: Task<Job, Result>;
  /** Whose images the worker has seen; absent: none yet. */
  company?: CompanyId;
  /** Of the job's time, or of an idle worker's. */
  timer?: NodeJS.Timeout;
  memoryTimer?: NodeJS.Timeout;
  /** Memory that the worker may have, bytes, when it was started. */
  memoryLimit: number;
  /** The limit that ended this worker; absent: none did. */
  exceeded?: Exclude<GivenUp, 'ENGINE_ERROR'>;
}

/** A job is given up after this many attempts that ended its worker or its time. */
const ATTEMPTS = 2;
/** A job of another company waits for at most this many later jobs; then a worker is replaced for it. */
const MAX_PASSED_OVER = 32;
/** After this many workers in a row that ended before they were ready, none can be had for now. */
const STARTS = 3;
/** A job that neither works nor answers is given up after this many times its limit. */
const LONGEST_WAIT = 10;
/** How often the memory of a worker that has a job is looked at, milliseconds. */
const MEMORY_PERIOD = 250;
/** A worker holds 150–250 MB; after this long without a job it is more useful to others. */
const IDLE_MS = 5 * 60_000;
/** Pause before a worker that could not start is started again, milliseconds. */
const RESTART_PAUSE = 1000;
/** A killed worker ends when it next gets a processor, and a busy machine lets it wait. The end of the pool goes on after so long, milliseconds. */
const LONGEST_DEATH = 2000;

export class ProcessPool<Job, Result> {
  readonly #options: ProcessPoolOptions<Job, Result>;
  readonly #slots = new Set<Slot<Job, Result>>();
  /** Workers that were ended because they had no work, until they are gone. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #waiting: Record<Priority, Task<Job, Result>[]> = { interactive: [], bulk: [] };
  #failedStarts = 0;
  /** Undefined: the strongest of this machine, which is asked of the system when the first worker starts. */
  #weakened: Confinement | undefined;
  /** A worker was ready under the present confinement, so that it is not what keeps others from starting. */
  #confinementHolds = false;
  #deaths = 0;
  #closed = false;
  #started: { resolve(): void; reject(error: Error): void } | undefined;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: ProcessPoolOptions<Job, Result>) {
    this.#options = options;
  }

  /**
   * Starts one worker; the others start when work arrives.
   * @throws {UnavailableError} no worker can start. The pool stays open and tries again when work arrives
   */
  async start(): Promise<void> {
    const ready = new Promise<void>((resolve, reject) => {
      this.#started = { resolve, reject };
    });
    this.#fill();
    try {
      await ready;
    } finally {
      this.#started = undefined;
    }
  }

  /** @param company whose images the job holds; null: of none. A worker serves one company */
  submit(job: Job, priority: Priority, company: CompanyId | null): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const { name, maxWaiting = Infinity } = this.#options;
    const { interactive, bulk } = this.#waiting;
    if (interactive.length + bulk.length >= maxWaiting)
      return Promise.reject(new UnavailableError(`too many jobs wait for ${name}`));
    return new Promise((resolve, reject) => {
      this.#waiting[priority].push({ job, priority, company, passedOver: 0, failures: 0, resolve, reject });
      this.#dispatch();
    });
  }

  get #confinement(): Confinement {
    return this.#weakened ?? confinementHere();
  }

  get stats(): WorkerStats {
    const alive = [...this.#slots].filter(({ state }) => state !== 'starting').length;
    return { max: this.#options.workers, alive, restarts: this.#deaths, confinement: this.#confinement };
  }

  /** Ends the workers, and gives up what they do. It may be called again. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    const slots = [...this.#slots];
    for (const task of this.#takeAll()) task.reject(this.#closedError());
    for (const slot of slots) {
      clearTimeout(slot.timer);
      clearInterval(slot.memoryTimer);
      slot.task?.reject(this.#closedError());
      delete slot.task;
    }
    const gone = Promise.all([...slots.map(({ worker }) => worker.end()), ...this.#leaving]);
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise((resolve) => (timer = setTimeout(resolve, LONGEST_DEATH)));
    await Promise.race([gone, isLate]);
    clearTimeout(timer);
  }

  /** Starts a worker for every job that waits for one, and one for a pool that is being started. */
  #fill(): void {
    if (this.#closed || this.#restart !== undefined) return;
    const { interactive, bulk } = this.#waiting;
    const starting = [...this.#slots].filter(({ state }) => state === 'starting').length;
    const needed = interactive.length + bulk.length + (this.#started === undefined ? 0 : 1);
    for (let i = starting; i < needed && this.#slots.size < this.#options.workers; i++) this.#spawn();
  }

  #spawn(): void {
    const { workerPath, workerArguments, workerFlags = [], reads } = this.#options;
    const memory = this.#options.memoryLimit();
    const program = { workerPath, workerArguments, flags: workerFlags, reads, memory };
    const worker = new WorkerProcess<Job>(program, confinedStart(program, this.#confinement), {
      ready: () => this.#onReady(slot),
      answered: (message) => this.#onAnswer(slot, message),
      ended: (reason, overMemory) => {
        if (overMemory) slot.exceeded = 'IMAGE_TOO_LARGE';
        this.#onEnd(slot, reason);
      },
    });
    const slot: Slot<Job, Result> = { worker, state: 'starting', memoryLimit: memory };
    this.#slots.add(slot);
  }

  #onReady(slot: Slot<Job, Result>): void {
    if (slot.state !== 'starting') {
      slot.worker.distrust('It reported twice that it is ready.');
      return;
    }
    this.#failedStarts = 0;
    this.#confinementHolds = true;
    this.#rest(slot);
    this.#started?.resolve();
    this.#dispatch();
  }

  /** The worker has no job: when none comes for a while, it is ended. */
  #rest(slot: Slot<Job, Result>): void {
    slot.state = 'idle';
    slot.timer = setTimeout(() => this.#retire(slot), this.#options.idleMs ?? IDLE_MS);
    // A program that only waits for its workers to end may end itself.
    slot.timer.unref();
  }

  /** Ends a worker that has no job. */
  #retire(slot: Slot<Job, Result>): void {
    clearTimeout(slot.timer);
    this.#slots.delete(slot);
    const gone = slot.worker.end();
    this.#leaving.add(gone);
    void gone.then(() => this.#leaving.delete(gone));
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.state !== 'idle') continue;
      const task = this.#nextFor(slot);
      if (task === undefined) continue;
      clearTimeout(slot.timer);
      slot.state = 'busy';
      slot.task = task;
      if (task.company !== null) slot.company = task.company;
      const begun = { worked: slot.worker.worked, at: performance.now() };
      this.#limit(slot, begun, this.#options.timeLimitMs);
      slot.memoryTimer = setInterval(() => this.#limitMemory(slot), MEMORY_PERIOD);
      slot.worker.send(task.job);
    }
    const { interactive, bulk } = this.#waiting;
    if (interactive.length + bulk.length === 0) return;
    this.#replaceIdle();
    this.#fill();
  }

  /**
   * Takes the next job that the worker may have: interactive ones first, and of each lane the first one of its company.
   * undefined: none waits, or another company's turn has come.
   */
  #nextFor({ company }: Slot<Job, Result>): Task<Job, Result> | undefined {
    for (const lane of [this.#waiting.interactive, this.#waiting.bulk]) {
      const [first] = lane;
      if (first === undefined) continue;
      const at = lane.findIndex((task) => company === undefined || (task.company ?? company) === company);
      if (at > 0 && first.passedOver < MAX_PASSED_OVER)
        for (const task of lane.slice(0, at)) task.passedOver++;
      else if (at !== 0) return undefined;
      return lane.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Jobs wait that no idle worker may have, and no other worker can be started: idle ones make room for new ones. */
  #replaceIdle(): void {
    const { interactive, bulk } = this.#waiting;
    const idle = [...this.#slots].filter(({ state }) => state === 'idle');
    const starting = [...this.#slots].filter(({ state }) => state === 'starting').length;
    const room = this.#options.workers - this.#slots.size;
    const needed = interactive.length + bulk.length - starting - room;
    for (const slot of idle.slice(0, Math.max(0, needed))) this.#retire(slot);
  }

  /**
   * Workers give way to every other program: on a busy machine a good photo may take a minute of which it works a second.
   * @param left until it is looked at again, milliseconds
   */
  #limit(slot: Slot<Job, Result>, begun: { worked: number | undefined; at: number }, left: number): void {
    slot.timer = setTimeout(() => {
      const { timeLimitMs } = this.#options;
      const { worked } = slot.worker;
      const own = worked === undefined || begun.worked === undefined ? Infinity : worked - begun.worked;
      if (own < timeLimitMs && performance.now() - begun.at < LONGEST_WAIT * timeLimitMs) {
        this.#limit(slot, begun, timeLimitMs - own);
        return;
      }
      slot.exceeded = 'TIMEOUT';
      slot.worker.kill();
    }, left);
  }

  #limitMemory(slot: Slot<Job, Result>): void {
    const { memory = 0 } = slot.worker;
    if (memory <= slot.memoryLimit) return;
    slot.memoryLimit = this.#options.memoryLimit();
    if (memory <= slot.memoryLimit) return;
    slot.exceeded = 'IMAGE_TOO_LARGE';
    slot.worker.kill();
  }

  #onAnswer(slot: Slot<Job, Result>, message: Extract<UncheckedMessage, { kind: 'done' | 'failed' }>): void {
    // Killed at a limit while the answer was on its way: the end of the worker settles the task.
    if (slot.exceeded !== undefined || this.#closed) return;
    const { task } = slot;
    if (task === undefined) {
      slot.worker.distrust('It answered although it had no job.');
      return;
    }
    let result: Result | undefined;
    try {
      if (message.kind === 'done') result = this.#options.check(message.result, task.job);
    } catch (error) {
      if (!(error instanceof AnswerInvalid)) throw error;
      // The task stays with the worker: its end settles it.
      slot.worker.distrust(error.message);
      return;
    }
    this.#release(slot);
    if (result !== undefined && this.#options.isSuspect?.(result) === true) this.#retire(slot);
    else this.#rest(slot);
    if (message.kind === 'failed') this.#onFailure(task, 'ENGINE_ERROR', message.reason);
    else if (result !== undefined) task.resolve(result);
    this.#dispatch();
  }

  #onEnd(slot: Slot<Job, Result>, reason: string): void {
    // Not one of those any more: it was ended because it had no work.
    if (!this.#slots.delete(slot)) return;
    const task = this.#release(slot);
    if (this.#closed) return;
    this.#deaths++;
    if (slot.state === 'starting') {
      this.#onFailedStart(reason);
      return;
    }
    if (task === undefined) this.#options.onWorkerDeath(reason);
    else this.#onFailure(task, slot.exceeded ?? 'ENGINE_ERROR', reason);
    this.#dispatch();
  }

  #release(slot: Slot<Job, Result>): Task<Job, Result> | undefined {
    const { task } = slot;
    clearTimeout(slot.timer);
    clearInterval(slot.memoryTimer);
    delete slot.task;
    return task;
  }

  /**
   * The first time may have been bad luck, so the job goes to the head of its lane; not after its own memory, which the
   * second attempt would take as well.
   */
  #onFailure(task: Task<Job, Result>, code: GivenUp, reason: string): void {
    this.#options.onWorkerDeath(`${code}: ${reason}`);
    task.failures++;
    if (task.failures >= ATTEMPTS || code === 'IMAGE_TOO_LARGE') task.resolve(this.#options.giveUp(code));
    else this.#waiting[task.priority].unshift(task);
  }

  #onFailedStart(reason: string): void {
    this.#options.onWorkerDeath(reason);
    this.#failedStarts++;
    if (this.#failedStarts === STARTS - 1 && !this.#confinementHolds && this.#confinement !== 'runtime') {
      this.#options.onWorkerDeath(
        'workers do not start confined by the system; the next one starts without it',
      );
      this.#weakened = 'runtime';
    }
    if (this.#failedStarts >= STARTS) {
      const error = new UnavailableError(`${this.#options.name} workers cannot start: ${reason}`);
      this.#started?.reject(error);
      for (const task of this.#takeAll()) task.reject(error);
    }
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#fill();
    }, RESTART_PAUSE);
  }

  #takeAll(): Task<Job, Result>[] {
    return [...this.#waiting.interactive.splice(0), ...this.#waiting.bulk.splice(0)];
  }

  #closedError(): UnavailableError {
    return new UnavailableError(`${this.#options.name} is closed`);
  }
}
