import { keyColumns, nameIndex } from './nameIndex.ts';

/**
 * Trust Flows, Trust Validations, blacklists, and the results of screening. A match stores a copy of the names and scores
 * that it shows and references no other record, because it must not change when the records it was found in are deleted.
 */

export const screening: readonly string[] = [
  `create table trust_flow (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     name text not null,
     system integer not null default 0,
     created_at integer not null,
     draft text,
     revision integer not null default 1,
     updated_at integer
   ) strict`,
  `create unique index trust_flow_system on trust_flow (company_id) where system = 1`,

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

  `create table trust_validation (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     trust_flow_id integer not null references trust_flow (id),
     status integer not null,
     name text not null,
     created_at integer not null,
     finalized_at integer,
     source text not null default 'enrolment' check (source in ('enrolment', 'verification')),
     flow_version_id integer references trust_flow_version (id),
     metadata text,
     request_id text,
     duplicate_detected integer not null default 0,
     blacklist_detected integer not null default 0,
     incomplete_reason text,
     best_score real not null default 0,
     ${keyColumns}
   ) strict`,
  `create index trust_validation_list on trust_validation (company_id, status, id)`,
  `create index trust_validation_recent on trust_validation (company_id, id)`,
  // The list sorts by these columns; a page begins behind the last row of the page before.
  `create index trust_validation_by_name on trust_validation (company_id, lower(name), id)`,
  `create index trust_validation_by_score on trust_validation (company_id, best_score, id)`,
  `create index trust_validation_by_end on trust_validation (company_id, coalesce(finalized_at, 0), id)`,
  // The days of the overview are counted in this index alone.
  `create index trust_validation_day
   on trust_validation (company_id, created_at, status, duplicate_detected, blacklist_detected)`,
  `create index trust_validation_hit on trust_validation (company_id, id)
   where duplicate_detected = 1 or blacklist_detected = 1`,
  `create index trust_validation_verified on trust_validation (company_id) where source = 'verification'`,
  `create unique index trust_validation_request on trust_validation (company_id, request_id)
   where request_id is not null`,

  ...nameIndex('trust_validation'),

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
     enrolled_at integer not null,
     severity text,
     reason text
   ) strict`,
  `create index screening_match_validation on screening_match (trust_validation_id, id)`,
  // An erasure finds the matches of other validations that name the erased one.
  `create index screening_match_matched on screening_match (company_id, matched_trust_validation_id)
   where matched_trust_validation_id is not null`,

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
