/** Signs requests as the interface description says, written from its text alone, so that it can disagree with the service. */
import { createHash, createHmac } from 'node:crypto';
import { SCOPES, type HmacProfileName, type Scope } from '../../core/contracts/codes.ts';
import { createHmacSecret } from '../../core/domain/credentials/secrets.ts';
import type { HmacKey } from '../../core/storage/credentials/credentialRows.ts';
import { FACES, type TestSite } from './site.ts';
import { TEST_ACT } from '../support/act.ts';
import { requestBytes } from './rawRequest.ts';
import { CRYPTO } from '../../core/platform/platform.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

export interface Signer {
  key: HmacKey;
  secret: string;
}

export async function newSigner(
  site: TestSite,
  options: { company?: Company; scopes?: Scope[]; expiresAt?: Date; profile?: HmacProfileName } = {},
): Promise<Signer> {
  const { userId, secret } = createHmacSecret(CRYPTO);
  const key = await site.storage.hmacKeys.create(
    (options.company ?? site.company).id,
    {
      userId,
      secret,
      name: 'a signing program',
      profile: options.profile ?? 'v1',
      scopes: options.scopes ?? SCOPES,
      expiresAt: options.expiresAt ?? null,
    },
    TEST_ACT,
  );
  if (key === undefined) throw new Error('The user id is taken.');
  return { key, secret };
}

/** The three headers for a request. @param at Unix seconds */
export function signatureHeaders(
  { key, secret }: Signer,
  request: { method: string; target: string; body?: Uint8Array | string; at: number },
): Record<'x-user-id' | 'x-timestamp' | 'x-hmac-signature', string> {
  const bodyHash = createHash('sha256')
    .update(request.body ?? '')
    .digest('hex');
  const signature = createHmac('sha256', secret)
    .update(`${request.at}\n${request.method}\n${request.target}\n${bodyHash}`)
    .digest('hex');
  return { 'x-user-id': key.userId, 'x-timestamp': String(request.at), 'x-hmac-signature': signature };
}

/** The four headers of profile v2 for a request. @param at Unix seconds */
export function signatureHeadersV2(
  { key, secret }: Signer,
  request: {
    method: string;
    target: string;
    body?: Uint8Array | string;
    contentType?: string;
    idempotencyKey?: string;
    at: number;
  },
): Record<string, string> {
  const { method, target, body = '', contentType = '', idempotencyKey = '', at } = request;
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', secret)
    .update(`${at}\n${method}\n${target}\n${bodyHash}\n${contentType}\n${idempotencyKey}`)
    .digest('hex');
  return {
    'x-user-id': key.userId,
    'x-timestamp': String(at),
    'x-content-sha256': bodyHash,
    'x-hmac-signature': signature,
    ...(contentType !== '' && { 'content-type': contentType }),
    ...(idempotencyKey !== '' && { 'idempotency-key': idempotencyKey }),
  };
}

/** The bytes of a whole signed upload. */
export function signedUpload(
  site: TestSite,
  signer: Signer,
  form: { boundary: string; body: Uint8Array },
  at: number,
): Buffer {
  const headers = signatureHeaders(signer, { method: 'POST', target: FACES, body: form.body, at });
  return requestBytes('POST', FACES, form.body, {
    Host: `127.0.0.1:${site.port}`,
    'Content-Type': `multipart/form-data; boundary=${form.boundary}`,
    ...headers,
  });
}
