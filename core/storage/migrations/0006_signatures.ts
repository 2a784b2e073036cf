import { sql, type Kysely } from 'kysely';

/** One row per comparison of two signatures; the images themselves are not kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table signature_comparison (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       template_id text not null,
       verification_id text not null,
       credential text not null,
       compared_at integer not null,
       similarity real,
       verdict text not null,
       reasons text not null,
       match_from real not null,
       possible_match_from real not null,
       model_version text not null
     ) strict`,
    `create index signature_comparison_recent on signature_comparison (company_id, id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
