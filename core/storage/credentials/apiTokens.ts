import type { Selectable } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ApiToken } from '../../domain/ports/credentials.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { credentialColumns, revokeCredential, toCredential, touchCredential } from './credentialRows.ts';
import { writing } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import type { Scope } from '../../contracts/codes.ts';
import { AuditedRows } from '../engine/rows.ts';

export class ApiTokens extends AuditedRows {
  /** `hash`: SHA-256 of the token; the token itself is never stored. */
  async create(
    company: CompanyId,
    token: {
      name: string;
      hash: Uint8Array;
      scopes: readonly Scope[];
      expiresAt: Date | null;
      /** Such tokens are deleted after they expired. */
      forOneRun?: boolean | undefined;
    },
    act: AuditContext,
  ): Promise<ApiToken> {
    return writing(this.db, company, async (trx) => {
      // An expired token is never active again, not even in a restored backup. The audit log keeps its number.
      await trx
        .deleteFrom('api_token')
        .where('company_id', '=', company)
        .where('for_one_run', '=', 1)
        .where('expires_at', '<=', act.at.getTime())
        .execute();
      const row = await trx
        .insertInto('api_token')
        .values({
          ...credentialColumns(company, token, act),
          hash: token.hash,
          for_one_run: token.forOneRun === true ? 1 : 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      this.audit.append(trx, act, {
        company,
        action: 'credential.created',
        object: `token:${row.id}`,
        details: { mechanism: 'bearer', scopes: token.scopes },
      });
      return toToken(row);
    });
  }

  /** The one query without a company: it finds which company a credential belongs to. */
  async findByHash(hash: Uint8Array): Promise<ApiToken | undefined> {
    const row = await this.db.selectFrom('api_token').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row && toToken(row);
  }

  async list(company: CompanyId): Promise<ApiToken[]> {
    const rows = await this.db
      .selectFrom('api_token')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return rows.map(toToken);
  }

  revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean> {
    return revokeCredential({ db: this.db, audit: this.audit }, 'api_token', company, id, act);
  }

  touch(company: CompanyId, id: number, at: Date): Promise<void> {
    return touchCredential(this.db, 'api_token', company, id, at);
  }
}

function toToken(row: Selectable<Schema['api_token']>): ApiToken {
  return { ...toCredential(row), forOneRun: row.for_one_run === 1 };
}
