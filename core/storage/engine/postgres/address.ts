/** The address of a PostgreSQL database, as an administrator writes it: postgres://user:password@host:port/name?sslmode=… */
import { readFileSync, existsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { syncFolder } from '../fsync.ts';
import type { Home } from '../home.ts';
import type pg from 'pg';

const DEFAULT_PORT = 5432;
/** `require`, `prefer` and `allow` accept any certificate, so they protect from no one who can answer for the server. */
const TLS_MODES = ['disable', 'verify-full'] as const;
const PARAMETERS = ['sslmode', 'sslrootcert', 'host', 'connections'];
/** Connections of a service beside the one that listens. */
const DEFAULT_CONNECTIONS = 8;

export interface PostgresAddress {
  /** A name, an IP address or the folder of a Unix socket. */
  host: string;
  port: number;
  database: string;
  user: string;
  password: string | undefined;
  tls: ConnectionOptions | false;
  /** How many connections the service opens for its queries. */
  connections: number;
  /** Host, port and name: what errors and logs may show. */
  label: string;
}

/**
 * @param text `postgres://user:password@host:port/name`. `?sslmode=verify-full` (TLS, the certificate is verified) is the
 *   default for other hosts, `disable` for this machine. `?sslrootcert=FILE` names the certificate of the authority,
 *   `?host=FOLDER` a Unix socket, `?connections=8` the number of connections.
 * @throws {CodedError} it is no such address. The error never contains the password.
 */
export function parseAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw refused('it must begin with postgres://');
  // Its name may be the end of a password.
  if ([...url.searchParams.keys()].some((name) => !PARAMETERS.includes(name)))
    throw refused(
      `the parameters after ? are ${PARAMETERS.join(', ')}, and no others. In a password write ? as %3F and / as %2F`,
    );
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/'))
    throw refused('the name of the database is missing after the host');
  if (url.username === '') throw refused('the name of the user is missing before the host');
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replaceAll(/^\[|\]$/g, '');
  if (host === '') throw refused('the host is missing');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    host,
    port,
    database,
    user: decoded(url.username),
    password: url.password === '' ? undefined : decoded(url.password),
    tls: tlsOf(url, host),
    connections: connectionsOf(url),
    label: `${host}:${port}/${database}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused('a % in it must be followed by two hexadecimal digits; write %25 for the sign itself');
  }
}

function connectionsOf(url: URL): number {
  const text = url.searchParams.get('connections');
  const count = text === null ? DEFAULT_CONNECTIONS : Number(text);
  if (!Number.isInteger(count) || count < 2 || count > 1000)
    throw refused('connections must be a number from 2 to 1000');
  return count;
}

function tlsOf(url: URL, host: string): ConnectionOptions | false {
  const isHere = host.startsWith('/') || host === 'localhost' || host === '127.0.0.1' || host === '::1';
  const mode = url.searchParams.get('sslmode') ?? (isHere ? 'disable' : 'verify-full');
  const authority = url.searchParams.get('sslrootcert');
  if (!TLS_MODES.some((known) => known === mode))
    throw refused(`sslmode=${mode} does not verify the certificate of the server. Use sslmode=verify-full`);
  if (mode === 'disable') {
    if (!isHere) throw refused('sslmode=disable is for this machine alone. Use sslmode=verify-full');
    return false;
  }
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authority === null ? {} : { ca: readAuthority(authority) }),
  };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(`the certificate ${file} cannot be read`, cause);
  }
}

function refused(why: string, cause?: unknown): CodedError {
  return new CodedError(problem('DATABASE_ADDRESS', { why }), { cause });
}

// The address of the PostgreSQL database of an installation. The home keeps it, so that every command finds the same rows.

/** @returns the address as `parseAddress` takes it; undefined: the installation uses SQLite */
export function keptAddress({ databaseAddress }: Pick<Home, 'databaseAddress'>): string | undefined {
  return existsSync(databaseAddress) ? readFileSync(databaseAddress, 'utf8').trim() : undefined;
}

/**
 * Keeps the address that a new installation is given, in a file that its owner alone can read. The user, the password and the
 * TLS of the address can change later.
 * @throws {CodedError} the address cannot be used, or the installation keeps its rows elsewhere
 */
export async function keepAddress(home: Home, address: string): Promise<void> {
  const { label } = parseAddress(address);
  const kept = keptAddress(home);
  if (kept === address) return;
  const other = existsSync(home.database) ? home.database : kept && parseAddress(kept).label;
  if (other !== undefined && other !== label)
    throw new CodedError(problem('DATABASE_OTHER', { folder: home.folder, other, label }));
  const written = `${home.databaseAddress}.new`;
  await writeFile(written, `${address}\n`, { mode: 0o600, flush: true });
  await chmod(written, 0o600);
  await rename(written, home.databaseAddress);
  await syncFolder(home.folder);
}

/**
 * Milliseconds of each wait of a request: for its turn, for a connection, for a lock such as that of its company, and for the
 * answer to COMMIT. The first three together end before the connection of the request does, which is closed after a minute of silence:
 * until then nothing was written, and the caller is told so.
 */
export const LONGEST_WAIT = 15_000;
/** Milliseconds of one statement; a transaction that waits longer between two statements is rolled back. */
const STATEMENT_TIMEOUT = 300_000;
const IDLE_TIMEOUT = 60_000;
/** Milliseconds that a command waits for the answer to a statement. */
const ANSWER_TIMEOUT = 60_000;

/** The settings of a connection for a few statements: a server that falls silent ends them with an error. */
export function briefConfigOf(address: PostgresAddress): pg.ClientConfig {
  return { ...configOf(address), query_timeout: ANSWER_TIMEOUT };
}

/** The settings with which each connection to the server is opened. */
export function configOf({ host, port, database, user, password, tls }: PostgresAddress): pg.ClientConfig {
  return {
    host,
    port,
    database,
    user,
    password,
    ssl: tls,
    application_name: 'vouch',
    keepAlive: true,
    connectionTimeoutMillis: LONGEST_WAIT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LONGEST_WAIT,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT,
  };
}
