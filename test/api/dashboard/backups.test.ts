/** Backups from the dashboard: key, places, schedule and runs, on a real store. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  backupKeyCheck,
  backupState,
  draftedBackupKey,
  type BackupState,
} from '../../../core/contracts/dashboard/backups.ts';
import { BackupService, lastDue, nextDue } from '../../../core/domain/backups/backupService.ts';
import { BACKUP_KEYS, readBackupKey } from '../../../core/encryption/backupKey.ts';
import { openHome, restoreBackup } from '../../../core/storage/index.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { temporaryFolder } from '../../support/site.ts';
import { signIn } from '../access/operators.ts';
import type { TestSite } from '../site.ts';
import { WITHOUT_FILE, WITHOUT_SERVER } from '../../support/testServer.ts';
import { good, openDashboardSite, type DashboardClient } from './dashboardSite.ts';

async function openBackups(t: TestContext) {
  const place = temporaryFolder(t);
  process.env.VOUCH_BACKUP_FOLDERS = place;
  t.after(() => delete process.env.VOUCH_BACKUP_FOLDERS);
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const state = async () => good(await admin('GET', '/backup'), backupState);
  return { site, place, admin, as, state };
}

/** Drafts a key and makes it the present one. @returns the key as it is printed */
async function createKey(admin: DashboardClient, replaces: string | null = null): Promise<string> {
  const { text, publicKey } = good(await admin('POST', '/backup/key/draft', {}), draftedBackupKey);
  const set = await admin('PUT', '/backup/key', { publicKey, replaces });
  assert.equal(set.status, 200, set.text);
  return text;
}

async function finished(state: () => Promise<BackupState>): Promise<BackupState> {
  for (;;) {
    const now = await state();
    if (now.running === null) return now;
    await new Promise((done) => setImmediate(done));
  }
}

/** Keeps backups from being written. @returns lets them continue */
function holdWriting(t: TestContext, { storage }: TestSite): () => void {
  const held = Promise.withResolvers<undefined>();
  const write = storage.backupPlaces.write.bind(storage.backupPlaces);
  t.mock.method(storage.backupPlaces, 'write', async (...given: Parameters<typeof write>) => {
    await held.promise;
    return write(...given);
  });
  return () => held.resolve(undefined);
}

const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('vouch-'));

test('a backup key counts once its public half is sent, and a typed key is checked', async (t) => {
  const { admin, state } = await openBackups(t);
  const drafted = good(await admin('POST', '/backup/key/draft', {}), draftedBackupKey);
  assert.equal((await state()).key, null);
  const text = await createKey(admin);
  const { key } = await state();
  const check = async (typed: string) =>
    good(await admin('POST', '/backup/key/check', { key: typed }), backupKeyCheck);
  assert.deepEqual(await check(text.toLowerCase()), { result: 'right', fingerprint: key?.fingerprint });
  assert.deepEqual(await check(drafted.text), { result: 'other', fingerprint: drafted.fingerprint });
  const changed = `${text.slice(0, -1)}${text.endsWith('9') ? '8' : '9'}`;
  assert.deepEqual(await check(changed), { result: 'mistyped', fingerprint: null });
  const stale = await admin('PUT', '/backup/key', { publicKey: drafted.publicKey, replaces: null });
  assert.equal(stale.body.code, 'BACKUP_KEY_CHANGED');
  await createKey(admin, key?.fingerprint ?? null);
  assert.equal((await check(text)).result, 'other');
});

test(
  'a backup is written to an offered place alone, verified, and can be restored',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { admin, state, place, site } = await openBackups(t);
    assert.equal((await admin('POST', '/backup/run', { place })).body.code, 'BACKUP_NO_KEY');
    const text = await createKey(admin);
    for (const elsewhere of ['/', '/etc', `${place}/..`, `${place}/`, '../up'])
      assert.equal((await admin('POST', '/backup/run', { place: elsewhere })).body.code, 'BACKUP_PLACE_GONE');
    const release = holdWriting(t, site);
    const started = await admin('POST', '/backup/run', { place });
    assert.equal(started.status, 200, started.text);
    assert.equal((await admin('POST', '/backup/run', { place })).body.code, 'BACKUP_RUNNING');
    release();
    const { lastGood, runs } = await finished(state);
    assert.equal(runs.length, 1);
    assert.ok(lastGood?.file != null);
    assert.deepEqual(backupsIn(place), [lastGood.file]);
    const home = openHome(temporaryFolder(t));
    const answers = { retention: () => Promise.resolve(true), credentials: () => Promise.resolve(true) };
    const file = join(place, lastGood.file);
    assert.equal(readFileSync(file).length, lastGood.bytes);
    const restored = await restoreBackup(home, file, readBackupKey(text), { now: () => new Date() }, answers);
    assert.equal(restored.audit.firstBad, null);
  },
);

test('a cancelled backup leaves no file, and the next one can start', { skip: WITHOUT_FILE }, async (t) => {
  const { admin, state, place, site } = await openBackups(t);
  await createKey(admin);
  const release = holdWriting(t, site);
  await admin('POST', '/backup/run', { place });
  await admin('DELETE', '/backup/run');
  release();
  const [run] = (await finished(state)).runs;
  assert.equal(run?.state, 'cancelled');
  assert.deepEqual(backupsIn(place), []);
  assert.equal((await admin('POST', '/backup/run', { place })).status, 200);
  assert.equal((await finished(state)).lastGood?.state, 'done');
});

