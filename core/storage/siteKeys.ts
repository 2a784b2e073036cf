import type { Act } from '../domain/actor.ts';
import type { SiteKey, SiteKeys } from '../domain/backup/ports.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { writing, type Database } from './database.ts';

export class SqliteSiteKeys implements SiteKeys {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async recovery(): Promise<SiteKey | undefined> {
    const row = await this.#db
      .selectFrom('site_key')
      .select(['public_key', 'created_at'])
      .where('purpose', '=', 'recovery')
      .executeTakeFirst();
    return row && { publicKey: row.public_key, createdAt: new Date(row.created_at) };
  }

  async setRecovery(publicKey: Uint8Array, act: Act): Promise<void> {
    const row = { public_key: publicKey, private_key: null, created_at: act.at.getTime() };
    await writing(this.#db, async (trx) => {
      await trx
        .insertInto('site_key')
        .values({ purpose: 'recovery', ...row })
        .onConflict((conflict) => conflict.column('purpose').doUpdateSet(row))
        .execute();
      await this.#audit.append(trx, act, { company: null, action: 'recovery.created', object: null });
    });
  }
}
