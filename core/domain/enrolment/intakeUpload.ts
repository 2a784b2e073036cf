import { CodedError, InvalidInput, problem, type Problem } from '../../contracts/errors/problem.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import type { PhotoPerson } from '../../contracts/uploads.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import type { CompanySettings, InstallationSettings } from '../../contracts/settings.ts';
import type { ImageFiles, WrittenImage } from '../ports/images.ts';
import type { PictureConverter } from '../ports/recognition.ts';
import { hexOf, oneChunk, sniffImageFormat } from '../values/bytes.ts';
import { discardImages } from '../work/writtenImages.ts';
import { OutcomeUnknown, type Platform } from '../ports/machine.ts';
import type { UploadTarget } from '../ports/uploads.ts';
import type { Uploads } from '../../storage/enrolment/uploads.ts';
import type { Storage } from '../../storage/index.ts';
import type { QueueAdmission, UploadReceipt, UploadSender } from './intake.ts';
import {
  discardFile,
  imageKey,
  isImageField,
  isTooLongName,
  isUnreadableName,
  joined,
  LONGEST_FILE_NAME,
  receivedFileName,
  takeFile,
  unknownKey,
  type FileProblem,
  type IncomingFile,
} from './incomingFile.ts';

interface OpenUploadPorts extends Pick<Storage, 'uploads'>, Pick<Platform, 'clock' | 'crypto' | 'log'> {
  admission: QueueAdmission;
  images: ImageFiles;
  converter: PictureConverter;
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

interface OpenUploadPlan extends UploadSender {
  company: CompanyId;
  /** See {@link uploadLimits}. */
  limits: UploadLimits;
  target: UploadTarget;
  from?: 'search' | undefined;
  /** For the faces of a blacklist; absent: the default. */
  listing?: FaceListing | undefined;
  idempotencyKey: string | undefined;
  /** The earlier answer to the same Idempotency-Key: this upload is only compared with it. */
  earlier: Awaited<ReturnType<Uploads['findByIdempotencyKey']>>;
}

interface TakenImage {
  fileName: string;
  sha256: string;
  /** One, or one of each face of a sheet; none when nothing is stored, because nothing new will be accepted. */
  written: readonly WrittenImage[];
}

/** So many images of one upload may wait for the disk while the next one is received. */
const MAX_UNSYNCED = 16;

/** The free space is read again after so many written bytes. */
const SPACE_CHECK_BYTES = 16 * 1024 * 1024;

/** An upload that is being received. After `finish` or without it, `discard` leaves nothing of what was not accepted. */
export class OpenUpload {
  readonly #ports: OpenUploadPorts;
  readonly #plan: OpenUploadPlan;
  readonly #errors = new Map<string, Problem[]>();
  #taken: TakenImage[] = [];
  /** Portraits of the sheet that is being stored: it is taken with all of them or not at all. */
  #portraits: WrittenImage[] = [];
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
    const taken = await takeFile(
      file.content,
      this.limits.imageBytes,
      (format, content) => this.#take(format, content),
      this.#plan.otherFormats,
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
   * The form is complete: queues all of it in one transaction.
   * @throws {InvalidInput} with the fault of each file. {CodedError} it was refused. {OutcomeUnknown} it may be queued
   */
  async finish(): Promise<UploadReceipt> {
    const { images: most } = this.limits;
    if (this.#count > most) this.#note('images', problem('TOO_MANY_IMAGES', { most }));
    if (this.#count === 0 && !this.#errors.has('images')) this.#note('images', problem('IMAGES_REQUIRED'));
    const photos = this.#photos;
    const given = this.#persons?.length ?? photos;
    if (given !== photos) this.#note('persons', problem('PERSONS_OTHER_NUMBER', { given, photos }));
    this.#refuseFaults();

    const { earlier } = this.#plan;
    if (earlier === undefined) return this.#accept();
    if (!(await earlier.isSame(this.#fingerprint()))) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    const { id, target, numberOfImages } = earlier;
    return { id, target, numberOfImages };
  }

  /** Removes what was written and not accepted. What cannot be removed now is swept away at the next start. */
  async discard(): Promise<void> {
    const all = [...this.#taken.flatMap((taken) => taken.written), ...this.#portraits];
    const written = all.map(({ id }) => id);
    [this.#taken, this.#portraits] = [[], []];
    // A file that is still being written to the disk is removed after that. A failure has removed its own file.
    await Promise.allSettled(this.#unsynced);
    if (written.length > 0) await discardImages(this.#ports, this.#plan.company, written);
  }

  async #accept(): Promise<UploadReceipt> {
    await Promise.all(this.#unsynced);
    const { company, target, by, from, run, fix, listing, idempotencyKey: key } = this.#plan;
    const { admission, uploads, clock } = this.#ports;
    const id = trusted.upload(this.#ports.crypto.randomUuid());
    if (this.#taken.some(({ written }) => written.length === 0))
      throw new Error('An image that was not stored cannot be accepted.');
    const isSheet = fix?.fileName !== undefined && this.#taken.length > 1;
    const images = this.#taken
      .flatMap(({ fileName, written }, index) =>
        written.map((image, face) => {
          const part = isSheet ? index + 1 : written.length > 1 ? face + 1 : null;
          return { fileName: part === null ? fileName : partName(fileName, part), image };
        }),
      )
      .map((image, index) => ({ ...image, person: this.#persons?.[index] ?? null }));
    const accepted = { by, at: clock.now() };
    const idempotency = key === undefined ? undefined : { key, fingerprint: this.#fingerprint() };
    try {
      const alreadyFixed = await admission.enter(company, images.length, () =>
        uploads.accept(company, { id, target, accepted, images, from, listing, run, fix, idempotency }),
      );
      if (alreadyFixed.length > 0 && fix?.fileName !== undefined) throw new CodedError('ALREADY_FIXED');
      for (const place of alreadyFixed) this.#note(imageKey(place), problem('ALREADY_FIXED'));
      this.#refuseFaults();
    } catch (error) {
      // The files may be those of a queued upload.
      if (error instanceof OutcomeUnknown) this.#taken = [];
      throw error;
    }
    this.#taken = [];
    return { id, target, numberOfImages: images.length };
  }

  /** @throws {InvalidInput} anything was noted */
  #refuseFaults(): void {
    if (this.#errors.size > 0) throw new InvalidInput(Object.fromEntries(this.#errors));
  }

  /** Once anything is wrong, nothing will be accepted: the rest is checked but no longer written. */
  get #stores(): boolean {
    return this.#errors.size === 0 && this.#plan.earlier === undefined;
  }

  /** Photos of the upload: more than files where sheets were split. */
  get #photos(): number {
    if (!this.#splits || this.#errors.size > 0) return this.#count;
    return (
      this.#plan.earlier?.numberOfImages ?? this.#taken.reduce((sum, { written }) => sum + written.length, 0)
    );
  }

  get #splits(): boolean {
    return this.#plan.run?.severalFaces === 'each';
  }

  async #take(
    format: ImageFormat | undefined,
    content: AsyncIterable<Uint8Array>,
  ): Promise<Omit<TakenImage, 'fileName'> | Problem> {
    if (format === undefined || this.#splits) return this.#convert(await joined(content));
    return this.#stores ? this.#store(format, content) : { ...(await this.#digest(content)), written: [] };
  }

  async #store(
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
  ): Promise<Omit<TakenImage, 'fileName'> & { written: [WrittenImage] }> {
    const { image, durable } = await this.#ports.images.receive(
      this.#plan.company,
      format,
      this.#whileRoom(content),
      this.#taken[0]?.written[0]?.id,
    );
    // Its failure is met when the upload waits for it, which is later.
    durable.catch(() => undefined);
    this.#unsynced.push(durable);
    if (this.#unsynced.length > MAX_UNSYNCED) await this.#unsynced.shift();
    return { sha256: image.sha256, written: [image] };
  }

  /**
   * Stores the JPEG of a picture in another format, or those of the portraits of a sheet, with the hash and the kind of the
   * file. @returns why there is none
   */
  async #convert(file: Uint8Array): Promise<Omit<TakenImage, 'fileName'> | Problem> {
    const sha256 = hexOf(this.#ports.crypto.sha256(file));
    if (!this.#stores) return { sha256, written: [] };
    const { company } = this.#plan;
    // The photos of people who wait go first.
    const options = { company, priority: 'bulk', use: this.#splits ? 'sheet' : undefined } as const;
    const converted = await this.#ports.converter.convert(file, options);
    if (converted.kind === 'unconvertible') return converted.reason;
    const { content, original: kind, record, portraits } = converted;
    const isAsReceived = portraits === undefined && (kind === 'JPEG' || kind === 'PNG');
    for (const picture of portraits ?? [content]) {
      const format = sniffImageFormat(picture);
      if (format === undefined) throw new Error(`A ${kind} was converted to no JPEG or PNG.`);
      const [image] = (await this.#store(format, oneChunk(picture))).written;
      this.#portraits.push(isAsReceived ? image : { ...image, original: { kind, sha256, record } });
    }
    const written = this.#portraits;
    this.#portraits = [];
    return { sha256, written };
  }

  /** Stops writing when the disk falls below its floor, which many uploads together can reach. @throws {DiskFull} */
  async *#whileRoom(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#unchecked += chunk.length;
      if (this.#unchecked >= SPACE_CHECK_BYTES) {
        this.#unchecked = 0;
        await this.#ports.admission.checkRoom(this.#plan.company);
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

  #noteProblem(key: string, fault: FileProblem | Problem): void {
    if (typeof fault === 'object') {
      this.#note(key, fault);
      return;
    }
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
}

/** `FILE#1`: one face of a sheet. A long name is shortened for the number. */
function partName(sheet: string, place: number): string {
  const number = `#${place}`;
  return (
    Array.from(sheet)
      .slice(0, LONGEST_FILE_NAME - number.length)
      .join('') + number
  );
}
