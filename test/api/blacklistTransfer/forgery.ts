/** Transfer packages that their receiver decrypted and encrypted again. */
import { buffer } from 'node:stream/consumers';
import { encryptAge, openAge } from '../../../core/encryption/age.ts';
import { MANIFEST } from '../../../core/encryption/container.ts';
import { fingerprintOf } from '../../../core/encryption/keys.ts';
import { packTar, readTar, type NewTarEntry } from '../../../core/encryption/tar.ts';
import { ownKeys } from '../../../core/transfer/installationIdentity.ts';
import { TEST_ACT } from '../../support/act.ts';
import type { ExchangeSite } from './sites.ts';

/** The content of a package, as its receiver decrypts it. */
export async function decrypted(file: Buffer, { site }: ExchangeSite): Promise<AsyncIterable<Uint8Array>> {
  const own = (await ownKeys(site.storage, TEST_ACT)).receiving;
  const opened = await openAge(ReadableStream.from([file]));
  return opened.decrypt(opened.unwrap(own.privateKey)!);
}

export async function reencrypted(
  file: Buffer,
  opener: ExchangeSite,
  receiver: ExchangeSite,
): Promise<Buffer> {
  return encryptedTo(receiver, await decrypted(file, opener));
}

/** The same package with blanks after its manifest, which no longer is the one that the sender signed. */
export async function withManifestOf(bytes: number, file: Buffer, receiver: ExchangeSite): Promise<Buffer> {
  const entries: NewTarEntry[] = [];
  for await (const { header, content } of readTar(await decrypted(file, receiver))) {
    const own = await buffer(content);
    const padded = header.name === MANIFEST ? Buffer.concat([own], bytes).fill(' ', own.length) : own;
    entries.push({ header: { ...header, size: padded.length }, content: [padded] });
  }
  return encryptedTo(receiver, packTar(entries));
}

async function encryptedTo(receiver: ExchangeSite, content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const { publicKey } = (await ownKeys(receiver.site.storage, TEST_ACT)).receiving;
  const label = ['vouch-blacklist', '1', fingerprintOf(publicKey)];
  return buffer(encryptAge(publicKey, label, content).content);
}
