import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  contentsOfFile,
  filledHome,
  homeWithPeople,
  keyOf,
  withoutLog,
} from '../../../test/support/migratedHome.ts';
import { newCompany, TestClock } from '../../../test/support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../../../test/support/testServer.ts';
import { compareSearches } from '../../service/compareSearches.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { homeCopies, removeHomeCopy } from '../erasure/homeCopies.ts';
import { keptAddress } from '../engine/postgres/address.ts';
import { openHome, openStorage } from '../index.ts';
import type { Home } from '../engine/home.ts';
import { isPrepared, openPostgres } from '../engine/postgres/open.ts';
import { changedTotals } from '../engine/codedRows.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import { migrateStore, type MigrationSteps } from './migrateStore.ts';
import { COPIED_TABLES } from './copyStore.ts';

const CLOCK = new TestClock();
const STEPS: MigrationSteps = {
  confirm: () => Promise.resolve(true),
  progress: () => undefined,
  compareSearches,
};

const refusal = (code: string) => (error: unknown) =>
  error instanceof CodedError && error.problem.code === code;

const copyNames = async (home: Home) => (await homeCopies(home.folder)).map(({ name }) => name);
test('a migration is refused where there is nothing to migrate or the kind is the same', async (t) => {
  const home = await homeWithPeople(t);
  await assert.rejects(migrateStore(home, 'sqlite', CLOCK, STEPS), refusal('MIGRATION_SAME_KIND'));
  const empty = openHome(join(home.folder, 'empty'));
  await assert.rejects(
    migrateStore(empty, 'postgres://u@localhost/x', CLOCK, STEPS),
    refusal('MIGRATION_NOTHING'),
  );
  await assert.rejects(
    migrateStore(home, 'mysql://u@localhost/x', CLOCK, STEPS),
    refusal('DATABASE_ADDRESS'),
  );
});

test('a migration that is not confirmed or has no server changes nothing', async (t) => {
  const home = await filledHome(t);
  const before = [await contentsOfFile(home), readdirSync(home.folder)];
  const plans: unknown[] = [];
  const confirm = (plan: unknown) => {
    plans.push(plan);
    return Promise.resolve(false);
  };
  const to = 'postgres://u:secret@127.0.0.1:1/x';
  assert.equal(await migrateStore(home, to, CLOCK, { ...STEPS, confirm }), undefined);
  const rows = [...(await contentsOfFile(home)).values()].reduce((sum, content) => sum + content.rows, 0);
  const tables = COPIED_TABLES.length;
  assert.deepEqual(plans, [{ from: home.database, to: '127.0.0.1:1/x', tables, rows }]);
  await assert.rejects(migrateStore(home, to, CLOCK, STEPS), { name: 'UnavailableError' });
  assert.deepEqual([await contentsOfFile(home), readdirSync(home.folder)], before);
});

test('a round trip over PostgreSQL keeps every row of every table', { skip: WITHOUT_SERVER }, async (t) => {
  const home = await filledHome(t);
  const before = await contentsOfFile(home);
  for (const [name, { rows }] of before) assert.ok(rows > 0, `${name} has rows`);
  const address = newAddress();
  const there = await migrateStore(home, address, CLOCK, STEPS);
  assert.equal(there?.searches, 5);
  assert.equal(readFileSync(home.databaseAddress, 'utf8').trim(), address);
  assert.ok(!existsSync(home.database));
  assert.ok(existsSync(join(home.folder, there.former)));
  await requireWholeLog(home);
  await requireTotals(home);
  writeFileSync(home.rowTotals, '[]');

  const back = await migrateStore(home, 'sqlite', CLOCK, STEPS);
  assert.match(back?.former ?? '', /\.url$/);
  assert.ok(!existsSync(home.databaseAddress));
  assert.ok(!existsSync(home.rowTotals), 'another database has other totals');
  const after = await contentsOfFile(home);
  assert.deepEqual(withoutLog(after), withoutLog(before));
  assert.equal(after.get('audit_entry')?.rows, (before.get('audit_entry')?.rows ?? 0) + 2);
  await requireWholeLog(home);
});

/** The totals of rows are those of the rows. */
async function requireTotals(home: Home): Promise<void> {
  const db = await openPostgres(keptAddress(home)!, keyOf(home));
  try {
    assert.deepEqual(await changedTotals(db), []);
  } finally {
    await db.destroy();
  }
}

