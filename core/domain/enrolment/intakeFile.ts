import type { ImageFormat } from '../../contracts/faces.ts';
import { concatBytes } from '../common/encoding.ts';
import { SNIFF_BYTES, sniffImageFormat } from '../common/imageFormat.ts';

/** Why a file is refused before anything looks at its picture. */
export type FileProblem = 'empty' | 'wrongType' | 'tooLarge';

export type TakenFile<T> = { kind: 'kept'; kept: T } | { kind: 'refused'; problems: FileProblem[] };

/** Ends a `keep` that would go beyond the size limit; never leaves this module. */
class BeyondLimit extends Error {}

/**
 * Passes one file of an upload to `keep` while it streams, unless its first bytes or its size say no. The content is
 * always read to its end, so that the next part of the form can follow; at most one chunk is in memory.
 * @param maxBytes a file of exactly this many bytes is still taken
 * @param keep gets the format that the content claims; when it rejects half-way, it keeps nothing
 * @throws what the content's stream throws (the caller hung up), and what `keep` throws
 */
export async function takeFile<T>(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  keep: (format: ImageFormat, content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<TakenFile<T>> {
  const source = content[Symbol.asyncIterator]();
  const head = await readHead(source);
  if (head.length === 0) return { kind: 'refused', problems: ['empty'] };
  const format = sniffImageFormat(head);
  if (format === undefined) {
    const bytes = head.length + (await drain(source));
    return { kind: 'refused', problems: bytes > maxBytes ? ['wrongType', 'tooLarge'] : ['wrongType'] };
  }
  try {
    return { kind: 'kept', kept: await keep(format, bounded(head, source, maxBytes)) };
  } catch (error) {
    if (!(error instanceof BeyondLimit)) throw error;
    await drain(source);
    return { kind: 'refused', problems: ['tooLarge'] };
  }
}

/** Reads a file to its end and forgets it. */
export async function discardFile(content: AsyncIterable<Uint8Array>): Promise<void> {
  await drain(content[Symbol.asyncIterator]());
}

/** The first bytes, enough to recognise the format; fewer only when the file has no more. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < SNIFF_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : concatBytes(head, next.value);
  }
  return head;
}

/** Head and rest as one stream that breaks beyond the limit. It leaves `source` open when its reader stops early. */
async function* bounded(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for (let chunk = head; ;) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BeyondLimit();
    yield chunk;
    const next = await source.next();
    if (next.done === true) return;
    chunk = next.value;
  }
}

async function drain(source: AsyncIterator<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (let next = await source.next(); next.done !== true; next = await source.next())
    bytes += next.value.length;
  return bytes;
}
