import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import type { PhotoPerson } from '../../contracts/photoPersons.ts';
import { trusted, type BlacklistId, type UploadId } from '../../contracts/ids.ts';
import type { CompanySettings, InstallationSettings } from '../../contracts/settings.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { ImageFiles, WrittenImage } from '../ports/images.ts';
import { hexOf, concatBytes, SNIFF_BYTES, sniffImageFormat } from '../values/bytes.ts';
import { DiskFull, OutcomeUnknown, UnavailableError, type Platform } from '../ports/machine.ts';
import type { NewRun, UploadTarget, Fix } from '../ports/uploads.ts';
import type { Uploads } from '../../storage/enrolment/uploads.ts';
import { displayName } from '../../contracts/displayName.ts';
import type { Storage } from '../../storage/index.ts';
import type { QueueAdmission } from './intake.ts';

/** Why a file is refused before anything looks at its picture. */
type FileProblem = 'empty' | 'wrongType' | 'tooLarge';

type TakenFile<T> = { kind: 'kept'; kept: T } | { kind: 'refused'; problems: FileProblem[] };

/** Ends a `keep` that would go beyond the size limit; never leaves this module. */
class BeyondLimit extends Error {}

/**
 * Passes one file of an upload to `keep` while it streams, unless its first bytes or its size say no. The content is
 * always read to its end, so that the next part of the form can follow; at most one chunk is in memory.
 * @param maxBytes a file of exactly this many bytes is still taken
 * @param keep gets the format that the content claims; when it rejects half-way, it keeps nothing
 * @throws what the content's stream throws (the caller hung up), and what `keep` throws
 */
