/** Credentials and rights that were withdrawn on a machine after a backup was made, and that the backup would make active again. */
import { existsSync } from 'node:fs';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import { mayRole, ROLE_PERMISSIONS } from '../../domain/identity/roles.ts';
import { isSame } from '../engine/cells.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { openRaw } from '../engine/sqliteFile.ts';
import { keyIn, type Home } from '../engine/home.ts';
import { rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

/** One credential of the backup, named as a person knows it. */
export interface RevivedCredential {
  /**
   * `operator`: may sign in again. `role`: has permissions again that the present role lacks. `passphrase`: the earlier passphrase
   * signs in. `recovery-code`: the earlier one does. `installation`: is trusted again.
   */
  kind: 'token' | 'signing-key' | 'operator' | 'role' | 'passphrase' | 'recovery-code' | 'installation';
  company: string;
  /** Of the token, the key's user id, the operator, or the other installation; empty for a recovery code. */
  name: string;
}

/** Whether the credentials stay withdrawn. May end the restore by rejecting. */
export type AskCredentials = (revived: readonly RevivedCredential[]) => Promise<boolean>;

/**
 * The credentials that the home of this machine has now, as its file of SQLite has them: there, cells are plain and rows have no
 * code, as in the file that a backup is restored into. Absent: it cannot be read, or it is of another installation.
 */
interface Present {
  tokens: { hash: Sealed; revoked_at: number }[];
  keys: { user_id: string; secret: Sealed; revoked_at: number }[];
  operators: {
    id: OperatorId;
    name_key: string;
    role: OperatorRole;
    active: number;
    passphrase_hash: Sealed;
  }[];
  recoveryCodes: { company_id: CompanyId; hash: Sealed; created_at: number }[];
  installations: { company_id: CompanyId; signing_key: Sealed }[];
}

/** A credential that would be active again, and what withdraws it in the restored database. */
interface Found extends RevivedCredential {
  withdraw: (trx: Transaction) => Promise<unknown>;
}

/**
 * Compares a restored database with the one that it will replace, asks about credentials that would be active again, and
 * withdraws them where the answer says so. Nothing of the present database is changed.
 * @returns how many would be active again, and whether they were withdrawn; undefined where the present database cannot be
 *   read or is of another installation
 */
export async function replayWithdrawals(
  home: Home,
  db: Database,
  ask: AskCredentials,
): Promise<{ revived: number; withdrawn: boolean } | undefined> {
  const present = readPresent(home, await publicKeyOf(db));
  if (present === undefined) return undefined;
  const found = await revivedIn(db, present);
  if (found.length === 0) return { revived: 0, withdrawn: false };
  const withdrawn = await ask(found.map(({ kind, company, name }) => ({ kind, company, name })));
  if (withdrawn)
    await writing(db, 'installation', async (trx) => {
      for (const { withdraw } of found) await withdraw(trx);
    });
  return { revived: found.length, withdrawn };
}

async function publicKeyOf(db: Database): Promise<Sealed | undefined> {
  return (await db.selectFrom('audit_key').select('public_key').executeTakeFirst())?.public_key;
}

function readPresent(home: Home, publicKey: Sealed | undefined): Present | undefined {
  const key = keyIn(home.keyFile);
  if (key === undefined || publicKey === undefined || !existsSync(home.database)) return undefined;
  let raw: ReturnType<typeof openRaw> | undefined;
  try {
    raw = openRaw(home.database, key, { readonly: true });
    const open = raw;
    const all = <T>(query: string) => open.prepare(query).all([]) as T[];
    const [own] = all<{ public_key: Sealed }>('select public_key from audit_key');
    if (own === undefined || !isSame(own.public_key, publicKey)) return undefined;
    return {
      tokens: all('select hash, revoked_at from api_token where revoked_at is not null'),
      keys: all('select user_id, secret, revoked_at from hmac_key where revoked_at is not null'),
      operators: all('select id, name_key, role, active, passphrase_hash from operator'),
      recoveryCodes: all('select company_id, hash, created_at from operator_recovery_code'),
      installations: all('select company_id, signing_key from trusted_installation'),
    };
  } catch {
    // A damaged database is a reason to restore: it answers no question, and stands in the way of nothing.
    return undefined;
  } finally {
    raw?.close();
  }
}

async function revivedIn(db: Database, present: Present): Promise<Found[]> {
  const found: Found[] = [];
  for (const company of await db.selectFrom('company').select(['id', 'name']).execute())
    for (const part of REVIVED) found.push(...(await part(db, present, company)));
  return found;
}

const REVIVED = [revivedTokens, revivedKeys, revivedOperators, revivedRecoveryKeys, revivedInstallations];

interface Company {
  id: CompanyId;
  name: string;
}

async function revivedTokens(db: Database, { tokens }: Present, { id, name }: Company): Promise<Found[]> {
  const rows = await rowsWith(db, 'api_token', { company_id: id, revoked_at: null })
    .select(['id', 'name', 'hash'])
    .execute();
  return rows.flatMap((token) => {
    const own = tokens.find(({ hash }) => isSame(hash, token.hash));
    if (own === undefined) return [];
    const { revoked_at } = own;
    const withdraw = (trx: Transaction) =>
      changeRows(trx, 'api_token', { company_id: id, id: token.id }).set({ revoked_at }).execute();
    return [{ kind: 'token' as const, company: name, name: token.name, withdraw }];
  });
}

async function revivedKeys(db: Database, { keys }: Present, { id, name }: Company): Promise<Found[]> {
  const rows = await rowsWith(db, 'hmac_key', { company_id: id, revoked_at: null })
    .select(['id', 'user_id', 'secret'])
    .execute();
  return rows.flatMap((key) => {
    const own = keys.find(({ user_id, secret }) => user_id === key.user_id && isSame(secret, key.secret));
    if (own === undefined) return [];
    const withdraw = (trx: Transaction) =>
      changeRows(trx, 'hmac_key', { company_id: id, id: key.id })
        .set({ revoked_at: own.revoked_at })
        .execute();
    return [{ kind: 'signing-key' as const, company: name, name: key.user_id, withdraw }];
  });
}

async function revivedOperators(
  db: Database,
  { operators }: Present,
  { id, name }: Company,
): Promise<Found[]> {
  const rows = await rowsWith(db, 'operator', { company_id: id })
    .select(['id', 'name', 'name_key', 'role', 'active', 'passphrase_hash'])
    .execute();
  return rows.flatMap((operator) => {
    const own = operators.find((one) => one.id === operator.id && one.name_key === operator.name_key);
    if (own === undefined) return [];
    const about = { company: name, name: operator.name };
    const change =
      (values: { active: number } | { role: OperatorRole } | { passphrase_hash: Sealed }) =>
      (trx: Transaction) =>
        changeRows(trx, 'operator', { company_id: id, id: operator.id }).set(values).execute();
    const found: Found[] = [];
    if (operator.active === 1 && own.active === 0)
      found.push({ kind: 'operator', ...about, withdraw: change({ active: 0 }) });
    if (ROLE_PERMISSIONS[operator.role].some((permission) => !mayRole(own.role, permission)))
      found.push({ kind: 'role', ...about, withdraw: change({ role: own.role }) });
    if (!isSame(operator.passphrase_hash, own.passphrase_hash))
      found.push({
        kind: 'passphrase',
        ...about,
        withdraw: change({ passphrase_hash: own.passphrase_hash }),
      });
    return found;
  });
}

async function revivedRecoveryKeys(
  db: Database,
  { recoveryCodes }: Present,
  { id, name }: Company,
): Promise<Found[]> {
  const row = await rowsWith(db, 'operator_recovery_code', { company_id: id })
    .select('hash')
    .executeTakeFirst();
  const own = recoveryCodes.find(({ company_id }) => company_id === id);
  if (row === undefined || (own !== undefined && isSame(own.hash, row.hash))) return [];
  // A recovery code works once: without one now, the code of the backup was used since.
  const withdraw = (trx: Transaction) =>
    own === undefined
      ? deleteRows(trx, 'operator_recovery_code', { company_id: id }).execute()
      : changeRows(trx, 'operator_recovery_code', { company_id: id })
          .set({ hash: own.hash, created_at: own.created_at })
          .execute();
  return [{ kind: 'recovery-code' as const, company: name, name: '', withdraw }];
}

async function revivedInstallations(
  db: Database,
  { installations }: Present,
  { id, name: company }: Company,
): Promise<Found[]> {
  const rows = await rowsWith(db, 'trusted_installation', { company_id: id })
    .select(['id', 'name', 'signing_key'])
    .execute();
  const own = installations.filter(({ company_id }) => company_id === id);
  return rows
    .filter((row) => !own.some(({ signing_key }) => isSame(signing_key, row.signing_key)))
    .map((row) => ({
      ...{ kind: 'installation' as const, company, name: row.name },
      withdraw: (trx) => deleteRows(trx, 'trusted_installation', { company_id: id, id: row.id }).execute(),
    }));
}
