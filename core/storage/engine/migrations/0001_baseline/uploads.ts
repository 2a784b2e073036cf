/**
 * Uploads, their items and the image files. Partial indexes hold only the items that wait, so that the queue costs the
 * same with ten million processed items behind it.
 */
export const uploads: readonly string[] = [
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
     listing text
   ) strict`,
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
     failure_code text,
     trust_validation_id integer references trust_validation (id),
     face_id integer,
     processed_at integer,
     unique (upload_id, position)
   ) strict`,
  `create index upload_item_waiting on upload_item (company_id, attempts, id) where status = 1`,
  `create index upload_item_image on upload_item (image_id) where image_id is not null`,
  `create index upload_item_validation on upload_item (trust_validation_id) where trust_validation_id is not null`,
  `create index upload_item_face on upload_item (face_id) where face_id is not null`,
];
