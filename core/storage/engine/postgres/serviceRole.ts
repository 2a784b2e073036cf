/** The role of PostgreSQL by which a service reads and writes rows, and which may neither change tables nor the audit log. */
import { sql, type Kysely } from 'kysely';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { keyIn, lockHome, readKeyFile, type Home } from '../home.ts';
import type { Schema } from '../schema.ts';
import { parseAddress, keepAddress, keptAddress } from './address.ts';
import { isPrepared, openPostgres } from './open.ts';

/** Tables whose rows are written once. */
const WRITTEN_ONCE = ['audit_entry', 'audit_key'];
/** Tables by which the owner knows which version prepared the database. */
const OF_THE_OWNER = ['kysely_migration', 'kysely_migration_lock'];

/**
 * Creates or updates the tables as their owner, and grants the role of the service what it needs. Can be repeated, and is
 * repeated for each new version. The home keeps the address of the service alone.
 * @param owner address with the owner of the tables @param service address with the role of the service; absent: the kept one
 * @throws {CodedError} the addresses name different databases, or the role could act as the owner
 */
export async function prepareDatabase(
  home: Home,
  owner: string,
  service: string | undefined,
): Promise<{ role: string; database: string }> {
  const lock = lockHome(home);
  try {
    if (service !== undefined) await keepAddress(home, service);
    const kept = keptAddress(home);
    if (kept === undefined) throw new CodedError(problem('DATABASE_NO_SERVER', { folder: home.folder }));
    const { user: role, label } = parseAddress(kept);
    const other = parseAddress(owner);
    if (other.label !== label)
      throw new CodedError(
        problem('DATABASE_OTHER', { folder: home.folder, other: label, label: other.label }),
      );
    if (other.user === role)
      throw new CodedError(problem('DATABASE_ROLE', { role, why: 'it is the owner of the tables' }));
    const key = keyIn(home.keyFile) ?? readKeyFile(home.keyFile, await isPrepared(owner));
    const db = await openPostgres(owner, key);
    try {
      await grant(db, role);
    } finally {
      await db.destroy();
    }
    return { role, database: label };
  } finally {
    lock.release();
  }
}

async function grant(db: Kysely<Schema>, role: string): Promise<void> {
  await requireApart(db, role);
  const to = sql.id(role);
  await db.transaction().execute(async (trx) => {
    await sql`grant usage on schema public to ${to}`.execute(trx);
    await sql`grant select, insert, update, delete on all tables in schema public to ${to}`.execute(trx);
    await sql`grant select, usage on all sequences in schema public to ${to}`.execute(trx);
    for (const table of WRITTEN_ONCE)
      await sql`revoke update, delete, truncate on ${sql.table(table)} from ${to}`.execute(trx);
    for (const table of OF_THE_OWNER)
      await sql`revoke insert, update, delete on ${sql.table(table)} from ${to}`.execute(trx);
  });
}

/** @throws {CodedError} the role does not exist, or could act as the owner of the audit log */
async function requireApart(db: Kysely<Schema>, role: string): Promise<void> {
  const { rows } = await sql<{ owns: number }>`
    select pg_has_role(r.oid, c.relowner, 'member') as owns from pg_roles r, pg_class c
    where r.rolname = ${role} and c.oid = 'audit_entry'::regclass`.execute(db);
  const [found] = rows;
  if (found === undefined)
    throw new CodedError(
      problem('DATABASE_ROLE', { role, why: 'the server does not have it. Create it with CREATE ROLE' }),
    );
  if (found.owns === 1)
    throw new CodedError(
      problem('DATABASE_ROLE', { role, why: 'it owns the tables, or is a member of the role that does' }),
    );
}
