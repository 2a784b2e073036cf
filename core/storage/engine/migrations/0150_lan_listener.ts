import { sql, type Kysely } from 'kysely';

/** What other machines are answered with, at most one; without a row none is let in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table lan_listener (
         id integer primary key check (id = 1),
         names text not null,
         address text not null,
         port integer not null,
         certificate text not null,
         private_key text not null
       ) strict`,
    )
    .execute(db);
}
