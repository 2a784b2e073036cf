/**
 * Operators of the dashboard, their sessions, and failed sign-in attempts. The operator's name is unique in the whole
 * installation, because the sign-in form asks for no company.
 */
export const operators: readonly string[] = [
  `create table operator (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     name text not null,
     name_key text not null unique,
     role text not null,
     active integer not null default 1,
     passphrase_hash text not null,
     created_at integer not null,
     last_signed_in_at integer,
     passphrase_given_by text,
     passphrase_given_at integer not null default 0
   ) strict`,
  `create index operator_company on operator (company_id, id)`,

  `create table operator_appearance (
     operator_id integer primary key references operator (id) on delete cascade,
     company_id integer not null,
     choice text not null
   ) strict`,

  `create table operator_session (
     hash blob primary key,
     company_id integer not null,
     operator_id integer not null references operator (id),
     opened_at integer not null,
     used_at integer not null,
     confirmed_at integer not null
   ) strict`,
  `create index operator_session_operator on operator_session (company_id, operator_id)`,

  // The code belongs to the company and not to an operator: it must restore access when the operator has left.
  `create table operator_recovery_code (
     company_id integer primary key references company (id),
     hash blob not null unique,
     created_at integer not null
   ) strict`,

  `create table sign_in_attempt (
     name_hash blob not null,
     source_hash blob not null,
     attempts integer not null,
     last_at integer not null,
     primary key (name_hash, source_hash)
   ) strict, without rowid`,
];
