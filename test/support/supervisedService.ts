/** A service whose supervisor starts it again at once when it has ended. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import { readyIn } from '../../core/contracts/serving.ts';

/** Milliseconds between the end of a service and its next start. */
const RESTART_DELAY = 200;

export class SupervisedService {
  readonly #start: () => ChildProcess;
  #program: ChildProcess;
  #isKilled = false;
  #isStopped = false;
  #hasStarted = false;
  #ended = Promise.withResolvers<unknown>();
  #started = Promise.withResolvers<unknown>();
  /** The last words of the service each time that it had started and then ended by itself. */
  readonly faults: string[] = [];

  /** @param start `vouch --json serve` as a process of its own; the service ends with the test */
  constructor(t: TestContext, start: () => ChildProcess) {
    this.#start = start;
    this.#program = this.#run();
    t.after(() => this.stop());
  }

  /** Whether it has started since it ended the last time. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Resolves when it has started since it ended the last time. */
  get started(): Promise<unknown> {
    return this.#started.promise;
  }

  /** SIGKILL. Returns before the service has ended, and long before it has started again. @returns false: it did not run */
  kill(): boolean {
    const isKilled = this.#program.kill('SIGKILL');
    this.#isKilled ||= isKilled;
    return isKilled;
  }

  /** Kills it for good; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.kill();
    await this.#ended.promise;
  }

  #run(): ChildProcess {
    this.#isKilled = this.#isStopped;
    const program = this.#start();
    let errors = '';
    program.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
    if (program.stdout !== null)
      createInterface({ input: program.stdout }).on('line', (line) => {
        if (readyIn(line) === undefined || this.#isKilled) return;
        this.#hasStarted = true;
        this.#started.resolve(undefined);
      });
    program.once('close', (code, signal) => {
      if (this.#hasStarted && !this.#isKilled) this.faults.push(`ended with ${code ?? signal}: ${errors}`);
      if (this.#hasStarted) this.#started = Promise.withResolvers();
      this.#hasStarted = false;
      void this.#goOn();
    });
    return program;
  }

  async #goOn(): Promise<void> {
    if (!this.#isStopped) await sleep(RESTART_DELAY);
    if (this.#isStopped) this.#ended.resolve(undefined);
    else this.#program = this.#run();
  }
}
