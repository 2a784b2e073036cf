/** Size of an image from its header alone, so that a decompression bomb is refused before a decoder sees it. */
import { crc32 } from 'node:zlib';
import type { ImageFormat } from '../contracts/faces.ts';
import { sniffImageFormat } from '../domain/imageFormat.ts';

export interface ImageHeader {
  format: ImageFormat;
  /** Pixels as stored, before EXIF orientation. */
  width: number;
  height: number;
  /** Mean step of a JPEG's first quantisation table, that of luma: 12 at quality 90, 230 at quality 5; 1 in a PNG. */
  quantisation: number;
}

/** Undefined when the content is no JPEG or PNG, or when its header is damaged. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = sniffImageFormat(bytes);
  const found = format === 'png' ? readPng(bytes, view) : format === 'jpeg' ? readJpeg(view) : undefined;
  if (format === undefined || found === undefined || found.width === 0 || found.height === 0)
    return undefined;
  return { format, ...found };
}

type Found = Omit<ImageHeader, 'format'>;

const IHDR = 0x49484452;
const IHDR_BYTES = 13;

/** IHDR is the first chunk by definition: length, type, 13 bytes, CRC over type and bytes (PNG specification, 11.2.1). */
function readPng(bytes: Uint8Array, view: DataView): Found | undefined {
  const chunk = 8;
  if (bytes.length < chunk + 12 + IHDR_BYTES) return undefined;
  if (view.getUint32(chunk) !== IHDR_BYTES || view.getUint32(chunk + 4) !== IHDR) return undefined;
  const covered = bytes.subarray(chunk + 4, chunk + 8 + IHDR_BYTES);
  if (crc32(covered) !== view.getUint32(chunk + 8 + IHDR_BYTES)) return undefined;
  return { width: view.getUint32(chunk + 8), height: view.getUint32(chunk + 12), quantisation: 1 };
}

/** Walks the marker segments up to the first frame header (ITU-T T.81, B.2.2). */
function readJpeg(view: DataView): Found | undefined {
  let at = 2;
  let quantisation = 1;
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill byte
    } else if (isStandalone(marker)) {
      at += 2;
    } else if (isFrameHeader(marker)) {
      if (at + 9 > view.byteLength) return undefined;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7), quantisation };
    } else if (marker === START_OF_SCAN) {
      return undefined;
    } else {
      if (marker === QUANTISATION) quantisation = lumaStep(view, at + 4) ?? quantisation;
      at += 2 + view.getUint16(at + 2);
    }
  }
  return undefined;
}

const START_OF_SCAN = 0xda;
const QUANTISATION = 0xdb;
const STEPS = 64;

/** Mean step of table 0, if the segment begins with it: precision and number in one byte, then the 64 steps (B.2.4.1). */
function lumaStep(view: DataView, at: number): number | undefined {
  const kind = at < view.byteLength ? view.getUint8(at) : undefined;
  const width = kind === 0x00 ? 1 : kind === 0x10 ? 2 : 0;
  if (width === 0 || at + 1 + STEPS * width > view.byteLength) return undefined;
  let sum = 0;
  for (let i = 0; i < STEPS; i++)
    sum += width === 1 ? view.getUint8(at + 1 + i) : view.getUint16(at + 1 + 2 * i);
  return sum / STEPS;
}

/** TEM, RST0–RST7, SOI, EOI: markers without a length. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
}

/** SOF0–SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
