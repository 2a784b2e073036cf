import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { Database } from './database.ts';
import { hasTable, isPostgres } from './dialect.ts';
import type { MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** Applies the migrations that are missing. @param file its name in errors @throws {CodedError} nothing was changed */
export async function migrate(
  db: Kysely<Schema>,
  file: string,
  migrations: typeof MIGRATIONS,
): Promise<void> {
  const migrator = new Migrator({
    db,
    // Without it PostgreSQL is asked for the tables of the migrator in every schema.
    ...(isPostgres(db) ? { migrationTableSchema: 'public' } : {}),
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  await refuseNewer(db, file, migrations);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new CodedError(problem('DATABASE_NOT_MIGRATED', { file }), {
      cause: error,
    });
}

/**
 * For a role that may not change tables: compares what the owner of the tables has prepared with this version.
 * @param file its name in errors @throws {CodedError} the database is newer, or not prepared for this version
 */
export async function requireMigrated(
  db: Kysely<Schema>,
  file: string,
  migrations: typeof MIGRATIONS,
): Promise<void> {
  await refuseNewer(db, file, migrations);
  const applied = new Set(await appliedMigrations(db));
  if (Object.keys(migrations).some((name) => !applied.has(name)))
    throw new CodedError(problem('DATABASE_NOT_PREPARED', { label: file }));
}

async function refuseNewer(db: Database, file: string, migrations: typeof MIGRATIONS): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !(name in migrations));
  if (unknown.length > 0)
    throw new CodedError(problem('DATABASE_NEWER', { file, migrations: unknown.join(', ') }));
}

async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
