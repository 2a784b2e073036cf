import { z } from 'zod';
import { SCOPES, type Scope, type HmacProfileName } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { isOperator, type Actor, type AuditContext } from '../../domain/ports/auditContext.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode, recoded, uncount } from '../engine/codedRows.ts';
import { refreshAlong, writing, type Database, type Transaction } from '../engine/database.ts';
import type { Selectable } from 'kysely';
import type { Schema } from '../engine/schema.ts';
import { AuditedRows, rowsWith, deleteRows } from '../engine/rows.ts';
import type { Clock } from '../../domain/ports/machine.ts';

/** The tables of what programs sign in with; what is here is the same for both. */
type CredentialTable = 'api_token' | 'hmac_key';

type CredentialRow = Selectable<Schema['api_token']> | Selectable<Schema['hmac_key']>;

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
    .selectAll()
    .where((eb) => eb.and({ company_id: company, id: Number(id) }))
    .executeTakeFirst();
  return row ? cellsOf(trx).checked(table, row).created_by : null;
}

/** The name of a table's credentials in the audit log and in logs. */
const OBJECT = { api_token: 'token', hmac_key: 'hmac' } as const;

function asDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

/** With what programs prove who they are. */
abstract class Credentials extends AuditedRows {
  protected abstract readonly table: CredentialTable;

  /** @returns false: no such credential is active in this company */
  async revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean> {
    const { table } = this;
    return writing(this.db, company, async (trx) => {
      const before = await trx
        .selectFrom(table)
        .selectAll()
        .where((eb) => eb.and({ company_id: company, id, revoked_at: null }))
        .executeTakeFirst();
      if (before === undefined) return false;
      await trx
        .updateTable(table)
        .set(recoded(trx, table, before, { revoked_at: act.at.getTime() }))
        .where((eb) => eb.and({ company_id: company, id }))
        .execute();
      const object = `${OBJECT[table]}:${id}` as const;
      this.audit.append(trx, act, { company, action: 'credential.revoked', object });
      return true;
    });
  }

  async touch(company: CompanyId, id: number, at: Date): Promise<void> {
    await writing(this.db, 'unlocked', (trx) =>
      trx
        .updateTable(this.table)
        .set({ last_used_at: at.getTime() })
        .where((eb) => eb.and({ company_id: company, id }))
        .execute(),
    );
  }
}

export class ApiTokens extends Credentials {
  protected readonly table = 'api_token';

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
      const ended = await deleteRows(trx, 'api_token', { company_id: company, for_one_run: 1 })
        .where('expires_at', '<=', act.at.getTime())
        .returning(['company_id', 'code'])
        .execute();
      uncount(trx, 'api_token', ended);
      const row = await trx
        .insertInto('api_token')
        .values({
          ...credentialColumns(company, token, act),
          hash: cellsOf(trx).searched('api_token', 'hash', token.hash),
          for_one_run: token.forOneRun === true ? 1 : 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await encode(trx, 'api_token', { company_id: company, id: row.id });
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
    refreshAlong(this.db);
    const cells = cellsOf(this.db);
    const row = await rowsWith(this.db, 'api_token', { hash: cells.searched('api_token', 'hash', hash) })
      .selectAll()
      .executeTakeFirst();
    return row && toToken(cells.checked('api_token', row));
  }

  async list(company: CompanyId): Promise<ApiToken[]> {
    const rows = await rowsWith(this.db, 'api_token', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    return rows.map(toToken);
  }
}

export type ApiToken = ReturnType<typeof toToken>;

function toToken(row: Selectable<Schema['api_token']>) {
  // `forOneRun`: a command of the terminal made the token for its own run, and revokes it at the end.
  return { ...toCredential(row), forOneRun: row.for_one_run === 1 };
}

export class HmacKeys extends Credentials {
  protected readonly table = 'hmac_key';

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
          secret: cellsOf(trx).seal(
            'hmac_key',
            'secret',
            { company_id: company, user_id: key.userId },
            Buffer.from(key.secret),
          ),
          profile: key.profile,
        })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await encode(trx, 'hmac_key', { company_id: company, id: row.id });
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
    const row = await rowsWith(this.db, 'hmac_key', { user_id: userId }).selectAll().executeTakeFirst();
    if (row === undefined) return undefined;
    const cells = cellsOf(this.db);
    const secret = cells.open('hmac_key', 'secret', cells.checked('hmac_key', row));
    return { key: toKey(row), secret: Buffer.from(secret).toString() };
  }

  async list(company: CompanyId): Promise<HmacKey[]> {
    const rows = await rowsWith(this.db, 'hmac_key', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    return rows.map(toKey);
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
        .values({
          key_id: key.id,
          signature: cellsOf(trx).searched('replay_nonce', 'signature', signature),
          expires_at: until.getTime(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
    });
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
}

/** A key with which a program of a company signs its requests. */
export type HmacKey = ReturnType<typeof toKey>;

/** `userId`: the X-USER-ID that the program sends; unique on the installation, never assigned a second time. */
function toKey(row: Selectable<Schema['hmac_key']>) {
  return { ...toCredential(row), userId: row.user_id, profile: row.profile };
}
