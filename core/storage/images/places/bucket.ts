/** The requests that Vouch sends to an S3 service. */
import { Agent as HttpsAgent } from 'node:https';
import { pipeline, Readable, Transform } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { systemCodeOf } from '../../../contracts/errors/systemProblem.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { Agent } from '../../../platform/nodeHttp.ts';
import { readCredentials, type BucketAddress, type BucketCredentials } from './bucketAddress.ts';

/** Requests that are sent at once; more wait. */
export const MAX_REQUESTS = 32;
/** Contents that wait in memory to be sent, or are being sent; the next one is not read before. */
const MAX_PUTS = 64;
/** How long the answer is kept that the bucket keeps no old versions; milliseconds. */
const CHECKED_FOR = 5 * 60_000;

/** The library reads an answer whole, unless it is an object: a page of a listing has at most 1,000 names of 1 KiB each. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
/** Names that one listing may have, far above the images of a shelf. */
const MAX_NAMES = 500_000;
/** No name of Vouch is longer or has other characters. */
const NAME = /^[!-~]{1,100}$/;

/** A content whose parts are sent one after the other, without a copy of the whole. */
export interface Sealed {
  parts: readonly Uint8Array[];
  bytes: number;
  /** Base64; the service refuses what was damaged on the way. */
  md5: string;
}

/** One bucket. Its library is loaded with the first request. */
export class ImageBucket {
  readonly address: BucketAddress;
  readonly #credentials: BucketCredentials;
  #opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #checkedAt = -Infinity;
  readonly #puts = new Set<Promise<unknown>>();

  /** @throws {CodedError} there are no credentials */
  constructor(address: BucketAddress) {
    this.address = address;
    this.#credentials = readCredentials(address);
  }

