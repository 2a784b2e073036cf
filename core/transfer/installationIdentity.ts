import { CodedError, problem } from '../contracts/errors/problem.ts';
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import {
  installationCertificate,
  type InstallationCertificate,
  type InstallationView,
} from '../contracts/blacklistTransfer.ts';
import type { AuditContext } from '../domain/ports/auditContext.ts';
import { installationFingerprint, installationHash } from '../domain/blacklistTransfer/installationNames.ts';
import { ed25519PublicKey, newKeyPair, privateKeyOf, rawPublicKey } from '../encryption/keys.ts';
import type { InstallationKeys } from '../storage/home/installationKeys.ts';
import type { Installation } from '../storage/settings/companies.ts';
import { CRYPTO } from '../platform/platform.ts';

/** The key pairs of this installation. */
export interface IdentityKeys {
  name: string;
  signing: { publicKey: Uint8Array; privateKey: KeyObject };
  receiving: { publicKey: Uint8Array; privateKey: KeyObject };
}

/** The keys of this installation; made at first use, their private halves in the encrypted database alone. */
export async function ownKeys(
  { installationKeys, installation }: { installationKeys: InstallationKeys; installation: Installation },
  act: AuditContext,
): Promise<IdentityKeys> {
  const made = await installationKeys.identity();
  const pairs =
    made ??
    (await installationKeys.makeIdentity(
      { signing: newKeyPair('ed25519'), receiving: newKeyPair('x25519') },
      act,
    ));
  const [signing, receiving] = [pairs.signing, pairs.receiving].map((pair) => {
    const privateKey = privateKeyOf(pair.privateKey);
    return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
  }) as [IdentityKeys['signing'], IdentityKeys['receiving']];
  const { installationName } = await installation.settings();
  const name = installationName ?? `Installation ${installationHash(CRYPTO, signing.publicKey).slice(0, 8)}`;
  return { name, signing, receiving };
}

/** The certificate of this installation, signed, with its fingerprint. */
export function certificateOf(identity: IdentityKeys): InstallationView {
  const { name, signing, receiving } = identity;
  const facts = {
    kind: 'vouch installation certificate',
    version: 1,
    name,
    signingKey: Buffer.from(signing.publicKey).toString('base64'),
    receivingKey: Buffer.from(receiving.publicKey).toString('base64'),
  } as const;
  const signature = sign(null, certificateMessage(facts), signing.privateKey).toString('base64');
  const keys = { signingKey: signing.publicKey, receivingKey: receiving.publicKey };
  return { name, fingerprint: installationFingerprint(CRYPTO, keys), certificate: { ...facts, signature } };
}

/** @param text a certificate as a file holds it. @throws {CodedError} it is none, or not as its installation made it */
export function readCertificate(text: string): {
  certificate: InstallationCertificate;
  name: string;
  signingKey: Uint8Array;
  receivingKey: Uint8Array;
  fingerprint: string;
} {
  const parsed = installationCertificate.safeParse(jsonOf(text));
  if (!parsed.success) throw new CodedError(problem('INSTALLATION_CERTIFICATE_NOT_ONE'));
  const certificate = parsed.data;
  const signingKey = new Uint8Array(Buffer.from(certificate.signingKey, 'base64'));
  const receivingKey = new Uint8Array(Buffer.from(certificate.receivingKey, 'base64'));
  const signature = Buffer.from(certificate.signature, 'base64');
  if (!verify(null, certificateMessage(certificate), ed25519PublicKey(signingKey), signature))
    throw new CodedError(problem('INSTALLATION_CERTIFICATE_CHANGED'));
  return {
    certificate,
    name: certificate.name,
    signingKey,
    receivingKey,
    fingerprint: installationFingerprint(CRYPTO, { signingKey, receivingKey }),
  };
}

function certificateMessage({
  name,
  signingKey,
  receivingKey,
}: Omit<InstallationCertificate, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['vouch installation certificate 1', name, signingKey, receivingKey]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
