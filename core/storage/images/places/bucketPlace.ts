import { createHash, randomUUID } from 'node:crypto';
import { trusted, type ImageId } from '../../../contracts/ids.ts';
import { CodedError } from '../../../contracts/errors/problem.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { MAX_FILE_BYTES } from '../imageFormat.ts';
import { imageNamed, imageNames, MARKER, type ImagePlace, type NewImage } from './imagePlace.ts';
import { MAX_REQUESTS, type ImageBucket } from './bucket.ts';

/** How long the marker's identity is kept: a bucket is not unmounted, so it need not be asked for each image. Milliseconds. */
const MARKER_KEPT_FOR = 10_000;

/** A marker has less than 100 bytes. */
const MAX_MARKER_BYTES = 1024;

/** Image files of one company in a bucket: the same names and the same bytes as in a folder. */
export class BucketPlace implements ImagePlace {
  readonly location: string;
  readonly #bucket: ImageBucket;
  readonly #folder: string;
  readonly #usedBytes: () => Promise<number>;
  #marker: { identity: string | undefined; until: number } | undefined;

  /**
   * @param folder the name of the company's part, below the prefix of the bucket
   * @param usedBytes the bytes of all images of the installation, which its quota limits
   */
  constructor(bucket: ImageBucket, folder: string, usedBytes: () => Promise<number>) {
    this.#bucket = bucket;
    this.#folder = folder;
    this.#usedBytes = usedBytes;
    this.location = `${bucket.address.location}/${folder}`;
  }

  async markerIdentity(): Promise<string | undefined> {
    if (this.#marker !== undefined && performance.now() < this.#marker.until) return this.#marker.identity;
    await this.#bucket.refuseVersions().catch((cause: unknown) => {
      throw cause instanceof CodedError ? new UnavailableError(cause.problem, { cause }) : cause;
    });
    const identity = (await this.#bucket.head(this.#key(MARKER)))?.etag;
    if (identity !== undefined) this.#marker = { identity, until: performance.now() + MARKER_KEPT_FOR };
    return identity;
  }

  async readMarker(): Promise<string | undefined> {
    return (await this.#bucket.get(this.#key(MARKER), MAX_MARKER_BYTES))?.toString('utf8');
  }

  async writeMarker(content: string): Promise<void> {
    await this.#bucket.put(this.#key(MARKER), partsOf([Buffer.from(content)]));
    this.#marker = undefined;
  }

  async prepare(): Promise<void> {
    await this.#bucket.refuseVersions();
    const probe = this.#key(`.vouch-${randomUUID()}`);
    await this.#bucket.put(probe, partsOf([]));
    await this.#bucket.remove(probe);
  }

  async create(id: ImageId): Promise<NewImage> {
    await this.#bucket.room();
    const key = this.#key(...imageNames(id));
    const parts: Uint8Array[] = [];
    let isSent = false;
    return {
      append: (part) => {
        parts.push(...part);
        return Promise.resolve();
      },
      keep: () => {
        isSent = true;
        return this.#bucket.put(key, partsOf(parts));
      },
      // A request that was cut off may have been carried out.
      remove: async () => {
        if (isSent) await this.#bucket.remove(key).catch(() => undefined);
      },
    };
  }

  /** Of an object that is larger than any image, only the beginning is read, which is damaged. */
  read(id: ImageId): Promise<Buffer | undefined> {
    return this.#bucket.get(this.#key(...imageNames(id)), MAX_FILE_BYTES);
  }

  async has(id: ImageId): Promise<boolean> {
    return (await this.writtenAt(id)) !== undefined;
  }

  /** Side by side, as many as the bucket takes at once. */
  async remove(ids: readonly ImageId[]): Promise<void> {
    for (let at = 0; at < ids.length; at += MAX_REQUESTS) {
      const some = ids.slice(at, at + MAX_REQUESTS);
      await Promise.all(some.map((id) => this.#bucket.remove(this.#key(...imageNames(id)))));
    }
  }

  async shelves(): Promise<string[]> {
    return (await this.#bucket.list(`${this.#key('images')}/`)).prefixes;
  }

  async imagesOn(shelf: string): Promise<ImageId[]> {
    const { objects } = await this.#bucket.list(`${this.#key('images', shelf)}/`);
    return objects.flatMap((name) => imageNamed(name) ?? []).map((id) => trusted.image(id));
  }

  async writtenAt(id: ImageId): Promise<number | undefined> {
    return (await this.#bucket.head(this.#key(...imageNames(id))))?.modified;
  }

  async freeBytes(): Promise<number> {
    return Math.max(0, this.#bucket.address.quota - (await this.#usedBytes()));
  }

  #key(...names: string[]): string {
    return [this.#folder, ...names].join('/');
  }
}

/** A content as a bucket takes it. */
export function partsOf(parts: readonly Uint8Array[]) {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return { parts, bytes, md5: hash.digest('base64') };
}
