/**
 * The functions that the uploader is given by the program around it: the terminal, the watcher of a folder, or the
 * dashboard.
 */
import type { FindAnswer, SendAnswer, ProgressAnswer } from './answers.ts';

/** A photo of a run. */
export interface Photo {
  /** Unique within the run. */
  id: string | number;
  bytes: number;
  /** Photos of different sources never share a request. */
  source?: string | null;
}

/** Photos that are sent in one request. */
export interface Batch<P extends Photo> {
  /** The `Idempotency-Key`: the same photos under the same key are enrolled once. */
  key: string;
  photos: readonly P[];
  /** undefined: the service may have the batch or not. */
  uploadId?: string;
}

/** The service, over HTTP. Every answer is returned; what it throws ends the run. */
export interface UploadService<P extends Photo, O> {
  send(photos: readonly P[], key: string): Promise<SendAnswer>;
  /** The upload that was accepted under a key. */
  find(key: string): Promise<FindAnswer>;
  progress(uploadId: string): Promise<ProgressAnswer<O>>;
}

/** The photos where they lie. */
export interface PhotoSource<P extends Photo> {
  /** @returns the photos as they will be sent. Photos that can no longer be read are left out. */
  read(photos: readonly P[]): Promise<readonly P[]>;
  /** Whether each photo is the one that was written down. Asked before a batch is sent again under its key. */
  isUnchanged(photos: readonly P[]): Promise<boolean>;
}

/** The journal of a run and its results. A step is recorded before the next one begins. */
export interface UploadRecord<P extends Photo, O> {
  /** Names a new batch. */
  keyOf(photos: readonly P[]): string;
  /** Before a batch is sent for the first time. */
  sending(batch: Batch<P>): void;
  /** The service accepted the batch. */
  sent(batch: Batch<P>, uploadId: string): void;
  /** Results of a batch that the service still processes. */
  progressed(batch: Batch<P>, outcome: O): void;
  /** Every photo of the batch has a result: the batch is closed. */
  finished(batch: Batch<P>, outcome: O): void | Promise<void>;
  /**
   * The batch is closed without an upload. Its other photos are sent in another batch.
   * @param reasons of the photos that the service refused, by their place in the batch
   */
  closed(batch: Batch<P>, reasons: ReadonlyMap<number, string>): void | Promise<void>;
  /** These photos can no longer be read, and were not sent. */
  unreadable(photos: readonly P[]): void;
}

/** Why photos wait. */
export type Wait =
  /** The service asked to send the batch later: HTTP 409, 429 or 503. */
  | { kind: 'later'; status: number; message: string; seconds: number }
  /** The service does not answer. */
  | { kind: 'silent'; cause: string };

/** Told how the run goes. What it throws ends the run. */
export interface UploadObserver {
  /** Photos wait; null: the service answered. */
  waiting(wait: Wait | null): void;
  /** The service refuses every upload until an operator acts. The uploader is paused. */
  blocked(answer: { status: number; message: string }): void;
}

export interface Clock {
  /** Milliseconds. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}
