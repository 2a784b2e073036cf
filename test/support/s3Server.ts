/**
 * An S3 service for a test: a small one in memory with what `ImageBucket` asks for, or, under `npm run test:ceph`, the gateway
 * of Ceph behind a relay. Both show the faults that a test wants.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import {
  CreateBucketCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ACCOUNT, type CephGateway } from './cephGateway.ts';

type Gateway = Pick<CephGateway, 'endpoint' | 'admin'>;
/** Undefined: the tests run on the service in memory. */
const GATEWAY =
  process.env.VOUCH_TEST_CEPH === undefined
    ? undefined
    : (JSON.parse(process.env.VOUCH_TEST_CEPH) as Gateway);
const BUCKET = 'photos';
/** How many objects a full bucket holds: the marker of a company. */
const FULL = 1;

/** The bucket itself, and how one request to it is answered. */
interface Service {
  /** Hosts that this process asks because of the relay. */
  hosts: string[];
  keys(): Promise<string[]>;
  read(key: string): Promise<Buffer>;
  write(key: string, content: Buffer): Promise<void>;
  setVersioning(status: 'Enabled' | 'Suspended'): Promise<void>;
  /** Makes the bucket anew, with locks for its objects. */
  lock(): Promise<void>;
  /** Lets it take no more objects. */
  fill(): Promise<void>;
  answer: (request: IncomingMessage, content: Buffer, response: ServerResponse) => Promise<void>;
}

export interface TestBucket extends Omit<Service, 'answer'> {
  /** How much earlier an object was written than it was, by key; milliseconds. */
  ages: Map<string, number>;
  /** A promise that every PUT waits for. */
  holds: Promise<void> | undefined;
  /** The status of every answer from now on; undefined: it works. */
  fails: number | undefined;
  /** Answers each GET of an image itself; undefined: the object is the answer. */
  gives: ((response: ServerResponse) => void) | undefined;
  /** Answers each other request itself; undefined: the service does. */
  answers: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The address of its images, as --images takes it. */
  address: (more?: string) => string;
}

/** Writes the file of the credentials. @returns its path */
export function writeCredentials(folder: string, { accessKeyId, secretAccessKey } = ACCOUNT): string {
  const file = join(folder, 's3-credentials');
  writeFileSync(file, `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`, {
    mode: 0o600,
  });
  return file;
}

