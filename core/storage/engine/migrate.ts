import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { Database } from './database.ts';
import { hasTable, isPostgres } from './dialect.ts';
import type { Schema } from './schema.ts';
import { up as createBaseline } from './migrations/0001_baseline/index.ts';

/**
 * In the order in which the migrator applies them to a new database. A migration that was released is never edited: a
 * later change of the schema is a further migration.
 *
 * A name that ends with `_expand` says that the migration only adds: tables, indexes, columns that may be empty or have a
 * default. The version before goes on beside it, so that services are updated one after the other (docs/adr/0047). Any other
 * migration waits until every service has ended.
 */
export const MIGRATIONS: Record<string, Migration> = { '0001_baseline': { up: createBaseline } };

/**
 * Compares the schema of a database with that of this version.
 * @param file its name in errors @throws {CodedError} a newer version changed what this version uses
 */
export async function schemaState(db: Database, file: string, migrations: typeof MIGRATIONS) {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !(name in migrations));
  const newer = unknown.filter((name) => !isExpanding(name));
  if (newer.length > 0)
    throw new CodedError(problem('DATABASE_NEWER', { file, migrations: newer.join(', ') }));
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  return {
    /** Migrations of this version. */
    missing,
    /** A newer version has added to the schema, and nothing that this version uses has changed. */
    isExpanded: unknown.length > 0,
    /** The missing migrations change what services of the version before use. No service uses an empty database. */
    excludesServices: applied.length > 0 && missing.some((name) => !isExpanding(name)),
  };
}

function isExpanding(migration: string): boolean {
  return migration.endsWith('_expand');
}

/** Applies the migrations that are missing. @param file its name in errors @throws {CodedError} nothing was changed */
export async function migrate(
  db: Kysely<Schema>,
  file: string,
  migrations: typeof MIGRATIONS,
): Promise<void> {
  const { missing, isExpanded } = await schemaState(db, file, migrations);
  // The migrator refuses a database with migrations that it does not know.
  if (missing.length === 0 && isExpanded) return;
  const migrator = new Migrator({
    db,
    // Without it PostgreSQL is asked for the tables of the migrator in every schema.
    ...(isPostgres(db) ? { migrationTableSchema: 'public' } : {}),
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new CodedError(problem('DATABASE_NOT_MIGRATED', { file }), {
      cause: error,
    });
}

async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
