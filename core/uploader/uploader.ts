/**
 * Sends photos of a folder to the service, batch by batch, and follows every batch to its end. `vouch enroll`,
 * `vouch watch` and the dashboard share it. The rules:
 *
 * - A batch is recorded before it is sent, and sent again under the same key until its answer is known.
 * - After a lost answer the service is asked for the upload of the key before the batch is sent again or closed: a lost
 *   answer enrols no photo twice, also when a photo of the batch has changed.
 * - A batch that the service does not have, and whose photos changed since it was recorded, is closed. Its photos are
 *   sent in a new one.
 * - Photos that the service refuses are set aside, and the others are sent without them.
 * - Where the service takes fewer photos in one upload, batches become smaller.
 * - 409, 429 and 503 are followed by the wait that the service asks for; meanwhile open uploads are still polled.
 * - Paused, it sends nothing; what the service has accepted is followed.
 */
import type { NoAnswer } from './answers.ts';
import type {
  Batch,
  Clock,
  Photo,
  PhotoSource,
  UploadObserver,
  UploadRecord,
  UploadService,
} from './ports.ts';

/** Uploads that may be open at once: enough that the workers of the service never wait for the next one. */
export const MAX_OPEN_UPLOADS = 4;
/** Before a service that does not answer is tried again, milliseconds. */
const SILENCE_PAUSE_MS = 1_000;

export interface UploadOptions {
  /** Photos in one request, at most. */
  batchSize: number;
  /** Bytes in one request. A larger photo is sent alone. */
  batchBytes?: number;
  /** Between two polls while nothing else happens, milliseconds. */
  pollIntervalMs: number;
  /** How long a service that does not answer is waited for, milliseconds; without it for ever. */
  silenceTimeoutMs?: number;
}

/** The service did not answer for longer than the patience of the caller. */
export class ServiceSilent extends Error {
  override name = 'ServiceSilent';
}

export interface UploaderPorts<P extends Photo, O> {
  service: UploadService<P, O>;
  source: PhotoSource<P>;
  record: UploadRecord<P, O>;
  observer: UploadObserver;
  clock: Clock;
}

/** @typeParam P a photo of the caller @typeParam O the results of an upload, as the caller shows them */
export class Uploader<P extends Photo, O> {
  readonly #ports: UploaderPorts<P, O>;
  readonly #options: UploadOptions;
  /** Photos of no batch, in the order in which they will be sent. */
  #waiting: P[] = [];
  /** Recorded batches without an upload, the oldest first: their answer was lost, or never came. */
  readonly #unsent: Batch<P>[] = [];
  /** Keys of unsent batches that the service may have. */
  readonly #unanswered = new Set<string>();
  /** Uploads that the service has, in the order in which they were sent. */
  #open: Batch<P>[] = [];
  #batchSize: number;
  /** When the next batch and the next poll may be sent, milliseconds. */
  #sendAfter = 0;
  #pollAfter = 0;
  #silentSince: number | undefined;
  #paused = false;
  #stopped = false;

  constructor(ports: UploaderPorts<P, O>, options: UploadOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#batchSize = options.batchSize;
  }

  /** Batches of an earlier run that are not closed, in the order in which they were recorded. */
  resumeBatches(batches: readonly Batch<P>[]): void {
    this.#open.push(...batches.filter(({ uploadId }) => uploadId !== undefined));
    const unsent = batches.filter(({ uploadId }) => uploadId === undefined);
    this.#unsent.push(...unsent);
    for (const { key } of unsent) this.#unanswered.add(key);
  }

  /** Replaces the photos that wait to be sent. Photos of batches that are not closed must not be among them. */
  setWaiting(photos: readonly P[]): void {
    this.#waiting = [...photos];
  }

