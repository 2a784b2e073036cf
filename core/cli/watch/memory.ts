import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { watchStep, type WatchStep } from '../../contracts/journals.ts';

/** Files that were or are about to be sent together. */
export interface Batch {
  /** The Idempotency-Key. */
  key: string;
  files: Extract<WatchStep, { kind: 'sending' }>['files'];
  /** undefined: whether the service has it is not known; sending it again with the same key is harmless. */
  uploadId?: string;
}

/**
 * What is under way, one synced JSON line per step. A batch is written down before it is sent, so that after a crash the
 * very same one is sent again under the same key, and the service enrols it once.
 */
export class WatchMemory {
  readonly batches = new Map<string, Batch>();
  readonly #handle: number;

  constructor(path: string) {
    const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const whole = content.subarray(0, content.lastIndexOf('\n') + 1);
    for (const line of whole.toString('utf8').split('\n').slice(0, -1))
      this.#apply(watchStep.parse(JSON.parse(line)));
    this.#handle = openSync(path, 'a', 0o600);
    // Nothing is under way: what was may be forgotten. A line that a crash cut short goes as well.
    ftruncateSync(this.#handle, this.batches.size === 0 ? 0 : whole.length);
  }

  sending(key: string, files: Batch['files']): Batch {
    this.#write({ kind: 'sending', key, files });
    return this.batches.get(key)!;
  }

  sent(key: string, uploadId: string): void {
    this.#write({ kind: 'sent', key, uploadId });
  }

  /** Every file of it was moved. With nothing else under way nothing is kept. */
  done(key: string): void {
    this.#write({ kind: 'done', key });
    if (this.batches.size > 0) return;
    ftruncateSync(this.#handle);
    fsyncSync(this.#handle);
  }

  close(): void {
    closeSync(this.#handle);
  }

  #write(step: WatchStep): void {
    writeSync(this.#handle, `${JSON.stringify(step)}\n`);
    fsyncSync(this.#handle);
    this.#apply(step);
  }

  #apply(step: WatchStep): void {
    if (step.kind === 'sending') this.batches.set(step.key, { key: step.key, files: step.files });
    else if (step.kind === 'done') this.batches.delete(step.key);
    else {
      const batch = this.batches.get(step.key);
      if (batch !== undefined) batch.uploadId = step.uploadId;
    }
  }
}
