/** `vouch doctor` on homes that are well and homes that are not. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { EXIT } from '../../core/cli/terminal/output.ts';
import {
  DIAGNOSTICS,
  HEALTH_CHECKS,
  healthReport,
  type DiagnosticCode,
  type HealthReport,
} from '../../core/contracts/diagnostics.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { retentionRules } from '../../core/contracts/retention.ts';
import { BOOT_CLOCK } from '../../core/service/machine.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { examineHome } from '../../core/service/offline.ts';
import { TEST_ACT } from '../support/act.ts';
import { run } from '../support/serviceProcess.ts';
import { TEST_SERVER, WITHOUT_FILE, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';
import { acceptUpload, newCompany, temporaryFolder, writeImage } from '../support/site.ts';

const clock = { now: () => new Date() };

async function usedHome(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const storage = await openStorage(openHome(folder), clock);
  const company = await newCompany(storage, folder);
  await writeImage(storage, company);
  await storage.close();
  return folder;
}

function codes({ checks }: HealthReport): DiagnosticCode[] {
  return checks.map(({ code }) => code);
}

test('a healthy home passes its checks in order, in the terminal too', async (t) => {
  const home = await usedHome(t);
  const { code, stdout } = await run(home, ['--json', 'doctor']);
  // The server of the tests does not wait for the disk, which is a finding.
  assert.equal(code, TEST_SERVER === undefined ? EXIT.ok : EXIT.failed);
  const report = healthReport.parse(JSON.parse(stdout));
  const server = TEST_SERVER === undefined ? 'serverNone' : 'serverUnsafe';
  assert.equal(codes(report).at(-1), server);
  assert.deepEqual(
    report.checks.map(({ number }) => number),
    HEALTH_CHECKS.map((_, index) => index + 1),
  );
  for (const { state, finding, name, code: found } of report.checks) {
    if (found !== server) assert.notEqual(state, 'failed', `${name}: ${finding}`);
    assert.doesNotMatch(finding, /\{\{/);
  }
  assert(codes(report).includes('databaseGood'));
});

test(
  'a key that is gone is found without opening anything, and ends with 1',
  { skip: WITHOUT_FILE },
  async (t) => {
    const home = await usedHome(t);
    rmSync(join(home, 'store.key'));
    const { code, stdout, stderr } = await run(home, ['doctor']);
    assert.equal(code, EXIT.failed);
    assert.match(stdout, / 7 {2}key +FAILED/);
    assert.match(stderr, /6, 7/);
  },
);

test('a page that was changed on the disk is found', { skip: WITHOUT_FILE }, async (t) => {
  const home = await usedHome(t);
  const file = join(home, 'vouch.db');
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  for (let at = 40_960; at < size; at += 4096) writeSync(handle, 'damaged', at + 100);
  closeSync(handle);
  const found = codes(await examineHome({ home, port: 0 }));
  assert(
    found.some((each) => each === 'databaseDamaged' || each === 'databaseClosed'),
    found.join(),
  );
});

test('a pipeline without its pack fails the models check by name', async (t) => {
  const home = temporaryFolder(t);
  const storage = await openStorage(openHome(home), clock);
  const { id, name } = await newCompany(storage, home);
  const gone = 'pack-that-was-removed/1' as PipelineId;
  await storage.pipelines.begin(id, gone, { chosen: true }, TEST_ACT);
  assert.ok(await storage.pipelines.switchTo(id, gone, TEST_ACT));
  await storage.close();
  const check = (await examineHome({ home, port: 0 })).checks.find((each) => each.name === 'models');
  assert.equal(check?.code, 'pipelineMissing', check?.finding);
  assert.equal(check.state, 'failed');
  assert.ok(check.finding.includes(`${name}: ${gone}`), check.finding);
});

test('a home that others may enter, and a port that another program has', async (t) => {
  const home = await usedHome(t);
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  if (process.platform !== 'win32') chmodSync(home, 0o755);
  const found = codes(await examineHome({ home, port: (server.address() as AddressInfo).port }));
  assert(found.includes('portTaken'));
  assert(found.includes(process.platform === 'win32' ? 'permissionsUnknown' : 'permissionsOpen'));
});

test('a store that opens too late for the report is closed', { skip: WITHOUT_SERVER }, async (t) => {
  const home = await usedHome(t);
  const address = readFileSync(openHome(home).databaseAddress, 'utf8').trim();
  const administrator = new pg.Client(address);
  await administrator.connect();
  t.after(() => administrator.end());
  await administrator.query('begin; lock table audit_key in access exclusive mode');
  const database = (await examineHome({ home, port: 0 })).checks.find((each) => each.name === 'database');
  assert.equal(database?.code, 'databaseSilent', database?.finding);
  await administrator.query('rollback');
  const others = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await until(async () => (await administrator.query(others)).rows.length === 0);
});

test('a home whose service is starting is not broken: the result says to wait', async (t) => {
  const home = await usedHome(t);
  const starting = await openStorage(openHome(home), clock);
  const report = await examineHome({ home, port: 0 });
  await starting.close();
  const [, , , , , database, , , queue] = report.checks;
  assert.equal(database?.code, 'databaseHeld');
  assert.match(database.finding, /while it starts or stops/);
  assert.match(database.whatToDo ?? '', /Wait a moment/);
  assert.equal(queue?.code, 'notOpen');
  assert.deepEqual(
    report.checks.filter(({ state }) => state === 'failed'),
    [],
  );
  assert(codes(await examineHome({ home, port: 0 })).includes('databaseGood'), 'and then it is looked at');
});

test('a missing storage folder and sampled images without files are found', async (t) => {
  const home = await usedHome(t);
  const storage = await openStorage(openHome(home), clock);
  const [company] = await storage.companies.list();
  await acceptUpload(storage, company!, ['photo']);
  await storage.close();
  const checkOf = ({ checks }: HealthReport) => checks.find(({ name }) => name === 'storage');
  const folder = company!.storageFolder!;
  const images = join(folder, 'images');
  renameSync(images, `${images} away`);
  const missing = await examineHome({ home, port: 0 });
  assert.equal(checkOf(missing)?.finding, `1 of 1 sampled images have no file in ${folder}.`);
  renameSync(`${images} away`, images);
  assert(codes(await examineHome({ home, port: 0 })).includes('storageGood'));
  renameSync(folder, `${folder} away`);
  const unusable = await examineHome({ home, port: 0 });
  assert.equal(checkOf(unusable)?.code, 'storageUnusable');
  assert.match(checkOf(unusable)?.finding ?? '', /vouch company update "Acme" --storage FOLDER/);
});

test('every finding that needs something done says what', () => {
  for (const [code, { state, whatToDo }] of Object.entries(DIAGNOSTICS))
    assert.equal(whatToDo === '', state === 'good', code);
});

test('the page names every check', () => {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'reference', 'terminal.md'),
    'utf8',
  );
  for (const row of [
    '| 1 | processor |',
    '| 6 | database ',
    '| 10 | audit log |',
    '| 11 | network access |',
    '| 13 | storage folders ',
    '| 14 | image processes ',
  ])
    assert(page.includes(row), row);
});

test('a clock that was set back stays found after entries were written with it', async (t) => {
  const home = await usedHome(t);
  const storage = await openStorage(openHome(home), clock);
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  for (const at of [tomorrow, new Date()])
    await storage.audit.record(
      { by: 'local-admin', at },
      { company: null, action: 'audit.verified', object: null },
    );
  await storage.close();
  const found = (await examineHome({ home })).checks.find(({ name }) => name === 'clock');
  assert.deepEqual([found?.code, found?.facts.newest], ['clockBehind', tomorrow.toISOString()]);
});

const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
test(
  'a machine whose clock is years ahead holds the daily erasure',
  { skip: existsSync(FAKETIME) ? false : 'faketime is not installed' },
  async (t) => {
    const home = await usedHome(t);
    const storage = await openStorage(openHome(home), clock);
    const [company] = await storage.companies.list();
    const rules = retentionRules.parse({ verified: 365 });
    await storage.companies.changeSettings(company!.id, { retention: rules }, TEST_ACT);
    const check = { at: new Date(), ...BOOT_CLOCK.read(), confirmed: 0 };
    await storage.retentionChecks.save(company!.id, check);
    await storage.close();
    const lastOf = async (env: NodeJS.ProcessEnv) =>
      healthReport
        .parse(JSON.parse((await run(home, ['--json', 'doctor'], env)).stdout))
        .checks.find(({ name }) => name === 'retention')?.code;
    assert.equal(await lastOf({ LD_PRELOAD: FAKETIME, FAKETIME: '+900d' }), 'retentionClock');
    assert.equal(await lastOf({}), 'retentionGood');
  },
);
