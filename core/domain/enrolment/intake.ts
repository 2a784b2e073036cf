import { CodedError } from '../../contracts/errors/problem.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { BlacklistId, CompanyId, UploadId } from '../../contracts/ids.ts';
import { COMPANY_LIMITS } from '../../contracts/limits/limits.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { ImageFiles } from '../ports/images.ts';
import { DiskFull, type Platform } from '../ports/machine.ts';
import type { PictureConverter } from '../ports/recognition.ts';
import type { Fix, NewRun, UploadTarget } from '../ports/uploads.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { OpenUpload, uploadLimits } from './intakeUpload.ts';
import type { Storage } from '../../storage/index.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';
import { IDEMPOTENCY_KEY } from '../../contracts/uploads.ts';
import { Service } from '../serviceParts.ts';

/** Where a caller wants its images; the company's own rules make an {@link UploadTarget} of it, or refuse. */
export type UploadDestination =
  | { kind: 'duplicate' }
  /** `from` is recorded in the audit log: the photo was not sent as such, but comes from a search. */
  | { kind: 'blacklist'; blacklistId: BlacklistId; from?: 'search'; listing?: FaceListing | undefined };

/**
 * `fileName`: the upload corrects one failed photo and keeps its name. It may have one photo of each face that was found;
 * the first of them stands for the failed photo.
 */
export type NamedFix = Fix & { fileName?: string };

/** The sender of an upload. */
export interface UploadSender {
  by: Actor;
  /** Absent: the upload is a run of its own. */
  run?: NewRun | undefined;
  /** Whether pictures in other formats than JPEG and PNG, and face records, are converted; absent: they are refused. */
  otherFormats?: boolean;
  /** The failed photos that these are sent for. */
  fix?: NamedFix | undefined;
}

export interface UploadReceipt {
  id: UploadId;
  target: UploadTarget;
  numberOfImages: number;
}

/** An upload, and how its files arrive. */
interface Incoming {
  destination: UploadDestination;
  sender: UploadSender;
  /** The same key with the same content within 24 hours gets the first receipt again. */
  idempotencyKey?: string | undefined;
  /** Hands over the files and fields of the form in their order. What it throws ends the upload. */
  take: (upload: OpenUpload) => Promise<void>;
}

interface AdmissionPorts extends Pick<Storage, 'installation'> {
  queue: Pick<WorkQueue, 'waiting'>;
  images: Pick<ImageFiles, 'freeBytes'>;
}

/** Decides whether the queue and the disk can take more images. One instance for all uploads of the process. */
export class QueueAdmission extends Service<AdmissionPorts> {
  /** Images of uploads that are between the check of the queue's limit and the end of their transaction. */
  #entering = 0;

  /**
   * @param more images beyond those that are entering
   * @throws {CodedError} the queue cannot take them now. {UnavailableError} nor can the disk
   */
  async check(company: CompanyId, more: number): Promise<void> {
    const { installation, queue } = this.ports;
    const settings = await installation.settings();
    if (settings.paused) throw new CodedError('QUEUE_PAUSED');
    if ((await queue.waiting()) + this.#entering + more > settings.maxWaitingImages)
      throw new CodedError('QUEUE_FULL');
    await this.checkRoom(company);
  }

  /**
   * Runs the transaction of a complete upload when there is room for all its images.
   * @throws as {@link QueueAdmission.check}, and what the transaction throws
   */
  async enter<T>(company: CompanyId, images: number, transaction: () => Promise<T>): Promise<T> {
    this.#entering += images;
    try {
      await this.check(company, 0);
      return await transaction();
    } finally {
      this.#entering -= images;
    }
  }

  /** @throws {DiskFull} the company's disk has less free space than the installation keeps. {UnavailableError} it cannot be read */
  async checkRoom(company: CompanyId): Promise<void> {
    const { installation, images } = this.ports;
    if ((await images.freeBytes(company)) < (await installation.settings()).minFreeBytes)
      throw new DiskFull('The disk fell below its floor.');
  }
}

interface IntakePorts
  extends
    Pick<Storage, 'companies' | 'installation' | 'queue' | 'uploads' | 'blacklists'>,
    Pick<Platform, 'clock' | 'crypto' | 'log'> {
  images: ImageFiles;
  converter: PictureConverter;
}

/** Accepts uploads: all of an upload is queued in one transaction, or nothing of it is kept. Knows nothing of HTTP. */
export class UploadIntake {
  readonly #ports: IntakePorts;
  /** Idempotency keys whose upload is being received by this process, the only one of its home. */
  readonly #running = new Set<string>();
  readonly #admission: QueueAdmission;

