/**
 * Credentials of client programs. The secret of a signing key is stored readable, because a request signature can only
 * be verified with it. It is kept as bytes: PostgreSQL receives columns of bytes sealed, and the file of SQLite is encrypted.
 */
export const credentials: readonly string[] = [
  `create table api_token (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     name text not null,
     hash blob not null unique,
     scopes text not null,
     created_by text,
     created_at integer not null,
     expires_at integer,
     revoked_at integer,
     last_used_at integer,
     for_one_run integer not null default 0
   ) strict`,

  `create table hmac_key (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     user_id text not null unique,
     name text not null,
     secret blob not null,
     profile text not null,
     scopes text not null,
     created_by text,
     created_at integer not null,
     expires_at integer,
     revoked_at integer,
     last_used_at integer
   ) strict`,

  // Signatures of accepted requests, kept until their time window has passed: a repeated request is rejected.
  `create table replay_nonce (
     key_id integer not null references hmac_key (id),
     signature blob not null,
     expires_at integer not null,
     primary key (key_id, signature)
   ) strict, without rowid`,
  `create index replay_nonce_expiry on replay_nonce (expires_at)`,
];
