import type { HmacProfileName, Scope } from '../contracts/codes.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { Act } from './actor.ts';
import { createHmacSecret, createToken } from './credentials.ts';
import type { ApiToken, ApiTokens, HmacKey, HmacKeys } from './ports/credentials.ts';

export interface CredentialDeskPorts {
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
}

interface Wanted {
  name: string;
  scopes: readonly Scope[];
  /** null: it does not expire. */
  expiresAt: Date | null;
}

/** Makes what programs sign in with. The secret is in what this returns and never again. */
export class CredentialDesk {
  readonly #ports: CredentialDeskPorts;

  constructor(ports: CredentialDeskPorts) {
    this.#ports = ports;
  }

  async makeToken(
    company: CompanyId,
    { name, scopes, expiresAt }: Wanted,
    act: Act,
  ): Promise<{ credential: ApiToken; secret: string }> {
    const { token, hash } = createToken();
    const credential = await this.#ports.apiTokens.create(company, { name, hash, scopes, expiresAt }, act);
    return { credential, secret: token };
  }

  /** @param wanted `userId`: what the program sends as X-USER-ID; absent: a new one */
  async makeKey(
    company: CompanyId,
    {
      name,
      scopes,
      expiresAt,
      profile,
      userId,
    }: Wanted & { profile: HmacProfileName; userId?: string | undefined },
    act: Act,
  ): Promise<{ credential: HmacKey; secret: string } | 'user id taken'> {
    const made = createHmacSecret();
    const { secret } = made;
    const credential = await this.#ports.hmacKeys.create(
      company,
      { name, scopes, expiresAt, profile, secret, userId: userId ?? made.userId },
      act,
    );
    return credential === undefined ? 'user id taken' : { credential, secret };
  }
}
