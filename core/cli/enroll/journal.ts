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
import { enrolmentStep, type EnrolmentStep, type JournalAnswer } from '../../contracts/journals.ts';

/**
 * What an enrolment of a folder has done so far: one JSON line per step, synced before the next step begins, so that
 * running the same command again goes on where it stopped. A last line that a crash cut short is dropped. Photos are
 * named as `PhotoNames` names them.
 */
export class Journal {
  /** By photo. */
  readonly answers = new Map<string, JournalAnswer>();
  /** Uploads that were accepted and are not answered yet, with their photos in order. */
  readonly open = new Map<string, readonly string[]>();
  /** Photos of somebody who was erased: they are not sent again. */
  readonly erased = new Set<string>();
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

  sent(uploadId: string, photos: string[]): void {
    this.#write({ kind: 'sent', uploadId, photos });
  }

  /** @param uploadId null for files that the service refused to take. */
  answered(uploadId: string | null, answers: JournalAnswer[]): void {
    this.#write({ kind: 'answered', uploadId, answers });
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
        this.open.set(step.uploadId, step.photos);
        break;
      case 'answered':
        if (step.uploadId !== null) this.open.delete(step.uploadId);
        for (const one of step.answers) this.answers.set(one.photo, one);
        break;
      case 'erased':
        for (const photo of step.photos) this.erased.add(photo);
        break;
    }
  }
}
