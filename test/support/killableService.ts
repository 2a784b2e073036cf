import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import type { FaceOperation, OperationResult } from './faceOperations.ts';
import { folderBeside } from './severalServices.ts';

/** A service in a process of its own, which can be killed. */
export class KillableService {
  readonly #folder: string;
  #child: ChildProcess;
  #next = 0;
  readonly #waiting = new Map<
    number,
    { resolve: (result: OperationResult) => void; reject: (error: Error) => void }
  >();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#child = this.#start();
  }

  /** @param beside the folder of a service that was opened */
  static async open(t: TestContext, beside: string): Promise<KillableService> {
    const service = new KillableService(folderBeside(t, beside));
    t.after(() => service.#child.kill('SIGKILL'));
    await once(service.#child, 'message');
    return service;
  }

  /** @throws {UnavailableError} the service cannot do it, or was killed: it may have been done all the same */
  perform(operation: FaceOperation): Promise<OperationResult> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, operation }, (error) => {
        if (error !== null) this.#settle(id)?.reject(new UnavailableError('The service is not running.'));
      });
    });
  }

  /** Kills the process and starts another one in its place; resolves when that is ready. */
  async restart(): Promise<void> {
    const child = this.#child;
    child.kill('SIGKILL');
    await once(child, 'exit');
    this.#child = this.#start();
    await once(this.#child, 'message');
  }

  #start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'serviceNodeProcess.ts'), [this.#folder], {
      serialization: 'advanced',
    });
    child.on('message', (message) => {
      if (message === 'ready') return;
      const {
        id,
        result,
        unavailable,
        error = '',
      } = message as {
        id: number;
        result?: OperationResult;
        unavailable?: boolean;
        error?: string;
      };
      const asked = this.#settle(id);
      if (result !== undefined) asked?.resolve(result);
      else asked?.reject(unavailable === true ? new UnavailableError(error) : new Error(error));
    });
    child.on('exit', () => {
      for (const id of [...this.#waiting.keys()])
        this.#settle(id)?.reject(new UnavailableError('The service was killed.'));
    });
    return child;
  }

  #settle(id: number) {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    return asked;
  }
}
