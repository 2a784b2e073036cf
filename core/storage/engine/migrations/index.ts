import type { Migration } from 'kysely/migration';
import { up as createBaseline } from './0001_baseline/index.ts';

/**
 * In the order in which the migrator applies them to a new database. A migration that was released is never edited: a
 * later change of the schema is a further migration.
 */
export const MIGRATIONS: Record<string, Migration> = { '0001_baseline': { up: createBaseline } };
