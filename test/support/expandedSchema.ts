/**
 * A schema as the next version may have it while services of this version still run: each table has a column more, and one
 * table is new. As a program, it prepares the database of a home: `node expandedSchema.ts FOLDER ADDRESS`.
 */
import { writeFileSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { openHome, readKeyFile } from '../../core/storage/engine/home.ts';
import { isPostgres } from '../../core/storage/engine/dialect.ts';
import { MIGRATIONS } from '../../core/storage/engine/migrate.ts';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import { COPIED_TABLES } from '../../core/storage/migration/copyStore.ts';

async function up(db: Kysely<never>): Promise<void> {
  for (const table of COPIED_TABLES)
    await sql`alter table ${sql.table(table)} add column of_the_next_version integer`.execute(db);
  const strict = sql.raw(isPostgres(db) ? '' : 'strict');
  await sql`create table of_the_next_version (id integer primary key) ${strict}`.execute(db);
}

/** The migrations of this version, and one that only adds. */
export const EXPANDED: typeof MIGRATIONS = { ...MIGRATIONS, '9998_next_expand': { up } };
/** The migrations of the version after it, which changes what earlier ones use. */
export const CONTRACTED: typeof MIGRATIONS = {
  ...EXPANDED,
  '9999_next': {
    up: (db) => sql`alter table trust_flow rename column name to label`.execute(db).then(() => undefined),
  },
};

/** Creates the tables of a version in a new database, and gives the database to a home. */
export async function prepareSchema(
  folder: string,
  address: string,
  migrations: typeof MIGRATIONS,
): Promise<void> {
  const home = openHome(folder);
  const db = await openPostgres(address, readKeyFile(home.keyFile, false), { migrations });
  await db.destroy();
  writeFileSync(home.databaseAddress, `${address}\n`);
}

if (import.meta.main) {
  const [folder = '', address = ''] = process.argv.slice(2);
  await prepareSchema(folder, address, EXPANDED);
}
