import { sql, type Kysely } from 'kysely';

/**
 * Erasures with their receipts. While one is not finished the row says which files are still to be removed; ids, hashes and
 * counts are all it ever holds. `retention_check` holds, by company, the last time at which the clock was plausible.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table erasure (
       id text primary key,
       company_id integer not null references company (id),
       at integer not null,
       receipt text not null,
       signature blob,
       images text
     ) strict`,
    `create index erasure_company on erasure (company_id, at)`,
    `create table retention_check (
       company_id integer primary key references company (id),
       at integer not null,
       boot text not null,
       uptime integer not null,
       confirmed integer not null
     ) strict`,
    // Entries of others that name a validation are looked for by its number.
    `create index screening_match_validation_named on screening_match (company_id, matched_trust_validation_id)
       where matched_trust_validation_id is not null`,
    `create index upload_item_validation on upload_item (trust_validation_id) where trust_validation_id is not null`,
    `create index upload_item_face on upload_item (face_id) where face_id is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
