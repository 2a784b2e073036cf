/**
 * The version of the commit before this one on the database that this one has made, as during an update one service after the
 * other: `npm run test:postgres test/cluster/previousVersion.test.ts`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { MIGRATIONS } from '../../core/storage/engine/migrate.ts';
import { COMPANY, openCluster } from '../support/cluster.ts';
import { prepareSchema } from '../support/expandedSchema.ts';
import { freePort } from '../support/network.ts';
import { previousVersion, WITHOUT_PREVIOUS } from '../support/previousVersion.ts';
import { addressIn } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { newAddress, TEST_SERVER } from '../support/testServer.ts';

const OPTIONS = { skip: WITHOUT_PREVIOUS, timeout: 900_000 };
/** Tests of the contract in `test/api` that write and read most tables. */
const SUITE = ['blacklists', 'idempotency', 'identity', 'poll', 'upload', 'verifications'];

/**
 * A program in place of the one by which the earlier version prepares its databases: each is a copy of a database that this
 * version has made.
 */
function copyProgram(made: { home: string; database: string }, record: string): string {
  return `import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
    import { join } from 'node:path';
    import pg from 'pg';
    const [folder, address] = process.argv.slice(2);
    const client = new pg.Client(${JSON.stringify(`${TEST_SERVER}postgres`)});
    await client.connect();
    await client.query('create database ' + new URL(address).pathname.slice(1) + ' template ${made.database}');
    await client.end();
    copyFileSync(join(${JSON.stringify(made.home)}, 'store.key'), join(folder, 'store.key'));
    writeFileSync(join(folder, 'database.url'), address + '\\n');
    appendFileSync(${JSON.stringify(record)}, address + '\\n');`;
}

test('the contract of the commit before holds on the schema of this one', OPTIONS, async (t) => {
  const previous = previousVersion(t);
  const home = temporaryFolder(t);
  const address = newAddress();
  await prepareSchema(home, address, MIGRATIONS);
  const record = join(home, 'prepared');
  const program = copyProgram({ home, database: new URL(address).pathname.slice(1) }, record);
  writeFileSync(join(previous, 'test', 'support', 'expandedSchema.ts'), program);
  const files = SUITE.map((name) => join('test', 'api', `${name}.test.ts`));
  // A test runner inside of another one would run nothing.
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  const suite = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
    cwd: previous,
    env: { ...env, VOUCH_TEST_EXPANDED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(suite, 'close');
  const output = await text(suite.stdout);
  await ended;
  assert.equal(suite.exitCode, 0, output);
  const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1]);
  const prepared = readFileSync(record, 'utf8').trim().split('\n').length;
  t.diagnostic(`${passed} tests passed on ${prepared} databases`);
  assert.ok(passed > SUITE.length && prepared > SUITE.length);
});

test('a service of the commit before works beside one of this one', OPTIONS, async (t) => {
  const cluster = openCluster(t);
  const service = await cluster.api('new');
  const token = await cluster.createCompany();
  const port = await freePort();
  const previous = previousVersion(t);
  const startOld = async () => {
    const program = cluster.serve('old', 'all', { port, cli: join(previous, 'core', 'cli.ts') });
    const address = await addressIn(program.stdout!);
    const kill = async () => {
      program.kill('SIGKILL');
      await once(program, 'close');
    };
    return { ...service, address, kill };
  };
  const photos: string[] = [];
  const enrol = async (name: string, through: typeof service) => {
    const persons = [0, 1, 2];
    photos.push(...persons.map((person) => `${name} ${person}`));
    const folder = await cluster.photos(name, persons);
    await cluster.enrol(folder, through, token);
    // Each version finds at once what a photo became that the other one has accepted.
    const search = ['search', join(folder, `${name} 1.jpg`), '--company', COMPANY, '--limit', '100'];
    for (const home of ['new', 'old']) {
      const root = home === 'old' ? previous : join(import.meta.dirname, '..', '..');
      const args = [join(root, 'core', 'cli.ts'), '--home', cluster.homeOf(home), '--json', ...search];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`"${name} 1"`));
    }
  };

  let old = await startOld();
  await enrol('by old', old);
  cluster.vision('new vision');
  await enrol('by new', service);
  await old.kill();
  old = await startOld();
  await enrol('by old again', old);
  await old.kill();
  await service.kill();
  await cluster.requireOnce(photos);
});
