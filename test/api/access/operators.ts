/** Operators at a test site, with the browser's part of a session: the cookie, the origin. */
import assert from 'node:assert/strict';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import { OperatorService } from '../../../core/domain/identity/operatorService.ts';
import { PassphraseHasher } from '../../../core/domain/identity/passphrase.ts';
import { CHEAP, type Answer, type TestSite } from '../site.ts';
import { PLATFORM } from '../../../core/platform/platform.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

export const PASSPHRASE = 'violet harbour at nine';
const NOON = new Date('2026-03-01T12:00:00.000Z');

/** The service of the site's operators, as the terminal uses it. */
export function operatorServiceOf(site: TestSite): OperatorService {
  return new OperatorService({ ...site.storage, ...PLATFORM, hasher: new PassphraseHasher(CHEAP) });
}

/** Adds an operator whose passphrase is {@link PASSPHRASE}. */
export async function addOperator(
  site: TestSite,
  name: string,
  role: OperatorRole,
  company: Company = site.company,
) {
  const wanted = { name, role, passphrase: PASSPHRASE };
  return operatorServiceOf(site).create(company, wanted, { by: 'local-admin', at: NOON });
}

/** A request of the dashboard's own page. @param cookie what {@link signIn} returned; absent: not signed in */
export async function ask(
  site: TestSite,
  method: string,
  path: string,
  options: { body?: unknown; cookie?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, cookie, headers } = options;
  return site.call(`/api/dashboard${path}`, {
    method,
    token: null,
    headers: {
      origin: site.address,
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
}

/** Signs in and returns the cookie as a browser would send it back. */
export async function signIn(site: TestSite, operator: string, passphrase = PASSPHRASE): Promise<string> {
  const answer = await ask(site, 'POST', '/session', { body: { operator, passphrase } });
  assert.equal(answer.status, 204, answer.text);
  return cookieOf(answer);
}

export function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
