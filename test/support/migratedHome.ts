/** Homes for tests of migrations, and the contents of their databases. */
import { rmSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import { readKeyFile, type Home } from '../../core/storage/engine/home.ts';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { openDatabase } from '../../core/storage/engine/sqliteFile.ts';
import { openHome } from '../../core/storage/index.ts';
import { contentOf, type Content, copiedTables } from '../../core/storage/migration/copyStore.ts';
import { acceptPeople, enrolPeople, openErasureSite } from './erasureSite.ts';
import { examineSignatures } from './examinedSignatures.ts';
import { fillEmptyTables } from './everyTable.ts';
import { newCompany, temporaryFolder } from './site.ts';

/** A migration adds an entry to the audit log of its target. */
const LOG: ReadonlySet<string> = new Set(['audit_entry', 'audit_head']);

export const keyOf = (home: Home) => readKeyFile(home.keyFile, true);

/** A home on SQLite with people. */
export async function homeWithPeople(t: TestContext): Promise<Home> {
  const folder = temporaryFolder(t);
  const home = openHome(folder);
  // The functions of test/support give each home a database on the server.
  rmSync(home.databaseAddress, { force: true });
  const site = await openErasureSite(folder);
  const company = await newCompany(site.storage, folder);
  await enrolPeople(
    site,
    company,
    Array.from({ length: 5 }, (_, person) => ({ person, fileName: `person ${person}.jpg` })),
  );
  await examineSignatures(site.storage, company.id, ['specimen.png', 'cheque.png'], Buffer.from('ink'));
  await acceptPeople(site, company, [{ person: 7, fileName: 'waits.jpg' }]);
  await site.close();
  return home;
}

/** A home on SQLite with at least one row in every table. No service could read all of them. */
export async function filledHome(t: TestContext): Promise<Home> {
  const home = await homeWithPeople(t);
  const db = await openDatabase(home.database, keyOf(home));
  await fillEmptyTables(db);
  await db.destroy();
  return home;
}

/** @param sqlite describes the tables @param db has their rows */
export async function contents(
  sqlite: Kysely<Schema>,
  db: Kysely<Schema> = sqlite,
): Promise<Map<string, Content>> {
  const found = new Map<string, Content>();
  for (const table of await copiedTables(sqlite)) found.set(table.name, await contentOf(db, table));
  return found;
}

export async function contentsOfFile(home: Home): Promise<Map<string, Content>> {
  const db = await openDatabase(home.database, keyOf(home));
  try {
    return await contents(db);
  } finally {
    await db.destroy();
  }
}

export const withoutLog = (all: Map<string, Content>) => [...all].filter(([name]) => !LOG.has(name));
