import { sql, type Kysely } from 'kysely';

/**
 * The recovery key belongs to the company, not to the operator who set it up: it has to open the way back in when that
 * operator is gone. A key that was printed at set-up goes on working.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table recovery_key (
       company_id integer primary key references company (id),
       hash blob not null unique,
       made_at integer not null
     ) strict`,
    `insert or ignore into recovery_key (company_id, hash, made_at)
       select company_id, recovery_hash, created_at from operator
       where recovery_hash is not null order by id`,
    `alter table operator drop column recovery_hash`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
