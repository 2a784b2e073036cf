/** Bytes as text and back, for keys, hashes and codes: short values. */
import type { ImageFormat } from '../../contracts/faces.ts';

/** How many leading bytes `sniffImageFormat` wants to see; fewer never match. */
export const SNIFF_BYTES = 8;

/** SOI, then the first byte of the next marker: every JPEG begins so, whatever comes after (ITU-T T.81, B.2). */
const JPEG_START = [0xff, 0xd8, 0xff];
/** PNG signature; its line ends are there to notice a file that was sent as text (PNG specification, 5.2). */
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The format by the first bytes of the content; name and declared type are ignored. @returns undefined: not accepted */
export function sniffImageFormat(head: Uint8Array): ImageFormat | undefined {
  if (startsWith(head, JPEG_START)) return 'jpeg';
  if (startsWith(head, PNG_START)) return 'png';
  return undefined;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Lowercase hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param hex an even number of hexadecimal digits */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

/** Base64 of RFC 4648, section 5, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 6; bits -= 6) text += BASE64URL[(held >> (bits - 6)) & 63]!;
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE64URL[(held << (6 - bits)) & 63]!;
}

/** The bytes of a text in ISO 8859-1: one for each character below U+0100. */
export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** The content of a file in memory as the stream that `ImageFiles.write` reads. */
export async function* oneChunk(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(content);
}
