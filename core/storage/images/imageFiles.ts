import type { Selectable } from 'kysely';
import type { Schema } from '../engine/schema.ts';
import { sentenceOf } from '../../contracts/errors/problem.ts';
import { randomBytes, createCipheriv, createHash } from 'node:crypto';
import { systemCodeOf } from '../../contracts/errors/systemProblem.ts';
import { trusted, type CompanyId, type ImageId } from '../../contracts/ids.ts';
import { pictureOriginalSchema, type PictureOriginal } from '../../contracts/faceRecords.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import {
  ImageDamaged,
  type ImageFiles,
  type MovableImages,
  type ReceivedImage,
  type WrittenImage,
} from '../../domain/ports/images.ts';
import { UnavailableError, type Clock } from '../../domain/ports/machine.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Database } from '../engine/database.ts';
import { decrypt, MAGIC, NONCE_BYTES } from './imageFormat.ts';
import { SHELF_DIGITS, shelfOf, type ImagePlace, type NewImage } from './places/imagePlace.ts';
import { isBucketLocation } from './places/bucketAddress.ts';
import type { StorageFolders } from './storageFolders.ts';
import type { Companies } from '../settings/companies.ts';
import { SharedRuns } from '../../domain/work/turns.ts';
import { faceOf } from './imageContents.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { rowsWith } from '../engine/rows.ts';

/** An image is recorded once in this time, however often it is looked at; milliseconds. */
const AGAIN_AFTER = 24 * 60 * 60_000;
/** Images that are recorded in that time: a folder that was swapped as a whole does not fill the log. */
const MAX_RECORDED = 1000;

/** Records damaged images in the audit log. */
export class ImageDamage {
  readonly #db: Database;
  readonly #audit: Pick<AuditLog, 'record'>;
  readonly #clock: Clock;
  /** When an image was recorded, oldest first. */
  readonly #recorded = new Map<ImageId, number>();

  constructor(db: Database, audit: Pick<AuditLog, 'record'>, clock: Clock) {
    this.#db = db;
    this.#audit = audit;
    this.#clock = clock;
  }

