import type { Selectable } from 'kysely';
import type { CompanyId, OperatorId } from '../contracts/ids.ts';
import type { Operator, Session, Sessions, SignInAttempts } from '../domain/access/ports.ts';
import { SESSION_LIMIT } from '../domain/access/limits.ts';
import type { AuditAction } from '../contracts/audit.ts';
import type { AuditNote } from '../domain/audit/entry.ts';
import type { Act } from '../domain/actor.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { writing, type Database } from './database.ts';
import { endSessions, toOperator } from './operators.ts';
import type { Schema } from './schema.ts';

export class SqliteSessions implements Sessions {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async open(operator: Operator, hash: Uint8Array, act: Act): Promise<void> {
    const at = act.at.getTime();
    await writing(this.#db, async (trx) => {
      // Nobody asks for a session that has ended, so what is left of them goes when the next one is opened.
      await trx
        .deleteFrom('operator_session')
        .where('company_id', '=', operator.companyId)
        .where('opened_at', '<=', at - SESSION_LIMIT)
        .execute();
      await trx
        .insertInto('operator_session')
        .values({
          hash,
          company_id: operator.companyId,
          operator_id: operator.id,
          opened_at: at,
          used_at: at,
          confirmed_at: at,
        })
        .execute();
      await trx
        .updateTable('operator')
        .set({ last_signed_in_at: at })
        .where('company_id', '=', operator.companyId)
        .where('id', '=', operator.id)
        .execute();
      await this.#audit.append(trx, act, ofSession('session.opened', operator));
    });
  }

  async find(hash: Uint8Array): Promise<Session | undefined> {
    const row = await this.#db
      .selectFrom('operator_session')
      .innerJoin('operator', 'operator.id', 'operator_session.operator_id')
      .selectAll('operator')
      .select(['hash', 'opened_at', 'used_at', 'confirmed_at'])
      .where('hash', '=', hash)
      .where('operator.active', '=', 1)
      .executeTakeFirst();
    return row && toSession(row);
  }

  async list(company: CompanyId): Promise<Session[]> {
    const rows = await this.#db
      .selectFrom('operator_session')
      .innerJoin('operator', 'operator.id', 'operator_session.operator_id')
      .selectAll('operator')
      .select(['hash', 'opened_at', 'used_at', 'confirmed_at'])
      .where('operator_session.company_id', '=', company)
      .where('operator.active', '=', 1)
      .orderBy('opened_at', 'desc')
      .execute();
    return rows.map(toSession);
  }

  async touch(hash: Uint8Array, at: Date): Promise<void> {
    await writing(this.#db, (trx) =>
      trx.updateTable('operator_session').set({ used_at: at.getTime() }).where('hash', '=', hash).execute(),
    );
  }

  async confirm(hash: Uint8Array, operator: Operator, act: Act): Promise<void> {
    const at = act.at.getTime();
    await writing(this.#db, async (trx) => {
      await trx
        .updateTable('operator_session')
        .set({ used_at: at, confirmed_at: at })
        .where('company_id', '=', operator.companyId)
        .where('hash', '=', hash)
        .execute();
      await this.#audit.append(trx, act, ofSession('session.confirmed', operator));
    });
  }

  async close(hash: Uint8Array, operator: Operator, act: Act): Promise<void> {
    await writing(this.#db, async (trx) => {
      await trx
        .deleteFrom('operator_session')
        .where('company_id', '=', operator.companyId)
        .where('hash', '=', hash)
        .execute();
      await this.#audit.append(trx, act, ofSession('session.closed', operator));
    });
  }

  async closeAll(company: CompanyId, operator: OperatorId, act: Act): Promise<void> {
    await writing(this.#db, async (trx) => {
      await endSessions(trx, company, operator);
      await this.#audit.append(trx, act, {
        company,
        action: 'operator.signedOut',
        object: `operator:${operator}`,
      });
    });
  }
}

function toSession(
  row: Selectable<Schema['operator']> &
    Pick<Selectable<Schema['operator_session']>, 'hash' | 'opened_at' | 'used_at' | 'confirmed_at'>,
): Session {
  return {
    operator: toOperator(row),
    hash: row.hash,
    openedAt: new Date(row.opened_at),
    usedAt: new Date(row.used_at),
    confirmedAt: new Date(row.confirmed_at),
  };
}

function ofSession(action: AuditAction, { id, companyId }: Operator): AuditNote {
  return { company: companyId, action, object: `operator:${id}` };
}

/** Attempts are forgotten after this long without another; milliseconds. */
const FORGOTTEN_AFTER = 24 * 60 * 60_000;

export class SqliteSignInAttempts implements SignInAttempts {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async begin(
    nameHash: Uint8Array,
    at: Date,
    waitAfter: (attempts: number) => number,
  ): Promise<Date | undefined> {
    const now = at.getTime();
    return writing(this.#db, async (trx) => {
      await trx
        .deleteFrom('sign_in_attempt')
        .where('last_at', '<=', now - FORGOTTEN_AFTER)
        .execute();
      const row = await trx
        .selectFrom('sign_in_attempt')
        .selectAll()
        .where('name_hash', '=', nameHash)
        .executeTakeFirst();
      const until = row === undefined ? now : row.last_at + waitAfter(row.attempts);
      if (until > now) return new Date(until);
      const attempts = (row?.attempts ?? 0) + 1;
      await trx
        .insertInto('sign_in_attempt')
        .values({ name_hash: nameHash, attempts, last_at: now })
        .onConflict((conflict) => conflict.column('name_hash').doUpdateSet({ attempts, last_at: now }))
        .execute();
      return undefined;
    });
  }

  async clear(nameHash: Uint8Array): Promise<void> {
    await writing(this.#db, (trx) =>
      trx.deleteFrom('sign_in_attempt').where('name_hash', '=', nameHash).execute(),
    );
  }

  async failed(nameHash: Uint8Array): Promise<{ attempts: number; lastAt: Date } | undefined> {
    const row = await this.#db
      .selectFrom('sign_in_attempt')
      .selectAll()
      .where('name_hash', '=', nameHash)
      .executeTakeFirst();
    return row && { attempts: row.attempts, lastAt: new Date(row.last_at) };
  }

  async unlock(operator: Operator, nameHash: Uint8Array, act: Act): Promise<void> {
    await writing(this.#db, async (trx) => {
      await trx.deleteFrom('sign_in_attempt').where('name_hash', '=', nameHash).execute();
      await this.#audit.append(trx, act, ofSession('operator.unlocked', operator));
    });
  }

  async recordRefusal(
    operator: Operator | undefined,
    action: 'session.refused' | 'session.locked',
    withinHour: number,
    act: Act,
  ): Promise<void> {
    await this.#audit.record(act, {
      company: operator?.companyId ?? null,
      action,
      object: operator === undefined ? null : `operator:${operator.id}`,
      outcome: 'refused',
      facts: { withinHour },
    });
  }
}
