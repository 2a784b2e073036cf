/** A transfer package that its receiver decrypted and encrypted again for another installation. */
import { buffer } from 'node:stream/consumers';
import { encryptAge, openAge } from '../../../core/encryption/age.ts';
import { fingerprintOf } from '../../../core/encryption/keys.ts';
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
  const content = await decrypted(file, opener);
  const { publicKey } = (await ownKeys(receiver.site.storage, TEST_ACT)).receiving;
  const label = ['vouch-blacklist', '1', fingerprintOf(publicKey)];
  return buffer(encryptAge(publicKey, label, content).content);
}
