import { createHash, randomUUID, sign, type KeyObject } from 'node:crypto';
import { entryHead } from '../encryption/entries.ts';
import { keyForRecipient } from '../encryption/keys.ts';
import { sealStream } from '../encryption/sealedStream.ts';
import {
  MAGIC,
  PURPOSE,
  recipientOf,
  signedMessage,
  type BundleFace,
  type BundleHead,
  type FaceFacts,
} from './packageFormat.ts';
import type { InstallationIdentity } from './installationIdentity.ts';

/** @param receiver X25519, 32 raw bytes. @param faces read once, one at a time */
export async function* writeBundle(
  sender: InstallationIdentity,
  receiver: Uint8Array,
  about: { list: BundleHead['list']; at: Date },
  faces: AsyncIterable<BundleFace>,
): AsyncIterable<Uint8Array> {
  const { contentKey, ephemeral } = keyForRecipient(receiver, PURPOSE);
  const header = Buffer.concat([MAGIC, ephemeral, recipientOf(receiver)]);
  const head: BundleHead = {
    bundle: randomUUID(),
    exportedAt: about.at.toISOString(),
    sender: { name: sender.name, signingKey: Buffer.from(sender.signing.publicKey).toString('base64') },
    list: about.list,
  };
  yield header;
  yield* sealStream(entriesOf(sender.signing.privateKey, receiver, head, faces), contentKey, header);
}

async function* entriesOf(
  signingKey: KeyObject,
  receiver: Uint8Array,
  head: BundleHead,
  faces: AsyncIterable<BundleFace>,
): AsyncIterable<Uint8Array> {
  const seen = createHash('sha256');
  function* entry(path: string, content: string | Uint8Array): Iterable<Uint8Array> {
    const bytes = Buffer.from(content as string);
    const prefix = entryHead(path, bytes.length);
    seen.update(prefix).update(bytes);
    yield prefix;
    yield bytes;
  }
  yield* entry('head', JSON.stringify(head));
  let count = 0;
  for await (const { templates, chip, photo, origin, name, place, quality } of faces) {
    count += 1;
    const pipelines = templates.map(({ pipelineId }) => pipelineId);
    const facts: FaceFacts = {
      ...{ origin, name, quality, pipelines },
      place: { ...place, eyes: [...place.eyes] },
      photo: photo && { format: photo.format, size: photo.size },
    };
    yield* entry('face', JSON.stringify(facts));
    for (const { vector } of templates)
      yield* entry('template', new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    yield* entry('chip', chip);
    if (photo !== null) yield* entry('photo', photo.content);
  }
  const signature = sign(null, signedMessage(seen, receiver, count), signingKey).toString('base64');
  yield* entry('end', JSON.stringify({ faces: count, signature }));
}
