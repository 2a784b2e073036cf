/** Ends this process by SIGKILL, which nothing in it can catch, at a moment that a number decides. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3-multiple-ciphers';

const CHANGES_OF_FILES = 'rename rm rmdir mkdir open writeFile symlink copyFile chmod'.split(' ');

/**
 * Before the N-th change of a file or statement of SQLite that this thread makes. The same program with the same input
 * dies at the same step, but for steps that run at once.
 */
export async function dieBeforeStep(steps: number): Promise<void> {
  let left = steps;
  const step = () => {
    if (left <= 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
  };
  for (const name of CHANGES_OF_FILES) ahead(fs.promises, name, step);
  syncBuiltinESMExports();
  const handle = await fs.promises.open(tmpdir(), 'r');
  for (const name of ['sync', 'write', 'writeFile', 'truncate']) ahead(prototypeOf(handle), name, step);
  await handle.close();
  const memory = new Sqlite(':memory:');
  const statement = prototypeOf(memory.prepare('select 1'));
  for (const name of ['run', 'all', 'get', 'iterate']) ahead(statement, name, step);
  for (const name of ['exec', 'pragma']) ahead(Sqlite.prototype, name, step);
  memory.close();
  left = steps;
}

/** After so many milliseconds, whatever any thread does then, also in the middle of a statement. */
export function dieAfter(milliseconds: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds})`, { eval: true });
}

function prototypeOf(value: object): object {
  return Object.getPrototypeOf(value) as object;
}

function ahead(target: object, name: string, step: () => void): void {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== 'function') throw new TypeError(`There is no ${name}.`);
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...given: unknown[]): unknown {
      step();
      return Reflect.apply(method, this, given);
    },
  });
}
