import type { HmacProfileName, Scope } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { createHmacSecret, createToken } from './secrets.ts';
import type { ApiToken, HmacKey } from '../../storage/credentials/credentialRows.ts';
import { Service, type Parts } from '../serviceParts.ts';

export type CredentialServicePorts = Pick<Parts, 'apiTokens' | 'hmacKeys' | 'crypto'>;

interface Wanted {
  name: string;
  scopes: readonly Scope[];
  /** null: it does not expire. */
  expiresAt: Date | null;
}

/** Makes what programs sign in with. The secret is in what this returns and never again. */
export class CredentialService extends Service<CredentialServicePorts> {
  async makeToken(
    company: CompanyId,
    { name, scopes, expiresAt }: Wanted,
    act: AuditContext,
  ): Promise<{ credential: ApiToken; secret: string }> {
    const { token, hash } = createToken(this.ports.crypto);
    const credential = await this.ports.apiTokens.create(company, { name, hash, scopes, expiresAt }, act);
    return { credential, secret: token };
  }

  /** The user id, which the program sends as X-USER-ID, is always a new one: a chosen id could reveal the ids of other companies. */
  async makeKey(
    company: CompanyId,
    { name, scopes, expiresAt, profile }: Wanted & { profile: HmacProfileName },
    act: AuditContext,
  ): Promise<{ credential: HmacKey; secret: string }> {
    const { userId, secret } = createHmacSecret(this.ports.crypto);
    const credential = await this.ports.hmacKeys.create(
      company,
      { name, scopes, expiresAt, profile, secret, userId },
      act,
    );
    if (credential === undefined) throw new Error('A random user id is taken already.');
    return { credential, secret };
  }
}

/** Whether lists of tokens show a token: a command's own token is shown only while its run can use it. */
export function isListed({ forOneRun, revokedAt }: Pick<ApiToken, 'forOneRun' | 'revokedAt'>): boolean {
  return !forOneRun || revokedAt === null;
}