  /** Batches that are not closed, and photos of none. */
  get pending(): { batches: number; photos: number } {
    return { batches: this.#unsent.length + this.#open.length, photos: this.#waiting.length };
  }

  /** Sends nothing more until `resume`. Open uploads are still followed. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#sendAfter = 0;
  }

  /** Ends the run after the present request. Photos that were sent stay enrolled. */
  stop(): void {
    this.#stopped = true;
  }

  /** Sends and polls until every photo has a result or the run is stopped. @throws {ServiceSilent} */
  async finish(): Promise<void> {
    while (!this.#stopped) {
      const moved = await this.round();
      const { batches, photos } = this.pending;
      if (batches + photos === 0) return;
      if (!moved) await this.#ports.clock.sleep(this.#options.pollIntervalMs);
    }
  }

  /** Sends what there is room for and polls open uploads once. @returns whether a batch was sent or closed */
  async round(): Promise<boolean> {
    let moved = false;
    while (this.#maySend()) moved = (await this.#sendNext()) || moved;
    return (await this.#poll()) || moved;
  }

  #maySend(): boolean {
    if (this.#stopped || this.#paused || this.#ports.clock.now() < this.#sendAfter) return false;
    return this.#unsent.length > 0 || (this.#waiting.length > 0 && this.#open.length < MAX_OPEN_UPLOADS);
  }

  /** @returns whether a batch was accepted or closed */
  async #sendNext(): Promise<boolean> {
    let batch = this.#unsent[0];
    if (batch !== undefined && this.#unanswered.has(batch.key)) return this.#find(batch);
    if (batch !== undefined && !(await this.#ports.source.isUnchanged(batch.photos))) {
      await this.#close(batch, new Map());
      return true;
    }
    batch ??= await this.#newBatch();
    if (batch === undefined) return true;
    const answer = await this.#request(() => this.#ports.service.send(batch.photos, batch.key));
    switch (answer?.kind) {
      case undefined:
        return false;
      case 'later':
      case 'blocked':
      case 'unreachable':
        // Also after an error status: a proxy can answer so for a service that has accepted the batch.
        this.#unanswered.add(batch.key);
        this.#sendAfter = this.#wait(answer);
        return false;
      case 'accepted':
        this.#accepted(batch, answer.uploadId);
        return true;
      case 'unreadable':
        await this.#close(batch, new Map());
        return true;
      case 'refused':
        await this.#close(batch, answer.reasons);
        return true;
      case 'tooMany':
        if (batch.photos.length < 2) return this.#block(answer);
        this.#batchSize = Math.ceil(batch.photos.length / 2);
        await this.#close(batch, new Map());
        return true;
    }
  }

  /** Asks whether the service has a batch whose answer was lost. @returns whether this is known now */
  async #find(batch: Batch<P>): Promise<boolean> {
    const answer = await this.#request(() => this.#ports.service.find(batch.key));
    switch (answer?.kind) {
      case undefined:
        return false;
      case 'later':
      case 'blocked':
      case 'unreachable':
        this.#sendAfter = this.#wait(answer);
        return false;
      case 'unknown':
        this.#unanswered.delete(batch.key);
        return true;
      case 'accepted':
        this.#unanswered.delete(batch.key);
        this.#accepted(batch, answer.uploadId);
        return true;
    }
  }

  #accepted(batch: Batch<P>, uploadId: string): void {
    this.#unsent.splice(this.#unsent.indexOf(batch), 1);
    this.#open.push({ ...batch, uploadId });
    this.#ports.record.sent(batch, uploadId);
  }

  /** Records the next batch. @returns undefined: none of its photos can be read any longer */
  async #newBatch(): Promise<Batch<P> | undefined> {
    const { source, record } = this.#ports;
    const size = batchLength(this.#waiting, this.#batchSize, this.#options.batchBytes);
    const next = this.#waiting.slice(0, size);
    const photos = await source.read(next);
    this.#waiting.splice(0, size);
    const readable = new Set(photos.map(({ id }) => id));
    const gone = next.filter(({ id }) => !readable.has(id));
    if (gone.length > 0) record.unreadable(gone);
    if (photos.length === 0) return undefined;
    const batch = { key: record.keyOf(photos), photos };
    record.sending(batch);
    this.#unsent.push(batch);
    return batch;
  }

  /** Closes a batch that has no upload; its photos without a reason wait again, before all others. */
  async #close(batch: Batch<P>, reasons: ReadonlyMap<number, string>): Promise<void> {
    await this.#ports.record.closed(batch, reasons);
    this.#unsent.splice(this.#unsent.indexOf(batch), 1);
    this.#waiting.unshift(...batch.photos.filter((_, place) => !reasons.has(place)));
  }

  /** Polls open uploads in the order in which they were sent, up to the first that is still processed. */
  async #poll(): Promise<boolean> {
    const { service, record, clock } = this.#ports;
    let moved = false;
    while (!this.#stopped && clock.now() >= this.#pollAfter) {
      const batch = this.#open[0];
      if (batch?.uploadId === undefined) break;
      const { uploadId } = batch;
      const answer = await this.#request(() => service.progress(uploadId));
      if (answer === null) break;
      if (answer.kind !== 'progress') {
        this.#pollAfter = this.#wait(answer);
        break;
      }
      if (!answer.finished) {
        record.progressed(batch, answer.outcome);
        break;
      }
      await record.finished(batch, answer.outcome);
      this.#open.shift();
      moved = true;
    }
    return moved;
  }

  /** @returns null: the run was stopped before the answer came */
  async #request<A extends { kind: string }>(send: () => Promise<A>): Promise<A | null> {
    try {
      const answer = await send();
      if (this.#stopped) return null;
      if (answer.kind === 'unreachable') return answer;
      this.#silentSince = undefined;
      if (answer.kind !== 'later') this.#ports.observer.waiting(null);
      return answer;
    } catch (error) {
      if (this.#stopped) return null;
      throw error;
    }
  }

  /** Notes why nothing moves. @returns when to ask again, milliseconds @throws {ServiceSilent} */
  #wait(answer: NoAnswer): number {
    const { observer, clock } = this.#ports;
    const now = clock.now();
    if (answer.kind === 'blocked') {
      this.#block(answer);
      return now;
    }
    if (answer.kind === 'later') {
      observer.waiting(answer);
      return now + answer.seconds * 1000;
    }
    this.#silentSince ??= now;
    if (now - this.#silentSince > (this.#options.silenceTimeoutMs ?? Infinity))
      throw new ServiceSilent(answer.cause);
    observer.waiting({ kind: 'silent', cause: answer.cause });
    return now + SILENCE_PAUSE_MS;
  }

  /** Pauses until an operator acts. */
  #block({ status, message }: { status: number; message: string }): false {
    this.#paused = true;
    this.#ports.observer.blocked({ status, message });
    return false;
  }
}

/** How many of the photos that wait go into the next batch; at least one. */
export function batchLength(waiting: readonly Photo[], most: number, bytes = Infinity): number {
  const [first] = waiting;
  let length = 0;
  let sum = 0;
  for (const photo of waiting) {
    sum += photo.bytes;
    if (length > 0 && (length >= most || sum > bytes || photo.source !== first?.source)) break;
    length += 1;
  }
  return length;
}
