import { z } from 'zod';
import { SCOPES, type Scope } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { isOperator, type Actor, type AuditContext } from '../../domain/ports/auditContext.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';

/** The tables of what programs sign in with; what is here is the same for both. */
type CredentialTable = 'api_token' | 'hmac_key';

interface CredentialRow {
  id: number;
  company_id: CompanyId;
  name: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const storedScopes = z.array(z.enum(SCOPES));

export function toCredential(row: CredentialRow) {
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

/** The columns of a new credential. */
export function credentialColumns(
  company: CompanyId,
  credential: { name: string; scopes: readonly Scope[]; expiresAt: Date | null },
  act: AuditContext,
) {
  return {
    company_id: company,
    name: credential.name,
    scopes: JSON.stringify(credential.scopes),
    created_by: isOperator(act.by) ? act.by : null,
    created_at: act.at.getTime(),
    expires_at: credential.expiresAt?.getTime() ?? null,
  };
}

/** The operator who made the credential of an account; null: it is no credential, or it was made in the terminal. */
export async function creatorOf(trx: Transaction, company: CompanyId, account: Actor): Promise<Actor | null> {
  const [kind, id] = account.split(':');
  const table = kind === 'token' ? 'api_token' : kind === 'hmac' ? 'hmac_key' : undefined;
  if (table === undefined) return null;
  const row = await trx
    .selectFrom(table)
    .select('created_by')
    .where('company_id', '=', company)
    .where('id', '=', Number(id))
    .executeTakeFirst();
  return row?.created_by ?? null;
}

/** The name of a table's credentials in the audit log and in logs. */
const OBJECT = { api_token: 'token', hmac_key: 'hmac' } as const;

/** @returns false: no such credential is active in this company */
export async function revokeCredential(
  stores: { db: Database; audit: AuditLog },
  table: CredentialTable,
  company: CompanyId,
  id: number,
  act: AuditContext,
): Promise<boolean> {
  return writing(stores.db, company, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ revoked_at: act.at.getTime() })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    stores.audit.append(trx, act, {
      company,
      action: 'credential.revoked',
      object: `${OBJECT[table]}:${id}`,
    });
    return true;
  });
}

export async function touchCredential(
  db: Database,
  table: CredentialTable,
  company: CompanyId,
  id: number,
  at: Date,
): Promise<void> {
  await writing(db, 'unlocked', (trx) =>
    trx
      .updateTable(table)
      .set({ last_used_at: at.getTime() })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .execute(),
  );
}

function asDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
