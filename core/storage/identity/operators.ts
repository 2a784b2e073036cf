import type { Selectable } from 'kysely';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { NewOperator } from '../../domain/ports/identity.ts';
import { isOperator, type Actor, type AuditContext } from '../../domain/ports/auditContext.ts';
import { insertCompany } from '../settings/companies.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode, recoded, uncount } from '../engine/codedRows.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import type { Schema } from '../engine/schema.ts';
import { StorageFolderRefused, type StorageFolders } from '../images/storageFolders.ts';
import type { CompanySettings } from '../../contracts/settings.ts';
import { type OperatorRole, appearance, type Appearance } from '../../contracts/dashboard/session.ts';
import { CodedError, InvalidInput, problem } from '../../contracts/errors/problem.ts';
import { isoTime } from '../../domain/values/time.ts';
import { AuditedRows, Rows, AuditedRowsWith, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

/** One recovery code per company; only its SHA-256 is stored. */
export class RecoveryCodes extends AuditedRows {
  /** When the company's key was made; undefined: it has none. */
  async madeAt(company: CompanyId): Promise<Date | undefined> {
    const row = await rowsWith(this.db, 'operator_recovery_code', { company_id: company })
      .select('created_at')
      .executeTakeFirst();
    return row && new Date(row.created_at);
  }

  /** A credential's look-up, without a company. */
  async companyOf(hash: Uint8Array): Promise<CompanyId | undefined> {
    const cells = cellsOf(this.db);
    const row = await this.db
      .selectFrom('operator_recovery_code')
      .selectAll()
      .where('hash', '=', cells.searched('operator_recovery_code', 'hash', hash))
      .executeTakeFirst();
    return row && cells.checked('operator_recovery_code', row).company_id;
  }

  /** Makes it the company's key; the one before opens nothing any more. */
  async replace(company: CompanyId, hash: Uint8Array, act: AuditContext): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      await writeRecoveryCode(trx, company, hash, act);
      this.audit.append(trx, act, { company, action: 'operator.recovery-code', object: null });
    });
  }
}

/** Inside the transaction of what makes it: set-up, recovery, or an admin who wants another one. */
async function writeRecoveryCode(
  trx: Transaction,
  company: CompanyId,
  hash: Uint8Array,
  act: AuditContext,
): Promise<void> {
  const cell = cellsOf(trx).searched('operator_recovery_code', 'hash', hash);
  const row = { hash: cell, created_at: act.at.getTime() };
  const before = await rowsWith(trx, 'operator_recovery_code', { company_id: company })
    .select(['company_id', 'code'])
    .execute();
  uncount(trx, 'operator_recovery_code', before);
  await trx
    .insertInto('operator_recovery_code')
    .values({ company_id: company, ...row })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
    .execute();
  await encode(trx, 'operator_recovery_code', { company_id: company });
}

export class Operators extends AuditedRowsWith<{ folders: StorageFolders }> {
  /** Whether the installation has any operator. */
  readonly exist = anyOperator.bind(undefined, this.db);

  /** @throws {InvalidInput} an operator of the installation has the name */
  async create(company: CompanyId, operator: NewOperator, act: AuditContext): Promise<Operator> {
    return writing(this.db, 'identity', async (trx) => {
      if ((await findByNameKey(trx, operator.nameKey)) !== undefined)
        throw new InvalidInput({ name: [problem('NAME_TAKEN')] });
      return this.#insert(trx, company, operator, act);
    });
  }

  /**
   * First run, one transaction: the company, its first admin, its recovery code.
   * @throws {InvalidInput} the company is there already, or the folder cannot hold its images
   * @throws {CodedError} UNAUTHORIZED: the installation has an operator
   */
  async setUp(
    {
      company,
      admin,
      recoveryHash,
    }: {
      company: { name: string; storageFolder: string; settings: CompanySettings };
      admin: NewOperator;
      /** SHA-256 of the recovery code. */
      recoveryHash: Uint8Array;
    },
    act: AuditContext,
  ): Promise<void> {
    await writing(this.db, 'installation', async (trx) => {
      if (await anyOperator(trx)) throw new CodedError('UNAUTHORIZED');
      const taken = await rowsWith(trx, 'company', { name: company.name }).select('id').executeTakeFirst();
      if (taken !== undefined) throw new InvalidInput({ company: [problem('COMPANY_HAS_NO_OPERATOR')] });
      const made = await insertCompany(trx, { audit: this.audit, folders: this.parts.folders }, company, act);
      await this.#insert(trx, made.id, admin, act);
      await writeRecoveryCode(trx, made.id, recoveryHash, act);
      this.audit.append(trx, act, { company: made.id, action: 'operator.recovery-code', object: null });
    }).catch((cause: unknown) => {
      if (cause instanceof StorageFolderRefused) throw new InvalidInput({ storageFolder: [cause.problem] });
      throw cause;
    });
  }

