import { companyRow, installationRow } from '../engine/checkedRows.ts';
import { problem, CodedError, type Problem } from '../../contracts/errors/problem.ts';
import { systemProblem, systemCodeOf, hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { isAbsolute, resolve, basename, dirname, join, sep } from 'node:path';
import type { StorageCheck } from '../../contracts/dashboard/session.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { sharedStateOf, type Database, type Transaction } from '../engine/database.ts';
import { nextId } from '../engine/dialect.ts';
import type { Home } from '../engine/home.ts';
import { CachedLookup } from '../engine/cachedLookup.ts';
import { MARKER, type ImagePlace } from './places/imagePlace.ts';
import { defaultFolderName, isPlaceRefusal, type ImagePlaces } from './places/imagePlaces.ts';
import { isBucketLocation } from './places/bucketAddress.ts';
import { realpath, stat } from 'node:fs/promises';
import { z } from 'zod';
import { rowsWith } from '../engine/rows.ts';

// The marker of a place: which installation and which company its images belong to.

/** A folder cannot be a company's storage folder; the message says why and what to do. */
export class StorageFolderRefused extends CodedError {
  override name = 'StorageFolderRefused';
}

const marker = z.object({ installation: z.string(), company: z.number().int() });
type StorageMarker = z.infer<typeof marker>;

export async function writeMarker(place: ImagePlace, content: StorageMarker): Promise<void> {
  await place.writeMarker(`${JSON.stringify(content)}\n`);
}

/** @returns undefined: there is none @throws {UnavailableError} it is damaged */
async function readMarker(place: ImagePlace): Promise<StorageMarker | undefined> {
  const text = await place.readMarker();
  try {
    return text === undefined ? undefined : marker.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError)
      throw new UnavailableError(
        problem('STORAGE_MARKER_DAMAGED', { marker: MARKER, folder: place.location }),
        { cause },
      );
    throw cause;
  }
}

/**
 * A place with images and without a marker is the company's only when the company knows one of the images.
 * @throws {StorageFolderRefused} it belongs to another company or installation
 */
async function refuseMarkerOfOthers(db: Database, place: ImagePlace, own: StorageMarker): Promise<void> {
  const found = await readMarker(place);
  if (found !== undefined) {
    if (found.installation === own.installation && found.company === own.company) return;
    throw new StorageFolderRefused(problem('STORAGE_FOLDER_MARKED', { marker: MARKER }));
  }
  for (const shelf of await place.shelves()) {
    const images = await place.imagesOn(shelf);
    if (images.length === 0) continue;
    const known = await rowsWith(db, 'image', { company_id: trusted.company(own.company) })
      .select('id')
      .where('id', 'in', images.slice(0, 100))
      .limit(1)
      .execute();
    if (known.length > 0) return;
    throw new StorageFolderRefused(problem('STORAGE_FOLDER_FOREIGN_IMAGES'));
  }
}

/** A place in the file system, by every name under which it could be reached. */
interface Place {
  /** Links resolved as far as the path exists, then the rest. On systems that ignore case, in lower case. */
  path: string;
  /** Device and inode of each existing folder from the root down; the last is the place itself where it exists. */
  chain: readonly string[];
  exists: boolean;
}

/** Whether the file names of this system differ by case; the wrong guess only refuses more. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

async function placeOf(folder: string): Promise<Place> {
  const rest: string[] = [];
  let existing = resolve(folder);
  let real = await realpathIfThere(existing);
  while (real === undefined && dirname(existing) !== existing) {
    rest.unshift(basename(existing));
    existing = dirname(existing);
    real = await realpathIfThere(existing);
  }
  const root = real ?? existing;
  const path = join(root, ...rest).normalize('NFC');
  const chain: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    const { dev, ino } = await stat(at, { bigint: true });
    chain.unshift(`${dev}:${ino}`);
    if (dirname(at) === at) break;
  }
  return { path: IGNORES_CASE ? path.toLowerCase() : path, chain, exists: rest.length === 0 };
}

/** Whether one place is the other, lies in it, or contains it: by path, or by device and inode. */
function overlap(one: Place, other: Place): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

/** Whether a place is the other or lies in it. */
function isWithin(inner: Place, outer: Place): boolean {
  if (`${inner.path}${sep}`.startsWith(outer.path.endsWith(sep) ? outer.path : `${outer.path}${sep}`))
    return true;
  const identity = outer.chain.at(-1);
  return outer.exists && identity !== undefined && inner.chain.includes(identity);
}

