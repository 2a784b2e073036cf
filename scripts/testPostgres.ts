/**
 * `npm run test:postgres`: starts a PostgreSQL server that is thrown away afterwards, and runs the tests of the store, of the
 * interface and of its rules on it. The tests of several machines come last, {@link MACHINES_CONCURRENCY} files at a time: they
 * mostly wait, for leases that end and for standbys that take over.
 *
 * `VOUCH_TEST_ISOLATION=serializable` runs them under that isolation level, and names the statements that could not be
 * serialised. A transaction that waits for its lock sees the rows as they were before, so a statement here has met a
 * transaction of another service or one without the lock of its company.
 *
 * `VOUCH_TEST_ROLE=vouch_service` runs them with a role that owns no table, as `vouch database prepare` lets it in.
 *
 * `VOUCH_TEST_EXPANDED=1` runs them on the schema of a later version, beside which this version goes on during an update.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { startThrowawayServer } from '../test/support/throwawayServer.ts';
import { CONCURRENCY, writeBatches } from './testBatches.ts';
import { messageOf } from '../core/contracts/errors/problem.ts';

/** Files of these folders open their store by the helpers of `test/support`, which give each home a database. */
const TESTED = [
  'core/storage/{audit,blacklistTransfer,credentials,dashboard,diagnostics,duplicates,enrolment,erasure,faces,home,images,migration,persons,screening,settings}/**/*.test.ts',
  'core/storage/engine/{changes,database,dialect}.test.ts',
  'core/storage/engine/postgres/*.test.ts',
  'core/domain/calibration/{groups,measure,runs}.test.ts',
  'core/domain/{duplicates/regrouping,enrolment/dispatcher,erasure/retention,pipelines/templateMigration,signatures/calibrationRuns}.test.ts',
  'core/domain/persons/{measured,secondOperator}.test.ts',
  'test/api/**/*.test.ts',
  'test/property/{erased,linearizable,nearPairs,person,screening,several}*.test.ts',
  'test/durability/{afterCommit,bucket,erasure,finalise,gallery,import,kill,nearPairs,pipelines,putBack}.test.ts',
  'test/e2e/{blacklistTransfer,ended,terminal,withoutService}.test.ts',
  'test/security/{changedRows,damagedRows,deletedKeys,erasedKeys,erasedNotes,serverFiles,silence,takenOver}.test.ts',
];
/** Of these folders, what speaks of HTTP, of clients or of the description, or only reads the code: the same with either store. */
const WITHOUT_STORE = [
  'test/api/{callerLimits,clients,companyQueries,description,examples,flutterClient,generatedClients}.test.ts',
  'test/api/{hostAndOrigin,largeBodies,manual,network,openapi,plainIssues,slowCallers,unknownParameters}.test.ts',
  'test/api/dashboard/{camera,pictureFormats}.test.ts',
];
const SEVERAL_MACHINES = 'test/cluster/*.test.ts';
/** Each file has services and databases of its own. */
const MACHINES_CONCURRENCY = 2;

const PROJECT = join(import.meta.dirname, '..');

const role = process.env.VOUCH_TEST_ROLE;
const isSerializable = process.env.VOUCH_TEST_ISOLATION === 'serializable';

function filesOf(patterns: readonly string[]): string[] {
  const options = { cwd: PROJECT, exclude: WITHOUT_STORE };
  return patterns.flatMap((pattern) => globSync(pattern, options)).toSorted();
}

/** Prints the statements of the log of the server that failed with SQLSTATE 40001, most frequent first. */
function reportConflicts(log: string): void {
  const counts = new Map<string, number>();
  for (const [, statement = ''] of log.matchAll(/ERROR: {2}could not serialize[^]*?STATEMENT: {2}([^\n]*)/g))
    counts.set(statement, (counts.get(statement) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} statements could not be serialised.`);
  for (const [statement, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(count, statement);
}

const server = await startThrowawayServer([
  'fsync=off',
  // A database lives for one test: its workers would only take processor time.
  'autovacuum=off',
  ...(isSerializable ? ['default_transaction_isolation=serializable'] : []),
]).catch((cause: unknown) => {
  console.error(`Nothing was tested on PostgreSQL. ${messageOf(cause)}`);
  process.exit(1);
});
try {
  if (role !== undefined) {
    const administrator = new pg.Client(`${server.address}postgres`);
    await administrator.connect();
    await administrator.query(`create role ${pg.escapeIdentifier(role)} login`);
    await administrator.end();
  }
  const chosen = process.argv.slice(2);
  process.exitCode =
    chosen.length > 0 ? await runTests(['--test-timeout=1200000', ...chosen]) : await runAll();
  if (isSerializable) reportConflicts(server.log());
} finally {
  server.stop();
}

/** @returns 0 if all tests passed */
async function runAll(): Promise<number> {
  const store = await runTests([
    `--test-concurrency=${CONCURRENCY}`,
    ...writeBatches('postgres', [filesOf(TESTED)]),
  ]);
  const machines = await runTests([
    `--test-concurrency=${MACHINES_CONCURRENCY}`,
    '--test-timeout=4800000',
    ...filesOf([SEVERAL_MACHINES]),
  ]);
  return Math.max(store, machines);
}

/** @returns the exit status of Node's test runner, 1 after a signal */
async function runTests(options: readonly string[]): Promise<number> {
  const tests = spawn(process.execPath, ['--test', ...options], {
    stdio: 'inherit',
    cwd: PROJECT,
    env: {
      // A file is a process, and so are the services that it starts: each would compile the program again.
      NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'node-compile'),
      ...process.env,
      VOUCH_TEST_POSTGRES: server.address,
      // For a test that starts more servers with the programs of this one.
      VOUCH_TEST_POSTGRES_START: JSON.stringify({ data: server.data, command: server.startCommand }),
    },
  });
  // The server is stopped when the run is.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      tests.kill(signal);
    });
  const [status] = (await once(tests, 'close')) as [number | null];
  return status ?? 1;
}