export async function takeFile<T>(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  keep: (format: ImageFormat, content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<TakenFile<T>> {
  const source = content[Symbol.asyncIterator]();
  const head = await readHead(source);
  if (head.length === 0) return { kind: 'refused', problems: ['empty'] };
  const format = sniffImageFormat(head);
  if (format === undefined) {
    const bytes = head.length + (await drain(source));
    return { kind: 'refused', problems: bytes > maxBytes ? ['wrongType', 'tooLarge'] : ['wrongType'] };
  }
  try {
    return { kind: 'kept', kept: await keep(format, bounded(head, source, maxBytes)) };
  } catch (error) {
    if (!(error instanceof BeyondLimit)) throw error;
    await drain(source);
    return { kind: 'refused', problems: ['tooLarge'] };
  }
}

/** Reads a file to its end and forgets it. */
async function discardFile(content: AsyncIterable<Uint8Array>): Promise<void> {
  await drain(content[Symbol.asyncIterator]());
}

/** The first bytes, enough to recognise the format; fewer only when the file has no more. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < SNIFF_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : concatBytes(head, next.value);
  }
  return head;
}

/** Head and rest as one stream that breaks beyond the limit. It leaves `source` open when its reader stops early. */
async function* bounded(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for (let chunk = head; ;) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BeyondLimit();
    yield chunk;
    const next = await source.next();
    if (next.done === true) return;
    chunk = next.value;
  }
}

async function drain(source: AsyncIterator<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (let next = await source.next(); next.done !== true; next = await source.next())
    bytes += next.value.length;
  return bytes;
}

// The meaning of the field names and file names of an upload form.

/** Characters of a file name; file systems allow 255. */
const LONGEST_FILE_NAME = 255;
/** Characters of a caller's field name that an error repeats. */
const LONGEST_KEY = 100;

/** `images`, `images[]` or `images[0]`: the number in the brackets is not looked at, the order of the parts counts. */
const IMAGE_FIELD = /^images(\[\d{0,9}\])?$/;

export function isImageField(fieldName: string): boolean {
  return IMAGE_FIELD.test(fieldName);
}

/** The key under which an error names the image at an index. */
export function imageKey(index: number): string {
  return `images.${index}`;
}

/** The key under which an error names a field that is not one of ours. */
export function unknownKey(fieldName: string): string {
  return fieldName.toWellFormed().slice(0, LONGEST_KEY);
}

/**
 * A file name as it is kept and shown: cleaned by {@link displayName}, with the quotation marks that browsers
 * send as %22. A file that was sent without a name is called after its place in the batch.
 */
export function receivedFileName(sent: string | undefined, index: number): string {
  const name = displayName((sent ?? '').replaceAll('%22', '"'));
  return name === '' ? `image-${index}` : name;
}

/** Whether a name, without its folders, has more characters than a file system keeps. It is refused, never cut. */
export function isTooLongName(name: string): boolean {
  return Array.from(name.split(/[/\\]/).at(-1) ?? '').length > LONGEST_FILE_NAME;
}

/** Whether letters of a name were lost before it arrived: it has characters for undecodable bytes, or question marks alone. */
function isUnreadableName(name: string): boolean {
  return name.includes('\uFFFD') || /^[?\s]*\?[?\s]*(?:\.\w+)?$/.test(name);
}

/** One file of a form, as it arrives. Its content is read to the end before the next part comes. */
export interface IncomingFile {
  fieldName: string;
  fileName: string | undefined;
  content: AsyncIterable<Uint8Array>;
}

interface OpenUploadPorts extends Pick<Storage, 'uploads'>, Pick<Platform, 'clock' | 'crypto' | 'log'> {
  admission: QueueAdmission;
  images: ImageFiles;
}

/** The limits of one upload. */
export interface UploadLimits {
  images: number;
  /** Bytes of each file. */
  imageBytes: number;
}

/**
 * The present limits of an upload to a company. An upload with more images than the queue takes would never be
 * accepted.
 */
export function uploadLimits(company: CompanySettings, installation: InstallationSettings): UploadLimits {
  return {
    images: Math.min(company.maxBatchImages, installation.maxWaitingImages),
    imageBytes: company.maxImageBytes,
  };
}

interface OpenUploadPlan {
  company: Company;
  /** See {@link uploadLimits}. */
  limits: UploadLimits;
  target: UploadTarget;
  /** Whose upload it is. */
  by: Actor;
  from?: 'search' | undefined;
  /** For the faces of a blacklist; absent: the default. */
  listing?: FaceListing | undefined;
  run?: NewRun | undefined;
  /** The failed photos that these are sent for. */
  fix?: NamedFix | undefined;
  idempotency?: { key: string; release: () => void } | undefined;
  /** The earlier answer to the same Idempotency-Key: this upload is only compared with it. */
  earlier?: NonNullable<Awaited<ReturnType<Uploads['findByIdempotencyKey']>>> | undefined;
}

interface TakenImage {
  fileName: string;
  sha256: string;
  /** Absent when nothing is stored, because nothing new will be accepted. */
  written?: WrittenImage;
}

/** So many images of one upload may wait for the disk while the next one is received. */
const MAX_UNSYNCED = 16;

/** The free space is read again after so many written bytes. */
const SPACE_CHECK_BYTES = 16 * 1024 * 1024;

/** An upload that is being received. Every way out but an accepted `finish` leaves nothing behind. */
export class OpenUpload {
  readonly #ports: OpenUploadPorts;
  readonly #plan: OpenUploadPlan;
  readonly #errors = new Map<string, Problem[]>();
  #taken: TakenImage[] = [];
  /** Of the images that were received last: when the disk has them. */
  readonly #unsynced: Promise<void>[] = [];
  /** Bytes written since the free space was last read. */
  #unchecked = 0;
  /** Image parts so far, good or bad: the index of the next one. */
  #count = 0;
  /** In the order of the images; null: the sender names no person. */
  #persons: readonly (PhotoPerson | null)[] | null = null;

  constructor(ports: OpenUploadPorts, plan: OpenUploadPlan) {
    this.#ports = ports;
    this.#plan = plan;
  }

  get limits(): UploadLimits {
    return this.#plan.limits;
  }

  /**
   * Takes the next file of the form, or notes what is wrong with it. Reads its content to the end in either case.
   * @throws {UnavailableError} it cannot be stored now. @throws what the content's stream throws.
   */
  async receiveFile(file: IncomingFile): Promise<void> {
    if (!isImageField(file.fieldName)) {
      const key = unknownKey(file.fieldName);
      if (key === '') this.#note('images', problem('FIELD_WITHOUT_NAME'));
      else this.#note(key, problem('FIELD_UNKNOWN', { field: key }));
      return discardFile(file.content);
    }
    const index = this.#count++;
    if (index >= this.limits.images) return discardFile(file.content);
    const taken = await takeFile(file.content, this.limits.imageBytes, (format, content) =>
      this.#stores ? this.#store(format, content) : this.#digest(content),
    );
    // The part that a browser sends for a file field without a file.
    const unchosen = taken.kind === 'refused' && taken.problems.includes('empty') && !file.fileName;
    const fileName = this.#plan.fix?.fileName ?? receivedFileName(file.fileName, index);
    if (unchosen) this.#count -= 1;
    else if (isUnreadableName(fileName))
      this.#note(imageKey(index), problem('FILE_NAME_UNREADABLE', { field: imageKey(index) }));
    else if (isTooLongName(fileName))
      this.#note(
        imageKey(index),
        problem('FILE_NAME_TOO_LONG', { field: imageKey(index), most: LONGEST_FILE_NAME }),
      );
    if (taken.kind === 'kept') this.#taken.push({ fileName, ...taken.kept });
    else if (!unchosen) for (const fault of taken.problems) this.#noteProblem(imageKey(index), fault);
  }

  /** Takes the next form field that is not a file: harmless, unless it stands where an image should. */
  receiveText(fieldName: string): void {
    if (!isImageField(fieldName)) return;
    const key = imageKey(this.#count++);
    this.#note(key, problem('IMAGE_NOT_A_FILE', { field: key }));
  }

  /** Takes the persons that the photos show, in the order of the photos; before or after these. */
  receivePersons(persons: readonly (PhotoPerson | null)[]): void {
    this.#persons = persons;
  }

  /** Notes a fault of a field that is no file. */
  refuseField(key: string, fault: Problem): void {
    this.#note(key, fault);
  }

  /**
   * The form is complete: queues all of it in one transaction, or says why not and forgets it.
   * @throws {OutcomeUnknown} it may be queued, so its files stay
   */
  async finish(): Promise<IntakeAnswer> {
    try {
      const answer = await this.#answer();
      if (answer.kind !== 'accepted' || this.#plan.earlier !== undefined) await this.#discard();
      return answer;
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        // The files may be those of a queued upload, so `abandon` must not remove them.
        this.#taken = [];
        throw error;
      }
      await this.#discard();
      if (!(error instanceof UnavailableError)) throw error;
      this.#ports.log.warn({ err: error, company: this.#plan.company.id }, 'an upload could not be stored');
      return { kind: 'unavailable', cause: 'STORAGE_UNAVAILABLE' };
    } finally {
      this.#plan.idempotency?.release();
    }
  }

  /** The form broke off, or its sender could not be authenticated: forgets all of it. Harmless after `finish`. */
  async abandon(): Promise<void> {
    await this.#discard();
    this.#plan.idempotency?.release();
  }

  async #answer(): Promise<IntakeAnswer> {
    const { images: most } = this.limits;
    if (this.#count > most) this.#note('images', problem('TOO_MANY_IMAGES', { most }));
    if (this.#count === 0 && !this.#errors.has('images')) this.#note('images', problem('IMAGES_REQUIRED'));
    const given = this.#persons?.length ?? this.#count;
    if (given !== this.#count)
      this.#note('persons', problem('PERSONS_OTHER_NUMBER', { given, photos: this.#count }));
    if (this.#errors.size > 0) return { kind: 'invalid', errors: this.#errors };

    const { earlier } = this.#plan;
    if (earlier === undefined) return this.#accept();
    if (!(await earlier.isSame(this.#fingerprint())))
      return { kind: 'refused', reason: problem('IDEMPOTENCY_KEY_REUSED') };
    const { id, target, numberOfImages } = earlier;
    return { kind: 'accepted', receipt: { id, target, numberOfImages } };
  }

  async #accept(): Promise<IntakeAnswer> {
    await Promise.all(this.#unsynced);
    const { company, target, by, from, run, fix, listing, idempotency } = this.#plan;
    const { admission, uploads, clock } = this.#ports;
    const id = trusted.upload(this.#ports.crypto.randomUuid());
    const images = this.#taken.map(({ fileName, written }, index) => {
      if (written === undefined) throw new Error('An image that was not stored cannot be accepted.');
      return { fileName, image: written, person: this.#persons?.[index] ?? null };
    });
    const refusal = await admission.enter(company.id, images.length, async () => {
      const accepted = await uploads.accept(company.id, {
        id,
        target,
        accepted: { by, at: clock.now() },
        images,
        from,
        listing,
        run,
        fix,
        idempotency: idempotency && { key: idempotency.key, fingerprint: this.#fingerprint() },
      });
      return this.#lateRefusal(accepted);
    });
    if (refusal !== undefined) return refusal;
    this.#taken = [];
    return { kind: 'accepted', receipt: { id, target, numberOfImages: images.length } };
  }

  #lateRefusal(accepted: Awaited<ReturnType<Uploads['accept']>>): IntakeRefusal | undefined {
    if (typeof accepted === 'string') return LATE_REFUSALS[accepted];
    if (this.#plan.fix?.fileName !== undefined) return { kind: 'refused', reason: problem('ALREADY_FIXED') };
    for (const place of accepted.alreadyFixed) this.#note(imageKey(place), problem('ALREADY_FIXED'));
    return { kind: 'invalid', errors: this.#errors };
  }

  /** Once anything is wrong, nothing will be accepted: the rest is checked but no longer written. */
  get #stores(): boolean {
    return this.#errors.size === 0 && this.#plan.earlier === undefined;
  }

  async #store(
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
  ): Promise<Omit<TakenImage, 'fileName'>> {
    const { image, durable } = await this.#ports.images.receive(
      this.#plan.company.id,
      format,
      this.#whileRoom(content),
      this.#taken[0]?.written?.id,
    );
    // Its failure is met when the upload waits for it, which is later.
    durable.catch(() => undefined);
    this.#unsynced.push(durable);
    if (this.#unsynced.length > MAX_UNSYNCED) await this.#unsynced.shift();
    return { sha256: image.sha256, written: image };
  }

  /** Stops writing when the disk falls below its floor, which many uploads together can reach. @throws {DiskFull} */
  async *#whileRoom(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#unchecked += chunk.length;
      if (this.#unchecked >= SPACE_CHECK_BYTES) {
        this.#unchecked = 0;
        if (!(await this.#ports.admission.hasRoom(this.#plan.company.id)))
          throw new DiskFull('The disk fell below its floor.');
      }
      yield chunk;
    }
  }

  /** Lowercase hex over everything that makes an upload what it is: target, listing, names, contents and persons in their order. */
  #fingerprint(): string {
    const images = this.#taken.map(({ fileName, sha256 }) => [fileName, sha256]);
    const { target, listing } = this.#plan;
    const content = [target, images, listing ?? null, this.#persons];
    return hexOf(this.#ports.crypto.sha256(JSON.stringify(content)));
  }

  /** The hash by which a stored file would be known, without storing it. */
  async #digest(content: AsyncIterable<Uint8Array>): Promise<{ sha256: string }> {
    const hash = this.#ports.crypto.sha256Stream();
    for await (const chunk of content) hash.update(chunk);
    return { sha256: hexOf(hash.digest()) };
  }

  #noteProblem(key: string, fault: FileProblem): void {
    const messages: Record<FileProblem, Problem> = {
      empty: problem('IMAGE_EMPTY', { field: key }),
      wrongType: problem('IMAGE_WRONG_TYPE', { field: key }),
      tooLarge: problem('IMAGE_TOO_MANY_BYTES', {
        field: key,
        kilobytes: Math.floor(this.limits.imageBytes / 1024),
      }),
    };
    this.#note(key, messages[fault]);
  }

  #note(key: string, found: Problem): void {
    const noted = this.#errors.get(key) ?? [];
    if (!noted.some(({ code }) => code === found.code)) this.#errors.set(key, [...noted, found]);
  }

  /** Removes what was written; what cannot be removed now is swept away at the next start. */
  async #discard(): Promise<void> {
    const written = this.#taken.flatMap((image) => image.written?.id ?? []);
    this.#taken = [];
    // A file that is still being written to the disk is removed after that. A failure has removed its own file.
    await Promise.allSettled(this.#unsynced);
    try {
      await this.#ports.images.discard(this.#plan.company.id, written);
    } catch (error) {
      this.#ports.log.warn(
        { err: error, company: this.#plan.company.id, images: written.length },
        'image files of a refused upload could not be removed; the next start sweeps them away',
      );
    }
  }
}

/** Changes of the watchlist while the files arrived. */
const LATE_REFUSALS: Record<
  Extract<Awaited<ReturnType<Uploads['accept']>>, string>,
  IntakeRefusal | undefined
> = {
  accepted: undefined,
  // Another service received an upload with this key at the same time. A repetition gets the answer of that one.
  'key-used': { kind: 'running' },
  'blacklist-gone': { kind: 'unknown' },
  'blacklist-inactive': { kind: 'refused', reason: problem('BLACKLIST_INACTIVE') },
};

/** The faults per key, in the form of a 422. */
export type FieldErrors = ReadonlyMap<string, readonly Problem[]>;

/** Why an upload was not accepted. Nothing of it is kept. */
export type IntakeRefusal =
  /** Its files are not what is taken; every failing key is named. */
  | { kind: 'invalid'; errors: FieldErrors }
  /** The company or the request as a whole does not qualify. */
  | { kind: 'refused'; reason: Problem }
  /** There is no such watchlist in the company. */
  | { kind: 'unknown' }
  /** Another upload with the same Idempotency-Key is being received. */
  | { kind: 'running' }
  /** Not now: a retry can help. */
  | { kind: 'unavailable'; cause: 'QUEUE_PAUSED' | 'QUEUE_FULL' | 'DISK_FULL' | 'STORAGE_UNAVAILABLE' };

/** Where a caller wants its images; the company's own rules make an {@link UploadTarget} of it, or refuse. */
export type UploadDestination =
  | { kind: 'duplicate' }
  /** `from` is recorded in the audit log: the photo was not sent as such, but comes from a search. */
  | { kind: 'blacklist'; blacklistId: BlacklistId; from?: 'search'; listing?: FaceListing | undefined };

/** `fileName`: the upload is one corrected photo, which keeps the name of the failed one. */
export type NamedFix = Fix & { fileName?: string };

/** The sender of an upload. */
export interface UploadSender {
  by: Actor;
  /** Absent: the upload is a run of its own. */
  run?: NewRun | undefined;
  fix?: NamedFix | undefined;
}

export interface UploadReceipt {
  id: UploadId;
  target: UploadTarget;
  numberOfImages: number;
}

type IntakeAnswer = { kind: 'accepted'; receipt: UploadReceipt } | IntakeRefusal;
