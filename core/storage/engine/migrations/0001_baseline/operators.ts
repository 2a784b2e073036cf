/**
 * Operators of the dashboard, their sessions, and failed sign-in attempts. The operator's name is unique in the whole
 * installation, because the sign-in form asks for no company.
 */
import { table, key, code, integer, text, blob } from '../table.ts';
import type { OperatorRole } from '../../../../contracts/dashboard/session.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';
import type { CompanyId, OperatorId } from '../../../../contracts/ids.ts';
import type { HmacProfileName } from '../../../../contracts/codes.ts';
export const operators = {
  operator: table({
    id: key<OperatorId>(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    /** The name in the form that is compared. */
    name_key: text('unique'),
    role: text<OperatorRole>(),
    active: integer.byDefault(1),
    /** PHC string of argon2id in UTF-8. */
    passphrase_hash: blob(),
    created_at: integer(),
    last_signed_in_at: integer.orNull(),
    /** The operator who last chose the passphrase of this one, by creating or resetting the account; null: none did. */
    passphrase_given_by: text.orNull<Actor>(),
    passphrase_given_at: integer.byDefault(0),
    code: code(),
  }),
  operator_appearance: table({
    operator_id: integer<OperatorId>('primary key references operator (id) on delete cascade'),
    company_id: integer<CompanyId>(),
    /** JSON: Appearance. */
    choice: text(),
  }),
  operator_session: table({
    /** SHA-256 of the cookie's value. */
    hash: blob('primary key'),
    company_id: integer<CompanyId>(),
    operator_id: integer<OperatorId>('references operator (id)'),
    opened_at: integer(),
    used_at: integer(),
    confirmed_at: integer(),
    code: code(),
  }),
  /** One per company: the code with which a company's operators restore their access. */
  // The code belongs to the company and not to an operator: it must restore access when the operator has left.
  operator_recovery_code: table({
    company_id: integer<CompanyId>('primary key references company (id)'),
    /** SHA-256. */
    hash: blob('unique'),
    created_at: integer(),
    code: code(),
  }),
  sign_in_attempt: table(
    {
      /** SHA-256 of the operator's name in the form that is compared. */
      name_hash: blob(),
      /** SHA-256 of the origin of the attempts: an address, a browser, all of them together. */
      source_hash: blob(),
      attempts: integer(),
      last_at: integer(),
    },
    ['primary key (name_hash, source_hash)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const operatorsIndexes: readonly string[] = [
  `create index operator_company on operator (company_id, id)`,
  `create index operator_session_operator on operator_session (company_id, operator_id)`,
];

/**
 * Credentials of client programs. The secret of a signing key is stored readable, because a request signature can only
 * be verified with it. As every column of bytes it is sealed in PostgreSQL; the file of SQLite is encrypted.
 */
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
    code: code(),
  }),
  hmac_key: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    user_id: text('unique'),
    name: text(),
    /** UTF-8. */
    secret: blob(),
    profile: text<HmacProfileName>(),
    scopes: text(),
    /** The operator who made it; null: it was made in the terminal. */
    created_by: text.orNull<Actor>(),
    created_at: integer(),
    expires_at: integer.orNull(),
    revoked_at: integer.orNull(),
    last_used_at: integer.orNull(),
    code: code(),
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
