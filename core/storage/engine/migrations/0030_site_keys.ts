import { sql, type Kysely } from 'kysely';

/**
 * Key pairs of the installation, one per purpose. Of the recovery key only the public half is here: the other half is on
 * paper.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table site_key (
         purpose text primary key,
         public_key blob not null,
         private_key blob,
         created_at integer not null
       ) strict`,
    )
    .execute(db);
}