  async report(company: CompanyId, image: ImageId): Promise<void> {
    const at = this.#clock.now();
    for (const [id, before] of this.#recorded)
      if (Math.abs(at.getTime() - before) >= AGAIN_AFTER) this.#recorded.delete(id);
    if (this.#recorded.has(image) || this.#recorded.size >= MAX_RECORDED) return;
    this.#recorded.set(image, at.getTime());
    const { face } = await faceOf(this.#db, company, image);
    const object = face === null ? null : (`face:${face}` as const);
    await this.#audit.record({ by: 'service', at }, { company, action: 'image.damaged', object });
  }
}

/** So much is gathered for one write; most photos of a bulk enrolment are smaller than this. */
const WRITE_BYTES = 1 << 18;

/** Encrypts an image as it arrives. Its facts are known once the content was read to its end. */
class ImageEncryption {
  readonly key = randomBytes(32);
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #bytes = 0;
  #sha256 = '';

  constructor(id: ImageId, content: AsyncIterable<Uint8Array>) {
    this.#chunks = this.#encrypt(id, content);
  }

  get facts(): { key: Uint8Array; bytes: number; sha256: string } {
    return { key: this.key, bytes: this.#bytes, sha256: this.#sha256 };
  }

  /** The next part of the file. @throws what the content throws */
  async next(): Promise<{ part: Uint8Array[]; last: boolean }> {
    const part: Uint8Array[] = [];
    for (let bytes = 0; bytes < WRITE_BYTES;) {
      const next = await this.#chunks.next();
      if (next.done === true) return { part, last: true };
      part.push(next.value);
      bytes += next.value.length;
    }
    return { part, last: false };
  }

  async *#encrypt(id: ImageId, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    cipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
    const hash = createHash('sha256');
    yield MAGIC;
    yield nonce;
    for await (const chunk of content) {
      hash.update(chunk);
      this.#bytes += chunk.length;
      yield cipher.update(chunk);
    }
    yield cipher.final();
    yield cipher.getAuthTag();
    this.#sha256 = hash.digest('hex');
  }
}

/** The system's words for "not now": full, read-only, over quota, storage unplugged. */
const TRANSIENT = new Set([
  'ENOSPC',
  'EROFS',
  'EDQUOT',
  'EIO',
  'ENODEV',
  'ENOENT',
  'EACCES',
  'EMFILE',
  'ENFILE',
  'ENOTDIR',
]);

/** An image of which the database has a row has no file. The code is the system's, whatever the place is. */
class ImageFileMissing extends Error {
  override name = 'ImageFileMissing';
  readonly code = 'ENOENT';
}

/** Encrypted image files in each company's place; keys and names in the database. */
export class EncryptedImageFiles implements ImageFiles, MovableImages {
  readonly #db: Database;
  readonly #companies: Pick<Companies, 'moveStorage'>;
  readonly #folders: StorageFolders;
  readonly #damage: Pick<ImageDamage, 'report'>;
  /** Written by this process and perhaps not yet referred to: the sweep leaves them alone. */
  readonly #fresh = new Map<ImageId, CompanyId>();
  readonly #checks: SharedRuns<CompanyId>;
  /** Companies whose folder changes now: nothing is written for them. */
  readonly #moving = new Set<CompanyId>();

  constructor(
    db: Database,
    companies: Pick<Companies, 'moveStorage'>,
    folders: StorageFolders,
    damage: Pick<ImageDamage, 'report'>,
  ) {
    this.#damage = damage;
    this.#db = db;
    this.#companies = companies;
    this.#folders = folders;
    this.#checks = new SharedRuns((company) => folders.ready(company));
  }

  async write(
    company: CompanyId,
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenImage> {
    const { image, durable } = await this.receive(company, format, content);
    await durable;
    return image;
  }

  async receive(
    company: CompanyId,
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
    beside?: ImageId,
  ): Promise<ReceivedImage> {
    const random = randomBytes(16).toString('hex');
    const id = trusted.image(beside === undefined ? random : shelfOf(beside) + random.slice(SHELF_DIGITS));
    this.#fresh.set(id, company);
    let file: NewImage | undefined;
    try {
      if (this.#moving.has(company))
        throw new UnavailableError('The storage folder of the company is being changed.');
      // The first image of an upload finds the folder in place; each of them is checked once more when it is durable.
      const place = await (beside === undefined
        ? this.#folders.ready(company)
        : this.#folders.known(company));
      file = await place.create(id);
      const encryption = new ImageEncryption(id, content);
      let next = await encryption.next();
      while (!next.last) {
        await file.append(next.part);
        next = await encryption.next();
      }
      const { facts } = encryption;
      // Most photos come here without having waited for the disk.
      return { image: { id, format, ...facts }, durable: this.#keep(company, id, { file, rest: next.part }) };
    } catch (cause) {
      throw await this.#failed(id, file, cause);
    }
  }

  /** Writes the end of a file and waits until the disk has it and its name. */
  async #keep(
    company: CompanyId,
    id: ImageId,
    { file, rest }: { file: NewImage; rest: readonly Uint8Array[] },
  ): Promise<void> {
    try {
      await file.append(rest);
      await file.keep();
      // A disk that was unmounted in the meantime would hold the image under its mount point.
      await this.#checks.run(company);
    } catch (cause) {
      throw await this.#failed(id, file, cause);
    }
  }

  /** Removes what there is of an image that cannot be kept. @returns the error for the caller */
  async #failed(id: ImageId, file: NewImage | undefined, cause: unknown): Promise<unknown> {
    await file?.remove();
    this.#fresh.delete(id);
    return asUnavailable(cause);
  }

  async read(
    company: CompanyId,
    image: ImageId,
  ): Promise<{ content: Uint8Array; format: ImageFormat; original?: PictureOriginal } | undefined> {
    const row = await rowsWith(this.#db, 'image', { company_id: company, id: image })
      .select(['company_id', 'id', 'key', 'format', 'original'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const place = await this.#folders.ready(company);
    const file = await place.read(image);
    if (file === undefined) {
      // The disk may have been unmounted since: then the image is not missing.
      await this.#folders.ready(company);
      throw new ImageFileMissing(`The file of image ${image} is missing in ${place.location}.`);
    }
    try {
      const key = cellsOf(this.#db).opened('image', 'key', row);
      if (key === undefined) throw new ImageDamaged(`The key of image ${image} is damaged.`);
      const original = originalOf(this.#db, row);
      return { content: decrypt(file, image, key), format: row.format, ...(original && { original }) };
    } catch (error) {
      if (error instanceof ImageDamaged) await this.#damage.report(company, image);
      throw error;
    }
  }

  async discard(company: CompanyId, images: readonly ImageId[]): Promise<void> {
    if (images.length === 0) return;
    const place = await this.#folders.ready(company);
    await place.remove(images);
    this.settled(images);
  }

  /** The part of a bucket that holds the company's images; null: a folder does. */
  async bucketOf(company: CompanyId): Promise<string | null> {
    const { location } = await this.#folders.known(company);
    return isBucketLocation(location) ? location : null;
  }

  async freeBytes(company: CompanyId): Promise<number> {
    try {
      return await (await this.#folders.ready(company)).freeBytes();
    } catch (cause) {
      throw asUnavailable(cause);
    }
  }

  async moveTo(
    { id: company, name }: Parameters<MovableImages['moveTo']>[0],
    folder: string,
    act: AuditContext,
  ): Promise<string | undefined> {
    if (this.#moving.has(company)) return 'The storage folder of the company is being changed already.';
    this.#moving.add(company);
    try {
      if ([...this.#fresh.values()].includes(company))
        return 'Images are being stored at this moment. Try again, or pause first: vouch queue pause';
      const { problem } = await this.#folders.check(folder, company);
      if (problem !== null) return sentenceOf(problem);
      const present = await this.#folders.present(company);
      const next = this.#folders.place(folder);
      const lacking = present === null ? 0 : await this.#lacking(company, present, next);
      if (present !== null && lacking > 0)
        return `${lacking} images of the present folder are not in ${folder}. ${howToCopy(present, next, `vouch company update "${name}" --storage "${folder}"`)}`;
      await this.#companies.moveStorage(company, folder, act);
      return undefined;
    } finally {
      this.#moving.delete(company);
    }
  }

  /** How many of the company's images have a file in the one place and none in the other. */
  async #lacking(company: CompanyId, present: ImagePlace, next: ImagePlace): Promise<number> {
    let lacking = 0;
    for (const shelf of await present.shelves()) {
      const there = new Set(await next.imagesOn(shelf));
      const here = (await present.imagesOn(shelf)).filter((id) => !there.has(id));
      if (here.length === 0) continue;
      const known = await this.#onShelf(shelf, company);
      lacking += here.filter((id) => known.has(id)).length;
    }
    return lacking;
  }

  settled(images: readonly ImageId[]): void {
    for (const id of images) this.#fresh.delete(id);
  }

  /**
   * Removes the files that no row of any company refers to: what a crash left between writing a file and the
   * transaction, or between a transaction and erasing a file.
   * @param age only files that were last written at least this long ago, milliseconds
   * @returns how many were removed
   * @throws {UnavailableError} the folder is not in place: nothing was removed
   */
  async sweep(company: CompanyId, age: number): Promise<number> {
    const place = await this.#folders.ready(company);
    let removed = 0;
    for (const shelf of await place.shelves()) {
      const ids = await place.imagesOn(shelf);
      if (ids.length === 0) continue;
      const known = await this.#onShelf(shelf);
      for (const id of ids) {
        if (known.has(id) || this.#fresh.has(id)) continue;
        const writtenAt = await place.writtenAt(id);
        if (writtenAt === undefined || Date.now() - writtenAt < age) continue;
        await place.remove([id]);
        removed += 1;
      }
    }
    return removed;
  }

  /** The images on a shelf that rows refer to. @param company absent: rows of all companies */
  async #onShelf(shelf: string, company?: CompanyId): Promise<Set<ImageId>> {
    const rows = await this.#db
      .selectFrom('image')
      .select('id')
      .$if(company !== undefined, (some) => some.where('company_id', '=', company!))
      .where('id', '>=', trusted.image(shelf))
      .where('id', '<', trusted.image(`${shelf}g`))
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}

/** The columns of a new image. @param at when it was stored, milliseconds */
export function imageRow(
  db: Database,
  company: CompanyId,
  { id, key, bytes, sha256, format, original }: WrittenImage,
  at: number,
) {
  const place = { company_id: company, id };
  const cells = cellsOf(db);
  const cell = cells.seal('image', 'key', place, key);
  const digest = cells.searched('image', 'sha256', Buffer.from(sha256, 'hex'), place);
  const from =
    original === undefined
      ? null
      : cells.seal('image', 'original', place, Buffer.from(JSON.stringify(original)));
  return { ...place, key: cell, bytes, sha256: digest, format, original: from, created_at: at };
}

/** The file that a stored picture was made from. @throws {RowDamaged} it was changed without the key */
export function originalOf(
  db: Database,
  { company_id, id, original }: Pick<Selectable<Schema['image']>, 'company_id' | 'id' | 'original'>,
): PictureOriginal | null {
  if (original === null) return null;
  const cell = cellsOf(db).open('image', 'original', { company_id, id, original });
  return pictureOriginalSchema.parse(JSON.parse(Buffer.from(cell).toString()));
}

type DigestRow = Pick<Selectable<Schema['image']>, 'company_id' | 'sha256'>;

/** The digest of the file of an image, lowercase hex. @throws {RowDamaged} it was changed without the key */
export function digestOfImage(db: Database, row: DigestRow): string {
  return Buffer.from(cellsOf(db).found('image', 'sha256', row)).toString('hex');
}

/** As {@link digestOfImage} for what is only shown; null: it was changed without the key. */
export function shownDigest(db: Database, row: DigestRow): string | null {
  const digest = cellsOf(db).foundIf('image', 'sha256', row);
  return digest === undefined ? null : Buffer.from(digest).toString('hex');
}

/** @param attach the command that follows */
function howToCopy({ location }: ImagePlace, next: ImagePlace, attach: string): string {
  return [location, next.location].some(isBucketLocation)
    ? `Copy them from ${location} under the same names, with an S3 client. Then run: ${attach}`
    : `Copy them, then attach the folder: cp -a "${location}/." "${next.location}/" && ${attach}`;
}

function asUnavailable(cause: unknown): unknown {
  const code = systemCodeOf(cause);
  return code !== undefined && TRANSIENT.has(code)
    ? new UnavailableError(`The storage folder cannot be written (${code}).`, { cause })
    : cause;
}
