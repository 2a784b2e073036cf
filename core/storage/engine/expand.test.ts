/** Services of two versions on one database: a migration that only adds does not stop the earlier version. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { acceptUpload, newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { CONTRACTED, EXPANDED } from '../../../test/support/expandedSchema.ts';
import { WITHOUT_SERVER } from '../../../test/support/testServer.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { HomeLocked, openHome, openStorage } from '../index.ts';
import { keyIn } from './home.ts';
import type { MIGRATIONS } from './migrate.ts';
import { keptAddress } from './postgres/address.ts';
import { openPostgres } from './postgres/open.ts';
import { openDatabase } from './sqliteFile.ts';

/** Opens the database of a home as the service of another version does, and closes it. */
async function openAsVersion(folder: string, migrations: typeof MIGRATIONS): Promise<void> {
  const home = openHome(folder);
  const key = keyIn(home.keyFile)!;
  const address = keptAddress(home);
  const db = await (address === undefined
    ? openDatabase(home.database, key, migrations)
    : openPostgres(address, key, { migrations }));
  await db.destroy();
}

async function siteOf(t: TestContext) {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const reopen = async () => {
    const again = await openStorage(openHome(folder), clock);
    t.after(() => again.close());
    return again;
  };
  return { storage, folder, company, reopen };
}

test('a version starts on a database to which a later one has added', async (t) => {
  const { storage, folder, company, reopen } = await siteOf(t);
  await storage.close();
  await openAsVersion(folder, EXPANDED);
  const again = await reopen();
  await acceptUpload(again, company, ['Ann.jpg']);
  assert.equal(await again.queue.waiting(), 1);
});

test('a version refuses a database in which a later one has changed something', async (t) => {
  const { storage, folder, reopen } = await siteOf(t);
  await storage.close();
  await openAsVersion(folder, CONTRACTED);
  await assert.rejects(
    reopen(),
    (error) =>
      error instanceof CodedError &&
      error.problem.code === 'DATABASE_NEWER' &&
      !error.message.includes('_expand'),
  );
  await assert.rejects(openAsVersion(folder, EXPANDED), CodedError);
});

test('a later version adds beside a running one, and changes alone', { skip: WITHOUT_SERVER }, async (t) => {
  const { storage, folder, company, reopen } = await siteOf(t);
  await openAsVersion(folder, EXPANDED);
  await acceptUpload(storage, company, ['Ann.jpg']);
  const { changes } = storage;
  const heard = new Promise((resolve) => changes.subscribe(company.id, resolve));
  await openAsVersion(folder, EXPANDED);
  await acceptUpload(storage, company, ['Bob.jpg']);
  await heard;
  await assert.rejects(openAsVersion(folder, CONTRACTED), HomeLocked);
  assert.equal(await storage.queue.waiting(), 2);
  await storage.close();
  await openAsVersion(folder, CONTRACTED);
  await assert.rejects(reopen(), CodedError);
});
