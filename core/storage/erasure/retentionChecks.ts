import type { CompanyId } from '../../contracts/ids.ts';
import type { RetentionCheck } from '../../domain/ports/erasure.ts';
import { writing, type Database } from '../engine/database.ts';

export class RetentionChecks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** undefined: no person has confirmed rules of this company. */
  async find(company: CompanyId): Promise<RetentionCheck | undefined> {
    const row = await this.#db
      .selectFrom('retention_check')
      .selectAll()
      .where('company_id', '=', company)
      .executeTakeFirst();
    return row && { at: new Date(row.at), boot: row.boot, uptime: row.uptime, confirmed: row.confirmed };
  }

  async save(company: CompanyId, { at, boot, uptime, confirmed }: RetentionCheck): Promise<void> {
    const row = { at: at.getTime(), boot, uptime, confirmed };
    await writing(this.#db, company, (trx) =>
      trx
        .insertInto('retention_check')
        .values({ company_id: company, ...row })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute(),
    );
  }
}
