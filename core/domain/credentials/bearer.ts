import type { Scope } from '../../contracts/codes.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { hashToken } from './secrets.ts';
import { isUsable, recordUse } from './usage.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import type { ApiTokens } from '../../storage/credentials/apiTokens.ts';

/** The program that sent a request, recognised by a credential of a company. */
export interface Caller {
  companyId: CompanyId;
  scopes: readonly Scope[];
  /** Names the credential in logs, limits and the audit log, e.g. `token:7`; says nothing of its secret. */
  credential: Actor;
}

/**
 * The holder of a bearer token; undefined for every cause of a rejection. The look-up compares SHA-256 digests, of which
 * a caller cannot choose a single bit. Its duration reveals nothing about any token, so the secret needs no
 * constant-time comparison.
 */
export async function recogniseBearer(
  ports: { apiTokens: ApiTokens; clock: Clock; crypto: CryptoPort; log: Logger },
  token: string,
): Promise<Caller | undefined> {
  const { apiTokens, clock, crypto, log } = ports;
  const found = await apiTokens.findByHash(hashToken(crypto, token));
  const now = clock.now();
  if (found === undefined || !isUsable(found, now)) return undefined;
  await recordUse({ store: apiTokens, log }, found, now);
  return { companyId: found.companyId, scopes: found.scopes, credential: `token:${found.id}` };
}
