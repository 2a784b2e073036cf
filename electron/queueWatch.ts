/** Follows the queue, so that the tray shows it and a long job tells when it has ended. */

/** What is asked of the service; as `status` answers it. */
export interface QueueState {
  paused: boolean;
  waiting: number;
}

/** A job that took longer is worth a notification: whoever started it has turned to other things. */
const LONG_JOB = 30_000;

export interface QueueNews {
  /** One line for the tray. */
  line: string;
  /** Said once, when a long job has ended. */
  ended: string | undefined;
}

export class QueueWatch {
  #since: number | undefined;
  #most = 0;

  /** @param state undefined: the service does not answer. @param now milliseconds */
  see(state: QueueState | undefined, now: number): QueueNews {
    if (state === undefined) return { line: 'The service is not running', ended: undefined };
    const { paused, waiting } = state;
    if (waiting > 0) {
      this.#since ??= now;
      this.#most = Math.max(this.#most, waiting);
      return { line: `${waiting} ${photos(waiting)} waiting${paused ? ', paused' : ''}`, ended: undefined };
    }
    const long = this.#since !== undefined && now - this.#since >= LONG_JOB;
    const ended = long
      ? `The queue is empty: ${this.#most} ${photos(this.#most)} or more were looked at.`
      : undefined;
    this.#since = undefined;
    this.#most = 0;
    return { line: paused ? 'Paused' : 'Nothing waits', ended };
  }
}

function photos(count: number): string {
  return count === 1 ? 'photo' : 'photos';
}
