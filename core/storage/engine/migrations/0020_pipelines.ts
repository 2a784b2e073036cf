import { sql, type Kysely } from 'kysely';

/**
 * Which pipeline serves a company, how long its templates are, the change to another one while it is under way, and the faces that the other one
 * refuses. A company that has templates already is served by the pipeline that made most of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table company_pipeline (
       company_id integer primary key references company (id) on delete cascade,
       pipeline_id text not null,
       chosen integer not null default 0
     ) strict`,
    `insert into company_pipeline (company_id, pipeline_id)
       select company_id, pipeline_id from (
         select company_id, pipeline_id, row_number() over (
           partition by company_id order by count(*) desc, pipeline_id) as place
         from template group by company_id, pipeline_id)
       where place = 1`,
    `create table pipeline_shape (
       pipeline_id text primary key,
       dimensions integer not null
     ) strict, without rowid`,
    `create table pipeline_migration (
       company_id integer primary key references company (id) on delete cascade,
       pipeline_id text not null,
       state text not null check (state in ('running', 'paused')),
       without_failed integer not null default 0,
       chosen integer not null,
       started_at integer not null
     ) strict`,
    `create table template_refusal (
       face_id integer not null references face (id) on delete cascade,
       pipeline_id text not null,
       company_id integer not null,
       code text not null,
       primary key (face_id, pipeline_id)
     ) strict, without rowid`,
    `create index template_refusal_company on template_refusal (company_id, pipeline_id, face_id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
