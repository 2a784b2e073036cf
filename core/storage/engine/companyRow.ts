import type { Selectable } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { companySettings, type CompanySettings } from '../../contracts/settings.ts';
import { cellsOf } from './cells.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** The row of a company. @throws {RowDamaged} it was changed without the key */
export async function companyRow(
  db: Database,
  id: CompanyId,
): Promise<Selectable<Schema['company']> | undefined> {
  const row = await db.selectFrom('company').selectAll().where('id', '=', id).executeTakeFirst();
  return row && cellsOf(db).checked('company', row);
}

/** The settings of a company as a transaction sees them. @throws {Error} there is no such company */
export async function settingsOf(db: Database, id: CompanyId): Promise<CompanySettings> {
  const row = await companyRow(db, id);
  if (row === undefined) throw new Error(`There is no company ${id}.`);
  return companySettings.parse(JSON.parse(row.settings));
}
