/** A bundle that was opened by its receiver and sealed anew for somebody else. */
import { createHash } from 'node:crypto';
import { keyAsRecipient, keyForRecipient } from '../../../core/domain/encryption/keys.ts';
import { sealStream, unsealStream } from '../../../core/domain/encryption/sealedStream.ts';
import { wholeOf, type ExchangeSite } from './sites.ts';

const MAGIC_BYTES = 9;
const KEY_BYTES = 32;
const HEADER_BYTES = MAGIC_BYTES + KEY_BYTES + 8;
const PURPOSE = 'vouch exchange 1';

export async function resealed(
  bundle: Buffer,
  opener: ExchangeSite,
  receiver: ExchangeSite,
): Promise<Buffer> {
  const own = (await opener.exchange.identity('local-admin')).receiving;
  const header = bundle.subarray(0, HEADER_BYTES);
  const contentKey = keyAsRecipient(
    own.privateKey,
    header.subarray(MAGIC_BYTES, MAGIC_BYTES + KEY_BYTES),
    PURPOSE,
  );
  const plain = await wholeOf(unsealStream(one(bundle.subarray(HEADER_BYTES)), contentKey, header));
  const { publicKey } = (await receiver.exchange.identity('local-admin')).receiving;
  const next = keyForRecipient(publicKey, PURPOSE);
  const recipient = createHash('sha256').update(publicKey).digest().subarray(0, 8);
  const nextHeader = Buffer.concat([header.subarray(0, MAGIC_BYTES), next.ephemeral, recipient]);
  return Buffer.concat([nextHeader, await wholeOf(sealStream(one(plain), next.contentKey, nextHeader))]);
}

async function* one(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(content);
}
