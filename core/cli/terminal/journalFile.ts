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
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { holdFile } from '../../storage/engine/home.ts';
import type { Credential } from '../client/credential.ts';
import { CliError, EXIT } from './output.ts';

/**
 * The journal of a folder, in the data directory and never beside the photos, held until it is released. There is one per
 * company of the service on this machine, whatever the company is called and wherever the service listens; for an API token
 * one per address.
 * @throws {CliError} another command holds it
 */
export function holdJournal(
  home: string,
  kind: 'enrolments' | 'watching',
  { companyId, address }: Pick<Credential, 'companyId' | 'address'>,
  folder: string,
): { file: string; release(): void } {
  const name = createHash('sha256')
    .update(JSON.stringify([companyId ?? address, resolve(folder)]))
    .digest('hex');
  const file = join(home, kind, `${name.slice(0, 32)}.jsonl`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const held = holdFile(`${file}.lock`);
  if (held === undefined)
    throw new CliError(
      `Another command sends the photos of ${folder} already. Wait until it ends, or stop it.`,
      EXIT.failed,
    );
  return {
    file,
    release: () => {
      held.release();
    },
  };
}

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
