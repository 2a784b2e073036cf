/**
 * A blacklist on its way from one site to another. On disk: magic and version, an ephemeral public key, the beginning of
 * the receiver's key hash, then a sealed stream. Sealed inside: entries one after another (a head, then per face its
 * facts, templates, small picture and perhaps its photo), at the end a signature of the sender over everything before
 * it and over the receiver's key, so that a receiver cannot pass a bundle on as if it were meant for somebody else.
 */
import { createHash, randomUUID, sign, verify, type Hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { siteName } from '../../contracts/exchange.ts';
import { IMAGE_FORMATS, type ImageFormat, type Template } from '../../contracts/faces.ts';
import type { PipelineId } from '../../contracts/ids.ts';
import { ed25519PublicKey, KEY_BYTES, keyAsRecipient, keyForRecipient } from '../sealing/keys.ts';
import { EntriesBroken, entryHead, readEntries, type Entry } from '../sealing/entries.ts';
import { SealBroken, sealStream, unsealStream } from '../sealing/sealedStream.ts';
import { ExchangeRefused, type SiteIdentity } from './identity.ts';
import type { FaceOrigin, FacePlace } from './ports.ts';

const MAGIC = Buffer.from('VOUCHXCH\u0001', 'latin1');
const PURPOSE = 'vouch exchange 1';
const RECIPIENT_BYTES = 8;
const HEADER_BYTES = MAGIC.length + KEY_BYTES + RECIPIENT_BYTES;

/** Largest parts of a bundle: far above what any site makes, so that a broken one cannot fill the memory. */
const MOST_FACTS_BYTES = 64 * 1024;
const MOST_TEMPLATE_BYTES = 64 * 1024;
const MOST_CHIP_BYTES = 256 * 1024;
const MOST_PHOTO_BYTES = 64 * 1024 * 1024;
/** Pipelines that a face has templates of. */
const MOST_TEMPLATES = 16;

const key = z.base64().length(44);
const bundleHead = z.object({
  bundle: z.uuid(),
  exportedAt: z.iso.datetime(),
  sender: z.object({ name: siteName, signingKey: key }),
  list: z.object({
    id: z.number().int().positive(),
    name: z.string(),
    description: z.string().nullable(),
  }),
});
export type BundleHead = z.infer<typeof bundleHead>;

const point = z.object({ x: z.number(), y: z.number() });
const measures = [
  ...['interEyeDistance', 'faceWidth', 'yaw', 'pitch', 'roll', 'sharpness', 'brightness', 'underexposed'],
  ...['overexposed', 'borderDistance', 'inFrame', 'eyesCovered', 'mouthCovered', 'quantisation'],
] as const;
const faceFacts = z.object({
  origin: z.object({
    site: z.string().regex(/^[0-9a-f]{64}$/),
    face: z.string().regex(/^\d{1,16}-[0-9a-f]{16}$/),
  }),
  name: z.string().max(1024),
  /** In the photo where there is one, else in the small picture. */
  place: z.object({
    box: point.extend({ width: z.number(), height: z.number() }),
    eyes: z.tuple([point, point]),
    confidence: z.number(),
  }),
  quality: z.object({ score: z.number(), measures: z.record(z.enum(measures), z.number()) }),
  pipelines: z.array(z.string().min(1).max(200)).min(1).max(MOST_TEMPLATES),
  photo: z
    .object({
      format: z.enum(IMAGE_FORMATS),
      size: z.object({ width: z.number().int(), height: z.number().int() }).nullable(),
    })
    .nullable(),
});
type FaceFacts = z.infer<typeof faceFacts>;
const bundleEnd = z.object({ faces: z.number().int(), signature: z.base64() });

export interface BundlePhoto {
  content: Uint8Array;
  format: ImageFormat;
  size: { width: number; height: number } | null;
}

/** A face as it travels. */
export interface BundleFace {
  origin: FaceOrigin;
  name: string;
  /** In the photo where there is one, else in the small picture. */
  place: FacePlace;
  quality: FaceFacts['quality'];
  templates: Template[];
  /** A JPEG of the aligned face. */
  chip: Uint8Array;
  photo: BundlePhoto | null;
}

/** @param receiver X25519, 32 raw bytes. @param faces read once, one at a time */
export async function* writeBundle(
  sender: SiteIdentity,
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

/** A bundle that opens with this site's key. */
export interface OpenedBundle {
  /** As it is written there: true only after {@link faces} came to its end. */
  head: BundleHead;
  /**
   * Every face, one at a time, from the start.
   * @throws {ExchangeRefused} at the first byte that is not as the sender made it; the signature is checked at the end
   */
  faces(): AsyncIterable<BundleFace>;
}

/**
 * @param read the bundle from its first byte, as often as it is called
 * @throws {ExchangeRefused} no bundle, for another site, of a later format, or damaged
 */
export async function openBundle(
  read: () => AsyncIterable<Uint8Array>,
  receiver: SiteIdentity['receiving'],
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
      throw new ExchangeRefused(
        'The signature of the bundle is not that of the site it names. Nothing was touched; ask that site for a new one.',
      );
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
    templates.push({ pipelineId: pipeline as PipelineId, vector });
  }
  const chip = await source.take('chip', MOST_CHIP_BYTES);
  return {
    ...facts,
    quality,
    templates,
    chip,
    photo: photo && { ...photo, content: await source.take('photo', MOST_PHOTO_BYTES) },
  };
}

/** Entries in the order in which they must come, and the hash of all that was read. */
class EntrySource {
  readonly seen = createHash('sha256');
  readonly #entries: AsyncIterator<Entry>;
  #current: Entry | undefined;

  constructor(entries: AsyncIterable<Entry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  async next(): Promise<string> {
    const next = await this.#entries.next();
    if (next.done === true) throw new Malformed();
    this.#current = next.value;
    return next.value.path;
  }

  async take(path: string, most: number): Promise<Buffer> {
    if ((await this.next()) !== path) throw new Malformed();
    return this.#content(most);
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse((await this.take(path, MOST_FACTS_BYTES)).toString('utf8')) as unknown;
  }

  async jsonHere(): Promise<unknown> {
    return JSON.parse((await this.#content(MOST_FACTS_BYTES)).toString('utf8')) as unknown;
  }

  async mustEnd(): Promise<void> {
    if ((await this.#entries.next()).done !== true) throw new Malformed();
  }

  async close(): Promise<void> {
    await this.#entries.return?.();
  }

  async #content(most: number): Promise<Buffer> {
    const { path, bytes, content } = this.#current!;
    if (bytes > most) throw new Malformed();
    const read = await wholeOf(content);
    this.seen.update(entryHead(path, bytes)).update(read);
    return read;
  }
}

async function jsonOf(entry: Entry, path: string): Promise<unknown> {
  if (entry.path !== path || entry.bytes > MOST_FACTS_BYTES) throw new Malformed();
  return JSON.parse((await wholeOf(entry.content)).toString('utf8')) as unknown;
}

/** Only where the length was looked at before. */
async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Authentic, but not what this program writes. */
class Malformed extends Error {}

/** The faults of a bundle in words. */
async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ExchangeRefused) throw cause;
    if (cause instanceof SealBroken) throw damaged(cause);
    if ([Malformed, EntriesBroken, z.ZodError, SyntaxError].some((kind) => cause instanceof kind))
      throw new ExchangeRefused(
        'The bundle is of a form that this program does not know: update it, or ask for a new bundle. Nothing was touched.',
        { cause },
      );
    throw cause;
  }
}

function damaged(cause?: unknown): ExchangeRefused {
  return new ExchangeRefused(
    'The bundle is damaged: it is not as it was made (changed, cut off, or not wholly copied). Nothing was touched; copy it again.',
    { cause },
  );
}

function checkHeader(header: Buffer, receiver: Uint8Array): void {
  const magic = MAGIC.subarray(0, -1);
  if (header.length < HEADER_BYTES || !header.subarray(0, magic.length).equals(magic))
    throw new ExchangeRefused(
      'This file is not a blacklist made by `vouch blacklist export`. Nothing was touched.',
    );
  const format = header[magic.length];
  if (format !== MAGIC.at(-1))
    throw new ExchangeRefused(
      `This bundle has format ${format}, and this program reads format ${MAGIC.at(-1)}: use a newer version. Nothing was touched.`,
    );
  if (!header.subarray(MAGIC.length + KEY_BYTES).equals(recipientOf(receiver)))
    throw new ExchangeRefused(
      'The bundle is sealed for another site. Nothing was touched; send the other site the card of this one (vouch site show) and ask for a new bundle.',
    );
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

function recipientOf(publicKey: Uint8Array): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, RECIPIENT_BYTES);
}

/** What the sender signs; `seen` goes on being used. */
function signedMessage(seen: Hash, receiver: Uint8Array, faces: number): Buffer {
  const digest = seen.copy().digest('hex');
  return Buffer.from(JSON.stringify([PURPOSE, Buffer.from(receiver).toString('base64'), faces, digest]));
}
