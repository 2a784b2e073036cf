import { watchStep, type SentBatch, type WatchStep } from '../../contracts/journals.ts';
import { JournalFile } from '../terminal/journalFile.ts';

/**
 * The batches that are not finished. A batch is written down before it is sent, so that after a crash the very same one is
 * sent again under the same key, and the service enrols it once.
 */
export class WatchJournal {
  readonly batches = new Map<string, SentBatch>();
  readonly #steps: JournalFile<WatchStep>;

  constructor(path: string) {
    this.#steps = new JournalFile(path, watchStep, (step) => {
      this.#apply(step);
    });
    if (this.batches.size === 0) this.#steps.clear();
  }

  sending(batch: SentBatch): void {
    this.#steps.append({ kind: 'sending', key: batch.key, files: [...batch.files] });
  }

  sent(key: string, uploadId: string): void {
    this.#steps.append({ kind: 'sent', key, uploadId });
  }

  /** Every file of the batch was moved. With no other batch open the file is emptied. */
  done(key: string): void {
    this.#steps.append({ kind: 'done', key });
    if (this.batches.size === 0) this.#steps.clear();
  }

  close(): void {
    this.#steps.close();
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
