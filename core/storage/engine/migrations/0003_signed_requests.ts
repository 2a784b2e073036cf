import { sql, type Kysely } from 'kysely';

/**
 * Keys for signed requests, and the signatures that were accepted. The secrets are kept readable, because a signature
 * can only be checked with them; the whole file is encrypted under the store key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table hmac_key (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       user_id text not null unique,
       name text not null,
       secret text not null,
       profile text not null,
       scopes text not null,
       created_at integer not null,
       expires_at integer,
       revoked_at integer,
       last_used_at integer
     ) strict`,
    `create table accepted_signature (
       key_id integer not null references hmac_key (id),
       signature blob not null,
       forget_at integer not null,
       primary key (key_id, signature)
     ) strict, without rowid`,
    `create index accepted_signature_age on accepted_signature (forget_at)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
