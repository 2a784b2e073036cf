/** The credentials of programs, as the screen API access makes, lists and revokes them. */
import { z } from 'zod';
import { HMAC_PROFILES, SCOPES } from '../codes.ts';
import { displayLine } from '../displayLine.ts';
import { get, post } from './operation.ts';

export const CREDENTIAL_KINDS = ['token', 'key'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** In force, or why it is not. */
export const CREDENTIAL_STATES = ['active', 'expired', 'revoked'] as const;

/** A credential without its secret, which cannot be read a second time. */
export const credentialRow = z.object({
  kind: z.enum(CREDENTIAL_KINDS),
  /** Unique within its kind. */
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  state: z.enum(CREDENTIAL_STATES),
  /** The X-USER-ID that the program of a key sends; null for a token. */
  userId: z.string().nullable(),
  profile: z.enum(HMAC_PROFILES).nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type CredentialRow = z.infer<typeof credentialRow>;

/** `GET /credentials`: the active ones first, newest first among equals. */
export const credentialList = z.object({ items: z.array(credentialRow) });

const common = {
  name: displayLine(100).min(1),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  /** Absent: it does not expire. */
  expiresAt: z.iso.datetime().optional(),
};

/** `POST /credentials`; needs a passphrase that was just given. */
export const newCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), ...common }),
  z.object({
    kind: z.literal('key'),
    ...common,
    profile: z.enum(HMAC_PROFILES).default('v1'),
  }),
]);

export type NewCredential = z.input<typeof newCredential>;

/** The one answer that holds the secret. */
export const madeCredential = z.object({ credential: credentialRow, secret: z.string() });
export type MadeCredential = z.infer<typeof madeCredential>;

/** The dashboard's operations. */
export const credentialApi = {
  list: get('/credentials', 'tokens:read', { answer: credentialList }),
  create: post('/credentials', 'tokens:write', { body: newCredential, answer: madeCredential }),
  revoke: post('/credentials/:kind/:id/revoke', 'tokens:write', {
    params: z.object({ kind: z.enum(CREDENTIAL_KINDS), id: z.coerce.number().int().min(1) }),
  }),
};
