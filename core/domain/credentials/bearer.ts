import type { Scope } from '../../contracts/codes.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { hashToken } from './secrets.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import type { ApiTokens } from '../../storage/credentials/credentialRows.ts';
import { hasPassed } from '../values/time.ts';

/** The last use of a credential is recorded at most this often, milliseconds. */
const RECORDING_INTERVAL = 60_000;

/** Parts that tokens and keys share. */
interface Credential {
  id: number;
  companyId: CompanyId;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** Neither revoked nor expired; the moment of expiry is already too late. */
export function isUsable(credential: Credential, now: Date): boolean {
  return credential.revokedAt === null && (credential.expiresAt === null || now < credential.expiresAt);
}

/** A store that cannot be written now must not keep callers from reading: then the next use is recorded instead. */
export async function recordUse(
  ports: { store: { touch(company: CompanyId, id: number, at: Date): Promise<void> }; log: Logger },
  credential: Credential,
  now: Date,
): Promise<void> {
  const { id, companyId, lastUsedAt } = credential;
  if (lastUsedAt !== null && !hasPassed(lastUsedAt, RECORDING_INTERVAL, now)) return;
  try {
    await ports.store.touch(companyId, id, now);
  } catch (error) {
    ports.log.warn({ err: error, credential: id }, 'the last use of a credential was not recorded');
  }
}

/** The program that sent a request, recognised by a credential of a company. */
export interface Caller {
  companyId: CompanyId;
  scopes: readonly Scope[];
  /** Names the credential in logs, limits and the audit log, e.g. `token:7`; says nothing of its secret. */
  credential: Actor;
  /** It is the terminal of this machine, with the token of one command. */
  isTerminal?: boolean;
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
  const { companyId, scopes, id, forOneRun: isTerminal } = found;
  return { companyId, scopes, credential: `token:${id}`, isTerminal };
}