  /** Resolves once fewer contents wait to be sent than may be held in memory. */
  async room(): Promise<void> {
    while (this.#puts.size >= MAX_PUTS) await Promise.race(this.#puts);
  }

  async put(key: string, content: Sealed): Promise<void> {
    const sending = this.#put(key, content);
    const ended = sending
      .catch(() => undefined)
      .finally(() => {
        this.#puts.delete(ended);
      });
    this.#puts.add(ended);
    await sending;
  }

  async #put(key: string, { parts, bytes, md5 }: Sealed): Promise<void> {
    const { Bucket, Key } = this.#at(key);
    const abortSignal = AbortSignal.timeout(this.address.timeout);
    const put = () =>
      this.#send(({ PutObjectCommand }, client) =>
        client.send(
          new PutObjectCommand({
            Bucket,
            Key,
            ContentLength: bytes,
            ContentMD5: md5,
            Body: Readable.from(parts, { objectMode: false }),
          }),
          { abortSignal },
        ),
      );
    // A stream that was sent in part cannot be sent again by the library: a second try makes its own.
    await put().catch(async (cause: unknown) => {
      if (!(cause instanceof UnavailableError) || abortSignal.aborted) throw cause;
      await put();
    });
  }

  /** @param most bytes: of a larger object, the rest is not read @returns undefined: there is no such object */
  get(key: string, most: number): Promise<Buffer | undefined> {
    return this.#send(async ({ GetObjectCommand }, client, options) => {
      const { Body } = await client.send(new GetObjectCommand(this.#at(key)), options);
      if (!(Body instanceof Readable)) throw new TypeError('The body of an object is no stream.');
      return atMost(Body, most);
    }, isNoSuchKey);
  }

  /** @returns undefined: there is no such object */
  head(key: string): Promise<{ etag: string; modified: number } | undefined> {
    return this.#send(async ({ HeadObjectCommand }, client, options) => {
      const { ETag, LastModified } = await client.send(new HeadObjectCommand(this.#at(key)), options);
      return { etag: ETag ?? '', modified: LastModified?.getTime() ?? Date.now() };
    }, isNoSuchKey);
  }

  async remove(key: string): Promise<void> {
    await this.#send(
      ({ DeleteObjectCommand }, client, options) =>
        client.send(new DeleteObjectCommand(this.#at(key)), options),
      isNoSuchKey,
    );
  }

  /**
   * The names that follow a prefix, up to the next slash: of objects, or of prefixes without their slash. Names that Vouch
   * gives to no object are left out.
   * @throws {UnavailableError} also when the service breaks its rules: a page that does not continue the one before it, or too many names
   */
  async list(prefix: string): Promise<{ objects: string[]; prefixes: string[] }> {
    const found = { objects: [] as string[], prefixes: [] as string[] };
    const { Bucket, Key: Prefix } = this.#at(prefix);
    let ContinuationToken: string | undefined;
    let last = '';
    let count = 0;
    do {
      const page = await this.#send(({ ListObjectsV2Command }, client, options) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix, Delimiter: '/', ContinuationToken }), options),
      );
      const objects = (page?.Contents ?? []).map(({ Key = '' }) => Key.slice(Prefix.length));
      const prefixes = (page?.CommonPrefixes ?? []).map(({ Prefix: more = '' }) =>
        more.slice(Prefix.length, -1),
      );
      ContinuationToken = page?.NextContinuationToken;
      count += objects.length + prefixes.length;
      const own = { objects: objects.filter(isName), prefixes: prefixes.filter(isName) };
      const names = [...own.objects, ...own.prefixes].sort();
      const isEmpty = objects.length + prefixes.length === 0 && ContinuationToken !== undefined;
      if (isEmpty || (names[0] !== undefined && names[0] <= last)) throw this.#failed('ListDoesNotContinue');
      if (count > MAX_NAMES) throw this.#failed('ListTooLong');
      last = names.at(-1) ?? last;
      found.objects.push(...own.objects);
      found.prefixes.push(...own.prefixes);
    } while (ContinuationToken !== undefined);
    return found;
  }

  /**
   * Refuses a bucket that keeps what is deleted: an erased photo would stay in it. Asks again every five minutes.
   * @throws {CodedError} versioning is or was enabled, or objects can be locked. @throws {UnavailableError} it cannot be asked
   */
  async refuseVersions(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECKED_FOR) return;
    const { bucket: Bucket, location } = this.address;
    const versions = await this.#send(({ GetBucketVersioningCommand }, client, options) =>
      client.send(new GetBucketVersioningCommand({ Bucket }), options),
    );
    const locks = await this.#send(
      ({ GetObjectLockConfigurationCommand }, client, options) =>
        client.send(new GetObjectLockConfigurationCommand({ Bucket }), options),
      (name) => name === 'ObjectLockConfigurationNotFoundError' || name === 'NotImplemented',
    );
    if (versions?.Status !== undefined || locks?.ObjectLockConfiguration?.ObjectLockEnabled !== undefined)
      throw new CodedError(problem('IMAGES_BUCKET_KEEPS', { location }));
    this.#checkedAt = performance.now();
  }

  async close(): Promise<void> {
    (await this.#opened)?.client.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  #failed(code: string, cause?: unknown): UnavailableError {
    return new UnavailableError(problem('IMAGES_STORE_FAILED', { location: this.address.location, code }), {
      cause,
    });
  }

  /** @param isAbsent whether an error, by its name, means that there is nothing */
  async #send<T>(
    work: (sdk: typeof Sdk, client: Sdk.S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    isAbsent: (name: string) => boolean = () => false,
  ): Promise<T | undefined> {
    // The time spent waiting for a turn counts.
    const abortSignal = AbortSignal.timeout(this.address.timeout);
    this.#opened ??= open(this.address, this.#credentials);
    const { sdk, client } = await this.#opened;
    if (this.#running >= MAX_REQUESTS)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    else this.#running += 1;
    try {
      return await work(sdk, client, { abortSignal });
    } catch (cause) {
      const name = cause instanceof Error ? cause.name : 'Error';
      if (isAbsent(name)) return undefined;
      throw this.#failed(systemCodeOf(cause) ?? name, cause);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

const ignore = () => undefined;
/** The library would write to the console the errors that its caller receives too. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens the client with everything given, so that it looks for nothing: no profile, no metadata service, no redirect. */
async function open(
  { endpoint, region, timeout }: BucketAddress,
  credentials: BucketCredentials,
): Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    credentials,
    forcePathStyle: endpoint !== undefined,
    defaultsMode: 'standard',
    maxAttempts: 2,
    followRegionRedirects: false,
    disableS3ExpressSessionAuth: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    requestHandler: {
      connectionTimeout: Math.min(timeout, 5000),
      httpAgent: new Agent({ keepAlive: true, maxSockets: MAX_REQUESTS }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: MAX_REQUESTS, rejectUnauthorized: true }),
    },
  });
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const result = await next(request);
      const { response } = result;
      if (isAnswer(response) && (context.commandName !== 'GetObjectCommand' || response.statusCode >= 300))
        response.body = bounded(response.body);
      return result;
    },
    { name: 'boundedAnswers', step: 'deserialize', priority: 'low' },
  );
  return { sdk, client };
}

function isName(name: string): boolean {
  return NAME.test(name);
}

interface Answer {
  statusCode: number;
  body: Readable;
}

function isAnswer(response: unknown): response is Answer {
  return (
    typeof response === 'object' &&
    response !== null &&
    'statusCode' in response &&
    'body' in response &&
    response.body instanceof Readable
  );
}

/** Ends with an error, and the connection with it, where the body is longer than any answer. */
function bounded(body: Readable): Readable {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MAX_ANSWER_BYTES ? new RangeError('The S3 service answers without end.') : null, chunk);
    },
  });
  pipeline(body, limit, () => undefined);
  return limit;
}

/** Leaving the loop ends the connection, so that an answer without an end occupies none. */
async function atMost(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks, Math.min(bytes, most));
}

function isNoSuchKey(name: string): boolean {
  return name === 'NoSuchKey' || name === 'NotFound';
}
