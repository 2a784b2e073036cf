import { sql, type Kysely } from 'kysely';

/**
 * Companies, their credentials, and mass enrolment. AUTOINCREMENT everywhere: an id of something erased must never
 * name something else later. Partial indexes hold only the images that still wait, so the queue costs the same with
 * ten million answered images behind it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table site (
       id integer primary key check (id = 1),
       installation text not null,
       settings text not null
     ) strict`,
    `insert into site (id, installation, settings) values (1, lower(hex(randomblob(16))), '{}')`,
    `create table company (
       id integer primary key autoincrement,
       name text not null unique,
       storage_folder text,
       settings text not null,
       created_at integer not null
     ) strict`,
    `create table api_token (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       name text not null,
       hash blob not null unique,
       scopes text not null,
       created_at integer not null,
       expires_at integer,
       revoked_at integer,
       last_used_at integer
     ) strict`,
    `create table trust_flow (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       name text not null,
       system integer not null default 0,
       created_at integer not null
     ) strict`,
    `create unique index trust_flow_system on trust_flow (company_id) where system = 1`,
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
       fingerprint text
     ) strict`,
    `create unique index upload_idempotency on upload (company_id, idempotency_key) where idempotency_key is not null`,
    `create index upload_recent on upload (company_id, created_at)`,
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
    `create index image_company on image (company_id)`,
    `create table trust_validation (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       trust_flow_id integer not null references trust_flow (id),
       status integer not null,
       name text not null,
       created_at integer not null,
       finalized_at integer
     ) strict`,
    `create index trust_validation_list on trust_validation (company_id, status, id)`,
    `create table face (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       kind text not null check (kind in ('duplicate', 'blacklist')),
       blacklist_id integer,
       trust_validation_id integer references trust_validation (id),
       name text not null,
       image_id text not null references image (id),
       geometry text not null,
       quality_score real not null,
       quality_measures text not null,
       enrolled_at integer not null
     ) strict`,
    `create index face_watchlist on face (company_id, kind, blacklist_id, id)`,
    `create index face_image on face (image_id)`,
    `create index face_validation on face (trust_validation_id) where trust_validation_id is not null`,
    `create table template (
       face_id integer not null references face (id) on delete cascade,
       company_id integer not null,
       pipeline_id text not null,
       vector blob not null,
       primary key (face_id, pipeline_id)
     ) strict`,
    `create table face_chip (
       face_id integer primary key references face (id) on delete cascade,
       company_id integer not null,
       jpeg blob not null
     ) strict`,
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
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
