import type { Selectable } from 'kysely';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { AttemptCount, FailedAttempts, Operator, Session } from '../../domain/ports/identity.ts';
import { SESSION_LIMIT, longestWait } from '../../domain/identity/attempts.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { writing, type Database } from '../engine/database.ts';
import { endSessions, toOperator } from './operators.ts';
import type { Schema } from '../engine/schema.ts';
import { CLOCK_SLACK } from '../../domain/values/time.ts';
import { AuditedRows } from '../engine/rows.ts';

/** Sessions are found by the SHA-256 of what the cookie holds; the value itself is never stored. */
export class Sessions extends AuditedRows {
  /**
   * Opens a session and records the sign-in.
   * @param compared the stored hash that the passphrase was compared with
   * @returns false: the operator got another passphrase or was deactivated since that comparison
   */
  open(operator: Operator, hash: Uint8Array, compared: string, act: AuditContext): Promise<boolean> {
    const at = act.at.getTime();
    return writing(this.db, 'identity', async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('operator')
        .set({ last_signed_in_at: at })
        .where('company_id', '=', operator.companyId)
        .where('id', '=', operator.id)
        .where('passphrase_hash', '=', compared)
        .where('active', '=', 1)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      // An ended session is never requested, so what is left of them goes when the next one is opened.
      await trx
        .deleteFrom('operator_session')
        .where('company_id', '=', operator.companyId)
        .where((eb) =>
          eb.or([eb('opened_at', '<=', at - SESSION_LIMIT), eb('opened_at', '>', at + CLOCK_SLACK)]),
        )
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
      this.audit.append(trx, act, ofSession('session.opened', operator));
      return true;
    });
  }

  /** A credential's look-up, without a company. Of an inactive operator: undefined. */
  async find(hash: Uint8Array): Promise<Session | undefined> {
    const row = await this.db
      .selectFrom('operator_session')
      .innerJoin('operator', 'operator.id', 'operator_session.operator_id')
      .selectAll('operator')
      .select(['hash', 'opened_at', 'used_at', 'confirmed_at'])
      .where('hash', '=', hash)
      .where('operator.active', '=', 1)
      .executeTakeFirst();
    return row && toSession(row);
  }

  /** Those of the company's active operators, newest first, ended by time or not. */
  async list(company: CompanyId): Promise<Session[]> {
    const rows = await this.db
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
    await writing(this.db, 'unlocked', (trx) =>
      trx.updateTable('operator_session').set({ used_at: at.getTime() }).where('hash', '=', hash).execute(),
    );
  }

  async confirm(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void> {
    const at = act.at.getTime();
    await writing(this.db, 'identity', async (trx) => {
      await trx
        .updateTable('operator_session')
        .set({ used_at: at, confirmed_at: at })
        .where('company_id', '=', operator.companyId)
        .where('hash', '=', hash)
        .execute();
      this.audit.append(trx, act, ofSession('session.confirmed', operator));
    });
  }

  async close(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      await trx
        .deleteFrom('operator_session')
        .where('company_id', '=', operator.companyId)
        .where('hash', '=', hash)
        .execute();
      this.audit.append(trx, act, ofSession('session.closed', operator));
    });
  }

  /** Ends every session of an operator. */
  async closeAll(company: CompanyId, operator: OperatorId, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      await endSessions(trx, company, operator);
      this.audit.append(trx, act, {
        company,
        action: 'operator.signed-out',
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

function ofSession(action: AuditAction, { id, companyId }: Operator): NewAuditEntry {
  return { company: companyId, action, object: `operator:${id}` };
}

function sourcesOf(counts: readonly AttemptCount[]): Uint8Array[] {
  return counts.map(({ source }) => source);
}

function rowsOf(db: Database, name: Uint8Array, counts: readonly AttemptCount[]) {
  return db
    .selectFrom('sign_in_attempt')
    .selectAll()
    .where('name_hash', '=', name)
    .where('source_hash', 'in', sourcesOf(counts))
    .execute();
}

function waitOf(
  rows: readonly Selectable<Schema['sign_in_attempt']>[],
  counts: readonly AttemptCount[],
  at: Date,
): Date | undefined {
  const failed = rows.map((row) => {
    const count = counts.find(({ source }) => Buffer.compare(source, row.source_hash) === 0);
    return { lastAt: row.last_at, wait: count?.waitAfter(row.attempts) ?? 0 };
  });
  return longestWait(failed, at);
}

/** Attempts are forgotten after this long without another; milliseconds. */
const FORGOTTEN_AFTER = 24 * 60 * 60_000;

/** Failed attempts to sign in as an operator, by the SHA-256 of the name and by origin. Names without an operator have none. */
export class SignInAttempts extends AuditedRows {
  /** The end of the longest wait that is running; undefined: none is. */
  async waitingUntil(name: Uint8Array, counts: readonly AttemptCount[], at: Date): Promise<Date | undefined> {
    return waitOf(await rowsOf(this.db, name, counts), counts, at);
  }

  /**
   * Counts an attempt just before its passphrase is compared, so that guesses sent together each count.
   * @returns the end of the wait when one is running; then nothing is counted
   */
  async begin(name: Uint8Array, counts: readonly AttemptCount[], at: Date): Promise<Date | undefined> {
    const now = at.getTime();
    return writing(this.db, 'identity', async (trx) => {
      await trx
        .deleteFrom('sign_in_attempt')
        .where('last_at', '<=', now - FORGOTTEN_AFTER)
        .execute();
      const until = waitOf(await rowsOf(trx, name, counts), counts, at);
      if (until !== undefined) return until;
      for (const { source } of counts)
        await trx
          .insertInto('sign_in_attempt')
          .values({ name_hash: name, source_hash: source, attempts: 1, last_at: now })
          .onConflict((conflict) =>
            conflict
              .columns(['name_hash', 'source_hash'])
              .doUpdateSet((set) => ({ attempts: set('sign_in_attempt.attempts', '+', 1), last_at: now })),
          )
          .execute();
      return undefined;
    });
  }

  /** Starts these counts again from zero, because the passphrase was right. Absent: every count of the name. */
  async clear(name: Uint8Array, counts?: readonly AttemptCount[]): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      const all = trx.deleteFrom('sign_in_attempt').where('name_hash', '=', name);
      await (counts === undefined ? all : all.where('source_hash', 'in', sourcesOf(counts))).execute();
    });
  }

  async failed(name: Uint8Array): Promise<FailedAttempts[]> {
    const rows = await this.db
      .selectFrom('sign_in_attempt')
      .selectAll()
      .where('name_hash', '=', name)
      .execute();
    return rows.map(({ source_hash, attempts, last_at }) => ({
      source: source_hash,
      attempts,
      lastAt: new Date(last_at),
    }));
  }

  /** An admin lets an operator try again at once. */
  async unlock(operator: Operator, nameHash: Uint8Array, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      await trx.deleteFrom('sign_in_attempt').where('name_hash', '=', nameHash).execute();
      this.audit.append(trx, act, ofSession('operator.unlocked', operator));
    });
  }

  /**
   * A rejected attempt is in the audit log: of an operator's company where there is one.
   * @param withinHour how many of the kind there were within the hour, this one included
   */
  async recordRefusal(
    operator: Operator | undefined,
    action: 'session.refused' | 'session.locked',
    withinHour: number,
    act: AuditContext,
  ): Promise<void> {
    await this.audit.record(act, {
      company: operator?.companyId ?? null,
      action,
      object: operator === undefined ? null : `operator:${operator.id}`,
      outcome: 'refused',
      details: { withinHour },
    });
  }
}
