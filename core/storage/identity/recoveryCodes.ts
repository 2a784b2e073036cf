import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';

/** One recovery key per company; only its SHA-256 is stored. */
export class RecoveryCodes {
  readonly #db: Database;
  readonly #audit: AuditLog;

  constructor(db: Database, audit: AuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  /** When the company's key was made; undefined: it has none. */
  async madeAt(company: CompanyId): Promise<Date | undefined> {
    const row = await this.#db
      .selectFrom('operator_recovery_code')
      .select('created_at')
      .where('company_id', '=', company)
      .executeTakeFirst();
    return row && new Date(row.created_at);
  }

  /** A credential's look-up, without a company. */
  async companyOf(hash: Uint8Array): Promise<CompanyId | undefined> {
    const row = await this.#db
      .selectFrom('operator_recovery_code')
      .select('company_id')
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row?.company_id;
  }

  /** Makes it the company's key; the one before opens nothing any more. */
  async replace(company: CompanyId, hash: Uint8Array, act: AuditContext): Promise<void> {
    await writing(this.#db, 'identity', async (trx) => {
      await writeRecoveryCode(trx, company, hash, act);
      this.#audit.append(trx, act, { company, action: 'operator.recovery-code', object: null });
    });
  }
}

/** Inside the transaction of what makes it: set-up, recovery, or an admin who wants another one. */
export async function writeRecoveryCode(
  trx: Transaction,
  company: CompanyId,
  hash: Uint8Array,
  act: AuditContext,
): Promise<void> {
  const created_at = act.at.getTime();
  await trx
    .insertInto('operator_recovery_code')
    .values({ company_id: company, hash, created_at })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ hash, created_at }))
    .execute();
}
