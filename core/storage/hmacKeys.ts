import type { Selectable } from 'kysely';
import { z } from 'zod';
import { SCOPES } from '../contracts/codes.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { Clock, HmacKey, HmacKeys, ReplayMemory } from '../domain/ports.ts';
import type { Act } from '../domain/actor.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { writing, type Database } from './database.ts';
import type { Schema } from './schema.ts';

const storedScopes = z.array(z.enum(SCOPES));

export class SqliteHmacKeys implements HmacKeys {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async create(
    company: CompanyId,
    key: Parameters<HmacKeys['create']>[1],
    act: Act,
  ): Promise<HmacKey | undefined> {
    return writing(this.#db, async (trx) => {
      const row = await trx
        .insertInto('hmac_key')
        .values({
          company_id: company,
          user_id: key.userId,
          name: key.name,
          secret: key.secret,
          profile: key.profile,
          scopes: JSON.stringify(key.scopes),
          created_at: act.at.getTime(),
          expires_at: key.expiresAt?.getTime() ?? null,
        })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await this.#audit.append(trx, act, {
        company,
        action: 'credential.created',
        object: `hmac:${row.id}`,
        facts: { mechanism: 'hmac', scopes: key.scopes },
      });
      return toKey(row);
    });
  }

  async findByUserId(userId: string): Promise<{ key: HmacKey; secret: string } | undefined> {
    const row = await this.#db
      .selectFrom('hmac_key')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row && { key: toKey(row), secret: row.secret };
  }

  async list(company: CompanyId): Promise<HmacKey[]> {
    const rows = await this.#db
      .selectFrom('hmac_key')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return rows.map(toKey);
  }

  async revoke(company: CompanyId, id: number, act: Act): Promise<boolean> {
    return writing(this.#db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('hmac_key')
        .set({ revoked_at: act.at.getTime() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await this.#audit.append(trx, act, {
        company,
        action: 'credential.revoked',
        object: `hmac:${id}`,
      });
      return true;
    });
  }

  async touch(company: CompanyId, id: number, at: Date): Promise<void> {
    await writing(this.#db, (trx) =>
      trx
        .updateTable('hmac_key')
        .set({ last_used_at: at.getTime() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute(),
    );
  }
}

export class SqliteReplayMemory implements ReplayMemory {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async remember(key: HmacKey, signature: Uint8Array, until: Date): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await writing(this.#db, async (trx) => {
      await trx
        .deleteFrom('accepted_signature')
        .where('forget_at', '<', this.#clock.now().getTime())
        .execute();
      return trx
        .insertInto('accepted_signature')
        .values({ key_id: key.id, signature, forget_at: until.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
    });
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
}

function toKey(row: Selectable<Schema['hmac_key']>): HmacKey {
  return {
    id: row.id,
    companyId: row.company_id,
    userId: row.user_id,
    name: row.name,
    profile: row.profile,
    scopes: storedScopes.parse(JSON.parse(row.scopes)),
    createdAt: new Date(row.created_at),
    expiresAt: asDate(row.expires_at),
    revokedAt: asDate(row.revoked_at),
    lastUsedAt: asDate(row.last_used_at),
  };
}

function asDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
