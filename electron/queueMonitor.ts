/** Monitors the queue for the tray icon and for the notification at the end of a long job. */

/** The part of the answer to `status` that the monitor reads. */
export interface QueueState {
  paused: boolean;
  waiting: number;
}

/** A job that took longer ends with a notification, because its operator has turned to other work. */
const LONG_JOB_MS = 30_000;

export interface QueueUpdate {
  /** One line for the tray. */
  line: string;
  /** Text of the notification, once at the end of a long job. */
  ended: string | undefined;
}

export class QueueMonitor {
  #since: number | undefined;
  #most = 0;

  /** @param state undefined: the service does not answer. @param now milliseconds */
  update(state: QueueState | undefined, now: number): QueueUpdate {
    if (state === undefined) return { line: 'The service is not running', ended: undefined };
    const { paused, waiting } = state;
    if (waiting > 0) {
      this.#since ??= now;
      this.#most = Math.max(this.#most, waiting);
      return { line: `${waiting} ${photos(waiting)} waiting${paused ? ', paused' : ''}`, ended: undefined };
    }
    const long = this.#since !== undefined && now - this.#since >= LONG_JOB_MS;
    const ended = long
      ? `The queue is empty. At least ${this.#most} ${photos(this.#most)} were processed.`
      : undefined;
    this.#since = undefined;
    this.#most = 0;
    return { line: paused ? 'Paused' : 'The queue is empty', ended };
  }
}

function photos(count: number): string {
  return count === 1 ? 'photo' : 'photos';
}
