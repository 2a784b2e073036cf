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
