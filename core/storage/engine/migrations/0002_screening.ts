import { sql, type Kysely } from 'kysely';

/**
 * Blacklists, versions of Trust Flows, verifications and what their screening found. Entries of a screening copy what
 * they show (names, scores), because they never change, whatever is later deleted; they refer to nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table blacklist (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       name text not null,
       name_key text not null,
       description text,
       status integer not null,
       created_at integer not null,
       updated_at integer not null
     ) strict`,
    `create unique index blacklist_name on blacklist (company_id, name_key)`,
    `create table trust_flow_version (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       trust_flow_id integer not null references trust_flow (id),
       number integer not null,
       settings text not null,
       blacklist_names text not null,
       created_at integer not null,
       unique (trust_flow_id, number)
     ) strict`,
    `alter table trust_flow add column draft text`,
    `alter table trust_flow add column updated_at integer`,
    `alter table trust_validation add column source text not null default 'enrolment'
       check (source in ('enrolment', 'verification'))`,
    `alter table trust_validation add column flow_version_id integer references trust_flow_version (id)`,
    `alter table trust_validation add column metadata text`,
    `alter table trust_validation add column duplicate_detected integer not null default 0`,
    `alter table trust_validation add column blacklist_detected integer not null default 0`,
    `create index trust_validation_recent on trust_validation (company_id, id)`,
    // A selfie is a face from the moment it is taken, and matchable while its Trust Validation is Verified.
    `alter table face add column matchable integer not null default 1`,
    // Another selfie took its place; its entries are screened all the same when the validation is finalised.
    `alter table face add column superseded integer not null default 0`,
    `create table screening (
       trust_validation_id integer primary key references trust_validation (id),
       company_id integer not null,
       facts text not null
     ) strict`,
    `create table screening_match (
       id integer primary key autoincrement,
       company_id integer not null,
       trust_validation_id integer not null references trust_validation (id),
       kind text not null check (kind in ('duplicate', 'blacklist')),
       blacklist_id integer,
       blacklist_name text,
       face_id integer not null,
       probe_face_id integer not null,
       matched_trust_validation_id integer,
       full_name text not null,
       distance real not null,
       score real not null,
       band text not null,
       enrolled_at integer not null
     ) strict`,
    `create index screening_match_validation on screening_match (trust_validation_id, id)`,
    `create table validation_history (
       id integer primary key autoincrement,
       company_id integer not null,
       trust_validation_id integer not null references trust_validation (id),
       at integer not null,
       actor text not null,
       action text not null,
       from_status integer,
       to_status integer not null,
       note text,
       failure_code text
     ) strict`,
    `create index validation_history_validation on validation_history (trust_validation_id, id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
