/** Size of an image from its header alone, so that a decompression bomb is refused before a decoder sees it. */
import { crc32 } from 'node:zlib';
import type { ImageFormat } from '../contracts/faces.ts';
import { sniffImageFormat } from '../domain/imageFormat.ts';

export interface ImageHeader {
  format: ImageFormat;
  /** Pixels as stored, before EXIF orientation. */
  width: number;
  height: number;
}

/** Undefined when the content is no JPEG or PNG, or when its header is damaged. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = sniffImageFormat(bytes);
  const size =
    format === 'png' ? readPngSize(bytes, view) : format === 'jpeg' ? readJpegSize(view) : undefined;
  if (format === undefined || size === undefined || size.width === 0 || size.height === 0) return undefined;
  return { format, ...size };
}

interface Size {
  width: number;
  height: number;
}

const IHDR = 0x49484452;
const IHDR_BYTES = 13;

/** IHDR is the first chunk by definition: length, type, 13 bytes, CRC over type and bytes (PNG specification, 11.2.1). */
function readPngSize(bytes: Uint8Array, view: DataView): Size | undefined {
  const chunk = 8;
  if (bytes.length < chunk + 12 + IHDR_BYTES) return undefined;
  if (view.getUint32(chunk) !== IHDR_BYTES || view.getUint32(chunk + 4) !== IHDR) return undefined;
  const covered = bytes.subarray(chunk + 4, chunk + 8 + IHDR_BYTES);
  if (crc32(covered) !== view.getUint32(chunk + 8 + IHDR_BYTES)) return undefined;
  return { width: view.getUint32(chunk + 8), height: view.getUint32(chunk + 12) };
}

/** Walks the marker segments up to the first frame header (ITU-T T.81, B.2.2). */
function readJpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill byte
    } else if (isStandalone(marker)) {
      at += 2;
    } else if (isFrameHeader(marker)) {
      if (at + 9 > view.byteLength) return undefined;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    } else if (marker === START_OF_SCAN) {
      return undefined;
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
  return undefined;
}

const START_OF_SCAN = 0xda;

/** TEM, RST0–RST7, SOI, EOI: markers without a length. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
}

/** SOF0–SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
