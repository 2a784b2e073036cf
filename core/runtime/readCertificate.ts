import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isAddress } from '../contracts/network.ts';
import type { ReadCertificate } from '../domain/ports/network.ts';

export const readCertificate: ReadCertificate = (pem) => {
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
