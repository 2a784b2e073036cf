/** Credentials that were withdrawn on a machine after a backup was made, and that the backup would put in force again. */
import { existsSync } from 'node:fs';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import { openRaw, type Database } from '../database.ts';
import { keyIn, type Home } from '../home.ts';

/** One credential of the backup, named as a person knows it. */
export interface RevivedCredential {
  /** `operator`: may sign in again. `passphrase`: the earlier passphrase signs in. `recovery key`: the earlier one does. */
  kind: 'token' | 'signing key' | 'operator' | 'passphrase' | 'recovery key';
  company: string;
  /** Of the token, the key's user id, or the operator; empty for a recovery key. */
  name: string;
}

/** Whether the credentials stay withdrawn. May end the restore by rejecting. */
export type AskCredentials = (revived: readonly RevivedCredential[]) => Promise<boolean>;

/** What the home of this machine knows now. Absent: it cannot be read, or it is of another installation. */
interface Present {
  tokens: { hash: Uint8Array; revoked_at: number }[];
  keys: { user_id: string; secret: string; revoked_at: number }[];
  operators: { id: OperatorId; name_key: string; active: number; passphrase_hash: string }[];
  recoveryKeys: { company_id: CompanyId; hash: Uint8Array; made_at: number }[];
}

/** A credential that would be in force again, and what withdraws it in the restored database. */
interface Found extends RevivedCredential {
  withdraw: (db: Database) => Promise<unknown>;
}

/**
 * Compares a restored database with the one that it will replace, asks about credentials that would be in force again, and
 * withdraws them where the answer says so. Nothing of the present database is changed.
 * @returns how many would be in force again, and whether they were withdrawn; undefined where the present database cannot be
 *   read or is of another installation
 */
export async function withdrawAgain(
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
    await db.transaction().execute(async (trx) => {
      for (const { withdraw } of found) await withdraw(trx);
    });
  return { revived: found.length, withdrawn };
}

async function publicKeyOf(db: Database): Promise<Uint8Array | undefined> {
  return (await db.selectFrom('audit_key').select('public_key').executeTakeFirst())?.public_key;
}

function readPresent(home: Home, publicKey: Uint8Array | undefined): Present | undefined {
  const key = keyIn(home.keyFile);
  if (key === undefined || publicKey === undefined || !existsSync(home.database)) return undefined;
  let raw: ReturnType<typeof openRaw> | undefined;
  try {
    raw = openRaw(home.database, key, { readonly: true });
    const open = raw;
    const all = <T>(query: string) => open.prepare(query).all([]) as T[];
    const [own] = all<{ public_key: Uint8Array }>('select public_key from audit_key');
    if (own === undefined || Buffer.compare(own.public_key, publicKey) !== 0) return undefined;
    return {
      tokens: all('select hash, revoked_at from api_token where revoked_at is not null'),
      keys: all('select user_id, secret, revoked_at from hmac_key where revoked_at is not null'),
      operators: all('select id, name_key, active, passphrase_hash from operator'),
      recoveryKeys: all('select company_id, hash, made_at from recovery_key'),
    };
  } catch {
    // A damaged database is a reason to restore: it answers no question, and stands in the way of nothing.
    return undefined;
  } finally {
    raw?.close();
  }
}

async function revivedIn(db: Database, present: Present): Promise<Found[]> {
  const companies = new Map(
    (await db.selectFrom('company').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  );
  const named = (company: CompanyId) => companies.get(company) ?? `company ${company}`;
  return [
    ...(await revivedTokens(db, present, named)),
    ...(await revivedKeys(db, present, named)),
    ...(await revivedOperators(db, present, named)),
    ...(await revivedRecoveryKeys(db, present, named)),
  ];
}

type Named = (company: CompanyId) => string;

async function revivedTokens(db: Database, { tokens }: Present, named: Named): Promise<Found[]> {
  const revoked = new Map(
    tokens.map(({ hash, revoked_at }) => [Buffer.from(hash).toString('hex'), revoked_at]),
  );
  const rows = await db.selectFrom('api_token').selectAll().where('revoked_at', 'is', null).execute();
  return rows.flatMap(({ id, company_id, name, hash }) => {
    const revoked_at = revoked.get(Buffer.from(hash).toString('hex'));
    if (revoked_at === undefined) return [];
    const withdraw = (trx: Database) =>
      trx.updateTable('api_token').set({ revoked_at }).where('id', '=', id).execute();
    return [{ kind: 'token' as const, company: named(company_id), name, withdraw }];
  });
}

async function revivedKeys(db: Database, { keys }: Present, named: Named): Promise<Found[]> {
  const rows = await db.selectFrom('hmac_key').selectAll().where('revoked_at', 'is', null).execute();
  return rows.flatMap(({ id, company_id, user_id, secret }) => {
    const revoked_at = keys.find((key) => key.user_id === user_id && key.secret === secret)?.revoked_at;
    if (revoked_at === undefined) return [];
    const withdraw = (trx: Database) =>
      trx.updateTable('hmac_key').set({ revoked_at }).where('id', '=', id).execute();
    return [{ kind: 'signing key' as const, company: named(company_id), name: user_id, withdraw }];
  });
}

async function revivedOperators(db: Database, { operators }: Present, named: Named): Promise<Found[]> {
  const now = new Map(operators.map((operator) => [operator.id, operator]));
  const rows = await db.selectFrom('operator').selectAll().execute();
  return rows.flatMap(({ id, company_id, name, name_key, active, passphrase_hash }) => {
    const own = now.get(id);
    if (own?.name_key !== name_key) return [];
    const about = { company: named(company_id), name };
    const change = (values: { active: number } | { passphrase_hash: string }) => (trx: Database) =>
      trx.updateTable('operator').set(values).where('id', '=', id).execute();
    const found: Found[] = [];
    if (active === 1 && own.active === 0)
      found.push({ kind: 'operator', ...about, withdraw: change({ active: 0 }) });
    if (passphrase_hash !== own.passphrase_hash)
      found.push({
        kind: 'passphrase',
        ...about,
        withdraw: change({ passphrase_hash: own.passphrase_hash }),
      });
    return found;
  });
}

async function revivedRecoveryKeys(db: Database, { recoveryKeys }: Present, named: Named): Promise<Found[]> {
  const rows = await db.selectFrom('recovery_key').selectAll().execute();
  return rows.flatMap(({ company_id, hash }) => {
    const own = recoveryKeys.find((key) => key.company_id === company_id);
    if (own !== undefined && Buffer.compare(own.hash, hash) === 0) return [];
    // Used up since: a recovery key opens the way once.
    const withdraw = (trx: Database) =>
      own === undefined
        ? trx.deleteFrom('recovery_key').where('company_id', '=', company_id).execute()
        : trx
            .updateTable('recovery_key')
            .set({ hash: own.hash, made_at: own.made_at })
            .where('company_id', '=', company_id)
            .execute();
    return [{ kind: 'recovery key' as const, company: named(company_id), name: '', withdraw }];
  });
}
