import { appearance, type Appearance } from '../../contracts/dashboard/session.ts';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import { writing, type Database } from '../engine/database.ts';

/** How operators want the dashboard to look. */
export class Appearances {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null: the operator never chose. */
  async read(company: CompanyId, operator: OperatorId): Promise<Appearance | null> {
    const row = await this.#db
      .selectFrom('operator_appearance')
      .select('choice')
      .where('company_id', '=', company)
      .where('operator_id', '=', operator)
      .executeTakeFirst();
    return row === undefined ? null : appearance.parse(JSON.parse(row.choice));
  }

  async write(company: CompanyId, operator: OperatorId, chosen: Appearance): Promise<void> {
    const choice = JSON.stringify(chosen);
    await writing(this.#db, company, (trx) =>
      trx
        .insertInto('operator_appearance')
        .values({ operator_id: operator, company_id: company, choice })
        .onConflict((conflict) => conflict.column('operator_id').doUpdateSet({ choice }))
        .execute(),
    );
  }
}
