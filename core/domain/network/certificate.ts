import { problem, CodedError } from '../../contracts/errors/problem.ts';
import type { NetworkAccessState } from '../../contracts/network.ts';
import { type CertificateFacts, type NetworkListener, type ReadCertificate } from '../ports/network.ts';

const DAY_MS = 86_400_000;

/** @throws {CodedError} naming what is wrong with the certificate, and what would be right */
export function checkCertificate(
  read: ReadCertificate,
  { certificate, privateKey }: { certificate: string; privateKey: string },
  names: readonly string[],
  now: Date,
): void {
  const facts = read(certificate);
  if (facts === undefined) throw new CodedError(problem('NETWORK_CERTIFICATE_UNREADABLE'));
  const hasKey = facts.hasKey(privateKey);
  if (hasKey === undefined) throw new CodedError(problem('NETWORK_KEY_UNREADABLE'));
  if (!hasKey) throw new CodedError(problem('NETWORK_KEY_FOREIGN'));
  const missing = names.filter((name) => !facts.covers(name));
  if (missing.length > 0)
    throw new CodedError(
      problem('NETWORK_CERTIFICATE_NAMES', {
        missing: missing.join(', '),
        names: facts.names ?? 'no name at all',
      }),
    );
  if (facts.validTo <= now || facts.validFrom > now)
    throw new CodedError(
      problem('NETWORK_CERTIFICATE_EXPIRED', {
        from: facts.validFrom.toISOString(),
        to: facts.validTo.toISOString(),
      }),
    );
}

/** The facts of a certificate that was checked before it was stored. @throws {Error} it cannot be read */
export function storedCertificate(
  read: ReadCertificate,
  { certificate }: Pick<NetworkListener, 'certificate'>,
): CertificateFacts {
  const facts = read(certificate);
  if (facts === undefined) throw new Error('The stored certificate of the network listener cannot be read.');
  return facts;
}

/** The listener as it is shown: everything but the key. */
export function listenerView(
  read: ReadCertificate,
  listener: NetworkListener,
  now: Date,
): NonNullable<NetworkAccessState['listener']> {
  const { names, address, port, certificate } = listener;
  const { fingerprint, selfSigned, validTo } = storedCertificate(read, listener);
  return {
    names: [...names],
    address,
    port,
    addresses: names.map((name) => `https://${name}${port === 443 ? '' : `:${port}`}`),
    certificate,
    fingerprint,
    selfSigned,
    validUntil: validTo.toISOString(),
    daysLeft: Math.floor((validTo.getTime() - now.getTime()) / DAY_MS),
  };
}
