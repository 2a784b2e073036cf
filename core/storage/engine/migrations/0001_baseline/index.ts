import { sql, type Kysely } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import { createTable } from '../table.ts';
import { toPostgres } from '../postgresStatements.ts';
import {
  audit,
  auditIndexes,
  createAuditKey,
  erasure,
  erasureIndexes,
  createSettings,
  installation,
  companies,
} from './installation.ts';
import {
  blacklistTransfer,
  blacklistTransferIndexes,
  screening,
  screeningIndexes,
  comparisons,
  comparisonsIndexes,
} from './screening.ts';
import { duplicates, duplicatesIndexes, persons, personsIndexes } from './persons.ts';
import { faces, facesIndexes, pipelines, pipelinesIndexes } from './faces.ts';
import { operators, operatorsIndexes, credentials, credentialsIndexes } from './operators.ts';
import { uploads, uploadsIndexes } from './uploads.ts';

/** Every table of the first version. The types of the queries follow from it: see `../../schema.ts`. */
export const BASELINE_TABLES = {
  ...installation,
  ...companies,
  ...operators,
  ...credentials,
  ...screening,
  ...uploads,
  ...faces,
  ...comparisons,
  ...duplicates,
  ...persons,
  ...pipelines,
  ...blacklistTransfer,
  ...audit,
  ...erasure,
};

const STATEMENTS = [
  ...Object.entries(BASELINE_TABLES).map(([name, declared]) => createTable(name, declared)),
  ...operatorsIndexes,
  ...credentialsIndexes,
  ...screeningIndexes,
  ...uploadsIndexes,
  ...facesIndexes,
  ...duplicatesIndexes,
  ...personsIndexes,
  ...pipelinesIndexes,
  ...comparisonsIndexes,
  ...blacklistTransferIndexes,
  ...auditIndexes,
  ...erasureIndexes,
];

/**
 * Creates every table of the first version. The keys of records are AUTOINCREMENT: the id of a deleted record is never
 * given to another one. Times are milliseconds since 1970 UTC.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = isPostgres(db) ? toPostgres(STATEMENTS) : STATEMENTS;
  for (const statement of statements) await sql.raw(statement).execute(db);
  await createSettings(db);
  await createAuditKey(db);
}
