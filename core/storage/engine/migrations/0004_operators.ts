import { sql, type Kysely } from 'kysely';

/**
 * Operators of the dashboard, their sessions, and failed attempts to sign in. The name is unique in the whole
 * installation: one signs in with it, before any company is known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table operator (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       name text not null,
       name_key text not null unique,
       role text not null,
       active integer not null default 1,
       passphrase_hash text not null,
       recovery_hash blob,
       created_at integer not null,
       last_signed_in_at integer
     ) strict`,
    `create index operator_company on operator (company_id, id)`,
    `create table operator_session (
       hash blob primary key,
       company_id integer not null,
       operator_id integer not null references operator (id),
       opened_at integer not null,
       used_at integer not null,
       confirmed_at integer not null
     ) strict`,
    `create index operator_session_operator on operator_session (company_id, operator_id)`,
    `create table sign_in_attempt (
       name_hash blob not null,
       source_hash blob not null,
       attempts integer not null,
       last_at integer not null,
       primary key (name_hash, source_hash)
     ) strict, without rowid`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
