/** The address of the images on an S3 service: s3://bucket/prefix?endpoint=…&region=… It holds no secret. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';

const PARAMETERS = ['endpoint', 'region', 'credentials', 'quota', 'timeout'];
/** Bytes of images that a bucket takes where the address names no quota: 1 TiB. */
const DEFAULT_QUOTA = 2 ** 40;
/** Seconds that one request may take, its repetitions included. */
const DEFAULT_TIMEOUT = 20;

export interface BucketAddress {
  bucket: string;
  /** Without slashes around it; empty: the whole bucket. */
  prefix: string;
  /** Undefined: Amazon's own, of the region. */
  endpoint: string | undefined;
  region: string;
  /** The file that holds the credentials. */
  credentialsFile: string;
  /** Bytes. */
  quota: number;
  /** Milliseconds. */
  timeout: number;
  /** `s3://bucket/prefix`: what messages show, and what the names of the companies' places begin with. */
  location: string;
}

export interface BucketCredentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Whether a place is on an S3 service, by the form of its name. */
export function isBucketLocation(text: string): boolean {
  return text.startsWith('s3://');
}

/**
 * @param text `s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION&credentials=FILE`, further `&quota=BYTES` (default 1 TiB) and `&timeout=SECONDS` (default 20). Without an endpoint it is
 *   Amazon's; plain HTTP is for this machine alone.
 * @throws {CodedError} it is no such address
 */
export function parseBucketAddress(text: string): BucketAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:' || url.hostname === '') throw refused('it must begin with s3://BUCKET');
  if (url.username !== '' || url.password !== '')
    throw refused('it contains credentials. Keep them in a file and name it with credentials=FILE');
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name)) throw refused(`the parameter ${name} is not known`);
  const bucket = url.hostname;
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!/^[\w./-]*$/.test(prefix) || prefix.split('/').some((part) => part === '.' || part === '..'))
    throw refused('the prefix may contain letters, digits, dots, hyphens, underscores and slashes');
  const credentialsFile = url.searchParams.get('credentials') ?? '';
  if (!isAbsolute(credentialsFile)) throw refused('credentials=FILE must name a file with its whole path');
  return {
    bucket,
    prefix,
    credentialsFile,
    endpoint: endpointOf(url),
    region: url.searchParams.get('region') ?? 'us-east-1',
    quota: numberOf(url, 'quota', { byDefault: DEFAULT_QUOTA, least: 1, most: 2 ** 60 }),
    timeout: numberOf(url, 'timeout', { byDefault: DEFAULT_TIMEOUT, least: 1, most: 300 }) * 1000,
    location: `s3://${[bucket, prefix].filter((part) => part !== '').join('/')}`,
  };
}

/**
 * The credentials of a bucket, from its file: the two lines `aws_access_key_id = …` and `aws_secret_access_key = …`. They are
 * not taken from the environment, which every worker process would inherit.
 * @throws {CodedError} there are none. The error never contains them.
 */
export function readCredentials({ credentialsFile: file }: BucketAddress): BucketCredentials {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) throw refused(`the credentials file ${file} does not exist`);
  if (process.platform !== 'win32' && (status.mode & 0o007) !== 0)
    throw refused(`every account can read the credentials file ${file}. Run: chmod 600 ${file}`);
  const lines = readFileSync(file, 'utf8');
  const value = (name: string) => new RegExp(String.raw`^\s*${name}\s*=\s*(\S+)\s*$`, 'm').exec(lines)?.[1];
  const accessKeyId = value('aws_access_key_id');
  const secretAccessKey = value('aws_secret_access_key');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw refused(`the file ${file} lacks aws_access_key_id or aws_secret_access_key`);
  return { accessKeyId, secretAccessKey };
}

function endpointOf(url: URL): string | undefined {
  const text = url.searchParams.get('endpoint');
  if (text === null) return undefined;
  const endpoint = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(endpoint?.hostname ?? '');
  if (endpoint?.protocol !== 'https:' && !(endpoint?.protocol === 'http:' && isHere))
    throw refused('the endpoint must begin with https:// (http:// for this machine alone)');
  return endpoint.origin;
}

function numberOf(
  url: URL,
  name: string,
  { byDefault, least, most }: { byDefault: number; least: number; most: number },
): number {
  const text = url.searchParams.get(name);
  const value = text === null ? byDefault : Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw refused(`${name} must be a whole number from ${least} to ${most}`);
  return value;
}

function refused(why: string): CodedError {
  return new CodedError(problem('IMAGES_ADDRESS', { why }));
}
