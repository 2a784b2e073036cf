import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createHash, createHmac } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { holdFile, keyIn, writeNewKey } from '../../storage/engine/home.ts';
import type { Credential } from '../client/credential.ts';
import { CliError, EXIT } from './output.ts';
import type { SentPhoto } from '../../contracts/journals.ts';
import { openPhoto } from '../../storage/images/photoFolders.ts';

/**
 * The names that the journals of `vouch enroll` and `vouch watch` use: hashes of a photo's path and of its content with a
 * key of this home, so that no file name and no plain hash of a face stands outside the database. The key is in no backup.
 */
export class PhotoNames {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * The names of a home. Its key is created at first use, readable by this account only.
   * @throws {CliError} another command holds the lock of the key
   */
  static async of(home: string): Promise<PhotoNames> {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const file = join(home, 'journals.key');
    const end = performance.now() + KEY_WAIT_MS;
    do {
      const kept = keyIn(file);
      if (kept !== undefined) return new PhotoNames(kept);
      // Commands for two folders may begin together.
      const lock = holdFile(`${file}.lock`);
      if (lock !== undefined)
        try {
          return new PhotoNames(keyIn(file) ?? writeNewKey(file));
        } finally {
          lock.release();
        }
      await sleep(10 + 40 * Math.random());
    } while (performance.now() < end);
    throw new CliError(
      `Another command has held ${file}.lock for 30 seconds. End it, and run this command again.`,
      EXIT.failed,
    );
  }

  /** @param path relative to the folder that is enrolled, with forward slashes @returns 32 hexadecimal digits */
  nameOf(path: string): string {
    return this.#hash(path);
  }

  /**
   * Reads a photo to its end.
   * @param root the folder @returns undefined: the file is gone, is no file, or cannot be read
   */
  async stateOf(root: string, path: string): Promise<SentPhoto | undefined> {
    const handle = await openPhoto(join(root, path));
    if (handle === undefined) return undefined;
    try {
      const { size: bytes, mtimeMs: modified } = await handle.stat();
      const hash = createHash('sha256');
      for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part as Buffer);
      return { photo: this.nameOf(path), bytes, modified, content: this.#hash(hash.digest()) };
    } finally {
      await handle.close();
    }
  }

  /** Whether the file is still the photo that was sent. It is read only where its time differs. */
  async isSame(root: string, { path, ...now }: PhotoAtPath, was: SentPhoto): Promise<boolean> {
    if (now.bytes !== was.bytes) return false;
    return now.modified === was.modified || (await this.stateOf(root, path))?.content === was.content;
  }

  #hash(data: string | Uint8Array): string {
    return createHmac('sha256', this.#key).update(data).digest('hex').slice(0, 32);
  }
}

/** Milliseconds that a command waits for another one to write the key of the home; a disk that is busy takes seconds. */
const KEY_WAIT_MS = 30_000;

type PhotoAtPath = Pick<SentPhoto, 'bytes' | 'modified'> & { path: string };

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
    // Writes all of it or throws, where `writeSync` may write a part.
    writeFileSync(this.#handle, `${JSON.stringify(step)}\n`);
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