/** Starts the service with one bucket, which is empty. @param folder for the file of the credentials */
export async function startS3(t: TestContext, folder: string): Promise<TestBucket> {
  const credentials = writeCredentials(folder);
  const { answer, ...service } = GATEWAY === undefined ? inMemory() : await relayed(t, GATEWAY);
  const bucket: TestBucket = {
    ...service,
    ages: new Map(),
    holds: undefined,
    fails: undefined,
    gives: undefined,
    answers: undefined,
    address: (more = '') =>
      `s3://${BUCKET}/site?endpoint=http://127.0.0.1:${port}&region=default&credentials=${credentials}${more}`,
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const content = await buffer(request);
    if (bucket.fails !== undefined) return void refuse(response, bucket.fails, 'ServiceUnavailable');
    if (request.method === 'PUT') await bucket.holds;
    // A client that gave up is not answered: what was held would arrive after the end of its test.
    if (response.destroyed) return;
    if (bucket.gives !== undefined && request.method === 'GET' && keyOf(request).endsWith('.vimg')) {
      bucket.gives(response);
      return;
    }
    if (bucket.answers !== undefined) {
      bucket.answers(request, response);
      return;
    }
    const age = bucket.ages.get(keyOf(request)) ?? 0;
    if (age > 0) datedBack(response, age);
    await answer(request, content, response);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
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

function keyOf(request: IncomingMessage): string {
  const { pathname } = new URL(request.url ?? '', 'http://bucket');
  return decodeURIComponent(pathname).slice(`/${BUCKET}/`.length);
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  return response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code></Error>`);
}

/** Lets a response say that its object was written earlier. */
function datedBack(response: ServerResponse, age: number): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    setHeader(
      name,
      name.toLowerCase() === 'last-modified'
        ? new Date(Date.parse(String(value)) - age).toUTCString()
        : value,
    );
}

/** The gateway, with its bucket made anew. */
async function relayed(t: TestContext, { endpoint, admin }: Gateway): Promise<Service> {
  const client = new S3Client({ endpoint, region: 'default', credentials: ACCOUNT, forcePathStyle: true });
  t.after(() => {
    client.destroy();
  });
  const administer = (...options: string[]) => {
    const [program = '', ...before] = admin;
    return spawnSync(program, [...before, ...options], { encoding: 'utf8', timeout: 60_000 });
  };
  const mustAdminister = (...options: string[]) => {
    const { status, stderr } = administer(...options);
    if (status !== 0) throw new Error(`radosgw-admin ${options.join(' ')}: ${stderr}`);
  };
  const makeAnew = async (ObjectLockEnabledForBucket: boolean) => {
    const exists = administer('bucket', 'stats', `--bucket=${BUCKET}`).status === 0;
    if (exists) mustAdminister('bucket', 'rm', `--bucket=${BUCKET}`, '--purge-objects', '--bypass-gc');
    await client.send(new CreateBucketCommand({ Bucket: BUCKET, ObjectLockEnabledForBucket }));
  };
  await makeAnew(false);
  return {
    hosts: [new URL(endpoint).host],
    async keys() {
      const keys: string[] = [];
      for await (const { Contents } of paginateListObjectsV2({ client }, { Bucket: BUCKET }))
        for (const { Key } of Contents ?? []) keys.push(Key!);
      return keys;
    },
    async read(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      return Buffer.from(await Body!.transformToByteArray());
    },
    async write(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
    },
    async setVersioning(Status) {
      const VersioningConfiguration = { Status };
      await client.send(new PutBucketVersioningCommand({ Bucket: BUCKET, VersioningConfiguration }));
    },
    lock: () => makeAnew(true),
    fill() {
      const bucket = ['--quota-scope=bucket', `--bucket=${BUCKET}`];
      mustAdminister('quota', 'set', ...bucket, `--max-objects=${FULL}`);
      mustAdminister('quota', 'enable', ...bucket);
      return Promise.resolve();
    },
    async answer(request, content, response) {
      const { url, method, headers } = request;
      // The signature covers the host that the client asked.
      const { expect: _, connection: __, ...sent } = headers;
      const asked = send(`${endpoint}${url}`, { method, headers: sent, agent: false }).end(content);
      const [answered] = (await once(asked, 'response')) as [IncomingMessage];
      const body = await buffer(answered);
      response.statusCode = answered.statusCode ?? 500;
      for (const [name, value] of Object.entries(answered.headers))
        if (value !== undefined && !['connection', 'transfer-encoding'].includes(name))
          response.setHeader(name, value);
      response.end(body);
    },
  };
}

interface Stored {
  content: Buffer;
  modified: Date;
}

function inMemory(): Service {
  const objects = new Map<string, Stored>();
  const state: State = { objects, versioning: undefined, isLocked: false, isFull: false };
  return {
    hosts: [],
    keys: () => Promise.resolve([...objects.keys()]),
    read: (key) => Promise.resolve(objects.get(key)!.content),
    write(key, content) {
      objects.set(key, { content, modified: new Date() });
      return Promise.resolve();
    },
    setVersioning(status) {
      state.versioning = status;
      return Promise.resolve();
    },
    lock() {
      objects.clear();
      Object.assign(state, { versioning: undefined, isLocked: true });
      return Promise.resolve();
    },
    fill() {
      state.isFull = true;
      return Promise.resolve();
    },
    answer(request, content, response) {
      answerFromMemory(state, request, content, response);
      return Promise.resolve();
    },
  };
}

interface State {
  objects: Map<string, Stored>;
  versioning: 'Enabled' | 'Suspended' | undefined;
  isLocked: boolean;
  isFull: boolean;
}

function answerFromMemory(
  bucket: State,
  request: IncomingMessage,
  content: Buffer,
  response: ServerResponse,
): void {
  const { searchParams } = new URL(request.url ?? '', 'http://bucket');
  const key = keyOf(request);
  if (!request.headers.authorization?.includes(`Credential=${ACCOUNT.accessKeyId}/`))
    return void refuse(response, 403, 'InvalidAccessKeyId');
  if (searchParams.has('versioning'))
    return void response.end(
      `<VersioningConfiguration>${bucket.versioning === undefined ? '' : `<Status>${bucket.versioning}</Status>`}</VersioningConfiguration>`,
    );
  if (searchParams.has('object-lock'))
    return void (bucket.isLocked
      ? response.end(
          '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
        )
      : refuse(response, 404, 'ObjectLockConfigurationNotFoundError'));
  if (searchParams.has('list-type')) return void response.end(listing(bucket, searchParams));
  const stored = bucket.objects.get(key);
  switch (request.method) {
    case 'PUT':
      if (bucket.isFull && !bucket.objects.has(key)) return void refuse(response, 403, 'QuotaExceeded');
      if (createHash('md5').update(content).digest('base64') !== request.headers['content-md5'])
        return void refuse(response, 400, 'BadDigest');
      bucket.objects.set(key, { content, modified: new Date() });
      return void response.writeHead(200, { etag: etagOf(content) }).end();
    case 'DELETE':
      bucket.objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (stored === undefined) return void refuse(response, 404, 'NoSuchKey');
      response.setHeader('content-length', stored.content.length);
      response.setHeader('etag', etagOf(stored.content));
      response.setHeader('last-modified', stored.modified.toUTCString());
      response.end(request.method === 'HEAD' ? undefined : stored.content);
  }
}

/** Two entries a page, so that every longer listing has several. */
function listing({ objects }: State, wanted: URLSearchParams): string {
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
