import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import {
  installationCertificate,
  type InstallationCertificate,
  type InstallationView,
} from '../../contracts/blacklistTransfer.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { InstallationKeys } from '../ports/backup.ts';
import type { Installation } from '../ports/companies.ts';
import { ed25519PublicKey, newKeyPair, privateKeyOf, rawPublicKey } from '../encryption/keys.ts';

/** What is asked cannot be done; the text says why and what to do. Nothing was touched. */
export class TransferRejected extends CodedError {
  override name = 'ExchangeRefused';
}

/** This installation, as other sites know it. */
export interface InstallationIdentity {
  name: string;
  signing: { publicKey: Uint8Array; privateKey: KeyObject };
  receiving: { publicKey: Uint8Array; privateKey: KeyObject };
}

/** The keys of this installation; made at first use, their private halves in the encrypted database alone. */
export async function ownIdentity(
  { siteKeys, site }: { siteKeys: InstallationKeys; site: Installation },
  act: AuditContext,
): Promise<InstallationIdentity> {
  const made = await siteKeys.identity();
  const pairs =
    made ??
    (await siteKeys.makeIdentity({ signing: newKeyPair('ed25519'), receiving: newKeyPair('x25519') }, act));
  const [signing, receiving] = [pairs.signing, pairs.receiving].map((pair) => {
    const privateKey = privateKeyOf(pair.privateKey);
    return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
  }) as [InstallationIdentity['signing'], InstallationIdentity['receiving']];
  const { siteName } = await site.settings();
  const name = siteName ?? `Site ${installationHash(signing.publicKey).slice(0, 8)}`;
  return { name, signing, receiving };
}

/** What names a site in the store and in bundles: SHA-256 of its signing key, hex. */
export function installationHash(signingKey: Uint8Array): string {
  return createHash('sha256').update(signingKey).digest('hex');
}

/** 128 bits over both keys: what two people read to each other. Long enough that nobody finds a second site with it. */
export function installationFingerprint(keys: { signingKey: Uint8Array; receivingKey: Uint8Array }): string {
  const digest = createHash('sha256')
    .update('vouch site')
    .update(keys.signingKey)
    .update(keys.receivingKey)
    .digest('hex');
  return digest.slice(0, 32).match(/.{4}/g)!.join('-');
}

export function viewOf(identity: InstallationIdentity): InstallationView {
  const { name, signing, receiving } = identity;
  const facts = {
    kind: 'vouch site card',
    version: 1,
    name,
    signingKey: Buffer.from(signing.publicKey).toString('base64'),
    receivingKey: Buffer.from(receiving.publicKey).toString('base64'),
  } as const;
  const signature = sign(null, cardMessage(facts), signing.privateKey).toString('base64');
  const keys = { signingKey: signing.publicKey, receivingKey: receiving.publicKey };
  return { name, fingerprint: installationFingerprint(keys), card: { ...facts, signature } };
}

/** @param text a card as a file holds it. @throws {TransferRejected} it is none, or not as its site made it */
export function readCard(text: string): {
  card: InstallationCertificate;
  name: string;
  signingKey: Uint8Array;
  receivingKey: Uint8Array;
  fingerprint: string;
} {
  const parsed = installationCertificate.safeParse(jsonOf(text));
  if (!parsed.success) throw new TransferRejected(problem('CARD_NOT_ONE'));
  const card = parsed.data;
  const signingKey = new Uint8Array(Buffer.from(card.signingKey, 'base64'));
  const receivingKey = new Uint8Array(Buffer.from(card.receivingKey, 'base64'));
  const signature = Buffer.from(card.signature, 'base64');
  if (!verify(null, cardMessage(card), ed25519PublicKey(signingKey), signature))
    throw new TransferRejected(problem('CARD_CHANGED'));
  return {
    card,
    name: card.name,
    signingKey,
    receivingKey,
    fingerprint: installationFingerprint({ signingKey, receivingKey }),
  };
}

/**
 * The card of a site that is about to be trusted.
 * @param fingerprint as its people read it out. @throws {TransferRejected} the card has another one
 */
export function cardOf(card: InstallationCertificate, fingerprint: string): ReturnType<typeof readCard> {
  const read = readCard(JSON.stringify(card));
  if (spelled(fingerprint) !== spelled(read.fingerprint))
    throw new TransferRejected(problem('CARD_FINGERPRINT_WRONG', { fingerprint: read.fingerprint }));
  return read;
}

/** As two people may read it to each other. */
function spelled(fingerprint: string): string {
  return fingerprint.toLowerCase().replaceAll(/[^0-9a-f]/g, '');
}

function cardMessage({ name, signingKey, receivingKey }: Omit<InstallationCertificate, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['vouch site card 1', name, signingKey, receivingKey]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