  constructor(ports: IntakePorts) {
    this.#ports = ports;
    this.#admission = new QueueAdmission(ports);
  }

  /**
   * Receives an upload. What can be checked before the first byte of the body is checked before it.
   * @returns what was queued, now or by the earlier upload with the same key
   * @throws {CodedError} the company, its watchlist or the queue takes no photo. {InvalidInput} with the fault of each file.
   * {UnavailableError} it cannot be stored now. {OutcomeUnknown} it may be queued, so its files stay. What `take` throws.
   */
  async receive(companyId: CompanyId, incoming: Incoming): Promise<UploadReceipt> {
    const { idempotencyKey } = incoming;
    if (idempotencyKey === undefined) return this.#receive(companyId, incoming);
    if (!IDEMPOTENCY_KEY.test(idempotencyKey)) throw new CodedError('IDEMPOTENCY_KEY_INVALID');
    const running = runningKey(companyId, idempotencyKey);
    if (this.#running.has(running)) throw new CodedError('IDEMPOTENCY_KEY_RUNNING');
    this.#running.add(running);
    try {
      return await this.#receive(companyId, incoming);
    } finally {
      this.#running.delete(running);
    }
  }

  /**
   * The upload that the service has under an Idempotency-Key, also after the 24 hours in which the key repeats its answer.
   * @returns undefined: no upload; `receiving`: its photos still arrive
   */
  async find(companyId: CompanyId, key: string): Promise<UploadReceipt | 'receiving' | undefined> {
    if (this.#running.has(runningKey(companyId, key))) return 'receiving';
    return this.#ports.uploads.findByIdempotencyKey(companyId, key);
  }

  async #receive(
    companyId: CompanyId,
    { destination, sender, idempotencyKey: key, take }: Incoming,
  ): Promise<UploadReceipt> {
    const { companies, uploads, installation, clock } = this.#ports;
    const company = await companies.find(companyId);
    if (company === undefined) throw new Error(`Company ${companyId} of a credential is gone.`);
    const target = await this.#target(company, destination);
    const earlier =
      key === undefined ? undefined : await uploads.findByIdempotencyKey(companyId, key, clock.now());
    // A repeated upload adds nothing to the queue, so a queue that takes nothing more need not refuse it.
    if (earlier === undefined) await this.#admission.check(companyId, 1);
    const settled = uploadLimits(company.settings, await installation.settings());
    const { fix } = sender;
    const limits =
      fix?.fileName === undefined
        ? settled
        : { ...settled, images: Math.min(settled.images, Math.max(1, fix.faces)) };
    const upload = new OpenUpload(
      { ...this.#ports, admission: this.#admission },
      {
        company: companyId,
        // A repeated upload gets its first answer again although the limits were lowered in the meantime.
        limits:
          earlier === undefined
            ? limits
            : {
                images: Math.max(limits.images, earlier.numberOfImages),
                imageBytes: COMPANY_LIMITS.maxImageBytes.most,
              },
        target,
        ...sender,
        ...(destination.kind === 'blacklist' && { from: destination.from, listing: destination.listing }),
        idempotencyKey: key,
        earlier,
      },
    );
    try {
      await take(upload);
      return await upload.finish();
    } finally {
      await upload.discard();
    }
  }

  /**
   * The preconditions, in the order in which an answer names them. A company without blacklists gets the same answer for
   * each as for unknown ones.
   */
  async #target(company: Company, destination: UploadDestination): Promise<UploadTarget> {
    const { settings, storageFolder } = company;
    if (destination.kind === 'duplicate') {
      if (storageFolder === null) throw new CodedError('STORAGE_NOT_CONFIGURED');
      if (!settings.registrationEnabled) throw new CodedError('REGISTRATION_DISABLED');
      return { kind: 'duplicate', trustFlowId: await this.#ports.companies.systemTrustFlow(company.id) };
    }
    const { blacklistId } = destination;
    if (!settings.blacklistsEnabled) throw new CodedError('BLACKLISTS_DISABLED');
    const blacklist = await this.#ports.blacklists.find(company.id, blacklistId);
    if (blacklist === undefined) throw new CodedError('NOT_FOUND');
    if (blacklist.status !== BLACKLIST_STATUS.Active) throw new CodedError('BLACKLIST_INACTIVE');
    if (storageFolder === null) throw new CodedError('STORAGE_NOT_CONFIGURED');
    return { kind: 'blacklist', blacklistId };
  }
}

function runningKey(company: CompanyId, idempotencyKey: string): string {
  return `${company} ${idempotencyKey}`;
}
