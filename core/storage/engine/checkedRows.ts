/** Rows by which several capabilities decide, compared with their codes. */
import type { Selectable } from 'kysely';
import type { BlacklistStatus } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import { companySettings, type CompanySettings } from '../../contracts/settings.ts';
import { cellsOf } from './cells.ts';
import type { Database, Transaction } from './database.ts';
import type { Schema } from './schema.ts';
import { rowsWith } from './rows.ts';

/** The only row of its table. @throws {RowDamaged} it was changed without the key */
export async function installationRow(db: Database): Promise<Selectable<Schema['installation_settings']>> {
  const row = await db.selectFrom('installation_settings').selectAll().executeTakeFirstOrThrow();
  return cellsOf(db).checked('installation_settings', row);
}

/** The row of a company. @throws {RowDamaged} it was changed without the key */
export async function companyRow(
  db: Database,
  id: CompanyId,
): Promise<Selectable<Schema['company']> | undefined> {
  const row = await rowsWith(db, 'company', { id }).selectAll().executeTakeFirst();
  return row && cellsOf(db).checked('company', row);
}

/** The settings of a company as a transaction sees them. @throws {Error} there is no such company */
export async function settingsOf(db: Database, id: CompanyId): Promise<CompanySettings> {
  const row = await companyRow(db, id);
  if (row === undefined) throw new Error(`There is no company ${id}.`);
  return companySettings.parse(JSON.parse(row.settings));
}

/**
 * The state of a list as the transaction sees it.
 * @returns undefined: there is no such list @throws {RowDamaged} its state was changed without the key
 */
export async function listStatus(
  trx: Transaction,
  company: CompanyId,
  id: BlacklistId,
): Promise<BlacklistStatus | undefined> {
  const row = await rowsWith(trx, 'blacklist', { company_id: company, id }).selectAll().executeTakeFirst();
  return row && cellsOf(trx).checked('blacklist', row).status;
}
