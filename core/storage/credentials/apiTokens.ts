import type { CompanyId } from '../../contracts/ids.ts';
import type { ApiToken, ApiTokens } from '../../domain/ports/credentials.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { SqliteAuditLog } from '../audit/auditLog.ts';
import { credentialColumns, revokeCredential, toCredential, touchCredential } from './credentialRows.ts';
import { writing, type Database } from '../engine/database.ts';

export class SqliteApiTokens implements ApiTokens {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async create(
    company: CompanyId,
    token: Parameters<ApiTokens['create']>[1],
    act: AuditContext,
  ): Promise<ApiToken> {
    return writing(this.#db, async (trx) => {
      const row = await trx
        .insertInto('api_token')
        .values({ ...credentialColumns(company, token, act.at), hash: token.hash })
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.#audit.append(trx, act, {
        company,
        action: 'credential.created',
        object: `token:${row.id}`,
        details: { mechanism: 'bearer', scopes: token.scopes },
      });
      return toCredential(row);
    });
  }

  async findByHash(hash: Uint8Array): Promise<ApiToken | undefined> {
    const row = await this.#db
      .selectFrom('api_token')
      .selectAll()
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row && toCredential(row);
  }

  async list(company: CompanyId): Promise<ApiToken[]> {
    const rows = await this.#db
      .selectFrom('api_token')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return rows.map(toCredential);
  }

  revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean> {
    return revokeCredential({ db: this.#db, audit: this.#audit }, 'api_token', company, id, act);
  }

  touch(company: CompanyId, id: number, at: Date): Promise<void> {
    return touchCredential(this.#db, 'api_token', company, id, at);
  }
}
