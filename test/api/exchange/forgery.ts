/** A transfer package that its receiver decrypted and encrypted again for another installation. */
import { buffer } from 'node:stream/consumers';
import { encryptAge, openAge } from '../../../core/domain/encryption/age.ts';
import { fingerprintOf } from '../../../core/domain/encryption/keys.ts';
import type { ExchangeSite } from './sites.ts';

export async function reencrypted(
  file: Buffer,
  opener: ExchangeSite,
  receiver: ExchangeSite,
): Promise<Buffer> {
  const own = (await opener.exchange.identity('local-admin')).receiving;
  const opened = await openAge(ReadableStream.from([file]));
  const content = opened.decrypt(opened.unwrap(own.privateKey)!);
  const { publicKey } = (await receiver.exchange.identity('local-admin')).receiving;
  const label = ['vouch-blacklist', '1', fingerprintOf(publicKey)];
  return buffer(encryptAge(publicKey, label, content).content);
}
