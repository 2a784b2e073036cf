import type { AdminOutput } from '../contracts/administration.ts';
import { byOwner, CommandRefused, companyNamed, type Handlers } from './commands.ts';
import { CredentialDesk } from './credentialDesk.ts';
import type { Companies } from './ports/companies.ts';
import type { ApiToken, ApiTokens, HmacKey, HmacKeys } from './ports/credentials.ts';
import type { Clock } from './ports/machine.ts';

interface CredentialPorts {
  companies: Companies;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  clock: Clock;
}

type TokenHandlers = Pick<Handlers, 'token.create' | 'token.list' | 'token.revoke'>;
type KeyHandlers = Pick<Handlers, 'key.create' | 'key.list' | 'key.revoke'>;

/** The owner's commands about what programs sign in with. A secret is in the answer that makes it and never again. */
export function credentialCommands(ports: CredentialPorts): TokenHandlers & KeyHandlers {
  const desk = new CredentialDesk(ports);
  return { ...tokenCommands(ports, desk), ...keyCommands(ports, desk) };
}

function tokenCommands(
  { companies, apiTokens, clock }: CredentialPorts,
  desk: CredentialDesk,
): TokenHandlers {
  return {
    async 'token.create'(input) {
      const company = await companyNamed(companies, input.company);
      const expiresAt = expiryOf(input, clock);
      const { credential, secret } = await desk.makeToken(
        company.id,
        { ...input, expiresAt },
        byOwner(clock),
      );
      return { ...credentialView(credential), token: secret };
    },
    async 'token.list'(input) {
      const company = await companyNamed(companies, input.company);
      return (await apiTokens.list(company.id)).map(credentialView);
    },
    async 'token.revoke'(input) {
      const company = await companyNamed(companies, input.company);
      return { revoked: await apiTokens.revoke(company.id, input.id, byOwner(clock)) };
    },
  };
}

function keyCommands({ companies, hmacKeys, clock }: CredentialPorts, desk: CredentialDesk): KeyHandlers {
  return {
    async 'key.create'(input) {
      const company = await companyNamed(companies, input.company);
      const expiresAt = expiryOf(input, clock);
      const made = await desk.makeKey(company.id, { ...input, expiresAt }, byOwner(clock));
      if (made === 'user id taken')
        throw new CommandRefused('This user id has or had a key on this installation: choose another one.');
      return { ...keyView(made.credential), secret: made.secret };
    },
    async 'key.list'(input) {
      const company = await companyNamed(companies, input.company);
      return (await hmacKeys.list(company.id)).map(keyView);
    },
    async 'key.revoke'(input) {
      const company = await companyNamed(companies, input.company);
      return { revoked: await hmacKeys.revoke(company.id, input.id, byOwner(clock)) };
    },
  };
}

/** @throws {CommandRefused} the time has passed */
function expiryOf(input: { expiresAt?: string | undefined }, clock: Clock): Date | null {
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now())
    throw new CommandRefused('It would have expired already: choose a later time.');
  return expiresAt;
}

function keyView(key: HmacKey): AdminOutput<'key.list'>[number] {
  return { ...credentialView(key), userId: key.userId, profile: key.profile };
}

function credentialView(credential: ApiToken | HmacKey): AdminOutput<'token.list'>[number] {
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
