import { foldingIndex, keyColumns } from './nameIndex.ts';

/**
 * Enrolment runs, their uploads, the items of these and the image files. Partial indexes hold only the items that wait, so that the queue costs the
 * same with ten million processed items behind it.
 */
export const uploads: readonly string[] = [
  // The photos of one folder, which are sent in many uploads. An upload of no declared run is a run of its own.
  `create table enrolment_run (
     company_id integer not null references company (id),
     id text not null,
     name text,
     source text not null check (source in ('dashboard', 'program', 'import', 'demo')),
     kind text not null check (kind in ('duplicate', 'blacklist')),
     blacklist_id integer,
     photos integer,
     several_faces text not null check (several_faces in ('refuse', 'main')),
     started_by text not null,
     started_at integer not null,
     primary key (company_id, id)
   ) strict`,
  `create index enrolment_run_recent on enrolment_run (company_id, started_at, id)`,
  `create table upload (
     id text primary key,
     company_id integer not null references company (id),
     kind text not null check (kind in ('duplicate', 'blacklist')),
     trust_flow_id integer references trust_flow (id),
     blacklist_id integer,
     image_count integer not null,
     created_at integer not null,
     completed_at integer,
     idempotency_key text,
     fingerprint text,
     listing text,
     run_id text not null,
     fix_face integer,
     fix_faces integer,
     fixed_by text,
     foreign key (company_id, run_id) references enrolment_run (company_id, id)
   ) strict`,
  `create index upload_run on upload (company_id, run_id)`,
  `create index upload_blacklist on upload (company_id, blacklist_id) where blacklist_id is not null`,
  `create unique index upload_idempotency on upload (company_id, idempotency_key) where idempotency_key is not null`,
  `create index upload_recent on upload (company_id, created_at)`,
  // The oldest upload that is not complete.
  `create index upload_open on upload (created_at) where completed_at is null`,

  `create table image (
     id text primary key,
     company_id integer not null references company (id),
     key blob not null,
     bytes integer not null,
     sha256 text not null,
     format text not null,
     width integer,
     height integer,
     created_at integer not null
   ) strict`,
  // Contains the sizes too, so that a sum reads no row.
  `create index image_company_bytes on image (company_id, bytes)`,

  `create table upload_item (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     upload_id text not null references upload (id),
     position integer not null,
     file_name text not null,
     image_id text references image (id),
     status integer not null,
     attempts integer not null default 0,
     leased_by text,
     leased_until integer,
     failure_code text,
     trust_validation_id integer references trust_validation (id),
     face_id integer,
     processed_at integer,
     found text,
     fixes integer,
     person_name text,
     person_external_id text,
     named_by text,
     ${keyColumns},
     unique (upload_id, position)
   ) strict`,
  foldingIndex('upload_item'),
  `create index upload_item_fixes on upload_item (fixes) where fixes is not null`,
  `create index upload_item_failed on upload_item (company_id, id) where status = 3`,
  `create index upload_item_failures on upload_item (upload_id) where status = 3`,
  `create index upload_item_waiting on upload_item (company_id, attempts, id) where status = 1`,
  `create index upload_item_image on upload_item (image_id) where image_id is not null`,
  `create index upload_item_validation on upload_item (trust_validation_id) where trust_validation_id is not null`,
  `create index upload_item_face on upload_item (face_id) where face_id is not null`,
];
