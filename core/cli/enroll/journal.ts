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
import { createHash } from 'node:crypto';
import { enrolmentStep, type Answer, type EnrolmentStep } from '../../contracts/journals.ts';

/**
 * What an enrolment of a folder has done so far: one JSON line per step, synced before the next step begins, so that
 * running the same command again goes on where it stopped. A last line that a crash cut short is dropped.
 */
export class Journal {
  readonly answers = new Map<string, Answer>();
  /** Uploads that were accepted and are not answered yet, with their files in order. */
  readonly open = new Map<string, string[]>();
  readonly #erased: { salt: string; hashes: ReadonlySet<string> }[] = [];
  readonly #handle: number;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const text = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.toString('utf8').split('\n').slice(0, -1))
      this.#apply(enrolmentStep.parse(JSON.parse(line)));
    this.#handle = openSync(file, 'a', 0o600);
    ftruncateSync(this.#handle, whole.length);
  }

  sent(uploadId: string, files: string[]): void {
    this.#write({ kind: 'sent', uploadId, files });
  }

  /** @param uploadId null for files that the service refused to take. */
  answered(uploadId: string | null, answers: Answer[]): void {
    this.#write({ kind: 'answered', uploadId, answers });
  }

  /** Whether the photo is of somebody who was erased: it is not sent again. */
  isErased(path: string): boolean {
    return this.#erased.some(({ salt, hashes }) =>
      hashes.has(createHash('sha256').update(salt).update(path).digest('hex')),
    );
  }

  close(): void {
    closeSync(this.#handle);
  }

  #write(step: EnrolmentStep): void {
    writeSync(this.#handle, `${JSON.stringify(step)}\n`);
    fsyncSync(this.#handle);
    this.#apply(step);
  }

  #apply(step: EnrolmentStep): void {
    switch (step.kind) {
      case 'sent':
        this.open.set(step.uploadId, step.files);
        break;
      case 'answered':
        if (step.uploadId !== null) this.open.delete(step.uploadId);
        for (const one of step.answers) this.answers.set(one.path, one);
        break;
      case 'erased':
        this.#erased.push({ salt: step.salt, hashes: new Set(step.hashes) });
        break;
    }
  }
}
