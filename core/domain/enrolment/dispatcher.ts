import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { UnavailableError, type Clock, type Timer, type Platform } from '../ports/machine.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { EnrolAnalysis } from '../ports/recognition.ts';
import { watchlistOf, type EnrolledFace, type ItemAnswer, type LeasedItem } from '../ports/uploads.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Storage } from '../../storage/index.ts';
import { Service, type Parts } from '../serviceParts.ts';

/** The rate is of the last five minutes; milliseconds. */
const WINDOW = 5 * 60_000;
/** Times are kept in steps of this length, so that a fast queue does not fill the memory; milliseconds. */
const STEP = 5_000;

/** How fast images are answered; known to this process alone. */
export class ThroughputMeter {
  /** Answers by the step that they fell into, oldest first. */
  readonly #steps: { begin: number; answers: number }[] = [];
  #first: number | undefined;
  #last: Date | undefined;
  #total = 0;

  answered(at: Date): void {
    const time = at.getTime();
    this.#first ??= time;
    this.#last = at;
    this.#total += 1;
    const begin = time - (time % STEP);
    const newest = this.#steps.at(-1);
    if (newest?.begin === begin) newest.answers += 1;
    else this.#steps.push({ begin, answers: 1 });
    while ((this.#steps[0]?.begin ?? time) < time - WINDOW) this.#steps.shift();
  }

  /** The number of images that were answered since the start. */
  get total(): number {
    return this.#total;
  }

  get lastProcessedAt(): Date | undefined {
    return this.#last;
  }

  /** Images in a minute over the last five, or since the first answer when that is nearer; null while none was answered. */
  perMinute(now: Date): number | null {
    const time = now.getTime();
    const from = time - WINDOW;
    const answers = this.#steps.reduce((sum, step) => (step.begin >= from ? sum + step.answers : sum), 0);
    if (answers === 0 || this.#first === undefined) return null;
    const span = Math.max(STEP, Math.min(WINDOW, time - this.#first));
    return (answers * 60_000) / span;
  }
}

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
export class AnswerBatches extends Service<BatchPorts> {
  #waiting: Waiting[] = [];
  #cancelTimer: (() => void) | undefined;

  /**
   * Resolves when the answer is written; see {@link WorkQueue.commit}.
   * @throws why this answer could not be written, by itself
   */
  add(answer: ItemAnswer): Promise<EnrolledFace | 'failed' | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answer, resolve, reject });
      if (this.#waiting.length >= MAX_ANSWERS) this.flush();
      else
        this.#cancelTimer ??= this.ports.timer.after(MAX_WAIT_MS, () => {
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
    const { queue, clock } = this.ports;
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

/**
 * An image on which work began this often without an answer ends as ENGINE_ERROR. Deaths of a vision worker are
 * counted by the pool (two end the image). This counts deaths of the whole service, which an image rarely causes: two power
 * cuts must not fail a good photo, and retries are limited.
 */
const MAX_ATTEMPTS = 5;

/** So many images are leased at once. */
const LEASED_PER_WORKER = 8;
/** A third of the time for which a lease holds, milliseconds. */
const RENEWAL_MS = 20_000;

/** Waits between tries when the store cannot be written, milliseconds. */
const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 30_000;

interface DispatcherPorts
  extends
    Pick<Parts, 'images' | 'vision' | 'gallery'>,
    Pick<Storage, 'queue' | 'companies' | 'installation'>,
    Pick<Platform, 'clock' | 'timer' | 'log'> {
  metrics?: Pick<Metrics, 'photoAnswered'> | undefined;
}

/**
 * Sends queued images to the vision workers and stores the results. All that it knows is in the store, so a start
 * after a crash needs no recovery.
 */
export class Dispatcher {
  /** How fast it answers. */
  readonly pace = new ThroughputMeter();
  readonly #ports: DispatcherPorts;
  readonly #inProgress = new Map<LeasedItem, Promise<void>>();
  readonly #batches: AnswerBatches;
  /** Leased, but not begun. */
  #ready: LeasedItem[] = [];
  /** Images that the vision workers have, or are about to get. */
  #analysing = 0;
  #cancelRenewal: (() => void) | undefined;
  #running = false;
  #filling: Promise<void> | undefined;
  #wokenWhileFilling = false;
  #retryDelay = FIRST_RETRY_DELAY_MS;
  #cancelRetry: () => void = () => undefined;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
    this.#batches = new AnswerBatches(ports);
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  /** Something may be waiting (an upload was accepted, the queue was resumed): look. */
  wake(): void {
    if (!this.#running) return;
    if (this.#filling !== undefined) {
      this.#wokenWhileFilling = true;
      return;
    }
    this.#filling = this.#fill().finally(() => {
      this.#filling = undefined;
      if (!this.#wokenWhileFilling) return;
      this.#wokenWhileFilling = false;
      this.wake();
    });
  }

  /** How many images are in progress right now. */
  get inProgress(): number {
    return this.#inProgress.size;
  }

  /** Begins nothing more and resolves when everything in progress has been answered. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#cancelRetry();
    await this.#filling;
    await this.#returnReady();
    await Promise.all(this.#inProgress.values());
    this.#endRenewal();
  }

  /**
   * Keeps twice as many images with the workers as there are workers, so that none waits for the disk. Many more are leased
   * at once, because every lease is a transaction that must reach the disk.
   */
  async #fill(): Promise<void> {
    const { queue, installation, vision, log } = this.#ports;
    try {
      if ((await installation.settings()).paused) {
        await this.#returnReady();
        return;
      }
      const room = () => 2 * vision.workers - this.#analysing;
      if (room() > 0 && this.#ready.length === 0)
        this.#ready = await queue.lease(LEASED_PER_WORKER * vision.workers);
      while (this.#running && room() > 0) {
        const item = this.#ready.shift();
        if (item === undefined) break;
        this.#begin(item);
      }
      this.#retryDelay = FIRST_RETRY_DELAY_MS;
    } catch (error) {
      log.error({ err: error }, 'the queue cannot be worked on; trying again');
      this.#wakeLater();
    }
  }

  #begin(item: LeasedItem): void {
    this.#analysing += 1;
    this.#renewLater();
    const work = this.#process(item).finally(() => {
      this.#inProgress.delete(item);
      if (this.#inProgress.size + this.#ready.length === 0) this.#endRenewal();
      this.wake();
    });
    this.#inProgress.set(item, work);
  }

  #endRenewal(): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
  }

  /** Gives back what was leased but not begun. */
  async #returnReady(): Promise<void> {
    const ready = this.#ready;
    this.#ready = [];
    try {
      await this.#ports.queue.release(ready, { counted: false });
    } catch (error) {
      this.#ports.log.error({ err: error, items: ready.length }, 'images could not be given back');
    }
  }

  /** Renews the leases in time, as long as there are any. */
  #renewLater(): void {
    this.#cancelRenewal ??= this.#ports.timer.after(RENEWAL_MS, () => {
      this.#cancelRenewal = undefined;
      const { queue, log } = this.#ports;
      const items = [...this.#inProgress.keys(), ...this.#ready];
      if (items.length === 0) return;
      this.#renewLater();
      queue.renew(items).catch((error: unknown) => {
        log.error({ err: error, items: items.length }, 'leases could not be renewed');
      });
    });
  }

  #wakeLater(): void {
    this.#cancelRetry();
    if (!this.#running) return;
    this.#cancelRetry = this.#ports.timer.after(this.#retryDelay, () => {
      this.wake();
    });
    this.#retryDelay = Math.min(this.#retryDelay * 2, MAX_RETRY_DELAY_MS);
  }

  async #process(item: LeasedItem): Promise<void> {
    const { log } = this.#ports;
    try {
      const answer = await this.#answer(item);
      const written = this.#batches.add(answer);
      if (this.#analysing === 0) this.#batches.flush();
      const result = await written;
      await this.#follow(answer, result);
      this.pace.answered(this.#ports.clock.now());
      // Without a result another service has answered the photo meanwhile.
      if (result !== undefined)
        this.#ports.metrics?.photoAnswered('failed' in answer ? answer.failed.code : undefined);
    } catch (error) {
      const facts = { upload: item.uploadId, item: item.id };
      if (!this.#running && error instanceof UnavailableError)
        log.info(facts, 'an image waits for the next start, because the service ends');
      else log.error({ err: error, ...facts }, 'an image could not be answered; trying again');
      if (this.#analysing === 0) this.#batches.flush();
      await this.#giveBack(item, error);
    }
  }

  async #answer(item: LeasedItem): Promise<ItemAnswer> {
    try {
      if (item.attempts > MAX_ATTEMPTS) return { item, failed: { code: 'ENGINE_ERROR' } };
      const analysis = await this.#analyse(item);
      if (analysis.kind === 'refused') return { item, failed: analysis };
      await this.#ports.vision.whenNotSwitching(item.companyId);
      return { item, enrolled: analysis };
    } finally {
      this.#analysing -= 1;
      this.wake();
    }
  }

  async #analyse(item: LeasedItem): Promise<EnrolAnalysis> {
    const { images, companies, vision, log } = this.#ports;
    const company = await companies.find(item.companyId);
    if (company === undefined) throw new Error(`Company ${item.companyId} of image ${item.id} is gone.`);
    const image = await images.read(item.companyId, item.imageId).catch((error: unknown) => {
      // The storage folder is not in place: the image waits until it is.
      if (error instanceof UnavailableError) throw error;
      log.error({ err: error, item: item.id }, 'a stored image cannot be read back');
      return undefined;
    });
    if (image === undefined) return { kind: 'refused', code: 'CORRUPT_IMAGE' };
    return vision.of(company.id).enrol(image.content, {
      gate: company.settings.gate,
      severalFaces: image.original?.record == null ? item.severalFaces : 'portrait',
      priority: 'bulk',
    });
  }

  /** Adds an enrolled face to the gallery; erases the file of an image that failed. */
  async #follow(answer: ItemAnswer, written: EnrolledFace | 'failed' | undefined): Promise<void> {
    const { gallery, images, log } = this.#ports;
    const { item } = answer;
    if (written === 'failed')
      await afterCommit(log, { company: item.companyId, image: item.imageId }, FOLLOWS.failed, () =>
        images.discard(item.companyId, [item.imageId]),
      );
    if (written === undefined || written === 'failed' || !written.matchable || !('enrolled' in answer))
      return;
    const { enrolled } = answer;
    const { faceId } = written;
    await afterCommit(log, { company: item.companyId, face: faceId }, FOLLOWS.enrolled, () =>
      gallery.append(item.companyId, [
        { faceId, watchlist: watchlistOf(item.target), template: enrolled.face.template },
      ]),
    );
  }

  /** The machine failed, not the image: it waits again, uncounted when the cause is known to pass. */
  async #giveBack(item: LeasedItem, cause: unknown): Promise<void> {
    const { queue, log } = this.#ports;
    try {
      await queue.release([item], { counted: !(cause instanceof UnavailableError) });
    } catch (error) {
      log.error({ err: error, item: item.id }, 'an image could not be given back');
    }
    this.#wakeLater();
  }
}