  async list(company: CompanyId): Promise<Operator[]> {
    const rows = await rowsWith(this.db, 'operator', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    return rows.map(toOperator);
  }

  /** A credential's look-up: the one query of operators without a company. */
  async findByName(nameKey: string): Promise<OperatorSecrets | undefined> {
    const row = await findByNameKey(this.db, nameKey);
    return (
      row && {
        operator: toOperator(row),
        passphraseHash: passphraseHashOf(this.db, row),
      }
    );
  }

  /**
   * Changes role or activity; the sessions of an operator who is deactivated end.
   * @throws {InvalidInput} the company would be left without an active admin @throws {CodedError} NOT_FOUND
   */
  async change(
    company: CompanyId,
    id: OperatorId,
    change: { role?: OperatorRole | undefined; active?: boolean | undefined },
    act: AuditContext,
  ): Promise<void> {
    await writing(this.db, 'identity', async (trx) => {
      const before = await findOperator(trx, company, id);
      if (before === undefined) throw new CodedError('NOT_FOUND');
      const next = { role: change.role ?? before.role, active: change.active ?? before.active === 1 };
      const leaves = isAdmin(before) && !(next.role === 'admin' && next.active);
      if (leaves && (await activeAdmins(trx, company)) === 1)
        throw new InvalidInput({ role: [problem('LAST_ADMIN')] });
      await changeRows(trx, 'operator', { company_id: company, id })
        .set(recoded(trx, 'operator', before, { role: next.role, active: next.active ? 1 : 0 }))
        .execute();
      if (!next.active) await endSessions(trx, company, id);
      this.audit.append(trx, act, {
        company,
        action: 'operator.changed',
        object: `operator:${id}`,
        details: next,
      });
    });
  }

  /**
   * Replaces the passphrase and ends all the operator's sessions.
   * @param compared the stored hash that the operator's own change was allowed by; null: an administrator resets it
   * @returns false: there is no such operator, or no longer with that hash
   */
  async setPassphrase(
    company: CompanyId,
    id: OperatorId,
    passphraseHash: string,
    compared: string | null,
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.db, 'identity', async (trx) => {
      const before = await findOperator(trx, company, id);
      if (before === undefined || (compared !== null && passphraseHashOf(trx, before) !== compared))
        return false;
      // An own change keeps the giver: who knew the passphrase could have made the change.
      const isGiven = compared === null && isOperator(act.by) && act.by !== `operator:${id}`;
      await changeRows(trx, 'operator', { company_id: company, id })
        .set(
          recoded(trx, 'operator', before, {
            passphrase_hash: passphraseCell(trx, before, passphraseHash),
            ...(isGiven && givenBy(act.by, act)),
          }),
        )
        .execute();
      await endSessions(trx, company, id);
      this.audit.append(trx, act, {
        company,
        action: 'operator.passphrase',
        object: `operator:${id}`,
        details: { how: compared === null ? 'reset' : 'changed' },
      });
      return true;
    });
  }

