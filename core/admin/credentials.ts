import { problem, CodedError } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { ApiToken, HmacKey } from '../domain/ports/credentials.ts';
import { isListed } from '../domain/credentials/listed.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { ApiTokens } from '../storage/credentials/apiTokens.ts';
import type { HmacKeys } from '../storage/credentials/hmacKeys.ts';

interface CredentialPorts {
  companies: Companies;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  clock: Clock;
}

type TokenHandlers = Pick<AdminCommandHandlers, 'api-token.create' | 'api-token.list' | 'api-token.revoke'>;
type KeyHandlers = Pick<
  AdminCommandHandlers,
  'credential.check' | 'signing-key.create' | 'signing-key.list' | 'signing-key.revoke'
>;

/**
 * The handlers of `vouch api-token …` and `vouch signing-key …`. The terminal creates a secret and shows it before it asks
 * the service to store it, so that a secret that could not be written is never active.
 */
export function credentialCommands(ports: CredentialPorts): TokenHandlers & KeyHandlers {
  return { ...tokenCommands(ports), ...keyCommands(ports) };
}

function tokenCommands({ companies, apiTokens, clock }: CredentialPorts): TokenHandlers {
  return {
    async 'api-token.create'(input) {
      const company = await companyNamed(companies, input.company);
      const expiresAt = expiryOf(input, clock);
      const wanted = { ...input, hash: Buffer.from(input.hash, 'hex'), expiresAt };
      return credentialView(await apiTokens.create(company.id, wanted, asLocalAdmin(clock)));
    },
    async 'api-token.list'(input) {
      const company = await companyNamed(companies, input.company);
      return (await apiTokens.list(company.id)).filter(isListed).map(credentialView);
    },
    async 'api-token.revoke'(input) {
      const company = await companyNamed(companies, input.company);
      return { revoked: await apiTokens.revoke(company.id, input.id, asLocalAdmin(clock)) };
    },
  };
}

function keyCommands({ companies, hmacKeys, clock }: CredentialPorts): KeyHandlers {
  const taken = () => new CodedError(problem('USER_ID_TAKEN'));
  return {
    async 'credential.check'(input) {
      await companyNamed(companies, input.company);
      expiryOf(input, clock);
      if (input.userId !== undefined && (await hmacKeys.findByUserId(input.userId)) !== undefined)
        throw taken();
      return {};
    },
    async 'signing-key.create'(input) {
      const company = await companyNamed(companies, input.company);
      const expiresAt = expiryOf(input, clock);
      const key = await hmacKeys.create(company.id, { ...input, expiresAt }, asLocalAdmin(clock));
      if (key === undefined) throw taken();
      return keyView(key);
    },
    async 'signing-key.list'(input) {
      const company = await companyNamed(companies, input.company);
      return (await hmacKeys.list(company.id)).map(keyView);
    },
    async 'signing-key.revoke'(input) {
      const company = await companyNamed(companies, input.company);
      return { revoked: await hmacKeys.revoke(company.id, input.id, asLocalAdmin(clock)) };
    },
  };
}

/** @throws {CodedError} the time has passed */
function expiryOf(input: { expiresAt?: string | undefined }, clock: Clock): Date | null {
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now()) throw new CodedError(problem('ALREADY_EXPIRED'));
  return expiresAt;
}

function keyView(key: HmacKey): AdminOutput<'signing-key.list'>[number] {
  return { ...credentialView(key), userId: key.userId, profile: key.profile };
}

function credentialView(credential: ApiToken | HmacKey): AdminOutput<'api-token.list'>[number] {
  return {
    id: credential.id,
    name: credential.name,
    scopes: [...credential.scopes],
    createdAt: credential.createdAt.toISOString(),
    expiresAt: credential.expiresAt?.toISOString() ?? null,
    revokedAt: credential.revokedAt?.toISOString() ?? null,
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
  };
}
