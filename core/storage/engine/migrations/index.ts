import type { Migration } from 'kysely/migration';
import { up as createBaseline } from './0001_baseline/index.ts';

/**
 * In the order in which the migrator applies them to a new database. A migration that was released is never edited: a
 * later change of the schema is a further migration.
 *
 * A name that ends with `_expand` says that the migration only adds: tables, indexes, columns that may be empty or have a
 * default. The version before goes on beside it, so that services are updated one after the other (docs/adr/0047). Any other
 * migration waits until every service has ended.
 */
export const MIGRATIONS: Record<string, Migration> = { '0001_baseline': { up: createBaseline } };
