import type { Selectable } from 'kysely';
import { SCOPES } from '../contracts/codes.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { ApiToken, ApiTokens, Clock } from '../domain/ports.ts';
import { z } from 'zod';
import { writing, type Database } from './database.ts';
import type { Schema } from './schema.ts';

const storedScopes = z.array(z.enum(SCOPES));

export class SqliteApiTokens implements ApiTokens {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async create(company: CompanyId, token: Parameters<ApiTokens['create']>[1]): Promise<ApiToken> {
    const row = await writing(this.#db, (trx) =>
      trx
        .insertInto('api_token')
        .values({
          company_id: company,
          name: token.name,
          hash: token.hash,
          scopes: JSON.stringify(token.scopes),
          created_at: this.#clock.now().getTime(),
          expires_at: token.expiresAt?.getTime() ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
    return toToken(row);
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

  async revoke(company: CompanyId, id: number, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await writing(this.#db, (trx) =>
      trx
        .updateTable('api_token')
        .set({ revoked_at: at.getTime() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
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
