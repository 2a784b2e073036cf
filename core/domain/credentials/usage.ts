import type { CompanyId } from '../../contracts/ids.ts';
import type { Logger } from '../ports/machine.ts';
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
