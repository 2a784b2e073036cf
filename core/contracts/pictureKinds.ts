/** The kind of a file by its first bytes, as far as Vouch reads it or can name it. Names and declared types are not looked at. */

/** Kinds that the service converts to JPEG before anything is stored; programs send JPEG and PNG alone. */
export const CONVERTED_KINDS = ['WebP', 'AVIF', 'TIFF', 'BMP', 'GIF', 'JPEG 2000', 'face record'] as const;

export const READ_KINDS = ['JPEG', 'PNG', ...CONVERTED_KINDS] as const;

/** Kinds that are not read, so that the refusal can name them. */
const OTHER_KINDS = ['HEIC', 'PDF', 'SVG', 'JPEG XL', 'JPEG XR', 'camera RAW', 'Photoshop', 'video'] as const;
export type ReadKind = (typeof READ_KINDS)[number];
export type PictureKind = ReadKind | (typeof OTHER_KINDS)[number];

/** Whether the service reads the kind, as it is or converted. */
export function isRead(kind: PictureKind | null): kind is ReadKind {
  return READ_KINDS.some((read) => read === kind);
}

/** So many first bytes decide. Fewer are enough for most kinds. */
export const KIND_HEAD_BYTES = 4096;

/** The kinds by their first bytes, as characters of ISO 8859-1; the first that fits. */
const STARTS: readonly (readonly [RegExp, PictureKind])[] = [
  [/^\xff\xd8\xff/, 'JPEG'],
  [/^\x89PNG\r\n.\n/, 'PNG'],
  [/^RIFF[^]{4}WEBP/, 'WebP'],
  [/^GIF8/, 'GIF'],
  [/^BM/, 'BMP'],
  [/^(?:\0\0\0.jP {2}|\xff\x4f\xff\x51)/, 'JPEG 2000'],
  // Some cameras write their own pictures as TIFF: Canon's with a mark, Olympus' and Panasonic's with another number.
  [/^(?:II\*\0[^]{4}CR|IIR[OS]|IIU\0|FUJIFILM|[^]{4}ftypcrx)/, 'camera RAW'],
  [/^(?:II[*+]\0|MM\0[*+])/, 'TIFF'],
  [/^II\xbc/, 'JPEG XR'],
  [/^(?:\xff\n|\0\0\0.JXL )/, 'JPEG XL'],
  [/^[^]{4}ftyp(?:avif|avis|(?:mif1|msf1|miaf)[^]{4}(?:[^]{4}){0,8}avi[fs])/, 'AVIF'],
  [/^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/, 'HEIC'],
  [/^(?:[^]{4}ftyp|.E\xdf\xa3|RIFF[^]{4}AVI )/, 'video'],
  [/^%PDF/, 'PDF'],
  [/^8BPS/, 'Photoshop'],
  [/^(?:\xef\xbb\xbf)?\s*<(?:[^]{0,2000}<)?svg[\s>]/, 'SVG'],
];

const TLV_STARTS = [
  /^75(?:..){1,5}?7f61/,
  /^7f61(?:..){1,5}?0201/,
  /^7f60(?:..){1,5}?a1/,
  /^(?:5f2e|7f2e)(?:..){1,5}?(?:464143|a1|65)/,
  /^(?:a1(?:..){1,5}?)?65(?:..){1,5}?a0/,
];
const BIR_START = /<(?:[\w.-]+:)?BIR[\s/>]/i;
/** Characters that are enough to tell base64 text by its content. */
const BASE64_HEAD = 400;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @param head the first {@link KIND_HEAD_BYTES}, or the whole of a smaller file @returns null: of no known kind */
export function pictureKindOf(head: Uint8Array): PictureKind | null {
  const text = charactersOf(head);
  const known = STARTS.find(([start]) => start.test(text))?.[1];
  return known ?? (recordKindOf(head) === null ? null : 'face record');
}

/**
 * @returns how the content begins as a face record: in binary, as elements of BER-TLV, as XML, or as base64 text of one of
 * them; it may be damaged further on
 */
export function recordKindOf(head: Uint8Array): 'fac' | 'tlv' | 'xml' | 'base64' | null {
  const plain = plainKindOf(head);
  if (plain !== null) return plain;
  const text = withoutUri(charactersOf(head))
    .slice(0, 2 * BASE64_HEAD)
    .replaceAll(/\s/g, '')
    .slice(0, BASE64_HEAD);
  const decoded = bytesOfBase64(text);
  if (decoded === null) return null;
  return plainKindOf(decoded) !== null || /^(?:\xef\xbb\xbf)?\s*<\?xml\s/.test(charactersOf(decoded))
    ? 'base64'
    : null;
}

/** The text without the head of a data URI and white space before it. */
export function withoutUri(text: string): string {
  return text.trimStart().replace(/^data:[\w.+/-]*;base64,/i, '');
}

function plainKindOf(head: Uint8Array): 'fac' | 'tlv' | 'xml' | null {
  const text = charactersOf(head);
  if (text.startsWith('FAC\0')) return 'fac';
  const hex = Array.from(head.subarray(0, 24), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (TLV_STARTS.some((start) => start.test(hex))) return 'tlv';
  // Also in UTF-16.
  const letters = text
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  return letters.startsWith('<') && BIR_START.test(letters) ? 'xml' : null;
}

function charactersOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, KIND_HEAD_BYTES));
}

/** The bytes of the whole quadruples of either alphabet. @returns null: other characters, or none */
function bytesOfBase64(text: string): Uint8Array | null {
  const digits = Array.from(text.replace(/={1,2}$/, ''), (letter) =>
    BASE64.indexOf(letter === '-' ? '+' : letter === '_' ? '/' : letter),
  );
  if (digits.length < 8 || digits.includes(-1)) return null;
  const bytes: number[] = [];
  for (let at = 0; at + 3 < digits.length; at += 4) {
    const bits = (digits[at]! << 18) | (digits[at + 1]! << 12) | (digits[at + 2]! << 6) | digits[at + 3]!;
    bytes.push(bits >> 16, (bits >> 8) & 255, bits & 255);
  }
  return Uint8Array.from(bytes);
}
