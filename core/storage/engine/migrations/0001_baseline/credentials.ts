/**
 * Credentials of client programs. The secret of a signing key is stored readable, because a request signature can only
 * be verified with it. It is kept as bytes: PostgreSQL receives columns of bytes sealed, and the file of SQLite is encrypted.
 */
import { table, key, integer, text, blob } from '../table.ts';
import type { HmacProfileName } from '../../../../contracts/codes.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';
export const credentials = {
  api_token: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    hash: blob('unique'),
    scopes: text(),
    /** The operator who made it; null: it was made in the terminal. */
    created_by: text.orNull<Actor>(),
    created_at: integer(),
    expires_at: integer.orNull(),
    revoked_at: integer.orNull(),
    last_used_at: integer.orNull(),
    /** 1: a command of the terminal made it for its own run. */
    for_one_run: integer.byDefault(0),
  }),
  hmac_key: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    user_id: text('unique'),
    name: text(),
    /** UTF-8; bytes, so that PostgreSQL receives it sealed. */
    secret: blob(),
    profile: text<HmacProfileName>(),
    scopes: text(),
    /** The operator who made it; null: it was made in the terminal. */
    created_by: text.orNull<Actor>(),
    created_at: integer(),
    expires_at: integer.orNull(),
    revoked_at: integer.orNull(),
    last_used_at: integer.orNull(),
  }),
  // Signatures of accepted requests, kept until their time window has passed: a repeated request is rejected.
  replay_nonce: table(
    {
      key_id: integer('references hmac_key (id)'),
      signature: blob(),
      expires_at: integer(),
    },
    ['primary key (key_id, signature)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const credentialsIndexes: readonly string[] = [
  `create index replay_nonce_expiry on replay_nonce (expires_at)`,
];