test('a download holds the place of the one backup until it ends', { skip: WITHOUT_FILE }, async (t) => {
  const { admin, state, site } = await openBackups(t);
  assert.equal((await admin('GET', '/backup/file')).body.code, 'BACKUP_NO_KEY');
  await createKey(admin);
  const cookie = await signIn(site, 'admin');
  const response = await fetch(`${site.address}/api/dashboard/backup/file`, { headers: { cookie } });
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="vouch-.*\.vouch"$/);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.match(bytes.subarray(0, 40).toString(), /^age-encryption\.org/);
  const { lastGood } = await finished(state);
  assert.deepEqual([lastGood?.trigger, lastGood?.bytes], ['download', bytes.length]);
});

test('an installation with several companies makes no backup from the dashboard', async (t) => {
  const { admin, site, place, state } = await openBackups(t);
  await createKey(admin);
  await site.newCompany();
  for (const [method, path, body] of [
    ['POST', '/backup/run', { place }],
    ['GET', '/backup/file', undefined],
    ['PUT', '/backup/key', { publicKey: 'ab'.repeat(32), replaces: null }],
    ['PUT', '/backup/schedule', { schedule: null }],
  ] as const)
    assert.equal((await admin(method, path, body)).body.code, 'BACKUP_SEVERAL_COMPANIES', path);
  assert.equal((await state()).available, false);
});

test(
  'the schedule makes up for missed times, repeats failures and keeps the newest',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { admin, site, place, state } = await openBackups(t);
    await createKey(admin);
    const schedule = { place, every: 'day', weekday: 0, minute: 120, keep: 2 } as const;
    const clock = { time: new Date(2027, 2, 1, 12, 0) };
    const service = new BackupService({
      ...site.storage,
      backupKeys: BACKUP_KEYS,
      clock: { now: () => clock.time },
      log: SILENT_LOG,
      version: '0.0.0',
    });
    await service.setSchedule(schedule, { by: 'local-admin', at: clock.time });
    const check = async () => {
      await service.checkSchedule();
      const { runs } = await finished(() => service.state());
      return runs.map((run) => run.state);
    };
    assert.deepEqual(await check(), [], 'nothing was due since the schedule was set');
    const written: string[] = [];
    for (const day of [2, 3, 9]) {
      clock.time = new Date(2027, 2, day, 14, day);
      await check();
      await check();
      written.push((await service.state()).lastGood?.file ?? '');
    }
    assert.deepEqual(await check(), ['done', 'done', 'removed']);
    assert.deepEqual(backupsIn(place).toSorted(), written.slice(1));
    t.mock.method(site.storage.backupPlaces, 'list', () => Promise.resolve([]));
    clock.time = new Date(2027, 2, 10, 3, 0);
    assert.equal((await check())[0], 'failed');
    assert.equal((await check()).length, 4, 'a failed backup is repeated after an hour');
    clock.time = new Date(2027, 2, 10, 4, 1);
    assert.equal((await check()).length, 5);
    t.mock.restoreAll();
    clock.time = new Date(2027, 2, 10, 5, 2);
    assert.equal((await check())[0], 'done');
    assert.equal((await state()).nextAt === null, false);
  },
);

test(
  'a backup that a crash cut off is ended at the start, and its file removed',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { site, place } = await openBackups(t);
    const { backupRuns } = site.storage;
    await backupRuns.begin({ trigger: 'dashboard', place, file: 'vouch-cut.vouch', startedAt: new Date() });
    writeFileSync(join(place, 'vouch-cut.vouch.partial'), 'unfinished');
    const clock = { now: () => new Date() };
    const ports = { ...site.storage, backupKeys: BACKUP_KEYS, clock, log: SILENT_LOG, version: '0.0.0' };
    await new BackupService(ports).recover();
    const [run] = await backupRuns.list();
    assert.deepEqual([run?.state, run?.problem?.code], ['failed', 'BACKUP_INTERRUPTED']);
    assert.deepEqual(backupsIn(place), []);
  },
);

test('due times of daily and weekly schedules are in the time zone of the machine', () => {
  const daily = { place: '/x', every: 'day', weekday: 0, minute: 90, keep: 1 } as const;
  const noon = new Date(2027, 2, 3, 12, 0);
  assert.deepEqual(lastDue(daily, noon), new Date(2027, 2, 3, 1, 30));
  assert.deepEqual(nextDue(daily, noon), new Date(2027, 2, 4, 1, 30));
  const weekly = { ...daily, every: 'week', weekday: noon.getDay() } as const;
  assert.deepEqual(lastDue(weekly, noon), new Date(2027, 2, 3, 1, 30));
  assert.deepEqual(nextDue(weekly, noon), new Date(2027, 2, 10, 1, 30));
  const early = new Date(2027, 2, 3, 0, 30);
  assert.deepEqual(lastDue(weekly, early), new Date(2027, 1, 24, 1, 30));
  assert.deepEqual(nextDue(weekly, early), new Date(2027, 2, 3, 1, 30));
});

test('rows on a PostgreSQL server are backed up by its own programs', { skip: WITHOUT_SERVER }, async (t) => {
  const { admin, place, state } = await openBackups(t);
  await createKey(admin);
  const answer = await admin('GET', '/backup/file');
  assert.deepEqual([answer.status, answer.body.code], [409, 'BACKUP_OF_SERVER']);
  await admin('POST', '/backup/run', { place });
  const [run] = (await finished(state)).runs;
  assert.deepEqual([run?.state, run?.problem?.code], ['failed', 'BACKUP_OF_SERVER']);
});
