import { afterCommit, FOLLOWS } from '../common/afterCommit.ts';
import { ThroughputMeter } from './throughput.ts';
import type { Companies, Installation } from '../ports/companies.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { ImageFiles } from '../ports/images.ts';
import { UnavailableError, type Clock, type Logger, type Timer } from '../ports/machine.ts';
import type { EnrolAnalysis, RecognitionPort } from '../ports/recognition.ts';
import { watchlistOf, type LeasedItem, type WorkQueue } from '../ports/uploads.ts';

/**
 * An image on which work began this often without an answer ends as ENGINE_ERROR. Deaths of a vision worker are
 * counted by the pool (two end the image); what is counted here are deaths of the whole service, of which the image is
 * rarely the cause: two power cuts must not condemn the innocent, yet nothing may be retried for ever.
 */
const MAX_ATTEMPTS = 5;

/** Waits between tries when the store cannot be written, milliseconds. */
const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 30_000;

interface DispatcherPorts {
  queue: WorkQueue;
  images: ImageFiles;
  companies: Companies;
  site: Installation;
  vision: RecognitionPort;
  gallery: GalleryPort;
  clock: Clock;
  timer: Timer;
  log: Logger;
}

/**
 * Takes waiting images to the vision workers and lands the answers. Crash-only: all it knows is in the store, so
 * starting is recovering.
 */
export class Dispatcher {
  /** How fast it answers. */
  readonly pace = new ThroughputMeter();
  readonly #ports: DispatcherPorts;
  readonly #inProgress = new Map<LeasedItem, Promise<void>>();
  #running = false;
  #filling: Promise<void> | undefined;
  #wokenWhileFilling = false;
  #retryDelay = FIRST_RETRY_DELAY_MS;
  #cancelRetry: () => void = () => undefined;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
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
    await Promise.all(this.#inProgress.values());
  }

  /**
   * Twice as many images as workers, so that none waits for the disk; taken as many at a time as there are workers,
   * because every lease is a transaction that must reach the disk.
   */
  async #fill(): Promise<void> {
    const { queue, site, vision, log } = this.#ports;
    try {
      const free = 2 * vision.workers - this.#inProgress.size;
      if (free < vision.workers || (await site.settings()).paused) return;
      for (const item of await queue.lease(free)) {
        const work = this.#process(item).finally(() => {
          this.#inProgress.delete(item);
          this.wake();
        });
        this.#inProgress.set(item, work);
      }
      this.#retryDelay = FIRST_RETRY_DELAY_MS;
    } catch (error) {
      log.error({ err: error }, 'the queue cannot be worked on; trying again');
      this.#wakeLater();
    }
  }

  #wakeLater(): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#ports.timer.after(this.#retryDelay, () => {
      this.wake();
    });
    this.#retryDelay = Math.min(this.#retryDelay * 2, MAX_RETRY_DELAY_MS);
  }

  async #process(item: LeasedItem): Promise<void> {
    const { log } = this.#ports;
    try {
      if (item.attempts > MAX_ATTEMPTS) await this.#fail(item, { code: 'ENGINE_ERROR' });
      else await this.#answer(item, await this.#analyse(item));
      this.pace.answered(this.#ports.clock.now());
    } catch (error) {
      log.error(
        { err: error, upload: item.uploadId, item: item.id },
        'an image could not be answered; trying again',
      );
      await this.#giveBack(item, error);
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
      severalFaces: item.severalFaces,
      priority: 'bulk',
    });
  }

  async #answer(item: LeasedItem, analysis: EnrolAnalysis): Promise<void> {
    if (analysis.kind === 'refused') return this.#fail(item, analysis);
    const { queue, gallery, vision, clock, log } = this.#ports;
    await vision.whenNotSwitching(item.companyId);
    const landed = await queue.commitEnrolment(item, analysis, clock.now());
    if (landed?.matchable !== true) return;
    const { template } = analysis.face;
    const { faceId } = landed;
    await afterCommit(log, { company: item.companyId, face: faceId }, FOLLOWS.enrolled, () =>
      gallery.append(item.companyId, [{ faceId, watchlist: watchlistOf(item.target), template }]),
    );
  }

  async #fail(item: LeasedItem, failure: Parameters<WorkQueue['fail']>[1]): Promise<void> {
    await this.#ports.queue.fail(item, failure, this.#ports.clock.now());
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
