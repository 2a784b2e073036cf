/** BER-TLV with definite lengths: tags of up to three bytes, lengths of up to four. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';

export interface Element {
  /** All bytes of the tag as one number: 0x7f61. */
  tag: number;
  content: Uint8Array;
}

const CONSTRUCTED = 0x20;
const LONG_TAG = 0x1f;

/** Whether the element holds elements, by the bit of its tag's first byte. */
export function isConstructed({ tag }: Element): boolean {
  return (firstByteOf(tag) & CONSTRUCTED) > 0;
}

/** Elements beside each other. No list of a face record has as many; each element takes memory. */
const MAX_ELEMENTS = 256;

export function tagText(tag: number): string {
  return tag.toString(16).toUpperCase().padStart(2, '0');
}

function firstByteOf(tag: number): number {
  return tag > 0xffff ? tag >> 16 : tag > 0xff ? tag >> 8 : tag;
}

/**
 * The elements that fill the bytes, in their order.
 * @param part of which the bytes are the content, for the fault
 * @throws {CodedError} an element reaches beyond the bytes, its length is indefinite or has more than four bytes, or there
 * are too many
 */
export function readElements(bytes: Uint8Array, part: string): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const tagEnd = endOfTag(bytes, at, part);
    const tag = numberOf(bytes.subarray(at, tagEnd));
    const name = `${part}, ${tagText(tag)}`;
    const first = byteAt(bytes, tagEnd, name);
    if (first === 0x80) throw new CodedError(problem('RECORD_LENGTH_INDEFINITE', { part: name }));
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4)
      throw new CodedError(problem('RECORD_VALUE_WRONG', { part: name, value: lengthBytes, allowed: '1–4' }));
    const from = tagEnd + 1 + lengthBytes;
    if (from > bytes.length) throw cutShort(name, lengthBytes, bytes.length - tagEnd - 1);
    const length = lengthBytes === 0 ? first : numberOf(bytes.subarray(tagEnd + 1, from));
    if (from + length > bytes.length) throw cutShort(name, length, bytes.length - from);
    if (elements.length === MAX_ELEMENTS)
      throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_ELEMENTS, part: `elements in ${part}` }));
    elements.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return elements;
}

/** The element that fills the bytes. @throws {CodedError} there is none, or more than one */
export function readElement(bytes: Uint8Array, part: string): Element {
  const [element, second] = readElements(bytes, part);
  if (element === undefined) throw new CodedError(problem('RECORD_FIELD_MISSING', { part }));
  if (second !== undefined)
    throw new CodedError(problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(second.tag) }));
  return element;
}

function endOfTag(bytes: Uint8Array, at: number, part: string): number {
  let end = at + 1;
  if ((bytes[at]! & LONG_TAG) !== LONG_TAG) return end;
  while (byteAt(bytes, end, part) >= 0x80) end += 1;
  if (end - at > 2)
    throw new CodedError(
      problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(numberOf(bytes.subarray(at, at + 3))) }),
    );
  return end + 1;
}

function byteAt(bytes: Uint8Array, at: number, part: string): number {
  const byte = bytes[at];
  if (byte === undefined) throw cutShort(part, 1, 0);
  return byte;
}

export function cutShort(part: string, needed: number, left: number): CodedError {
  return new CodedError(problem('RECORD_CUT_SHORT', { part, needed, left }));
}

/** Big-endian. */
export function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** @param content bytes, or elements one behind the other @returns the element in DER */
export function writeElement(tag: number, ...content: Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, each) => sum + each.length, 0);
  const lengthBytes = bytesOf(length);
  const head = length < 0x80 ? [length] : [0x80 | lengthBytes.length, ...lengthBytes];
  return Buffer.concat([Uint8Array.from([...bytesOf(tag), ...head]), ...content]);
}

/** The fewest bytes of a whole number, big-endian. */
function bytesOf(number: number): number[] {
  return number < 256 ? [number] : [...bytesOf(Math.floor(number / 256)), number % 256];
}
