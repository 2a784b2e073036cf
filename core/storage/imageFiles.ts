import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CompanyId, ImageId } from '../contracts/ids.ts';
import type { ImageFormat } from '../contracts/faces.ts';
import type { Companies } from '../domain/ports/companies.ts';
import type { ImageFiles, WrittenImage } from '../domain/ports/images.ts';
import { UnavailableError } from '../domain/ports/machine.ts';
import type { Database } from './database.ts';
import { syncFolder, writeAll } from './durable.ts';

/**
 * Layout of an image file: magic, version; 12-byte nonce; AES-256-GCM ciphertext; 16-byte tag. The magic and the
 * image's id are authenticated with it, so that files cannot be swapped.
 */
const MAGIC = Buffer.from('VIMG\u0001', 'latin1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SUFFIX = '.vimg';

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
export class EncryptedImageFiles implements ImageFiles {
  readonly #db: Database;
  readonly #companies: Pick<Companies, 'find'>;
  /** Written by this process and perhaps not yet referred to: the sweep leaves them alone. */
  readonly #fresh = new Set<ImageId>();

  constructor(db: Database, companies: Pick<Companies, 'find'>) {
    this.#db = db;
    this.#companies = companies;
  }

  async write(
    company: CompanyId,
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenImage> {
    const id = randomBytes(16).toString('hex') as ImageId;
    const path = imagePath(await this.#folder(company), id);
    const key = randomBytes(32);
    this.#fresh.add(id);
    try {
      const handle = await createFile(path);
      try {
        const written = await encryptInto(handle, id, key, content);
        return { id, key, format, ...written };
      } finally {
        await handle.close();
        await syncFolder(dirname(path));
      }
    } catch (cause) {
      this.#fresh.delete(id);
      // Where the folder itself is gone there is nothing to remove; what stays after all, the next sweep takes.
      await rm(path, { force: true }).catch(() => undefined);
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
    const file = await readFile(imagePath(await this.#folder(company), image));
    return { content: decrypt(file, image, row.key), format: row.format };
  }

  async discard(company: CompanyId, images: readonly ImageId[]): Promise<void> {
    if (images.length === 0) return;
    const folder = await this.#folder(company);
    for (const id of images) {
      await rm(imagePath(folder, id), { force: true });
      this.#fresh.delete(id);
    }
  }

  async freeBytes(company: CompanyId): Promise<number> {
    const folder = await this.#folder(company);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch (cause) {
      throw asUnavailable(cause);
    }
  }

  /** The transaction that refers to these has committed (or never will): the sweep may judge them by their rows. */
  settled(images: readonly ImageId[]): void {
    for (const id of images) this.#fresh.delete(id);
  }

  /**
   * Removes the files that no row refers to: what a crash left between writing a file and the transaction, or between
   * a transaction and erasing a file.
   * @returns how many were removed
   */
  async sweep(company: CompanyId): Promise<number> {
    const root = join(await this.#folder(company), 'images');
    let removed = 0;
    for (const shelf of await foldersIn(root)) {
      const ids = (await readdir(join(root, shelf)))
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length) as ImageId)
        .filter((id) => !this.#fresh.has(id));
      if (ids.length === 0) continue;
      const known = await this.#db
        .selectFrom('image')
        .select('id')
        .where('company_id', '=', company)
        .where('id', '>=', shelf as ImageId)
        .where('id', '<', `${shelf}g` as ImageId)
        .execute();
      const referred = new Set(known.map((row) => row.id));
      const orphans = ids.filter((id) => !referred.has(id) && !this.#fresh.has(id));
      for (const id of orphans) await rm(join(root, shelf, id + SUFFIX), { force: true });
      removed += orphans.length;
    }
    return removed;
  }

  async #folder(company: CompanyId): Promise<string> {
    const folder = (await this.#companies.find(company))?.storageFolder;
    if (folder == null) throw new UnavailableError('Company storage is not configured');
    return folder;
  }
}

/** 256 shelves by the first two digits, so that no folder holds a million names. */
export function imagePath(storageFolder: string, id: ImageId): string {
  return join(storageFolder, 'images', id.slice(0, 2), id + SUFFIX);
}

/** Creates a file that nobody else may read, and its folder where it is the first in it. */
async function createFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', 0o600);
  try {
    return await create();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const first = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A new folder's name is durable when the folder around it is.
    if (first !== undefined)
      for (const folder of new Set([dirname(first), dirname(dirname(path))])) await syncFolder(folder);
    return create();
  }
}

/** So much is gathered for one trip to the disk; most photos of a mass enrolment are smaller than this. */
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

/** @throws when the file is not what was written: cut, changed, or another image's. */
function decrypt(file: Buffer, id: ImageId, key: Uint8Array): Uint8Array {
  const start = MAGIC.length + NONCE_BYTES;
  if (file.length < start + TAG_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error(`Image file ${id} is damaged.`);
  const decipher = createDecipheriv('aes-256-gcm', key, file.subarray(MAGIC.length, start));
  decipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
  decipher.setAuthTag(file.subarray(file.length - TAG_BYTES));
  const plain = decipher.update(file.subarray(start, file.length - TAG_BYTES));
  decipher.final();
  return plain;
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function asUnavailable(cause: unknown): unknown {
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) return cause;
  return TRANSIENT.has(cause.code)
    ? new UnavailableError(`The storage folder cannot be written (${cause.code}).`, { cause })
    : cause;
}
