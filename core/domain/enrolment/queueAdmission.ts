import type { CompanyId } from '../../contracts/ids.ts';
import type { ImageFiles } from '../ports/images.ts';
import { UnavailableError, type Platform } from '../ports/machine.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';
import type { IntakeRefusal } from './intakeUpload.ts';
import type { Storage } from '../../storage/index.ts';

interface AdmissionPorts extends Pick<Storage, 'installation'>, Pick<Platform, 'log'> {
  queue: Pick<WorkQueue, 'waiting'>;
  images: Pick<ImageFiles, 'freeBytes'>;
}

/** Decides whether the queue and the disk can take more images. One instance for all uploads of the process. */
export class QueueAdmission {
  readonly #ports: AdmissionPorts;
  /** Images of uploads that are between the check of the queue's limit and the end of their transaction. */
  #entering = 0;

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  /** Why the queue cannot take another image now; undefined: it can. */
  refusal(company: CompanyId): Promise<IntakeRefusal | undefined> {
    return this.#refusal(company, 1);
  }

  /** Runs the transaction of a complete upload when there is room for all its images; else returns why not. */
  async enter(
    company: CompanyId,
    images: number,
    transaction: () => Promise<IntakeRefusal | undefined>,
  ): Promise<IntakeRefusal | undefined> {
    this.#entering += images;
    try {
      return (await this.#refusal(company, 0)) ?? (await transaction());
    } finally {
      this.#entering -= images;
    }
  }

  /** Whether the company's disk has the free space that the installation keeps. */
  async hasRoom(company: CompanyId): Promise<boolean> {
    const { installation, images } = this.#ports;
    return (await images.freeBytes(company)) >= (await installation.settings()).minFreeBytes;
  }

  /** @param more images beyond those that are entering */
  async #refusal(company: CompanyId, more: number): Promise<IntakeRefusal | undefined> {
    const { installation, queue, log } = this.#ports;
    const settings = await installation.settings();
    if (settings.paused) return { kind: 'unavailable', cause: 'QUEUE_PAUSED' };
    if ((await queue.waiting()) + this.#entering + more > settings.maxWaitingImages)
      return { kind: 'unavailable', cause: 'QUEUE_FULL' };
    try {
      if (!(await this.hasRoom(company))) return { kind: 'unavailable', cause: 'DISK_FULL' };
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      log.warn({ err: error, company }, 'the free space of the storage folder cannot be read');
      return { kind: 'unavailable', cause: 'STORAGE_UNAVAILABLE' };
    }
    return undefined;
  }
}
