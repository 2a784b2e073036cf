import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { hasSystemCode, systemCodeOf } from '../../contracts/errors/systemCode.ts';
import type { StorageCheck } from '../../contracts/dashboard/session.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import type { StorageFolders } from '../../domain/ports/images.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { nextId } from '../engine/dialect.ts';
import { writeDurably } from '../engine/fsync.ts';
import type { Home } from '../engine/home.ts';
import { companyShelves, imagesIn } from './imageShelves.ts';
import { CachedLookup } from '../engine/cachedLookup.ts';
import { isNamedWithin, isWithin, overlap, placeOf } from './folderLocation.ts';

/** Binds a storage folder to an installation and a company. Images are written only where it is in place. */
export const MARKER = 'vouch-storage.json';
const marker = z.object({ installation: z.string(), company: z.number().int() });
type Marker = z.infer<typeof marker>;

/** The text of a refused folder by the system's error code. */
const CAUSES: Record<string, string> = {
  EACCES: 'The service may not write there: choose another folder, or give its account the right.',
  EPERM: 'The service may not write there: choose another folder, or give its account the right.',
  EROFS: 'That disk can only be read.',
  ENOSPC: 'That disk is full.',
  ENOTDIR: 'Part of that path is a file, not a folder.',
  EEXIST: 'There is a file of that name, not a folder.',
};

/** Folders of the operating system, in which no image belongs. */
const SYSTEM_FOLDERS: readonly string[] =
  process.platform === 'win32'
    ? ['SystemRoot', 'ProgramFiles', 'ProgramFiles(x86)'].flatMap((name) => process.env[name] ?? [])
    : process.platform === 'darwin'
      ? ['/System', '/Library', '/bin', '/sbin', '/usr', '/private/etc', '/dev']
      : ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr'];

/** A folder cannot be a company's storage folder; the message says why and what to do. */
export class StorageFolderRefused extends Error {
  override name = 'StorageFolderRefused';
}

/** Where a restored or new company's images are kept, relative to the storage folder of a home. */
export function defaultFolderName(company: number): string {
  return `company-${company}`;
}

/** The absolute folder of a stored path: that of a default place is relative, so a home can be moved as a whole. */
export function storedFolder(home: Pick<Home, 'storage'>, stored: string | null): string | null {
  return stored === null ? null : resolve(home.storage, stored);
}

export async function writeMarker(folder: string, content: Marker): Promise<void> {
  await writeDurably(join(folder, MARKER), `${JSON.stringify(content)}\n`);
}

/** The storage folders of all companies: which folder may be one, and whether it is in place. */
export class MarkedFolders implements StorageFolders {
  readonly #db: Database;
  readonly #home: Pick<Home, 'folder' | 'storage'>;
  readonly #known = new CachedLookup((company: CompanyId) => this.#read(company));
  /** Device, inode and time of change of the markers that were read and found right, by their path. */
  readonly #seen = new Map<string, string>();

  constructor(db: Database, home: Pick<Home, 'folder' | 'storage'>) {
    this.#db = db;
    this.#home = home;
  }

  async suggested(): Promise<string> {
    return this.#default(await nextCompany(this.#db));
  }

  async check(folder: string, company?: CompanyId): Promise<StorageCheck> {
    try {
      await this.#prepare(this.#db, company ?? (await nextCompany(this.#db)), folder);
      const { bavail, bsize } = await statfs(folder);
      return { writable: true, freeBytes: bavail * bsize, problem: null };
    } catch (cause) {
      if (cause instanceof StorageFolderRefused)
        return { writable: false, freeBytes: null, problem: cause.message };
      throw cause;
    }
  }

  async problem(company: CompanyId): Promise<string | undefined> {
    try {
      await this.ready(company);
      return undefined;
    } catch (cause) {
      if (cause instanceof UnavailableError) return cause.message;
      throw cause;
    }
  }

