import type { Selectable } from 'kysely';
import { SCOPES } from '../contracts/codes.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { ApiToken, ApiTokens } from '../domain/ports.ts';
import { z } from 'zod';
import type { Act } from '../domain/actor.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { writing, type Database } from './database.ts';
import type { Schema } from './schema.ts';

const storedScopes = z.array(z.enum(SCOPES));

export class SqliteApiTokens implements ApiTokens {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async create(company: CompanyId, token: Parameters<ApiTokens['create']>[1], act: Act): Promise<ApiToken> {
    return writing(this.#db, async (trx) => {
      const row = await trx
        .insertInto('api_token')
        .values({
          company_id: company,
          name: token.name,
          hash: token.hash,
          scopes: JSON.stringify(token.scopes),
          created_at: act.at.getTime(),
          expires_at: token.expiresAt?.getTime() ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#audit.append(trx, act, {
        company,
        action: 'credential.created',
        object: `token:${row.id}`,
        facts: { mechanism: 'bearer', scopes: token.scopes },
      });
      return toToken(row);
    });
  }

  async findByHash(hash: Uint8Array): Promise<ApiToken | undefined> {
    const row = await this.#db
      .selectFrom('api_token')
      .selectAll()
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row && toToken(row);
  }

  async list(company: CompanyId): Promise<ApiToken[]> {
    const rows = await this.#db
      .selectFrom('api_token')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return rows.map(toToken);
  }

  async revoke(company: CompanyId, id: number, act: Act): Promise<boolean> {
    return writing(this.#db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('api_token')
        .set({ revoked_at: act.at.getTime() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await this.#audit.append(trx, act, {
        company,
        action: 'credential.revoked',
        object: `token:${id}`,
      });
      return true;
    });
  }

  async touch(company: CompanyId, id: number, at: Date): Promise<void> {
    await writing(this.#db, (trx) =>
      trx
        .updateTable('api_token')
        .set({ last_used_at: at.getTime() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute(),
    );
  }
}

function toToken(row: Selectable<Schema['api_token']>): ApiToken {
  return {
    id: row.id,
    companyId: row.company_id,
    name: row.name,
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
