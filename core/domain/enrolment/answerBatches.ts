import type { CompanyId } from '../../contracts/ids.ts';
import type { Clock, Timer } from '../ports/machine.ts';
import type { EnrolledFace, ItemAnswer } from '../ports/uploads.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';

/** So many answers are written in one transaction. */
const MAX_ANSWERS = 16;
/** An answer waits at most so long for others, milliseconds. */
const MAX_WAIT_MS = 200;

interface BatchPorts {
  queue: Pick<WorkQueue, 'commit'>;
  clock: Clock;
  timer: Pick<Timer, 'after'>;
}

interface Waiting {
  answer: ItemAnswer;
  resolve: (written: EnrolledFace | 'failed' | undefined) => void;
  reject: (cause: unknown) => void;
}

/**
 * Collects answers and writes those of a company in one transaction: each transaction waits for the disk once, and whoever
 * sends photos meanwhile waits with it.
 */
export class AnswerBatches {
  readonly #ports: BatchPorts;
  #waiting: Waiting[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(ports: BatchPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when the answer is written; see {@link WorkQueue.commit}.
   * @throws why this answer could not be written, by itself
   */
  add(answer: ItemAnswer): Promise<EnrolledFace | 'failed' | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answer, resolve, reject });
      if (this.#waiting.length >= MAX_ANSWERS) this.flush();
      else
        this.#cancelTimer ??= this.#ports.timer.after(MAX_WAIT_MS, () => {
          this.flush();
        });
    });
  }

  /** Writes what waits: no further answer is expected soon. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [company, some] of Map.groupBy(waiting, ({ answer }) => answer.item.companyId))
      void this.#write(company, some);
  }

  async #write(company: CompanyId, some: readonly Waiting[]): Promise<void> {
    const { queue, clock } = this.#ports;
    try {
      const answers = some.map(({ answer }) => answer);
      const written = await queue.commit(company, answers, clock.now());
      for (const [index, { resolve }] of some.entries()) resolve(written[index]);
    } catch (cause) {
      const [only, ...others] = some;
      // An answer that cannot be written must not hold up the others.
      if (others.length > 0) for (const one of some) await this.#write(company, [one]);
      else only?.reject(cause);
    }
  }
}