/** The audit log is whole and guarded. */
async function requireWholeLog(home: Home): Promise<void> {
  const address = keptAddress(home);
  const db = await (address === undefined
    ? openDatabase(home.database, keyOf(home))
    : openPostgres(address, keyOf(home)));
  try {
    const { firstBad, entries } = await new AuditLog(db).verify([]);
    assert.deepEqual([firstBad, entries > 2], [null, true]);
  } finally {
    await db.destroy();
  }
}

test('a service goes on with the copy and gives no id twice', { skip: WITHOUT_SERVER }, async (t) => {
  const home = await homeWithPeople(t);
  const before = await openStorage(home, CLOCK);
  const deleted = await newCompany(before, home.folder, 'Deleted');
  await before.close();
  const raw = await openDatabase(home.database, keyOf(home));
  for (const table of ['active_pipeline', 'trust_flow', 'company'])
    await sql`delete from ${sql.table(table)} where ${sql.ref(table === 'company' ? 'id' : 'company_id')} = ${deleted.id}`.execute(
      raw,
    );
  await raw.destroy();
  const { former } = (await migrateStore(home, newAddress(), CLOCK, STEPS))!;
  // As a migration leaves it that was cut off before it set the old file aside.
  renameSync(join(home.folder, former), home.database);
  const storage = await openStorage(home, CLOCK);
  try {
    assert.ok(!existsSync(home.database));
    const next = await newCompany(storage, home.folder, 'Next');
    assert.equal(next.id, deleted.id + 1);
  } finally {
    await storage.close();
  }
  assert.deepEqual(
    (await homeCopies(home.folder)).map(({ name }) => name),
    [former],
  );
});

test(
  'a migration that ends before its last step can be started again',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const home = await filledHome(t);
    const before = await contentsOfFile(home);
    const address = newAddress();
    const fault = new Error('cut off');
    for (const at of [1, 40, Infinity]) {
      let calls = 0;
      const steps: MigrationSteps = {
        ...STEPS,
        progress() {
          calls += 1;
          if (calls === at) throw fault;
        },
        compareSearches: () => Promise.reject(fault),
      };
      await assert.rejects(migrateStore(home, address, CLOCK, steps), fault);
      assert.ok(!existsSync(home.databaseAddress), 'SQLite is still used');
      assert.deepEqual(await copyNames(home), ['migrating.url'], 'an erasure names the copy');
      assert.deepEqual(await contentsOfFile(home), before);
    }
    // The last attempt has copied the rows: they are recognised.
    assert.equal((await migrateStore(home, address, CLOCK, STEPS))?.searches, 5);
    assert.ok(!(await copyNames(home)).includes('migrating.url'));
    const db = await openPostgres(address, keyOf(home));
    const entries = await db.selectFrom('audit_entry').select('sequence').execute();
    await db.destroy();
    assert.equal(entries.length, (before.get('audit_entry')?.rows ?? 0) + 1);
  },
);

test('the database of another installation is refused', { skip: WITHOUT_SERVER }, async (t) => {
  const home = await homeWithPeople(t);
  const address = newAddress();
  const stop = () => Promise.reject(new Error('cut off'));
  await assert.rejects(migrateStore(home, address, CLOCK, { ...STEPS, compareSearches: stop }), /cut off/);
  const storage = await openStorage(home, CLOCK);
  await newCompany(storage, home.folder, 'Later');
  await storage.close();
  await assert.rejects(migrateStore(home, address, CLOCK, STEPS), refusal('MIGRATION_TARGET_USED'));
  assert.ok(!existsSync(home.databaseAddress));
});

test('an erasure removes the former database of a server', { skip: WITHOUT_SERVER }, async (t) => {
  const home = await homeWithPeople(t);
  const address = newAddress();
  await migrateStore(home, address, CLOCK, STEPS);
  const { former } = (await migrateStore(home, 'sqlite', CLOCK, STEPS))!;
  const db = await openDatabase(home.database, keyOf(home));
  const { installation_id: id } = await db
    .selectFrom('installation_settings')
    .select('installation_id')
    .executeTakeFirstOrThrow();
  await db.destroy();
  await assert.rejects(removeHomeCopy(home.folder, former, 'other'), /another installation/);
  const held = await openPostgres(address, keyOf(home));
  await assert.rejects(removeHomeCopy(home.folder, former, id), /A service uses/);
  await held.destroy();
  assert.ok(await isPrepared(address));
  await removeHomeCopy(home.folder, former, id);
  assert.ok(!(await isPrepared(address)));
  assert.ok(!readdirSync(home.folder).includes(former));
  // The database can be used for a new installation.
  assert.ok(await migrateStore(home, address, CLOCK, STEPS));
});
