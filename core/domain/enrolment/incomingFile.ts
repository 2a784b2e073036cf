/** The parts of an upload form: the content of a file as it streams, and the meaning of field names and file names. */
import { displayName } from '../../contracts/displayName.ts';
import type { Problem } from '../../contracts/errors/problem.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import { concatBytes, SNIFF_BYTES, sniffImageFormat } from '../values/bytes.ts';

/** Why a file is refused before anything looks at its picture. */
export type FileProblem = 'empty' | 'wrongType' | 'tooLarge';

type TakenFile<T> = { kind: 'kept'; kept: T } | { kind: 'refused'; problems: (FileProblem | Problem)[] };

/** Ends a `keep` that would go beyond the size limit; never leaves this module. */
class BeyondLimit extends Error {}

/**
 * Passes one file of an upload to `keep` while it streams, unless its first bytes or its size say no. The content is
 * always read to its end, so that the next part of the form can follow; at most one chunk is in memory.
 * @param maxBytes a file of exactly this many bytes is still taken
 * @param keep gets the format that the content claims, or finds a problem; when it rejects half-way, it keeps nothing
 * @param others whether files of other formats are passed on too, with `undefined` as their format
 * @throws what the content's stream throws (the caller hung up), and what `keep` throws
 */
export async function takeFile<T>(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  keep: (format: ImageFormat | undefined, content: AsyncIterable<Uint8Array>) => Promise<T | Problem>,
  others = false,
): Promise<TakenFile<T>> {
  const source = content[Symbol.asyncIterator]();
  const head = await readHead(source);
  if (head.length === 0) return { kind: 'refused', problems: ['empty'] };
  const format = sniffImageFormat(head);
  if (format === undefined && !others) {
    const bytes = head.length + (await drain(source));
    return { kind: 'refused', problems: bytes > maxBytes ? ['wrongType', 'tooLarge'] : ['wrongType'] };
  }
  try {
    const kept = await keep(format, bounded(head, source, maxBytes));
    return isProblem(kept) ? { kind: 'refused', problems: [kept] } : { kind: 'kept', kept };
  } catch (error) {
    if (!(error instanceof BeyondLimit)) throw error;
    await drain(source);
    return { kind: 'refused', problems: ['tooLarge'] };
  }
}

function isProblem(taken: unknown): taken is Problem {
  return typeof taken === 'object' && taken !== null && 'code' in taken && 'parameters' in taken;
}

/** A file as a whole. @throws what its stream throws */
export async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
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

// The meaning of the field names and file names of an upload form.

/** Characters of a file name; file systems allow 255. */
export const LONGEST_FILE_NAME = 255;
/** Characters of a caller's field name that an error repeats. */
const LONGEST_KEY = 100;

/** `images`, `images[]` or `images[0]`: the number in the brackets is not looked at, the order of the parts counts. */
const IMAGE_FIELD = /^images(\[\d{0,9}\])?$/;

export function isImageField(fieldName: string): boolean {
  return IMAGE_FIELD.test(fieldName);
}

/** The key under which an error names the image at an index. */
export function imageKey(index: number): string {
  return `images.${index}`;
}

/** The key under which an error names a field that is not one of ours. */
export function unknownKey(fieldName: string): string {
  return fieldName.toWellFormed().slice(0, LONGEST_KEY);
}

/**
 * A file name as it is kept and shown: cleaned by {@link displayName}, with the quotation marks that browsers
 * send as %22. A file that was sent without a name is called after its place in the batch.
 */
export function receivedFileName(sent: string | undefined, index: number): string {
  const name = displayName((sent ?? '').replaceAll('%22', '"'));
  return name === '' ? `image-${index}` : name;
}

/** Whether a name, without its folders, has more characters than a file system keeps. It is refused, never cut. */
export function isTooLongName(name: string): boolean {
  return Array.from(name.split(/[/\\]/).at(-1) ?? '').length > LONGEST_FILE_NAME;
}

/** Whether letters of a name were lost before it arrived: it has characters for undecodable bytes, or question marks alone. */
export function isUnreadableName(name: string): boolean {
  return name.includes('\uFFFD') || (name.includes('?') && /^[?\s]*(?:\.\w+)?$/.test(name));
}

/** One file of a form, as it arrives. Its content is read to the end before the next part comes. */
export interface IncomingFile {
  fieldName: string;
  fileName: string | undefined;
  content: AsyncIterable<Uint8Array>;
}
