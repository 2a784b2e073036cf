import type { Selectable } from 'kysely';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { AttemptCount, FailedAttempts } from '../../domain/ports/identity.ts';
import { SESSION_LIMIT, longestWait } from '../../domain/identity/attempts.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode, recoded, uncount } from '../engine/codedRows.ts';
import { refreshAlong, writing, type Database } from '../engine/database.ts';
import { endSessions, findOperator, passphraseHashOf, toOperator, type Operator } from './operators.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import type { Schema } from '../engine/schema.ts';
import { CLOCK_SLACK } from '../../domain/values/time.ts';
import { AuditedRows, addRows, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

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
      const row = await findOperator(trx, operator.companyId, operator.id);
      if (row?.active !== 1 || passphraseHashOf(trx, row) !== compared) return false;
      await changeRows(trx, 'operator', { company_id: operator.companyId, id: operator.id })
        .set({ last_signed_in_at: at })
        .execute();
      // An ended session is never requested, so what is left of them goes when the next one is opened.
      const ended = await deleteRows(trx, 'operator_session', { company_id: operator.companyId })
        .where((eb) =>
          eb.or([eb('opened_at', '<=', at - SESSION_LIMIT), eb('opened_at', '>', at + CLOCK_SLACK)]),
        )
        .returning(['company_id', 'code'])
        .execute();
      uncount(trx, 'operator_session', ended);
      const cell = this.#cell(hash);
      await addRows(trx, 'operator_session', {
        hash: cell,
        company_id: operator.companyId,
        operator_id: operator.id,
        opened_at: at,
        used_at: at,
        confirmed_at: at,
      });
      await encode(trx, 'operator_session', { hash: cell });
      this.audit.append(trx, act, ofSession('session.opened', operator));
      return true;
    });
  }

  /** A credential's look-up, without a company. Of an inactive operator: undefined. */
  async find(hash: Uint8Array) {
    refreshAlong(this.db);
    const row = await sessionsOf(this.db).where('hash', '=', this.#cell(hash)).executeTakeFirst();
    return row && toSession(this.db, row);
  }

  /** Those of the company's active operators, newest first, ended by time or not. */
  async list(company: CompanyId) {
    const rows = await sessionsOf(this.db)
      .where('operator_session.company_id', '=', company)
      .orderBy('opened_at', 'desc')
      .execute();
    return rows.map((row) => toSession(this.db, row));
  }

  async touch(hash: Uint8Array, at: Date): Promise<void> {
    await writing(this.db, 'unlocked', (trx) =>
      changeRows(trx, 'operator_session', { hash: this.#cell(hash) })
        .set({ used_at: at.getTime() })
        .execute(),
    );
  }

  async confirm(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void> {
    const at = act.at.getTime();
    await writing(this.db, 'identity', async (trx) => {
      const which = { company_id: operator.companyId, hash: this.#cell(hash) };
      const before = await trx
        .selectFrom('operator_session')
        .selectAll()
        .where((eb) => eb.and(which))
        .executeTakeFirst();
      if (before === undefined) return;
      await trx
        .updateTable('operator_session')
        .set({
          used_at: at,
          ...recoded(trx, 'operator_session', before, { confirmed_at: at }),
        })
        .where((eb) => eb.and(which))
        .execute();
      this.audit.append(trx, act, ofSession('session.confirmed', operator));
    });
  }

  async close(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      const closed = await trx
        .deleteFrom('operator_session')
        .where((eb) => eb.and({ company_id: operator.companyId, hash: this.#cell(hash) }))
        .returning(['company_id', 'code'])
        .execute();
      uncount(trx, 'operator_session', closed);
      this.audit.append(trx, act, ofSession('session.closed', operator));
    });
  }

  #cell(hash: Uint8Array): Sealed {
    return cellsOf(this.db).searched('operator_session', 'hash', hash);
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

/** With their operators; the columns of both tables that have the same name are those of the operator. */
function sessionsOf(db: Database) {
  return db
    .selectFrom('operator_session')
    .innerJoin('operator', (join) =>
      join
        .onRef('operator.id', '=', 'operator_session.operator_id')
        .onRef('operator.company_id', '=', 'operator_session.company_id'),
    )
    .selectAll('operator')
    .select(['hash', 'operator_id', 'opened_at', 'used_at', 'confirmed_at'])
    .select('operator_session.code as session_code')
    .where('operator.active', '=', 1);
}

/** @throws {RowDamaged} the session or its operator was changed without the key */
function toSession(
  db: Database,
  row: Selectable<Schema['operator']> &
    Omit<Selectable<Schema['operator_session']>, 'code'> & { session_code: Sealed | null },
) {
  const cells = cellsOf(db);
  cells.checked('operator_session', { ...row, code: row.session_code });
  return {
    operator: toOperator(cells.checked('operator', row)),
    /** SHA-256 of the token: names the session, opens nothing. */
    hash: cells.found('operator_session', 'hash', row),
    openedAt: new Date(row.opened_at),
    usedAt: new Date(row.used_at),
    /** When the passphrase was last given. */
    confirmedAt: new Date(row.confirmed_at),
  };
}

function ofSession(action: AuditAction, { id, companyId }: Operator): NewAuditEntry {
  return { company: companyId, action, object: `operator:${id}` };
}

function nameCell(db: Database, name: Uint8Array): Sealed {
  return cellsOf(db).searched('sign_in_attempt', 'name_hash', name);
}

function sourceCell(db: Database, { source }: AttemptCount): Sealed {
  return cellsOf(db).searched('sign_in_attempt', 'source_hash', source);
}

/** A row with the SHA-256 of its origin. */
function withSource(db: Database, row: Selectable<Schema['sign_in_attempt']>) {
  return { ...row, source: cellsOf(db).found('sign_in_attempt', 'source_hash', row) };
}

async function rowsOf(db: Database, name: Uint8Array, counts: readonly AttemptCount[]) {
  const rows = await rowsWith(db, 'sign_in_attempt', { name_hash: nameCell(db, name) })
    .selectAll()
    .where(
      'source_hash',
      'in',
      counts.map((count) => sourceCell(db, count)),
    )
    .execute();
  return rows.map((row) => withSource(db, row));
}

function waitOf(
  rows: readonly ReturnType<typeof withSource>[],
  counts: readonly AttemptCount[],
  at: Date,
): Date | undefined {
  const failed = rows.map((row) => {
    const count = counts.find(({ source }) => Buffer.compare(source, row.source) === 0);
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
      for (const count of counts)
        await trx
          .insertInto('sign_in_attempt')
          .values({
            name_hash: nameCell(trx, name),
            source_hash: sourceCell(trx, count),
            attempts: 1,
            last_at: now,
          })
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
      await deleteRows(trx, 'sign_in_attempt', { name_hash: nameCell(trx, name) })
        .$if(counts !== undefined, (all) =>
          all.where(
            'source_hash',
            'in',
            counts!.map((count) => sourceCell(trx, count)),
          ),
        )
        .execute();
    });
  }

  async failed(name: Uint8Array): Promise<FailedAttempts[]> {
    const rows = await rowsWith(this.db, 'sign_in_attempt', { name_hash: nameCell(this.db, name) })
      .selectAll()
      .execute();
    return rows.map((row) => {
      const { source, attempts, last_at } = withSource(this.db, row);
      return { source, attempts, lastAt: new Date(last_at) };
    });
  }

  /** An admin lets an operator try again at once. */
  async unlock(operator: Operator, nameHash: Uint8Array, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      await deleteRows(trx, 'sign_in_attempt', { name_hash: nameCell(trx, nameHash) }).execute();
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
