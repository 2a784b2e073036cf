import {
  enrolmentStep,
  type EnrolmentStep,
  type JournalAnswer,
  type SentBatch,
  type SentPhoto,
} from '../../contracts/journals.ts';
import { JournalFile } from '../terminal/journalFile.ts';

/** A photo with a result, as it was when it was sent. */
export interface KnownPhoto {
  file: SentPhoto;
  answer: JournalAnswer;
}

/** The progress of an enrolment of a folder, so that the same command continues it. Photos are named as `PhotoNames` names them. */
export class Journal {
  /** By photo. */
  readonly known = new Map<string, KnownPhoto>();
  /** Batches without a result, by key, in the order in which they were sent. */
  readonly open = new Map<string, SentBatch>();
  /** Photos of erased people. They are not sent again. */
  readonly erased = new Set<string>();
  readonly #steps: JournalFile<EnrolmentStep>;

  constructor(file: string) {
    this.#steps = new JournalFile(file, enrolmentStep, (step) => {
      this.#apply(step);
    });
  }

  /** Before the batch is sent. */
  sending(key: string, files: readonly SentPhoto[]): void {
    this.#steps.append({ kind: 'sending', key, files: [...files] });
  }

  sent(key: string, uploadId: string): void {
    this.#steps.append({ kind: 'sent', key, uploadId });
  }

  /** Closes the batch. @param answers none for photos that were not sent after all */
  answered(key: string, answers: JournalAnswer[]): void {
    this.#steps.append({ kind: 'answered', key, answers });
  }

  /** Known photos whose time changed and whose content did not. */
  touched(files: readonly SentPhoto[]): void {
    if (files.length > 0) this.#steps.append({ kind: 'touched', files: [...files] });
  }

  close(): void {
    this.#steps.close();
  }

  #apply(step: EnrolmentStep): void {
    switch (step.kind) {
      case 'sending':
        this.open.set(step.key, { key: step.key, files: step.files });
        break;
      case 'sent': {
        const batch = this.open.get(step.key);
        if (batch !== undefined) batch.uploadId = step.uploadId;
        break;
      }
      case 'answered': {
        const files = new Map(this.open.get(step.key)?.files.map((file) => [file.photo, file]));
        for (const answer of step.answers) {
          const file = files.get(answer.photo);
          if (file !== undefined) this.known.set(answer.photo, { file, answer });
        }
        this.open.delete(step.key);
        break;
      }
      case 'touched':
        for (const file of step.files) {
          const known = this.known.get(file.photo);
          if (known !== undefined) known.file = file;
        }
        break;
      case 'erased':
        for (const photo of step.photos) this.erased.add(photo);
        break;
    }
  }
}
