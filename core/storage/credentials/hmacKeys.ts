import type { Selectable } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import type { HmacKey } from '../../domain/ports/credentials.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { credentialColumns, revokeCredential, toCredential, touchCredential } from './credentialRows.ts';
import { writing, type Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import type { HmacProfileName, Scope } from '../../contracts/codes.ts';
import { AuditedRows } from '../engine/rows.ts';

export class HmacKeys extends AuditedRows {
  /** Undefined: another key has this user id. */
  async create(
    company: CompanyId,
    key: {
      userId: string;
      name: string;
      secret: string;
      profile: HmacProfileName;
      scopes: readonly Scope[];
      expiresAt: Date | null;
    },
    act: AuditContext,
  ): Promise<HmacKey | undefined> {
    return writing(this.db, company, async (trx) => {
      const row = await trx
        .insertInto('hmac_key')
        .values({
          ...credentialColumns(company, key, act),
          user_id: key.userId,
          secret: Buffer.from(key.secret),
          profile: key.profile,
        })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      this.audit.append(trx, act, {
        company,
        action: 'credential.created',
        object: `hmac:${row.id}`,
        details: { mechanism: 'hmac', scopes: key.scopes },
      });
      return toKey(row);
    });
  }

  /** The one query without a company: it finds which company a credential belongs to. */
  async findByUserId(userId: string): Promise<{ key: HmacKey; secret: string } | undefined> {
    const row = await this.db
      .selectFrom('hmac_key')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row && { key: toKey(row), secret: Buffer.from(row.secret).toString() };
  }

  async list(company: CompanyId): Promise<HmacKey[]> {
    const rows = await this.db
      .selectFrom('hmac_key')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return rows.map(toKey);
  }

  revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean> {
    return revokeCredential({ db: this.db, audit: this.audit }, 'hmac_key', company, id, act);
  }

  touch(company: CompanyId, id: number, at: Date): Promise<void> {
    return touchCredential(this.db, 'hmac_key', company, id, at);
  }
}

/** Signatures that were accepted; survives a restart. */
export class ReplayGuard {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Remembers a signature, durably before it resolves.
   * @param until when it may be forgotten: its timestamp can never be in a window again
   * @returns false: it was remembered already
   */
  async remember(key: HmacKey, signature: Uint8Array, until: Date): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await writing(this.#db, 'unlocked', async (trx) => {
      await trx.deleteFrom('replay_nonce').where('expires_at', '<', this.#clock.now().getTime()).execute();
      return trx
        .insertInto('replay_nonce')
        .values({ key_id: key.id, signature, expires_at: until.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
    });
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
}

function toKey(row: Selectable<Schema['hmac_key']>): HmacKey {
  return { ...toCredential(row), userId: row.user_id, profile: row.profile };
}
