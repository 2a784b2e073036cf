import { sql, type Kysely } from 'kysely';

/** What distances of a pipeline mean at one company, measured on its own photos; of those photos nothing is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table site_calibration (
         company_id integer not null references company (id) on delete cascade,
         pipeline_id text not null,
         points text not null,
         people integer not null,
         photos integer not null,
         non_mated_pairs integer not null,
         applied_at integer not null,
         primary key (company_id, pipeline_id)
       ) strict, without rowid`,
    )
    .execute(db);
}
