/** The recognition pipeline of each company, its change to another one, and the calibration of its distances. */
export const pipelines: readonly string[] = [
  `create table active_pipeline (
     company_id integer primary key references company (id) on delete cascade,
     pipeline_id text not null,
     chosen_for_company integer not null default 0
   ) strict`,

  `create table pipeline_shape (
     pipeline_id text primary key,
     dimensions integer not null
   ) strict, without rowid`,

  `create table template_migration (
     company_id integer primary key references company (id) on delete cascade,
     pipeline_id text not null,
     state text not null check (state in ('running', 'paused')),
     without_failed integer not null default 0,
     chosen_for_company integer not null,
     started_at integer not null
   ) strict`,

  // Faces from whose photos the next pipeline extracts no template.
  `create table extraction_failure (
     face_id integer not null references face (id) on delete cascade,
     pipeline_id text not null,
     company_id integer not null,
     failure_code text not null,
     primary key (face_id, pipeline_id)
   ) strict, without rowid`,
  `create index extraction_failure_company on extraction_failure (company_id, pipeline_id, face_id)`,

  // False-match rates that were measured on the company's own photos. The photos are not kept.
  `create table company_calibration (
     company_id integer not null references company (id) on delete cascade,
     pipeline_id text not null,
     points text not null,
     people integer not null,
     photos integer not null,
     non_mated_pairs integer not null,
     measured text not null,
     applied_at integer not null,
     primary key (company_id, pipeline_id)
   ) strict, without rowid`,
];