  /** The company's folder, in place or not. @throws {UnavailableError} it has none */
  async known(company: CompanyId): Promise<string> {
    return (await this.#knownOf(company)).folder;
  }

  /**
   * The company's folder, after its marker was found in place: one `stat` while the marker is the same file.
   * @throws {UnavailableError} the folder or its marker is missing, or belongs to another company or installation
   */
  async ready(company: CompanyId): Promise<string> {
    const { folder, installation, name } = await this.#knownOf(company);
    const file = join(folder, MARKER);
    const identity = await identityOf(file);
    if (identity !== undefined && this.#seen.get(file) === identity) return folder;
    this.#seen.delete(file);
    const found = identity === undefined ? undefined : await readMarker(folder);
    if (found === undefined)
      throw new UnavailableError(
        `The storage folder ${folder} is not in place: its marker file ${MARKER} is missing. Mount its disk. If the folder was moved, or the marker was lost, attach it: vouch company update "${name}" --storage FOLDER`,
      );
    if (found.installation !== installation || found.company !== company)
      throw new UnavailableError(
        `The folder ${folder} belongs to another company or another installation of Vouch. Mount the right disk, or attach the right folder: vouch company update "${name}" --storage FOLDER`,
      );
    if (identity !== undefined) this.#seen.set(file, identity);
    return folder;
  }

  async #knownOf(company: CompanyId): Promise<{ folder: string; installation: string; name: string }> {
    const known = await this.#known.get(company);
    if (known?.folder == null) throw new UnavailableError('Company storage is not configured');
    return { ...known, folder: known.folder };
  }

  /** The company's folder when it is in place. */
  async present(company: CompanyId): Promise<string | null> {
    return this.ready(company).catch((cause: unknown) => {
      if (cause instanceof UnavailableError) return null;
      throw cause;
    });
  }

  /**
   * Checks a folder and makes it the company's, inside the transaction that stores its path.
   * @param folder absent: the default place in the home
   * @returns the path to store
   * @throws {StorageFolderRefused} the folder cannot be used
   */
  async claim(trx: Transaction, company: CompanyId, folder = this.#default(company)): Promise<string> {
    const absolute = resolve(folder);
    const content = await this.#prepare(trx, company, folder);
    await writeMarker(absolute, content);
    return absolute === this.#default(company) ? defaultFolderName(company) : absolute;
  }

  /** The absolute folder of a stored path. */
  resolve(stored: string | null): string | null {
    return storedFolder(this.#home, stored);
  }

  /** The stored path of a company changed: called after the transaction committed. */
  forget(): void {
    this.#known.invalidate();
  }

  /** Makes the folder when it is missing, and refuses it when it cannot be the company's. @returns its marker */
  async #prepare(db: Database, company: CompanyId, folder: string): Promise<Marker> {
    if (!isAbsolute(folder) || folder.includes('\0'))
      throw new StorageFolderRefused('Give the folder with its whole path.');
    try {
      // Before the folder is made, and again after it: a name in other letters can be an existing folder.
      await this.#refuseForeign(db, company, folder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await this.#refuseForeign(db, company, folder);
      const probe = join(folder, `.vouch-${randomUUID()}`);
      await writeFile(probe, '', { flag: 'wx' });
      await rm(probe);
      const { installation } = await db
        .selectFrom('installation_settings')
        .select('installation_id as installation')
        .executeTakeFirstOrThrow();
      const content = { installation, company };
      await refuseMarkerOfOthers(db, folder, content);
      return content;
    } catch (cause) {
      if (cause instanceof StorageFolderRefused) throw cause;
      if (cause instanceof UnavailableError) throw new StorageFolderRefused(cause.message, { cause });
      const code = systemCodeOf(cause) ?? '';
      if (code === '') throw cause;
      throw new StorageFolderRefused(CAUSES[code] ?? `The folder cannot be used (${code}).`, { cause });
    }
  }

  async #refuseForeign(db: Database, company: CompanyId, folder: string): Promise<void> {
    const place = await placeOf(folder);
    for (const each of SYSTEM_FOLDERS)
      if (overlap(place, await placeOf(each)) || isNamedWithin(folder, each))
        throw new StorageFolderRefused(
          `The folder overlaps ${each}, which belongs to the operating system. Choose another folder.`,
        );
    const home = await placeOf(this.#home.folder);
    const own = await placeOf(this.#default(company));
    const inHome = overlap(place, home) && !(isWithin(place, own) && isWithin(own, place));
    if (inHome)
      throw new StorageFolderRefused(
        `The folder overlaps the home of Vouch (${this.#home.folder}). Choose a folder outside it, or this company's own place in it: ${this.#default(company)}`,
      );
    const others = await db
      .selectFrom('company')
      .select('storage_folder')
      .where('id', '!=', company)
      .where('storage_folder', 'is not', null)
      .execute();
    for (const { storage_folder } of others) {
      const other = this.resolve(storage_folder);
      if (other !== null && overlap(place, await placeOf(other)))
        throw new StorageFolderRefused(
          `The folder overlaps ${other}, the storage folder of another company. Choose another folder.`,
        );
    }
  }

  #default(company: number): string {
    return resolve(this.#home.storage, defaultFolderName(company));
  }

  async #read(
    company: CompanyId,
  ): Promise<{ folder: string | null; installation: string; name: string } | undefined> {
    const row = await this.#db
      .selectFrom('company')
      .innerJoin('installation_settings', (join) => join.onTrue())
      .select(['company.storage_folder', 'company.name', 'installation_settings.installation_id'])
      .where('company.id', '=', company)
      .executeTakeFirst();
    return (
      row && {
        folder: this.resolve(row.storage_folder),
        installation: row.installation_id,
        name: row.name,
      }
    );
  }
}

/** A folder with images and without a marker is the company's only when the company knows one of the images. */
async function refuseMarkerOfOthers(db: Database, folder: string, own: Marker): Promise<void> {
  const found = await readMarker(folder);
  if (found !== undefined) {
    if (found.installation === own.installation && found.company === own.company) return;
    throw new StorageFolderRefused(
      `The folder belongs to another company or another installation of Vouch (${MARKER}). Choose another folder.`,
    );
  }
  for (const shelf of await companyShelves(folder)) {
    const images = await imagesIn(folder, shelf);
    if (images.length === 0) continue;
    const known = await db
      .selectFrom('image')
      .select('id')
      .where('company_id', '=', trusted.company(own.company))
      .where('id', 'in', images.slice(0, 100))
      .limit(1)
      .execute();
    if (known.length > 0) return;
    throw new StorageFolderRefused(
      'The folder holds images that this company does not know. Choose another folder.',
    );
  }
}

async function readMarker(folder: string): Promise<Marker | undefined> {
  try {
    return marker.parse(JSON.parse(await readFile(join(folder, MARKER), 'utf8')));
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    if (cause instanceof SyntaxError || cause instanceof z.ZodError)
      throw new UnavailableError(
        `The marker file ${join(folder, MARKER)} is damaged. Remove it, then attach the folder again: vouch company update NAME --storage FOLDER`,
        { cause },
      );
    throw cause;
  }
}

/** Undefined when there is no such file. */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, ctimeNs } = await stat(file, { bigint: true });
    return `${dev}:${ino}:${ctimeNs}`;
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new UnavailableError(`The marker file ${file} cannot be read.`, { cause });
  }
}

async function nextCompany(db: Database): Promise<CompanyId> {
  return trusted.company(await nextId(db, 'company'));
}
