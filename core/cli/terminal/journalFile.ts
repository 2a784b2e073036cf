import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/**
 * A file with one JSON line per step. Each step is synced before the next one begins. A last line that a crash cut short is
 * dropped when the file is opened.
 */
export class JournalFile<Step> {
  readonly #handle: number;
  readonly #apply: (step: Step) => void;

  /** @param apply receives every step: first those of the file, then those that are appended */
  constructor(path: string, schema: z.ZodType<Step>, apply: (step: Step) => void) {
    this.#apply = apply;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const whole = content.subarray(0, content.lastIndexOf('\n') + 1);
    for (const line of whole.toString('utf8').split('\n').slice(0, -1)) apply(schema.parse(JSON.parse(line)));
    this.#handle = openSync(path, 'a', 0o600);
    ftruncateSync(this.#handle, whole.length);
  }

  append(step: Step): void {
    writeSync(this.#handle, `${JSON.stringify(step)}\n`);
    fsyncSync(this.#handle);
    this.#apply(step);
  }

  /** Removes all steps. */
  clear(): void {
    ftruncateSync(this.#handle);
    fsyncSync(this.#handle);
  }

  close(): void {
    closeSync(this.#handle);
  }
}
