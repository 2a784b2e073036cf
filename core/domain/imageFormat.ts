import type { ImageFormat } from '../contracts/faces.ts';

/** How many leading bytes decide. */
export const SNIFF_BYTES = 8;

const SIGNATURES: readonly { format: ImageFormat; bytes: readonly number[] }[] = [
  // ITU-T T.81, B.1.1.3: SOI, then another marker.
  { format: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
  // ISO/IEC 15948, 5.2.
  { format: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
];

/**
 * The format of an image by its first bytes; its name and declared media type say nothing.
 * @param head at least the first {@link SNIFF_BYTES} bytes, fewer when the file is shorter
 * @returns undefined for everything but JPEG and PNG
 */
export function sniffImageFormat(head: Uint8Array): ImageFormat | undefined {
  return SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))?.format;
}
