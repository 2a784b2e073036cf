import { problem } from '../../contracts/errors/problem.ts';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isAddress, type NetworkAccessState } from '../../contracts/network.ts';
import { NetworkAccessRejected, type NetworkListener } from '../ports/network.ts';

const DAY = 86_400_000;

/** @throws {NetworkAccessRejected} naming what is wrong with the certificate, and what would be right */
export function checkCertificate(
  { certificate, privateKey }: { certificate: string; privateKey: string },
  names: readonly string[],
  now: Date,
): void {
  const own = attempt(() => new X509Certificate(certificate));
  if (own === undefined) throw new NetworkAccessRejected(problem('LAN_CERTIFICATE_UNREADABLE'));
  const key = attempt(() => createPrivateKey(privateKey));
  if (key === undefined) throw new NetworkAccessRejected(problem('LAN_KEY_UNREADABLE'));
  if (!own.checkPrivateKey(key)) throw new NetworkAccessRejected(problem('LAN_KEY_FOREIGN'));
  const missing = names.filter((name) => !covers(own, name));
  if (missing.length > 0)
    throw new NetworkAccessRejected(
      problem('LAN_CERTIFICATE_NAMES', {
        missing: missing.join(', '),
        names: own.subjectAltName ?? 'no name at all',
      }),
    );
  if (own.validToDate <= now || own.validFromDate > now)
    throw new NetworkAccessRejected(
      problem('LAN_CERTIFICATE_EXPIRED', {
        from: own.validFromDate.toISOString(),
        to: own.validToDate.toISOString(),
      }),
    );
}

export function covers(certificate: X509Certificate, name: string): boolean {
  return (isAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

export function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey);
}

/** The listener as it is shown: everything but the key. */
export function describeListener(
  { names, address, port, certificate }: NetworkListener,
  now: Date,
): NonNullable<NetworkAccessState['listener']> {
  const own = new X509Certificate(certificate);
  return {
    names: [...names],
    address,
    port,
    addresses: names.map((name) => `https://${name}${port === 443 ? '' : `:${port}`}`),
    certificate,
    fingerprint: own.fingerprint256,
    selfSigned: isSelfSigned(own),
    validUntil: own.validToDate.toISOString(),
    daysLeft: Math.floor((own.validToDate.getTime() - now.getTime()) / DAY),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
