import { sql, type Kysely } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import { toPostgres } from '../postgresStatements.ts';
import { audit, createAuditKey } from './audit.ts';
import { blacklistTransfer } from './blacklistTransfer.ts';
import { companies } from './companies.ts';
import { comparisons } from './comparisons.ts';
import { credentials } from './credentials.ts';
import { duplicates } from './duplicates.ts';
import { erasure } from './erasure.ts';
import { faces } from './faces.ts';
import { createSettings, installation } from './installation.ts';
import { operators } from './operators.ts';
import { persons } from './persons.ts';
import { pipelines } from './pipelines.ts';
import { screening } from './screening.ts';
import { uploads } from './uploads.ts';

/** By family, as in `tables/`. */
const FAMILIES = [
  installation,
  companies,
  operators,
  credentials,
  screening,
  uploads,
  faces,
  duplicates,
  persons,
  pipelines,
  comparisons,
  blacklistTransfer,
  audit,
  erasure,
];

/**
 * Creates every table of the first version. The keys of records are AUTOINCREMENT: the id of a deleted record is never
 * given to another one. Times are milliseconds since 1970 UTC.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = isPostgres(db) ? toPostgres(FAMILIES.flat()) : FAMILIES.flat();
  for (const statement of statements) await sql.raw(statement).execute(db);
  await createSettings(db);
  await createAuditKey(db);
}
