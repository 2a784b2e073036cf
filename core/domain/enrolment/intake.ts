import { problem } from '../../contracts/errors/problem.ts';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import { COMPANY_LIMITS } from '../../contracts/limits/limits.ts';
import type { ImageFiles } from '../ports/images.ts';
import { type Platform, UnavailableError } from '../ports/machine.ts';
import type { NewUpload, UploadTarget } from '../ports/uploads.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import {
  OpenUpload,
  uploadLimits,
  type UploadLimits,
  type IntakeRefusal,
  type UploadDestination,
  type UploadReceipt,
  type UploadSender,
} from './intakeUpload.ts';
import type { Storage } from '../../storage/index.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';
import { IDEMPOTENCY_KEY } from '../../contracts/uploads.ts';
import type { Company } from '../ports/auditContext.ts';

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

interface IntakePorts
  extends
    Pick<Storage, 'companies' | 'installation' | 'queue' | 'uploads' | 'blacklists'>,
    Pick<Platform, 'clock' | 'crypto' | 'log'> {
  images: ImageFiles;
}

/**
 * Accepts uploads. An upload is opened (may this company upload now?), receives its files one by one, and is finished
 * (all of it is queued in one transaction) or abandoned (nothing of it is kept). Knows nothing of HTTP.
 */
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
   * Checks what can be checked before the first byte of the body.
   * @param idempotencyKey the same key with the same content within 24 hours gets the first receipt again
   */
  async open(
    companyId: CompanyId,
    destination: UploadDestination,
    from: UploadSender,
    idempotencyKey?: string,
  ): Promise<{ kind: 'open'; upload: OpenUpload } | IntakeRefusal> {
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      return { kind: 'refused', reason: problem('IDEMPOTENCY_KEY_INVALID') };
    const company = await this.#ports.companies.find(companyId);
    if (company === undefined) throw new Error(`Company ${companyId} of a credential is gone.`);
    const target = await this.#target(company, destination);
    if (target.kind === 'refused' || target.kind === 'unknown') return target;
    const ofList = destination.kind === 'blacklist' ? destination : undefined;
    const sender = { ...from, from: ofList?.from, listing: ofList?.listing };
    if (idempotencyKey === undefined) return this.#begin(company, target, sender);

    const running = runningKey(companyId, idempotencyKey);
    if (this.#running.has(running)) return { kind: 'running' };
    this.#running.add(running);
    const release = () => {
      this.#running.delete(running);
    };
    try {
      const opened = await this.#begin(company, target, sender, { key: idempotencyKey, release });
      if (opened.kind !== 'open') release();
      return opened;
    } catch (error) {
      release();
      throw error;
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

  async #target(
    company: Company,
    destination: UploadDestination,
  ): Promise<UploadTarget | Extract<IntakeRefusal, { kind: 'refused' | 'unknown' }>> {
    return destination.kind === 'duplicate'
      ? this.#enrolmentTarget(company)
      : this.#blacklistTarget(company, destination.blacklistId);
  }

  /** The company's preconditions of bulk enrolment, in that order. */
  async #enrolmentTarget(
    company: Company,
  ): Promise<UploadTarget | Extract<IntakeRefusal, { kind: 'refused' }>> {
    if (company.storageFolder === null) return { kind: 'refused', reason: problem('STORAGE_NOT_CONFIGURED') };
    if (!company.settings.registrationEnabled)
      return { kind: 'refused', reason: problem('REGISTRATION_DISABLED') };
    return { kind: 'duplicate', trustFlowId: await this.#ports.companies.systemTrustFlow(company.id) };
  }

  /** A company without the feature gets the same answer for its blacklists as for unknown ones. */
  async #blacklistTarget(
    company: Company,
    blacklistId: BlacklistId,
  ): Promise<UploadTarget | Extract<IntakeRefusal, { kind: 'refused' | 'unknown' }>> {
    if (!company.settings.blacklistsEnabled)
      return { kind: 'refused', reason: problem('BLACKLISTS_DISABLED') };
    const blacklist = await this.#ports.blacklists.find(company.id, blacklistId);
    if (blacklist === undefined) return { kind: 'unknown' };
    if (blacklist.status !== BLACKLIST_STATUS.Active)
      return { kind: 'refused', reason: problem('BLACKLIST_INACTIVE') };
    if (company.storageFolder === null) return { kind: 'refused', reason: problem('STORAGE_NOT_CONFIGURED') };
    return { kind: 'blacklist', blacklistId };
  }

  async #begin(
    company: Company,
    target: UploadTarget,
    sender: UploadSender & Pick<NewUpload, 'from' | 'listing'>,
    idempotency?: { key: string; release: () => void },
  ): Promise<{ kind: 'open'; upload: OpenUpload } | IntakeRefusal> {
    const { uploads, clock } = this.#ports;
    const earlier =
      idempotency && (await uploads.findByIdempotencyKey(company.id, idempotency.key, clock.now()));
    // A repeated upload adds nothing to the queue, so a queue that takes nothing more need not refuse it.
    if (earlier === undefined) {
      const refusal = await this.#admission.refusal(company.id);
      if (refusal !== undefined) return refusal;
    }
    const settled = uploadLimits(company.settings, await this.#ports.installation.settings());
    const limits = sender.fix?.fileName === undefined ? settled : { ...settled, images: 1 };
    return {
      kind: 'open',
      upload: new OpenUpload(
        { ...this.#ports, admission: this.#admission },
        {
          company,
          limits: earlier === undefined ? limits : asAccepted(limits, earlier),
          target,
          ...sender,
          idempotency,
          earlier,
        },
      ),
    };
  }
}

/** A repeated upload gets its first answer again although the limits were lowered in the meantime. */
function asAccepted(limits: UploadLimits, { numberOfImages }: UploadReceipt): UploadLimits {
  return {
    images: Math.max(limits.images, numberOfImages),
    imageBytes: COMPANY_LIMITS.maxImageBytes.most,
  };
}

function runningKey(company: CompanyId, idempotencyKey: string): string {
  return `${company} ${idempotencyKey}`;
}