/** Whether a path, its links not resolved, leads through a folder. */
function isNamedWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${folder}${sep}`);
}

async function realpathIfThere(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw cause;
  }
}

/** Folders of the operating system, in which no image belongs. */
const SYSTEM_FOLDERS: readonly string[] =
  process.platform === 'win32'
    ? ['SystemRoot', 'ProgramFiles', 'ProgramFiles(x86)'].flatMap((name) => process.env[name] ?? [])
    : process.platform === 'darwin'
      ? ['/System', '/Library', '/bin', '/sbin', '/usr', '/private/etc', '/dev']
      : ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr'];

interface KnownFolder {
  /** Null: the company has none. */
  location: string | null;
  installation: string;
  name: string;
}

/** The storage folders of all companies: which folder may be one, and whether it is in place. */
export class StorageFolders {
  readonly #db: Database;
  readonly #home: Pick<Home, 'folder'>;
  readonly #places: ImagePlaces;
  readonly #known: CachedLookup<CompanyId, KnownFolder>;
  /** The identities of the markers that were read and found right, by their location. */
  readonly #seen = new Map<string, string>();

  constructor(db: Database, home: Pick<Home, 'folder'>, places: ImagePlaces) {
    this.#db = db;
    this.#home = home;
    this.#places = places;
    this.#known = new CachedLookup((company) => this.#read(company), sharedStateOf(db));
  }

  /** The default place of the company that is created next. */
  async suggested(): Promise<string> {
    return this.#places.byDefault(await nextCompany(this.#db));
  }

  /**
   * Whether a folder can hold the images of a company; makes it when it is missing. A folder that overlaps another
   * company's, the home or a folder of the system is refused, and one that carries another marker.
   * @param company absent: the company that is created next
   */
  async check(folder: string, company?: CompanyId): Promise<StorageCheck> {
    try {
      await this.#prepare(this.#db, company ?? (await nextCompany(this.#db)), folder);
      return { writable: true, freeBytes: await this.place(folder).freeBytes(), problem: null };
    } catch (cause) {
      if (cause instanceof StorageFolderRefused)
        return { writable: false, freeBytes: null, problem: cause.problem };
      throw cause;
    }
  }

  /** Why the company's folder cannot be used now, with the remedy; undefined: it is in place. */
  async problem(company: CompanyId): Promise<Problem | undefined> {
    try {
      const place = await this.ready(company);
      await place.prepare();
      return undefined;
    } catch (cause) {
      if (isPlaceRefusal(cause)) return problemOf(cause);
      if (systemCodeOf(cause) === undefined) throw cause;
      return problem('STORAGE_FOLDER_AWAY', { cause: systemProblem(cause) });
    }
  }

  /** The company's place, usable or not. @throws {UnavailableError} it has none */
  async known(company: CompanyId): Promise<ImagePlace> {
    return (await this.#knownOf(company)).place;
  }

  /** The place of this location. @throws {UnavailableError} it is in a bucket that is not the installation's */
  place(location: string): ImagePlace {
    return this.#places.at(location);
  }

  /**
   * The company's place, after its marker was found: in a folder, one `stat` while the marker is the same file.
   * @throws {UnavailableError} the place or its marker is missing, or belongs to another company or installation
   */
  async ready(company: CompanyId): Promise<ImagePlace> {
    const { place, installation, name } = await this.#knownOf(company);
    const { location } = place;
    const identity = await place.markerIdentity();
    if (identity !== undefined && this.#seen.get(location) === identity) return place;
    this.#seen.delete(location);
    const found = identity === undefined ? undefined : await readMarker(place);
    if (found === undefined)
      throw new UnavailableError(
        problem('STORAGE_FOLDER_ABSENT', { folder: location, marker: MARKER, company: name }),
      );
    if (found.installation !== installation || found.company !== company)
      throw new UnavailableError(problem('STORAGE_FOLDER_EXCHANGED', { folder: location, company: name }));
    if (identity !== undefined) this.#seen.set(location, identity);
    return place;
  }

  async #knownOf(company: CompanyId): Promise<{ place: ImagePlace; installation: string; name: string }> {
    const known = await this.#known.get(company);
    if (known?.location == null) throw new UnavailableError(problem('STORAGE_NOT_CONFIGURED'));
    return { ...known, place: this.place(known.location) };
  }

  /** The company's place when it can be used. */
  async present(company: CompanyId): Promise<ImagePlace | null> {
    return this.ready(company).catch((cause: unknown) => {
      if (cause instanceof UnavailableError) return null;
      throw cause;
    });
  }

  /**
   * Checks a folder and makes it the company's, inside the transaction that stores its path.
   * @param folder absent: the default place of the company
   * @returns the path to store
   * @throws {StorageFolderRefused} the folder cannot be used
   */
  async claim(
    trx: Transaction,
    company: CompanyId,
    folder = this.#places.byDefault(company),
  ): Promise<string> {
    const content = await this.#prepare(trx, company, folder);
    const location = locationNamed(folder);
    await writeMarker(this.place(location), content);
    return location === this.#places.byDefault(company) ? defaultFolderName(company) : location;
  }

  /** The location of a stored path. */
  resolve(stored: string | null): string | null {
    return stored === null ? null : this.#places.locationOf(stored);
  }

  /** The stored path of a company changed: called after the transaction committed. */
  forget(): void {
    this.#known.invalidate();
  }

  /** Makes the folder when it is missing, and refuses it when it cannot be the company's. @returns its marker */
  async #prepare(db: Database, company: CompanyId, folder: string): Promise<StorageMarker> {
    try {
      if (isBucketLocation(folder)) this.#refuseOtherBucket(company, folder);
      else if (!isAbsolute(folder) || folder.includes('\0'))
        throw new StorageFolderRefused(problem('STORAGE_FOLDER_RELATIVE'));
      const place = this.place(locationNamed(folder));
      // Before the folder is made, and again after it: a name in other letters can be an existing folder.
      await this.#refuseForeign(db, company, folder);
      await place.prepare();
      await this.#refuseForeign(db, company, folder);
      const { installation_id: installation } = await installationRow(db);
      const content = { installation, company };
      await refuseMarkerOfOthers(db, place, content);
      return content;
    } catch (cause) {
      if (cause instanceof StorageFolderRefused) throw cause;
      if (isPlaceRefusal(cause)) throw new StorageFolderRefused(problemOf(cause), { cause });
      if (systemCodeOf(cause) === undefined) throw cause;
      throw new StorageFolderRefused(problem('STORAGE_FOLDER_UNUSABLE', { cause: systemProblem(cause) }), {
        cause,
      });
    }
  }

  /** Two companies never share a place, because the one place in the bucket that a company may have bears its number. */
  #refuseOtherBucket(company: CompanyId, location: string): void {
    const own = this.#places.byDefault(company);
    if (location !== own)
      throw new StorageFolderRefused(
        isBucketLocation(own)
          ? problem('STORAGE_FOLDER_OTHER_PLACE', { own })
          : problem('STORAGE_FOLDER_NO_STORE'),
      );
  }

  async #refuseForeign(db: Database, company: CompanyId, folder: string): Promise<void> {
    if (isBucketLocation(folder)) return;
    const place = await placeOf(folder);
    for (const each of SYSTEM_FOLDERS)
      if (overlap(place, await placeOf(each)) || isNamedWithin(folder, each))
        throw new StorageFolderRefused(problem('STORAGE_FOLDER_OF_SYSTEM', { folder: each }));
    const ownLocation = this.#places.byDefault(company);
    const isOwn = await isSamePlace(place, ownLocation);
    for (const [code, each] of [
      ['STORAGE_FOLDER_OF_HOME', this.#home.folder],
      ['STORAGE_FOLDER_OF_IMAGES', this.#places.folder],
    ] as const)
      if (!isOwn && each !== undefined && overlap(place, await placeOf(each)))
        throw new StorageFolderRefused(problem(code, { folder: each, own: ownLocation }));
    const others = await db
      .selectFrom('company')
      .select('storage_folder')
      .where('id', '!=', company)
      .where('storage_folder', 'is not', null)
      .execute();
    for (const { storage_folder } of others) {
      const other = this.resolve(storage_folder);
      if (other !== null && !isBucketLocation(other) && overlap(place, await placeOf(other)))
        throw new StorageFolderRefused(problem('STORAGE_FOLDER_OF_COMPANY', { folder: other }));
    }
  }

  async #read(company: CompanyId): Promise<KnownFolder | undefined> {
    const row = await companyRow(this.#db, company);
    const { installation_id } = await installationRow(this.#db);
    return (
      row && {
        location: this.resolve(row.storage_folder),
        installation: installation_id,
        name: row.name,
      }
    );
  }
}

/** A location as it is compared and stored: a folder's path without detours. */
function locationNamed(folder: string): string {
  return isBucketLocation(folder) ? folder : resolve(folder);
}

async function isSamePlace(place: Place, location: string): Promise<boolean> {
  if (isBucketLocation(location)) return false;
  const other = await placeOf(location);
  return isWithin(place, other) && isWithin(other, place);
}

async function nextCompany(db: Database): Promise<CompanyId> {
  return trusted.company(await nextId(db, 'company'));
}

/** As a code, where the cause has one. */
function problemOf(cause: UnavailableError | CodedError): Problem {
  return cause.problem ?? problem('STORAGE_FOLDER_AWAY', { cause: systemProblem(cause.cause) });
}
