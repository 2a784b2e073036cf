/** `vouch doctor` on homes that are well and homes that are not. */
import assert from 'node:assert/strict';
import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EXIT } from '../../core/cli/output.ts';
import {
  FINDINGS,
  HEALTH_CHECKS,
  healthReport,
  type FindingCode,
  type HealthReport,
} from '../../core/contracts/doctor.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { examineHome } from '../../core/service.ts';
import { run } from '../support/serviceProcess.ts';
import { newCompany, temporaryFolder, writeImage } from '../support/site.ts';

const clock = { now: () => new Date() };

async function usedHome(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const storage = await openStorage(openHome(folder), clock);
  const company = await newCompany(storage, folder);
  await writeImage(storage, company);
  await storage.close();
  return folder;
}

function codes({ checks }: HealthReport): FindingCode[] {
  return checks.map(({ code }) => code);
}

test('a home that is well has its checks in their order, and the terminal says the same', async (t) => {
  const home = await usedHome(t);
  const { code, stdout } = await run(home, ['--json', 'doctor']);
  assert.equal(code, EXIT.ok);
  const report = healthReport.parse(JSON.parse(stdout));
  assert.deepEqual(
    report.checks.map(({ number }) => number),
    HEALTH_CHECKS.map((_, index) => index + 1),
  );
  for (const { state, finding, name } of report.checks) {
    assert.notEqual(state, 'failed', `${name}: ${finding}`);
    assert.doesNotMatch(finding, /\{\{/);
  }
  assert(codes(report).includes('databaseGood'));
});

test('a key that is gone is found without opening anything, and ends with 1', async (t) => {
  const home = await usedHome(t);
  rmSync(join(home, 'store.key'));
  const { code, stdout, stderr } = await run(home, ['doctor']);
  assert.equal(code, EXIT.failed);
  assert.match(stdout, / 7 {2}key +FAILED/);
  assert.match(stderr, /6, 7/);
});

test('a page that was changed on the disk is found', async (t) => {
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

test('a home whose service is only starting is no broken home: nothing has failed, and the finding says to wait', async (t) => {
  const home = await usedHome(t);
  const starting = await openStorage(openHome(home), clock);
  const report = await examineHome({ home, port: 0 });
  await starting.close();
  const [, , , , , database, , , queue] = report.checks;
  assert.equal(database?.code, 'databaseHeld');
  assert.match(database.finding, /starting or ending/);
  assert.match(database.whatToDo ?? '', /Wait a moment/);
  assert.equal(queue?.code, 'notOpen');
  assert.deepEqual(
    report.checks.filter(({ state }) => state === 'failed'),
    [],
  );
  assert(codes(await examineHome({ home, port: 0 })).includes('databaseGood'), 'and then it is looked at');
});

test('every finding that needs something done says what', () => {
  for (const [code, { state, whatToDo }] of Object.entries(FINDINGS))
    assert.equal(whatToDo === '', state === 'good', code);
});

test('the page names every check', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'terminal.md'), 'utf8');
  for (const word of ['1 processor', '2 disk space', '6 database', '10 audit log', '11 other machines'])
    assert(page.includes(word), word);
});
