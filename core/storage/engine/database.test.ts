import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { sql, type Kysely } from 'kysely';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import {
  acceptUpload,
  newCompany,
  temporaryFolder,
  temporaryStorage,
  TestClock,
} from '../../../test/support/site.ts';
import { installationSettings } from '../../contracts/settings.ts';
import { HomeLocked, openHome, openStorage } from '../index.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { newAddress, WITHOUT_FILE, WITHOUT_SERVER } from '../../../test/support/testServer.ts';
import { adding, send, writing, type Database, type Transaction } from './database.ts';
import { newIds } from './dialect.ts';
import { LONGEST_WAIT } from './postgres/address.ts';
import { openPostgres } from './postgres/open.ts';
import { openDatabase } from './sqliteFile.ts';
import { MIGRATIONS } from './migrate.ts';

test('the database file holds nothing readable', { skip: WITHOUT_FILE }, async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder, 'A company of note');
  await acceptUpload(storage, company, ['Jane Doe.jpg']);
  await storage.close();
  const file = await readFile(join(folder, 'vouch.db'));
  for (const text of ['SQLite format', 'A company of note', 'Jane Doe', 'upload_item'])
    assert(!file.includes(text), text);
});

test('another key opens nothing and harms nothing', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  await newCompany(storage, folder);
  await storage.close();
  await assert.rejects(openStorage(openHome(folder), clock, randomBytes(32)), CodedError);
  const reopened = await openStorage(openHome(folder), clock);
  t.after(() => reopened.close());
  assert.equal((await reopened.companies.list()).length, 1);
});

test(
  'a database made by a newer version is refused with words and not changed',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { storage, folder, clock } = await temporaryStorage(t);
    await storage.close();
    const raw = await openRaw(folder);
    raw.exec(`insert into kysely_migration (name, timestamp) values ('9999_future', 'x')`);
    raw.close();
    await assert.rejects(openStorage(openHome(folder), clock), /newer version.*9999_future/);
  },
);

test('only a transaction changes rows, and a transaction has a scope', () => {
  const changesRows: 'deleteFrom' extends keyof Database ? true : false = false;
  const needed: Parameters<typeof writing>['length'] = 3;
  assert.deepEqual([changesRows, needed], [false, 3]);
});

async function openEmpty(t: TestContext): Promise<Database> {
  const key = randomBytes(32);
  const db = WITHOUT_SERVER
    ? await openDatabase(join(temporaryFolder(t), 'vouch.db'), key)
    : await openPostgres(newAddress(), key);
  t.after(() => db.destroy());
  return db;
}

test('what several callers add at the same moment shares a transaction', async (t) => {
  const db = await openEmpty(t);
  const transactions: Transaction[] = [];
  const numbers = [0, 1, 2, 3, 4];
  const add = (number: number) => adding(db, (trx) => transactions.push(trx) && number);
  assert.deepEqual(await Promise.all(numbers.map(add)), numbers);
  const [alone, ...others] = transactions;
  assert.notEqual(others[0], alone);
  assert.deepEqual(
    others.map((one) => one === others[0]),
    [true, true, true, true],
  );
});

test('callers that take new ids in a shared transaction get their own, at once', async (t) => {
  const db = await openEmpty(t);
  const company = { id: 1 as CompanyId, name: 'Company', settings: '{}', created_at: 0 };
  await adding(db, (trx) => send(trx, trx.insertInto('company').values(company)));
  let runs = 0;
  const open = () =>
    adding(db, async (trx) => {
      runs += 1;
      const [id] = await newIds(trx, 'case_folder', 1);
      const row = { id: trusted.caseFolder(id!), company_id: company.id, opened_at: 0 };
      await send(trx, trx.insertInto('case_folder').values(row));
      return id;
    });
  const ids = await Promise.all([open(), open(), open(), open()]);
  assert.deepEqual([new Set(ids).size, runs], [4, 4]);
});

test('what cannot be added fails alone, and nothing is added twice', async (t) => {
  const db = await openEmpty(t);
  const add = (id: number) =>
    adding(db, (trx) => {
      const row = { id: id as CompanyId, name: `Company ${id}`, settings: '{}', created_at: 0 };
      return send(trx, trx.insertInto('company').values(row));
    });
  const ended = await Promise.allSettled([1, 2, 2, 3].map(add));
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const rows = await db.selectFrom('company').select('id').orderBy('id').execute();
  assert.deepEqual(rows, [{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('what waits too long to be added is given up, and not added later', async (t) => {
  const db = await openEmpty(t);
  const [begun, silent] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  const first = adding(db, () => {
    begun.resolve(true);
    return silent.promise;
  });
  await begun.promise;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const added: string[] = [];
  const late = adding(db, () => added.push('late'));
  t.mock.timers.tick(LONGEST_WAIT);
  await assert.rejects(late, /take too long/);
  silent.resolve(true);
  await Promise.all([first, adding(db, () => added.push('next'))]);
  assert.deepEqual(added, ['next']);
});

test('when one of several migrations fails, none has happened', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'vouch.db');
  const key = randomBytes(32);
  await (await openDatabase(file, key)).destroy();
  const first = { up: (db: Kysely<unknown>) => createTable(db, 'first') };
  const second = { up: (db: Kysely<unknown>) => createTable(db, 'company') };
  const later = { ...MIGRATIONS, '9998_first': first, '9999_second': second };
  await assert.rejects(openDatabase(file, key, later), /Nothing was changed/);

  const db = await openDatabase(file, key);
  t.after(() => db.destroy());
  await assert.rejects(sql`select * from first`.execute(db), /no such table/);
  await db.destroy();
  const whole = await openDatabase(file, key, { ...MIGRATIONS, '9998_first': first });
  t.after(() => whole.destroy());
  assert.deepEqual((await sql`select * from first`.execute(whole)).rows, []);
});

test('a home has one owner at a time, and is free again when it closes', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  await assert.rejects(openStorage(openHome(folder), clock), HomeLocked);
  await storage.close();
  const reopened = await openStorage(openHome(folder), clock);
  await reopened.close();
});

test('the key file is private and never recreated beside an old database', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  await storage.close();
  const keyFile = join(folder, 'store.key');
  if (process.platform !== 'win32') assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  rmSync(keyFile);
  await assert.rejects(openStorage(openHome(folder), clock), /key file .* is missing/);
  await writeFile(keyFile, 'nonsense');
  await assert.rejects(openStorage(openHome(folder), clock), /key file .* is damaged/);
});

test('a site starts with the default settings and keeps what is changed', async (t) => {
  const clock = new TestClock();
  const folder = temporaryFolder(t);
  const storage = await openStorage(openHome(folder), clock);
  assert.equal((await storage.installation.settings()).maxWaitingImages, 20_000);
  await storage.installation.update({ paused: true }, TEST_ACT);
  await storage.close();
  const reopened = await openStorage(openHome(folder), clock);
  t.after(() => reopened.close());
  assert.deepEqual(await reopened.installation.settings(), installationSettings.parse({ paused: true }));
});

async function createTable(db: Kysely<unknown>, name: string): Promise<void> {
  await db.schema.createTable(name).addColumn('id', 'integer').execute();
}

/** The database file of a home without the program around it. */
async function openRaw(folder: string): Promise<Sqlite> {
  const key = (await readFile(join(folder, 'store.key'), 'utf8')).trim();
  const raw = new Sqlite(join(folder, 'vouch.db'));
  raw.pragma(`key="x'${key}'"`);
  return raw;
}