  /**
   * The way back in, one transaction: the operator who has this name in the company becomes an active admin with this passphrase
   * and no session, or is added as one; the recovery code that was used gives way to the next.
   * @returns false: the code is no longer the company's @throws {InvalidInput} an operator of another company has the name
   */
  async recover(
    company: CompanyId,
    admin: { name: string; nameKey: string; passphraseHash: string },
    { used, next }: { used: Uint8Array; next: Uint8Array },
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.db, 'identity', async (trx) => {
      const cells = cellsOf(trx);
      const key = await trx
        .selectFrom('operator_recovery_code')
        .selectAll()
        .where('company_id', '=', company)
        .where('hash', '=', cells.searched('operator_recovery_code', 'hash', used))
        .executeTakeFirst();
      if (key === undefined) return false;
      cells.checked('operator_recovery_code', key);
      const before = await findByNameKey(trx, admin.nameKey);
      if (before !== undefined && before.company_id !== company)
        throw new InvalidInput({ operator: [problem('NAME_TAKEN')] });
      const operator =
        before === undefined
          ? await this.#insert(trx, company, { ...admin, role: 'admin' }, act)
          : await makeAdmin(trx, before, admin.passphraseHash);
      await writeRecoveryCode(trx, company, next, act);
      this.audit.append(trx, act, {
        company,
        action: 'operator.recovered',
        object: `operator:${operator.id}`,
        details: { added: before === undefined },
      });
      return true;
    });
  }

  async #insert(
    trx: Transaction,
    company: CompanyId,
    operator: NewOperator,
    act: AuditContext,
  ): Promise<Operator> {
    const place = { company_id: company, name_key: operator.nameKey };
    const row = await trx
      .insertInto('operator')
      .values({
        ...place,
        name: operator.name,
        role: operator.role,
        passphrase_hash: passphraseCell(trx, place, operator.passphraseHash),
        created_at: act.at.getTime(),
        ...(isOperator(act.by) && givenBy(act.by, act)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await encode(trx, 'operator', { company_id: company, id: row.id });
    this.audit.append(trx, act, {
      company,
      action: 'operator.created',
      object: `operator:${row.id}`,
      details: { role: row.role },
    });
    return toOperator(row);
  }
}

function givenBy(by: Actor, { at }: AuditContext) {
  return { passphrase_given_by: by, passphrase_given_at: at.getTime() };
}

async function makeAdmin(
  trx: Transaction,
  before: Selectable<Schema['operator']>,
  passphraseHash: string,
): Promise<Operator> {
  const after = await changeRows(trx, 'operator', { company_id: before.company_id, id: before.id })
    .set(
      recoded(trx, 'operator', before, {
        passphrase_hash: passphraseCell(trx, before, passphraseHash),
        role: 'admin',
        active: 1,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await endSessions(trx, before.company_id, before.id);
  return toOperator(after);
}

async function anyOperator(db: Database): Promise<boolean> {
  return (await db.selectFrom('operator').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function findByNameKey(
  db: Database,
  nameKey: string,
): Promise<Selectable<Schema['operator']> | undefined> {
  const row = await rowsWith(db, 'operator', { name_key: nameKey }).selectAll().executeTakeFirst();
  return row && cellsOf(db).checked('operator', row);
}

export async function findOperator(
  db: Database,
  company: CompanyId,
  id: OperatorId,
): Promise<Selectable<Schema['operator']> | undefined> {
  const row = await rowsWith(db, 'operator', { company_id: company, id }).selectAll().executeTakeFirst();
  return row && cellsOf(db).checked('operator', row);
}

/** The place of what an operator's passphrase is compared with: the id is not known before the row is written. */
type PassphrasePlace = Pick<Selectable<Schema['operator']>, 'company_id' | 'name_key'>;

function passphraseCell(db: Database, place: PassphrasePlace, hash: string): Sealed {
  return cellsOf(db).seal('operator', 'passphrase_hash', place, Buffer.from(hash));
}

/** PHC string of argon2id. @throws {RowDamaged} it is of another operator */
export function passphraseHashOf(
  db: Database,
  row: PassphrasePlace & Pick<Selectable<Schema['operator']>, 'passphrase_hash'>,
): string {
  return Buffer.from(cellsOf(db).open('operator', 'passphrase_hash', row)).toString();
}

async function activeAdmins(trx: Transaction, company: CompanyId): Promise<number> {
  const rows = await rowsWith(trx, 'operator', { company_id: company, role: 'admin', active: 1 })
    .selectAll()
    .execute();
  const cells = cellsOf(trx);
  return rows.filter((row) => cells.isWritten('operator', row)).length;
}

/** Ends every session of an operator, inside the transaction of what asks for it. */
export async function endSessions(trx: Transaction, company: CompanyId, id: OperatorId): Promise<void> {
  const ended = await deleteRows(trx, 'operator_session', { company_id: company, operator_id: id })
    .returning(['company_id', 'code'])
    .execute();
  uncount(trx, 'operator_session', ended);
}

function isAdmin(row: Selectable<Schema['operator']>): boolean {
  return row.role === 'admin' && row.active === 1;
}

/** The stored values that a sign-in is compared with. */
export interface OperatorSecrets {
  operator: Operator;
  passphraseHash: string;
}

/** A person who signs in to the dashboard of one company. */
export type Operator = ReturnType<typeof toOperator>;

/** An operator row without its secrets. */
export function toOperator(row: Selectable<Schema['operator']>) {
  return {
    id: row.id,
    companyId: row.company_id,
    name: row.name,
    role: row.role,
    /** An inactive operator cannot sign in; what they did keeps their name. */
    active: row.active === 1,
    createdAt: isoTime(row.created_at),
    lastSignedInAt: isoTime(row.last_signed_in_at),
  };
}

/** How operators want the dashboard to look. */
export class Appearances extends Rows {
  /** Null: the operator never chose. */
  async read(company: CompanyId, operator: OperatorId): Promise<Appearance | null> {
    const row = await this.db
      .selectFrom('operator_appearance')
      .select('choice')
      .where((eb) => eb.and({ company_id: company, operator_id: operator }))
      .executeTakeFirst();
    return row === undefined ? null : appearance.parse(JSON.parse(row.choice));
  }

  async write(company: CompanyId, operator: OperatorId, chosen: Appearance): Promise<void> {
    const choice = JSON.stringify(chosen);
    await writing(this.db, company, (trx) =>
      trx
        .insertInto('operator_appearance')
        .values({ operator_id: operator, company_id: company, choice })
        .onConflict((conflict) => conflict.column('operator_id').doUpdateSet({ choice }))
        .execute(),
    );
  }
}
