import { sql, type Kysely } from 'kysely';

/** One row per comparison of two images, of signatures or of faces; the images themselves are not kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table comparison (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       subject text not null check (subject in ('signature', 'face')),
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
    `create index comparison_recent on comparison (company_id, subject, id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
