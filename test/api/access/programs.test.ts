/**
 * The access rules of every route of the interface description, and the exact answer to callers without access: every
 * kind of credential. A route without an entry in programRoutes.ts fails.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { SCOPES } from '../../../core/contracts/codes.ts';
import { newSigner, signatureHeaders, type Signer } from '../signing.ts';
import { openSite, type Answer, type TestSite } from '../site.ts';
import type { ProgramRequest, ProgramRoute } from './programRequest.ts';
import { PROGRAM_ROUTES } from './programRoutes.ts';
import { TEST_ACT } from '../../support/act.ts';

/** The time of a fresh site, Unix seconds; each signature is made for a second of its own. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;
let second = 0;

/** The text of every refusal here. */
const TEXT: Record<number, string> = {
  401: 'Unauthenticated.',
  403: 'This action is unauthorized.',
  404: 'Not found.',
  409: 'A duplicate search has not ended yet. Wait until it has finished, or cancel it.',
};

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function signed(signer: Signer, request: ProgramRequest, at = NOW - (second += 1)): Record<string, string> {
  return signatureHeaders(signer, { ...request, at });
}

function send(site: TestSite, request: ProgramRequest, headers: Record<string, string>): Promise<Answer> {
  const { method, target, body, contentType, headers: own } = request;
  return site.call(target, {
    token: null,
    method,
    ...(body && { body: new Uint8Array(body) }),
    headers: { ...own, ...headers, ...(contentType !== undefined && { 'content-type': contentType }) },
  });
}

const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ security: z.array(z.unknown()).optional() }))),
});

test('the table holds exactly the routes that need a credential', async (t) => {
  const site = await openSite(t);
  const { paths } = description.parse((await site.call('/openapi.json', { token: null })).body);
  const guarded = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Absent, the credentials of the whole description apply.
      .filter(([, operation]) => operation.security?.length !== 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(Object.keys(PROGRAM_ROUTES).sort(), guarded.sort());
});

test('every route answers every kind of credential as its scope asks', async (t) => {
  const site = await openSite(t);
  for (const [route, entry] of Object.entries(PROGRAM_ROUTES))
    await t.test(`${route}:`, (each) => check(each, site, entry));
});

async function check(t: TestContext, site: TestSite, entry: ProgramRoute): Promise<void> {
  const other = await site.newCompany();
  let request = await entry.request(site, site.company);
  const otherScopes = SCOPES.filter((scope) => scope !== entry.scope && scope !== entry.orScope);
  const past = new Date(1000 * NOW);

  const answers = async (name: string, headers: Record<string, string>, status: number) => {
    await t.test(`${name}: ${status}`, async () => {
      const answer = await send(site, request, headers);
      assert.equal(answer.status, status, answer.text);
      if (status < 400) return;
      const verdict = request.target.startsWith('/api/v1/') ? { status: false } : { success: false };
      const { code, ...body } = answer.body;
      assert.equal(typeof code, 'string');
      assert.deepEqual(body, { ...verdict, message: TEXT[status] });
    });
  };

  await answers('no credential', {}, 401);
  await answers('a wrong token', bearer(`${site.token.slice(0, -2)}xx`), 401);
  await answers('an expired token', bearer(await site.newToken({ expiresAt: past })), 401);
  const revoked = await site.newToken();
  const [last] = (await site.storage.apiTokens.list(site.company.id)).slice(-1);
  await site.storage.apiTokens.revoke(site.company.id, last!.id, TEST_ACT);
  await answers('a revoked token', bearer(revoked), 401);
  await answers('a token of other scopes', bearer(await site.newToken({ scopes: otherScopes })), 403);
  await answers(
    'a token of another company',
    bearer(await site.newToken({ company: other })),
    entry.otherCompany,
  );
  for (const scope of [entry.scope, entry.orScope ?? []].flat()) {
    await answers(`a token of ${scope}`, bearer(await site.newToken({ scopes: [scope] })), entry.right);
    // The next credential changes something of its own: an Idempotency-Key belongs to the credential.
    request = await entry.request(site, site.company);
  }

  const forSigned = (status: number) => (entry.bearerOnly === true ? 401 : status);
  const signer = await newSigner(site, { scopes: [entry.scope] });
  const genuine = signed(signer, request);
  await answers('a wrong signature', { ...genuine, 'x-hmac-signature': 'f'.repeat(64) }, 401);
  await answers(
    'a wrong signature beside the right token',
    { ...bearer(site.token), ...genuine, 'x-hmac-signature': 'f'.repeat(64) },
    401,
  );
  await answers(
    'a signature for another path',
    signed(signer, { ...request, target: `${request.target}?` }),
    401,
  );
  await answers('a signature from too long ago', signed(signer, request, NOW - 301), 401);
  await answers('an expired key', signed(await newSigner(site, { expiresAt: past }), request), 401);
  const withdrawn = await newSigner(site);
  await site.storage.hmacKeys.revoke(site.company.id, withdrawn.key.id, TEST_ACT);
  await answers('a revoked key', signed(withdrawn, request), 401);
  await answers(
    'a key of other scopes',
    signed(await newSigner(site, { scopes: otherScopes }), request),
    forSigned(403),
  );
  await answers(
    'a key of another company',
    signed(await newSigner(site, { company: other }), request),
    forSigned(entry.otherCompany),
  );
  await answers('the right signature', genuine, forSigned(entry.right));
  // Only requests that change something are accepted once.
  const again = request.method === 'GET' ? forSigned(entry.right) : 401;
  await answers('the right signature a second time', genuine, again);
}
