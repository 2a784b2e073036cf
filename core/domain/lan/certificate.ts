import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isAddress, type LanState } from '../../contracts/lan.ts';
import { LanRefused, type LanListener } from './ports.ts';

const DAY = 86_400_000;

/** @throws {LanRefused} naming what is wrong with the certificate, and what would be right */
export function checkCertificate(
  { certificate, privateKey }: { certificate: string; privateKey: string },
  names: readonly string[],
  now: Date,
): void {
  const own = attempt(() => new X509Certificate(certificate));
  if (own === undefined)
    throw new LanRefused(
      'The certificate cannot be read: give a PEM file that begins with -----BEGIN CERTIFICATE-----, the certificate of this machine first.',
    );
  const key = attempt(() => createPrivateKey(privateKey));
  if (key === undefined)
    throw new LanRefused(
      'The private key cannot be read: give a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN takes it away).',
    );
  if (!own.checkPrivateKey(key))
    throw new LanRefused(
      'The private key is not that of the certificate. Give the pair that belongs together.',
    );
  const missing = names.filter((name) => !covers(own, name));
  if (missing.length > 0)
    throw new LanRefused(
      `The certificate is not for ${missing.join(', ')}; it is for ${own.subjectAltName ?? 'no name at all'}. Name what it is for, or get one for these names.`,
    );
  if (own.validToDate <= now || own.validFromDate > now)
    throw new LanRefused(
      `The certificate is valid from ${own.validFromDate.toISOString()} to ${own.validToDate.toISOString()}, not now. Check the clock of this machine, or get another certificate.`,
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
  { names, address, port, certificate }: LanListener,
  now: Date,
): NonNullable<LanState['listener']> {
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
