/** Which place a company's images are in, by the location that its row holds. */
import { isAbsolute, resolve } from 'node:path';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import type { Database } from '../../engine/database.ts';
import { isBucketLocation, parseBucketAddress } from './bucketAddress.ts';
import { ImageBucket } from './bucket.ts';
import { BucketPlace, partsOf } from './bucketPlace.ts';
import { FolderPlace } from './folderPlace.ts';
import type { ImagePlace } from './imagePlace.ts';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { ifMissing, writeDurably } from '../../engine/fsync.ts';
import type { Home } from '../../engine/home.ts';

/** How long the sum of all image bytes is kept, milliseconds: it is compared with a quota, not with a disk. */
const USED_KEPT_FOR = 60_000;

/** Where a restored or new company's images are kept, relative to the storage of the installation. */
export function defaultFolderName(company: number): string {
  return `company-${company}`;
}

/** At least 300,000 single erasures among a million faces: each leaves 0.4 to 0.8 KB of keys around those that it destroys. */
const MAX_KEYS_BYTES = 2 ** 28;

/** All places of an installation. Each is opened once. */
export class ImagePlaces {
  readonly #db: Database;
  readonly #root: string;
  readonly #bucket: ImageBucket | undefined;
  readonly #open = new Map<string, ImagePlace>();
  #used: { bytes: Promise<number>; until: number } | undefined;

  /** @param images the folder or the S3 address in which companies have their default places */
  constructor(db: Database, images: string) {
    this.#db = db;
    this.#bucket = isBucketLocation(images) ? new ImageBucket(parseBucketAddress(images)) : undefined;
    this.#root = this.#bucket?.address.location ?? images;
  }

  /**
   * Refuses a bucket that keeps what is deleted. One that does not answer now is no reason not to start.
   * @throws {CodedError} the bucket or its credentials cannot be used
   */
  async check(): Promise<void> {
    await this.#bucket?.refuseVersions().catch((cause: unknown) => {
      if (!(cause instanceof UnavailableError)) throw cause;
    });
  }

  /** The folder that holds the default places; undefined: a bucket does. */
  get folder(): string | undefined {
    return this.#bucket === undefined ? this.#root : undefined;
  }

  /** The location of the default place of a company. */
  byDefault(company: number): string {
    return this.locationOf(defaultFolderName(company));
  }

  /** The location of a stored path: that of a default place is relative, so that the storage can be moved as a whole. */
  locationOf(stored: string): string {
    if (isBucketLocation(stored) || isAbsolute(stored)) return stored;
    return this.#bucket === undefined ? resolve(this.#root, stored) : `${this.#root}/${stored}`;
  }

  /** @throws {UnavailableError} the location is in a bucket that is not the installation's */
  at(location: string): ImagePlace {
    const known = this.#open.get(location);
    if (known !== undefined) return known;
    const place = this.#make(location);
    this.#open.set(location, place);
    return place;
  }

  /** @param name of a file of erasable keys, beside the places of the companies @returns undefined: there is none */
  readKeys(name: string): Promise<Uint8Array | undefined> {
    return this.#bucket === undefined
      ? readFile(this.locationOf(name)).catch(ifMissing)
      : this.#bucket.get(name, MAX_KEYS_BYTES);
  }

  /**
   * Replaces such a file as a whole. Resolves when it survives a power cut.
   * @throws {CodedError} it is larger than what is read
   */
  async writeKeys(name: string, content: Uint8Array): Promise<void> {
    if (content.length > MAX_KEYS_BYTES)
      throw new CodedError(problem('KEYS_FULL', { location: this.locationOf(name) }));
    if (this.#bucket !== undefined) return this.#bucket.put(name, partsOf([content]));
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await writeDurably(this.locationOf(name), content);
  }

  close(): Promise<void> {
    return this.#bucket?.close() ?? Promise.resolve();
  }

  #make(location: string): ImagePlace {
    if (!isBucketLocation(location)) return new FolderPlace(location);
    if (this.#bucket === undefined || !location.startsWith(`${this.#root}/`))
      throw new UnavailableError(problem('IMAGES_ELSEWHERE', { location }));
    return new BucketPlace(this.#bucket, location.slice(this.#root.length + 1), () => this.#usedBytes());
  }

  #usedBytes(): Promise<number> {
    if (this.#used === undefined || performance.now() > this.#used.until)
      this.#used = {
        bytes: sumOfImages(this.#db).catch((cause: unknown) => {
          this.#used = undefined;
          throw cause;
        }),
        until: performance.now() + USED_KEPT_FOR,
      };
    return this.#used.bytes;
  }
}

/** Whether an error says that a place cannot be used, and why. */
export function isPlaceRefusal(cause: unknown): cause is UnavailableError | CodedError {
  return cause instanceof UnavailableError || cause instanceof CodedError;
}

async function sumOfImages(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('image')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

// Where the images of an installation are. The home keeps it, so that every command finds the same images.

/** @returns the whole path of a folder, or an address as `parseBucketAddress` takes it; undefined: the home has them */
export function keptImages({ imagesAddress }: Pick<Home, 'imagesAddress'>): string | undefined {
  return existsSync(imagesAddress) ? readFileSync(imagesAddress, 'utf8').trim() : undefined;
}

/**
 * Keeps where the images of an installation are. A wrong place does no harm: it lacks the markers of the companies.
 * @throws {CodedError} it is neither a whole path nor an S3 address
 */
export async function keepImages(home: Pick<Home, 'imagesAddress'>, images: string): Promise<void> {
  if (isBucketLocation(images)) parseBucketAddress(images);
  else if (!isAbsolute(images))
    throw new CodedError(problem('IMAGES_ADDRESS', { why: 'a folder must be given with its whole path' }));
  if (keptImages(home) !== images) await writeDurably(home.imagesAddress, `${images}\n`);
}
