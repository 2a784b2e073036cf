/** One worker process as the pool sees it: it becomes ready, takes one job at a time, and ends. */
import { fork, type ChildProcess } from 'node:child_process';
import type { Start } from './confinement/confinement.ts';
import { MEMORY_VARIABLE, OVER_MEMORY } from './ownMemory.ts';
import { processorTime, residentMemory } from './processUse.ts';
import { workerMessage, type UncheckedMessage } from './workerAnswers.ts';
import type { JobMessage } from './workerProtocol.ts';

export interface WorkerEvents {
  ready(): void;
  /** The result of a job is not checked yet. */
  answered(message: Extract<UncheckedMessage, { kind: 'done' | 'failed' }>): void;
  /** Called exactly once, for every cause of the end. `reason` is for the log; `overMemory`: it ended itself for its memory. */
  ended(reason: string, overMemory: boolean): void;
}

/** How much of what a dying worker printed is kept. */
const LAST_WORDS = 2000;

export class WorkerProcess<Job> {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  /** The end of what it printed, or its fault. */
  #lastWords = '';
  #distrusted = false;

  constructor(
    program: { workerPath: string; workerArguments: readonly string[]; memory: number },
    start: Start,
    events: WorkerEvents,
  ) {
    this.#child = fork(program.workerPath, program.workerArguments, {
      // Nothing of the parent's flags (debugger, test runner) and nothing secret of its environment.
      ...start,
      env: workerEnvironment(program.memory),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (!this.#distrusted) this.#lastWords = (this.#lastWords + chunk.toString()).slice(-LAST_WORDS);
    });
    this.#child.on('message', (message) => {
      if (this.#distrusted) return;
      const { success, data } = workerMessage.safeParse(message);
      if (!success) this.distrust('It sent a message that breaks the protocol.');
      else if (data.kind === 'ready') events.ready();
      else if (data.kind === 'unable') this.#lastWords = data.reason;
      else events.answered(data);
    });
    this.#ended = new Promise((resolve) => {
      const end = (reason: string, overMemory: boolean) => {
        events.ended(this.#lastWords === '' ? reason : `${reason}: ${this.#lastWords.trim()}`, overMemory);
        resolve();
      };
      this.#child.once('exit', (code, signal) =>
        end(`worker ended by ${signal ?? `exit code ${code ?? '?'}`}`, code === OVER_MEMORY),
      );
      // Without a process there is no 'exit'; with one, a failing channel is followed by it.
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) end(`worker did not start: ${error.message}`, false);
        else this.kill();
      });
    });
  }

  send(job: Job): void {
    // A closed channel means that the worker is about to be reported as ended.
    if (this.#child.connected) this.#child.send({ job } satisfies JobMessage<Job>);
  }

  /** How long it has worked, milliseconds; undefined where the system does not report it. */
  get worked(): number | undefined {
    return this.#child.pid === undefined ? undefined : processorTime(this.#child.pid);
  }

  /** Memory that it occupies, bytes; undefined where the system does not report it. */
  get memory(): number | undefined {
    return this.#child.pid === undefined ? undefined : residentMemory(this.#child.pid);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends a worker whose messages cannot be believed, and ignores what it still sends. @param fault for the log */
  distrust(fault: string): void {
    this.#distrusted = true;
    this.#lastWords = fault;
    this.kill();
  }

  /** Kills it and waits until it is gone. */
  async end(): Promise<void> {
    this.kill();
    await this.#ended;
  }
}

/**
 * The variables by which a program finds its libraries and its temporary folder, and two settings of the libraries
 * below.
 */
const INHERITED = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

function workerEnvironment(memory: number): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    // glibc gives every thread an arena of its own, and freed pictures of all sizes fragment each of them.
    MALLOC_ARENA_MAX: '2',
    [MEMORY_VARIABLE]: String(memory),
    VIPS_CONCURRENCY: '1',
    // As nets/noTelemetry.ts, which a bundle would evaluate after the library that it is for.
    ORT_DISABLE_TELEMETRY: '1',
  };
}
