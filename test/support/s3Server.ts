/** A small S3 service in memory: what `ImageBucket` asks for, and the faults that a test wants. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

interface Stored {
  content: Buffer;
  modified: Date;
}

export interface TestBucket {
  /** By key. */
  objects: Map<string, Stored>;
  versioning: 'Enabled' | 'Suspended' | undefined;
  isLocked: boolean;
  /** A promise that every PUT waits for. */
  holds: Promise<void> | undefined;
  /** The status of every answer from now on; undefined: it works. */
  fails: number | undefined;
  /** The address of its images, as --images takes it. */
  address: (more?: string) => string;
}

/** Starts the service with one bucket. @param folder for the file of the credentials */
export async function startS3(t: TestContext, folder: string): Promise<TestBucket> {
  const credentials = join(folder, 's3-credentials');
  writeFileSync(credentials, 'aws_access_key_id = TEST\naws_secret_access_key = secret-of-the-test\n', {
    mode: 0o600,
  });
  const bucket: TestBucket = {
    objects: new Map(),
    versioning: undefined,
    isLocked: false,
    holds: undefined,
    fails: undefined,
    address: (more = '') =>
      `s3://photos/site?endpoint=http://127.0.0.1:${port}&region=test&credentials=${credentials}${more}`,
  };
  const server = createServer((request, response) => {
    answer(bucket, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return bucket;
}

async function answer(bucket: TestBucket, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
  const key = decodeURIComponent(pathname).replace(/^\/photos\/?/, '');
  const content = await buffer(request);
  const refuse = (status: number, code: string) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code></Error>`);
  if (bucket.fails !== undefined) return void refuse(bucket.fails, 'ServiceUnavailable');
  if (searchParams.has('versioning'))
    return void response.end(
      `<VersioningConfiguration>${bucket.versioning === undefined ? '' : `<Status>${bucket.versioning}</Status>`}</VersioningConfiguration>`,
    );
  if (searchParams.has('object-lock'))
    return void (bucket.isLocked
      ? response.end(
          '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
        )
      : refuse(404, 'ObjectLockConfigurationNotFoundError'));
  if (searchParams.has('list-type')) return void response.end(listing(bucket, searchParams));
  const stored = bucket.objects.get(key);
  switch (request.method) {
    case 'PUT':
      await bucket.holds;
      if (createHash('md5').update(content).digest('base64') !== request.headers['content-md5'])
        return void refuse(400, 'BadDigest');
      bucket.objects.set(key, { content, modified: new Date() });
      return void response.writeHead(200, { etag: etagOf(content) }).end();
    case 'DELETE':
      bucket.objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (stored === undefined) return void refuse(404, 'NoSuchKey');
      response.writeHead(200, {
        'content-length': stored.content.length,
        etag: etagOf(stored.content),
        'last-modified': stored.modified.toUTCString(),
      });
      response.end(request.method === 'HEAD' ? undefined : stored.content);
  }
}

/** Two entries a page, so that every longer listing has several. */
function listing({ objects }: TestBucket, wanted: URLSearchParams): string {
  const prefix = wanted.get('prefix') ?? '';
  const entries = new Set(
    [...objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const [name, ...rest] = key.slice(prefix.length).split('/');
        return rest.length === 0 ? key : `${prefix}${name}/`;
      }),
  );
  const after = wanted.get('continuation-token') ?? '';
  const [first, second, ...more] = [...entries].sort().filter((entry) => entry > after);
  const page = [first, second].filter((entry) => entry !== undefined);
  const items = page.map((entry) =>
    entry.endsWith('/')
      ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${entry}</Key></Contents>`,
  );
  const next = more.length === 0 ? '' : `<NextContinuationToken>${second}</NextContinuationToken>`;
  return `<ListBucketResult>${items.join('')}${next}<IsTruncated>${more.length > 0}</IsTruncated></ListBucketResult>`;
}

function etagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}
