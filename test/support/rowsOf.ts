import type { TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import { keyIn, openHome } from '../../core/storage/engine/home.ts';
import { openKeysOf } from '../../core/storage/erasure/keyFile.ts';
import { keptAddress } from '../../core/storage/engine/postgres/address.ts';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { openDatabase } from '../../core/storage/engine/sqliteFile.ts';

/** The rows of a home whose store was closed, to write to and to read from until the test ends. */
export async function rowsOf(t: TestContext, folder: string): Promise<Kysely<Schema>> {
  const home = openHome(folder);
  const key = keyIn(home.keyFile)!;
  const address = keptAddress(home);
  const db =
    address === undefined ? await openDatabase(home.database, key) : await openPostgres(address, key);
  t.after(() => db.destroy());
  if (address !== undefined) await openKeysOf(home, db);
  return db;
}
