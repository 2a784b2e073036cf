import { problem } from '../../contracts/errors/problem.ts';
import { verify, type KeyObject } from 'node:crypto';
import type { ImageFormat, Template } from '../../contracts/faces.ts';
import type { PipelineId } from '../../contracts/ids.ts';
import { imageFault, MAX_THUMBNAIL_BYTES, templateFault } from '../recognition/faceValidation.ts';
import { readEntries, type Entry } from '../encryption/entries.ts';
import { ed25519PublicKey, KEY_BYTES, keyAsRecipient } from '../encryption/keys.ts';
import { unsealStream } from '../encryption/sealedStream.ts';
import { damaged, EntrySource, jsonOf, Malformed, orRefused } from './packageEntries.ts';
import {
  bundleEnd,
  bundleHead,
  faceFacts,
  HEADER_BYTES,
  MAGIC,
  MOST_PHOTO_BYTES,
  MOST_TEMPLATE_BYTES,
  PURPOSE,
  recipientOf,
  signedMessage,
  type BundleFace,
  type BundleHead,
} from './packageFormat.ts';
import { TransferRejected, type InstallationIdentity } from './installationIdentity.ts';

/** A bundle that opens with this site's key. */
export interface OpenedBundle {
  /** As it is written there: true only after {@link faces} came to its end. */
  head: BundleHead;
  /**
   * Every face, one at a time, from the start.
   * @throws {TransferRejected} at the first byte that is not as the sender made it; the signature is checked at the end
   */
  faces(): AsyncIterable<BundleFace>;
}

/**
 * @param read the bundle from its first byte, as often as it is called
 * @throws {TransferRejected} no bundle, for another site, of a later format, or damaged
 */
export async function openBundle(
  read: () => AsyncIterable<Uint8Array>,
  receiver: InstallationIdentity['receiving'],
): Promise<OpenedBundle> {
  const entries = async function* (): AsyncIterable<Entry> {
    const { header, rest } = await cutHeader(read());
    checkHeader(header, receiver.publicKey);
    const ephemeral = header.subarray(MAGIC.length, MAGIC.length + KEY_BYTES);
    const contentKey = keyAsRecipient(receiver.privateKey, ephemeral, PURPOSE);
    yield* readEntries(unsealStream(rest, contentKey, header));
  };
  const head = await orRefused(async () => {
    for await (const entry of entries()) return bundleHead.parse(await jsonOf(entry, 'head'));
    throw new Malformed();
  });
  return { head, faces: () => facesOf(entries(), head, receiver.publicKey) };
}

async function* facesOf(
  entries: AsyncIterable<Entry>,
  head: BundleHead,
  receiver: Uint8Array,
): AsyncIterable<BundleFace> {
  const sender = ed25519PublicKey(Buffer.from(head.sender.signingKey, 'base64'));
  const source = new EntrySource(entries);
  try {
    const first = await orRefused(async () => bundleHead.parse(await source.json('head')));
    if (JSON.stringify(first) !== JSON.stringify(head)) throw damaged();
    let count = 0;
    for (;;) {
      const face = await orRefused(() => nextFace(source, count, receiver, sender));
      if (face === undefined) return;
      count += 1;
      yield face;
    }
  } finally {
    await source.close();
  }
}

/** @returns undefined at the end, when the signature is good */
async function nextFace(
  source: EntrySource,
  count: number,
  receiver: Uint8Array,
  sender: KeyObject,
): Promise<BundleFace | undefined> {
  const message = signedMessage(source.seen, receiver, count);
  const path = await source.next();
  if (path === 'end') {
    const { faces, signature } = bundleEnd.parse(await source.jsonHere());
    if (faces !== count || !verify(null, message, sender, Buffer.from(signature, 'base64')))
      throw new TransferRejected(problem('BUNDLE_SIGNATURE_WRONG'));
    await source.mustEnd();
    return undefined;
  }
  if (path !== 'face') throw new Malformed();
  const { pipelines, photo, quality, ...facts } = faceFacts.parse(await source.jsonHere());
  const templates: Template[] = [];
  for (const pipeline of pipelines) {
    const bytes = await source.take('template', MOST_TEMPLATE_BYTES);
    if (bytes.length === 0 || bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) throw new Malformed();
    // Copied, because the piece need not be aligned for floats.
    const vector = new Float32Array(Uint8Array.from(bytes).buffer);
    requireSound('template', count, templateFault(vector));
    templates.push({ pipelineId: pipeline as PipelineId, vector });
  }
  const picture = async (path: 'chip' | 'photo', format: ImageFormat, most: number) => {
    const content = await source.take(path, most);
    requireSound(path === 'chip' ? 'small picture' : 'photo', count, imageFault(content, format, most));
    return content;
  };
  const chip = await picture('chip', 'jpeg', MAX_THUMBNAIL_BYTES);
  return {
    ...facts,
    quality,
    templates,
    chip,
    photo: photo && { ...photo, content: await picture('photo', photo.format, MOST_PHOTO_BYTES) },
  };
}

/**
 * @param index of the face in the bundle, from 0
 * @param fault the end of a sentence; undefined: the part can be taken
 * @throws {TransferRejected}
 */
export function requireSound(part: string, index: number, fault: string | undefined): void {
  if (fault !== undefined)
    throw new TransferRejected(problem('BUNDLE_FACE_INVALID', { part, face: index + 1, fault }));
}

function checkHeader(header: Buffer, receiver: Uint8Array): void {
  const magic = MAGIC.subarray(0, -1);
  if (header.length < HEADER_BYTES || !header.subarray(0, magic.length).equals(magic))
    throw new TransferRejected(problem('BUNDLE_NOT_ONE'));
  const format = header[magic.length];
  if (format !== MAGIC.at(-1))
    throw new TransferRejected(
      problem('BUNDLE_FORMAT_NEWER', { format: format ?? 0, known: MAGIC.at(-1) ?? 0 }),
    );
  if (!header.subarray(MAGIC.length + KEY_BYTES).equals(recipientOf(receiver)))
    throw new TransferRejected(problem('BUNDLE_FOR_OTHER_SITE'));
}

async function cutHeader(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ header: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const source = stream[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  while (held.length < HEADER_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    held = Buffer.concat([held, next.value]);
  }
  const after = held.subarray(HEADER_BYTES);
  const rest = async function* () {
    try {
      if (after.length > 0) yield after as Uint8Array;
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  };
  return { header: held.subarray(0, HEADER_BYTES), rest: rest() };
}
