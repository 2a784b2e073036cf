import {
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  timingSafeEqual,
  createPrivateKey,
  X509Certificate,
} from 'node:crypto';
import type { CryptoPort } from '../domain/ports/crypto.ts';
import type { Timer } from '../domain/ports/machine.ts';
import { isAddress } from '../contracts/network.ts';
import type { ReadCertificate } from '../domain/ports/network.ts';

const readCertificate: ReadCertificate = (pem) => {
  const certificate = parsed(() => new X509Certificate(pem));
  if (certificate === undefined) return undefined;
  return {
    names: certificate.subjectAltName ?? null,
    validFrom: certificate.validFromDate,
    validTo: certificate.validToDate,
    fingerprint: certificate.fingerprint256,
    selfSigned: certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey),
    covers: (name) =>
      (isAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined,
    hasKey(privateKey) {
      const key = parsed(() => createPrivateKey(privateKey));
      return key && certificate.checkPrivateKey(key);
    },
  };
};

/** @returns undefined: the text cannot be parsed */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

export const TIMER: Timer = {
  elapsed: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  yield: () => new Promise((resolve) => setImmediate(resolve)),
};

// The cryptographic primitives of the rules, by OpenSSL through Node.

export const CRYPTO: CryptoPort = {
  sha256(...parts) {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  },
  sha256Stream() {
    const hash = createHash('sha256');
    return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest() };
  },
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest(),
  randomBytes: (count) => randomBytes(count),
  randomUuid: () => randomUUID(),
  equal: (one, other) => one.length === other.length && timingSafeEqual(one, other),
};

/** The ports that depend on the platform alone. */
export const PLATFORM = { crypto: CRYPTO, timer: TIMER, readCertificate };
