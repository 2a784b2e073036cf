/** Certificates that sign themselves, for machines on a network without an authority of its own. */
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { isAddress } from '../contracts/network.ts';
import type { IssueCertificate } from '../domain/ports/network.ts';

/** ECDSA on P-256: what every browser and TLS library takes (RFC 8422). */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A server certificate (RFC 5280) for the names, which every client must be given to trust it. */
export const issueCertificate: IssueCertificate = async ({ names, from, to }) => {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['Vouch'] }, { O: names.slice(0, 1) }],
    keys,
    notBefore: from,
    notAfter: to,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isAddress(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g) ?? [];
  return {
    certificate: `${certificate.toString('pem')}\n`,
    privateKey: ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
  };
};
