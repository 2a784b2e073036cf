import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode, systemCodeOf } from '../../contracts/errors/systemCode.ts';
import { trusted, type CompanyId, type ImageId } from '../../contracts/ids.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import {
  ImageDamaged,
  type ImageFiles,
  type MovableImages,
  type WrittenImage,
} from '../../domain/ports/images.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { Database } from '../engine/database.ts';
import { syncFolder, writeAll } from '../engine/fsync.ts';
import type { ImageDamage } from './imageDamage.ts';
import { companyShelves, imagePath, imagesIn } from './imageShelves.ts';
import type { MarkedFolders } from './storageFolders.ts';

/**
 * Layout of an image file: magic, version; 12-byte nonce; AES-256-GCM ciphertext; 16-byte tag. The magic and the
 * image's id are authenticated with it, so that files cannot be swapped.
 */
const MAGIC = Buffer.from('VIMG\u0001', 'latin1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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

/** Encrypted image files under each company's storage folder; keys and names in the database. */
export class EncryptedImageFiles implements ImageFiles, MovableImages {
  readonly #db: Database;
  readonly #companies: Pick<Companies, 'moveStorage'>;
  readonly #folders: MarkedFolders;
  readonly #damage: Pick<ImageDamage, 'report'>;
  /** Written by this process and perhaps not yet referred to: the sweep leaves them alone. */
  readonly #fresh = new Map<ImageId, CompanyId>();
  /** Companies whose folder changes now: nothing is written for them. */
  readonly #moving = new Set<CompanyId>();

  constructor(
    db: Database,
    companies: Pick<Companies, 'moveStorage'>,
    folders: MarkedFolders,
    damage: Pick<ImageDamage, 'report'>,
  ) {
    this.#damage = damage;
    this.#db = db;
    this.#companies = companies;
    this.#folders = folders;
  }

  async write(
    company: CompanyId,
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenImage> {
    const id = trusted.image(randomBytes(16).toString('hex'));
    this.#fresh.set(id, company);
    let path: string | undefined;
    try {
      if (this.#moving.has(company))
        throw new UnavailableError('The storage folder of the company is being changed.');
      path = imagePath(await this.#folders.ready(company), id);
      const key = randomBytes(32);
      const handle = await createFile(path);
      try {
        const written = await encryptInto(handle, id, key, content);
        // A disk that was unmounted in the meantime would hold the image under its mount point.
        await this.#folders.ready(company);
        return { id, key, format, ...written };
      } finally {
        await handle.close();
        await syncFolder(dirname(path));
      }
    } catch (cause) {
      this.#fresh.delete(id);
      // In a folder that is gone no file remains; a later sweep removes a file that this cannot remove.
      if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
      throw asUnavailable(cause);
    }
  }

  async read(
    company: CompanyId,
    image: ImageId,
  ): Promise<{ content: Uint8Array; format: ImageFormat } | undefined> {
    const row = await this.#db
      .selectFrom('image')
      .select(['key', 'format'])
      .where('company_id', '=', company)
      .where('id', '=', image)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const folder = await this.#folders.ready(company);
    const file = await readFile(imagePath(folder, image)).catch(async (cause: unknown) => {
      // The disk may have been unmounted since: then the image is not missing.
      await this.#folders.ready(company);
      throw cause;
    });
    try {
      return { content: decrypt(file, image, row.key), format: row.format };
    } catch (error) {
      if (error instanceof ImageDamaged) await this.#damage.report(company, image);
      throw error;
    }
  }

  async discard(company: CompanyId, images: readonly ImageId[]): Promise<void> {
    if (images.length === 0) return;
    const folder = await this.#folders.ready(company);
    for (const id of images) {
      await rm(imagePath(folder, id), { force: true });
      this.#fresh.delete(id);
    }
  }

  async freeBytes(company: CompanyId): Promise<number> {
    try {
      const { bavail, bsize } = await statfs(await this.#folders.ready(company));
      return bavail * bsize;
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
      if (problem !== null) return problem;
      const present = await this.#folders.present(company);
      const lacking = present === null ? 0 : await this.#lacking(company, present, folder);
      if (lacking > 0)
        return `${lacking} images of the present folder are not in ${folder}. Copy them, then attach the folder: cp -a "${present}/." "${folder}/" && vouch company update "${name}" --storage "${folder}"`;
      await this.#companies.moveStorage(company, folder, act);
      return undefined;
    } finally {
      this.#moving.delete(company);
    }
  }

  /** How many of the company's images have a file in the one folder and none in the other. */
  async #lacking(company: CompanyId, present: string, next: string): Promise<number> {
    let lacking = 0;
    for (const shelf of await companyShelves(present)) {
      const there = new Set(await imagesIn(next, shelf));
      const here = (await imagesIn(present, shelf)).filter((id) => !there.has(id));
      if (here.length === 0) continue;
      const known = await this.#onShelf(shelf, company);
      lacking += here.filter((id) => known.has(id)).length;
    }
    return lacking;
  }

  /** The transaction that refers to these has committed (or never will): the sweep may judge them by their rows. */
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
    const folder = await this.#folders.ready(company);
    let removed = 0;
    for (const shelf of await companyShelves(folder)) {
      const ids = await imagesIn(folder, shelf);
      if (ids.length === 0) continue;
      const known = await this.#onShelf(shelf);
      for (const id of ids) {
        if (known.has(id) || this.#fresh.has(id)) continue;
        const path = imagePath(folder, id);
        if (Date.now() - (await stat(path)).mtimeMs < age) continue;
        await rm(path, { force: true });
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

/** Creates a file that its owner alone may read, and its shelf where it is the first on it; never the folder itself. */
async function createFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', 0o600);
  try {
    return await create();
  } catch (cause) {
    if (!hasSystemCode(cause, 'ENOENT')) throw cause;
    const shelf = dirname(path);
    for (const folder of [dirname(shelf), shelf])
      // A new folder's name is durable when the folder around it is.
      if (await makeFolder(folder)) await syncFolder(dirname(folder));
    return create();
  }
}

/** @returns false: it is there already */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (cause) {
    if (hasSystemCode(cause, 'EEXIST')) return false;
    throw cause;
  }
}

/** So much is gathered for one trip to the disk; most photos of a bulk enrolment are smaller than this. */
const WRITE_BYTES = 1 << 18;

async function encryptInto(
  handle: FileHandle,
  id: ImageId,
  key: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
  const hash = createHash('sha256');
  let bytes = 0;
  let waiting = [MAGIC, nonce];
  let waitingBytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    waiting.push(cipher.update(chunk));
    waitingBytes += chunk.length;
    if (waitingBytes < WRITE_BYTES) continue;
    await writeAll(handle, waiting);
    waiting = [];
    waitingBytes = 0;
  }
  await writeAll(handle, [...waiting, cipher.final(), cipher.getAuthTag()]);
  await handle.sync();
  return { bytes, sha256: hash.digest('hex') };
}

/** Whether the content of an image file is as it was written. */
export function isIntact(file: Buffer, id: ImageId, key: Uint8Array): boolean {
  try {
    decrypt(file, id, key);
    return true;
  } catch {
    return false;
  }
}

/** @throws {ImageDamaged} */
function decrypt(file: Buffer, id: ImageId, key: Uint8Array): Uint8Array {
  const start = MAGIC.length + NONCE_BYTES;
  if (file.length < start + TAG_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC))
    throw new ImageDamaged(`Image file ${id} is damaged.`);
  const decipher = createDecipheriv('aes-256-gcm', key, file.subarray(MAGIC.length, start));
  decipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
  decipher.setAuthTag(file.subarray(file.length - TAG_BYTES));
  const plain = decipher.update(file.subarray(start, file.length - TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new ImageDamaged(`Image file ${id} is damaged.`, { cause });
  }
  return plain;
}

function asUnavailable(cause: unknown): unknown {
  const code = systemCodeOf(cause);
  return code !== undefined && TRANSIENT.has(code)
    ? new UnavailableError(`The storage folder cannot be written (${code}).`, { cause })
    : cause;
}
