import {
  credentialApi,
  CREDENTIAL_STATES,
  type CredentialRow,
} from '../../../contracts/dashboard/credentials.ts';
import { problem, type Problem } from '../../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import {
  type CredentialService,
  type CredentialServicePorts,
  isListed,
} from '../../../domain/credentials/credentialService.ts';
import type { ApiToken, HmacKey } from '../../../storage/credentials/credentialRows.ts';
import type { Clock } from '../../../domain/ports/machine.ts';
import { ApiError, invalidFields } from '../../http/errors.ts';
import { serve } from './guard.ts';
import { isUsable } from '../../../domain/credentials/bearer.ts';

/**
 * Routes that make, list and revoke the credentials of a company's programs. Only the answer that makes a credential
 * has its secret.
 */
export function credentialRoutes(
  app: FastifyInstance,
  ports: CredentialServicePorts & { credentialService: CredentialService; clock: Clock },
): void {
  const { clock, credentialService } = ports;
  serve(app, credentialApi.list, async ({ companyId }) => {
    const now = clock.now();
    const items = [
      ...(await ports.apiTokens.list(companyId)).filter(isListed).map((token) => tokenRow(token, now)),
      ...(await ports.hmacKeys.list(companyId)).map((key) => keyRow(key, now)),
    ];
    return { items: items.toSorted(inForceFirst) };
  });
  serve(app, credentialApi.create, async ({ companyId, act, body: { expiresAt: until, ...wanted } }) => {
    const expiresAt = until === undefined ? null : new Date(until);
    if (expiresAt !== null && expiresAt <= act.at) throw invalid('expiresAt', problem('ALREADY_EXPIRED'));
    if (wanted.kind === 'token') {
      const { credential, secret } = await credentialService.makeToken(
        companyId,
        { ...wanted, expiresAt },
        act,
      );
      return { credential: tokenRow(credential, act.at), secret };
    }
    const made = await credentialService.makeKey(companyId, { ...wanted, expiresAt }, act);
    return { credential: keyRow(made.credential, act.at), secret: made.secret };
  });
  serve(app, credentialApi.revoke, async ({ companyId, act, params: { kind, id } }) => {
    const store = kind === 'token' ? ports.apiTokens : ports.hmacKeys;
    if (!(await store.revoke(companyId, id, act))) throw new ApiError('NOT_FOUND');
  });
}

function inForceFirst(a: CredentialRow, b: CredentialRow): number {
  const rank = ({ state }: CredentialRow) => CREDENTIAL_STATES.indexOf(state);
  return rank(a) - rank(b) || b.createdAt.localeCompare(a.createdAt) || b.id - a.id;
}

function tokenRow(token: ApiToken, now: Date): CredentialRow {
  return { kind: 'token', ...common(token, now), userId: null, profile: null };
}

function keyRow(key: HmacKey, now: Date): CredentialRow {
  return { kind: 'key', ...common(key, now), userId: key.userId, profile: key.profile };
}

function common(
  credential: ApiToken | HmacKey,
  now: Date,
): Omit<CredentialRow, 'kind' | 'userId' | 'profile'> {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
  const state = isUsable(credential, now) ? 'active' : revokedAt === null ? 'expired' : 'revoked';
  return {
    id,
    name,
    scopes: [...scopes],
    state,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

function invalid(field: string, found: Problem): ApiError {
  return invalidFields({ [field]: [found] });
}
