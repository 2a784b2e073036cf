/**
 * `npm run test:postgres`: starts a PostgreSQL server that is thrown away afterwards, and runs the tests of the store, of the
 * interface and of its rules on it. Needs Debian's package `postgresql`. Root runs the server as the account `nobody`.
 *
 * `VOUCH_TEST_ISOLATION=serializable` runs them under that isolation level, and names the statements that could not be
 * serialised. A transaction that waits for its lock sees the rows as they were before, so a statement here has met a
 * transaction of another service or one without the lock of its company.
 *
 * `VOUCH_TEST_ROLE=vouch_service` runs them with a role that owns no table, as `vouch database prepare` lets it in.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import pg from 'pg';

/** Files of these folders open their store by the helpers of `test/support`, which give each home a database. */
const TESTED = [
  'core/storage/{audit,blacklistTransfer,credentials,dashboard,diagnostics,duplicates,enrolment,erasure,faces,home,images,migration,persons,screening,settings}/**/*.test.ts',
  'core/storage/engine/{changes,database,dialect}.test.ts',
  'core/storage/engine/postgres/*.test.ts',
  'core/domain/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/property/*.test.ts',
  'test/cluster/*.test.ts',
  'test/durability/{finalise,import,pipelines,afterCommit}.test.ts',
];
/** The ids of the account and the group `nobody` on Debian. */
const NOBODY = 65_534;

const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
if (programs === undefined) {
  console.error(
    'PostgreSQL is not installed, so nothing was tested on it. Install Debian’s package postgresql.',
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'vouch-postgres-'));
const isSerializable = process.env.VOUCH_TEST_ISOLATION === 'serializable';
const role = process.env.VOUCH_TEST_ROLE;
const isRoot = process.getuid?.() === 0;
if (isRoot) chownSync(folder, NOBODY, NOBODY);

/** Prints the statements of the log of the server that failed with SQLSTATE 40001, most frequent first. */
function reportConflicts(log: string): void {
  const counts = new Map<string, number>();
  for (const [, statement = ''] of log.matchAll(/ERROR: {2}could not serialize[^]*?STATEMENT: {2}([^\n]*)/g))
    counts.set(statement, (counts.get(statement) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} statements could not be serialised.`);
  for (const [statement, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(count, statement);
}

/** The command of a program of the server; the server refuses to run as root. */
function commandOf(program: string, options: readonly string[]): string[] {
  const command = [join(programs!, program), ...options];
  return isRoot ? ['runuser', '-u', 'nobody', '--', ...command] : command;
}

function run(program: string, ...options: string[]): void {
  const [file = '', ...rest] = commandOf(program, options);
  const { status } = spawnSync(file, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ended with ${status}.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const data = join(folder, 'data');
const port = await freePort();
try {
  run('initdb', '-D', data, '-U', 'vouch', '--auth=trust', '--locale=C.UTF-8', '-E', 'UTF8', '--no-sync');
  const settings = `-p ${port} -k ${folder} -c fsync=off -c listen_addresses=127.0.0.1 -c max_connections=200${isSerializable ? ' -c default_transaction_isolation=serializable' : ''}`;
  const start = ['-D', data, '-o', settings, '-l', join(folder, 'log'), '-w', 'start'];
  run('pg_ctl', ...start);
  if (role !== undefined) {
    const administrator = new pg.Client(`postgres://vouch@127.0.0.1:${port}/postgres`);
    await administrator.connect();
    await administrator.query(`create role ${pg.escapeIdentifier(role)} login`);
    await administrator.end();
  }
  const chosen = process.argv.slice(2);
  const files = chosen.length > 0 ? chosen : TESTED.flatMap((pattern) => globSync(pattern)).toSorted();
  const tests = spawn(process.execPath, ['--test', '--test-timeout=300000', ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      VOUCH_TEST_POSTGRES: `postgres://vouch@127.0.0.1:${port}/`,
      // For a test that kills the server.
      VOUCH_TEST_POSTGRES_START: JSON.stringify({ data, command: commandOf('pg_ctl', start) }),
    },
  });
  // The server is stopped when the run is.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      tests.kill(signal);
    });
  const [status] = (await once(tests, 'close')) as [number | null];
  process.exitCode = status ?? 1;
  if (isSerializable) reportConflicts(readFileSync(join(folder, 'log'), 'utf8'));
} finally {
  run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
  rmSync(folder, { recursive: true, force: true });
}
