import type { Scope } from '../contracts/codes.ts';
import type { CompanyId } from '../contracts/ids.ts';
import { hashToken } from './credentials.ts';
import type { ApiToken, ApiTokens, Clock, Logger } from './ports.ts';

/** Who asks: a program that a company has given a credential. */
export interface Caller {
  companyId: CompanyId;
  scopes: readonly Scope[];
  /** Names the credential in logs and limits, e.g. `token:7`; says nothing of its secret. */
  credential: string;
}

/** The last use of a credential is recorded at most this often, milliseconds. */
const TOUCH_INTERVAL = 60_000;

/** Finds out who asks. One answer, undefined, for every cause why nobody may. */
export class Authentication {
  readonly #ports: { apiTokens: ApiTokens; clock: Clock; log: Logger };

  constructor(ports: { apiTokens: ApiTokens; clock: Clock; log: Logger }) {
    this.#ports = ports;
  }

  /**
   * The holder of a bearer token. The look-up compares SHA-256 digests, of which a caller cannot choose a single bit:
   * how long it takes tells nothing about any token, so no constant-time comparison of the secret itself is left to do.
   */
  async bearer(token: string): Promise<Caller | undefined> {
    const { apiTokens, clock } = this.#ports;
    const found = await apiTokens.findByHash(hashToken(token));
    const now = clock.now();
    if (found?.revokedAt !== null) return undefined;
    if (found.expiresAt !== null && found.expiresAt <= now) return undefined;
    await this.#touch(found, now);
    return { companyId: found.companyId, scopes: found.scopes, credential: `token:${found.id}` };
  }

  /** A store that cannot be written now must not keep anybody from reading: the next use is recorded instead. */
  async #touch(token: ApiToken, now: Date): Promise<void> {
    if (token.lastUsedAt !== null && now.getTime() - token.lastUsedAt.getTime() < TOUCH_INTERVAL) return;
    try {
      await this.#ports.apiTokens.touch(token.companyId, token.id, now);
    } catch (error) {
      this.#ports.log.warn({ err: error, credential: token.id }, 'the last use of a token was not recorded');
    }
  }
}
