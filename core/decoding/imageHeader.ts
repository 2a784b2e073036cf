/** Size and cost of an image from its headers alone, so that a decompression bomb is refused before a decoder sees it. */
import { crc32 } from 'node:zlib';
import type { ImageFormat } from '../contracts/faces.ts';
import { IMAGE_LIMITS } from '../contracts/limits/limits.ts';
import { sniffImageFormat } from '../domain/values/bytes.ts';

export interface ImageHeader {
  format: ImageFormat;
  /** Pixels as stored, before EXIF orientation. */
  width: number;
  height: number;
  /** Mean step of a JPEG's first quantisation table, that of luma: 12 at quality 90, 230 at quality 5; 1 in a PNG. */
  quantisation: number;
  /** Bytes that a decoder must hold at once, because the image is stored in passes; 0 when it can go row by row. */
  heldBytes: number;
  /** Samples that a decoder visits, over all scans. */
  visitedSamples: number;
  /**
   * Why no decoder is asked: the file has not all of its data, or it is of a kind that is not supported (12 bits a
   * sample, a height behind the picture, hierarchical, JPEG-LS, a PNG of iOS apps, an animation).
   */
  fault?: 'CUT_SHORT' | 'UNSUPPORTED_KIND';
}

/** Undefined when the content is no JPEG or PNG, or when its header is damaged. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = sniffImageFormat(bytes);
  const found =
    format === 'png' ? readPng(bytes, view) : format === 'jpeg' ? readJpeg(bytes, view) : undefined;
  if (format === undefined || found === undefined || found.width === 0) return undefined;
  if (found.height === 0 && found.fault !== 'UNSUPPORTED_KIND') return undefined;
  return { format, ...found };
}

/** Whether an image is refused for its size: its pixels, its longest side, or what decoding it would take. */
export function exceedsLimits(header: ImageHeader): boolean {
  const { width, height, heldBytes, visitedSamples } = header;
  return (
    width * height > IMAGE_LIMITS.pixels ||
    Math.max(width, height) > IMAGE_LIMITS.side ||
    heldBytes > IMAGE_LIMITS.heldBytes ||
    visitedSamples > IMAGE_LIMITS.visitedSamples
  );
}

type Found = Omit<ImageHeader, 'format'>;

const UNSUPPORTED = { quantisation: 1, heldBytes: 0, visitedSamples: 0, fault: 'UNSUPPORTED_KIND' } as const;

const IHDR = 0x49484452;
const IHDR_BYTES = 13;
const IDAT = 0x49444154;
/** Of an animation: a reader of still pictures and a browser show different ones. */
const ACTL = 0x6163544c;
/** Apple's own PNG, which comes before IHDR. */
const CGBI = 0x43674249;
/** Deflate cannot do better: 258 bytes of a match in two bits (RFC 1951; zlib's technical details name 1032). */
const BEST_DEFLATE = 1032;
/** Samples per pixel by colour type (PNG specification, table 11.1). */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const ADAM7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const;
const WHOLE = [{ x: 0, y: 0, stepX: 1, stepY: 1 }] as const;

/** IHDR is the first chunk by definition: length, type, 13 bytes, CRC over type and bytes (PNG specification, 11.2.1). */
function readPng(bytes: Uint8Array, view: DataView): Found | undefined {
  const chunk = 8;
  if (bytes.length < chunk + 12 + IHDR_BYTES) return undefined;
  if (view.getUint32(chunk + 4) === CGBI) return { ...UNSUPPORTED, width: 1, height: 1 };
  if (view.getUint32(chunk) !== IHDR_BYTES || view.getUint32(chunk + 4) !== IHDR) return undefined;
  const covered = bytes.subarray(chunk + 4, chunk + 8 + IHDR_BYTES);
  if (crc32(covered) !== view.getUint32(chunk + 8 + IHDR_BYTES)) return undefined;
  const width = view.getUint32(chunk + 8);
  const height = view.getUint32(chunk + 12);
  const channels = CHANNELS[bytes[chunk + 17]!];
  if (channels === undefined) return undefined;
  const bitsPerPixel = channels * bytes[chunk + 16]!;
  const interlaced = bytes[chunk + 20] === 1;
  let inflated = 0;
  for (const { x, y, stepX, stepY } of interlaced ? ADAM7 : WHOLE) {
    const columns = Math.ceil((width - x) / stepX);
    const rows = Math.ceil((height - y) / stepY);
    // Each row has a filter byte before it.
    if (columns > 0 && rows > 0) inflated += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }
  const { dataBytes, animated } = chunksOf(view);
  const cutShort = dataBytes * BEST_DEFLATE < inflated;
  return {
    width,
    height,
    quantisation: 1,
    heldBytes: interlaced ? inflated : 0,
    visitedSamples: width * height * channels,
    ...(animated ? { fault: 'UNSUPPORTED_KIND' } : cutShort && { fault: 'CUT_SHORT' }),
  };
}

/** Bytes of all IDAT chunks, as far as the file has them, and whether the file is an animation. */
function chunksOf(view: DataView): { dataBytes: number; animated: boolean } {
  let dataBytes = 0;
  let animated = false;
  for (let at = 8; at + 12 <= view.byteLength;) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (type === IDAT) dataBytes += Math.min(length, view.byteLength - at - 8);
    animated ||= type === ACTL;
    at += 12 + length;
  }
  return { dataBytes, animated };
}

/** Walks the marker segments up to the first scan, and over all scans where the decoder visits them (ITU-T T.81, B.2). */
function readJpeg(bytes: Uint8Array, view: DataView): Found | undefined {
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
      const frame = readFrame(view, at, marker);
      if (frame?.unsupported === true) return { ...UNSUPPORTED, ...frame.size };
      return frame && { ...frame.size, quantisation, ...costOf(bytes, view, frame) };
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
const END_OF_IMAGE = 0xd9;
const STEPS = 64;

/** The frame header of JPEG-LS, SOF55. */
const JPEG_LS = 0xf7;
const SAMPLE_BITS = 8;
/** The segment that says the height behind the first scan, its marker and length (B.2.5). */
const NUMBER_OF_LINES = Buffer.from([0xff, 0xdc, 0, 4]);
/** SOF5–7 and SOF13–15. */
const HIERARCHICAL = new Set([0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf]);

interface Frame {
  size: { width: number; height: number };
  /** No decoder of ours reads its kind. */
  unsupported: boolean;
  progressive: boolean;
  /** Samples of each component, by its identifier. */
  samples: Map<number, number>;
  /** Where the segment behind the frame header begins. */
  end: number;
}

/** Precision, height, width, and per component its identifier, sampling factors and table (B.2.2). */
function readFrame(view: DataView, at: number, marker: number): Frame | undefined {
  if (at + 9 > view.byteLength) return undefined;
  const size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
  const unsupported =
    marker === JPEG_LS ||
    HIERARCHICAL.has(marker) ||
    (size.height === 0 &&
      Buffer.from(view.buffer, view.byteOffset, view.byteLength).includes(NUMBER_OF_LINES)) ||
    view.getUint8(at + 4) !== SAMPLE_BITS;
  const count = at + 9 < view.byteLength ? view.getUint8(at + 9) : 0;
  const components: { id: number; x: number; y: number }[] = [];
  for (let i = 0, from = at + 10; i < count && from + 2 < view.byteLength; i++, from += 3) {
    const factors = view.getUint8(from + 1);
    components.push({ id: view.getUint8(from), x: factors >> 4, y: factors & 15 });
  }
  const mostX = Math.max(1, ...components.map(({ x }) => x));
  const mostY = Math.max(1, ...components.map(({ y }) => y));
  const samples = new Map<number, number>();
  for (const { id, x, y } of components)
    samples.set(id, Math.ceil((size.width * x) / mostX) * Math.ceil((size.height * y) / mostY));
  // SOF2, 6, 10 and 14.
  return { size, unsupported, progressive: marker % 4 === 2, samples, end: at + 2 + view.getUint16(at + 2) };
}

/** A decoder goes row by row only where the first scan holds every component whole; else it keeps all coefficients. */
function costOf(
  bytes: Uint8Array,
  view: DataView,
  { progressive, samples, end }: Frame,
): Pick<Found, 'heldBytes' | 'visitedSamples' | 'fault'> {
  const coverage = new Map<number, Coverage>();
  const all = [...samples.values()].reduce((sum, each) => sum + each, 0);
  let visitedSamples = 0;
  let inPasses = progressive;
  for (let at = end; at + 5 <= view.byteLength;) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) {
      // As decoders do: they look for the next marker behind bytes that belong nowhere.
      at = endOfScan(bytes, at);
      continue;
    }
    if (marker === END_OF_IMAGE) break;
    if (marker === 0xff || isStandalone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker === START_OF_SCAN) {
      const count = Math.min(view.getUint8(at + 4), MAX_SCAN_COMPONENTS);
      inPasses ||= count < samples.size;
      if (!inPasses) return { heldBytes: 0, visitedSamples: all };
      const sent = sentIn(view, at + 5 + 2 * count, progressive);
      for (let i = 0, from = at + 5; i < count && from < view.byteLength; i++, from += 2) {
        const id = view.getUint8(from);
        visitedSamples += samples.get(id) ?? 0;
        const { low, high } = coverage.get(id) ?? NOTHING;
        coverage.set(id, { low: low | sent.low, high: high | sent.high });
      }
    }
    at += 2 + length;
    if (marker === START_OF_SCAN) at = endOfScan(bytes, at);
  }
  const whole = [...samples.keys()].every((id) => isWhole(coverage.get(id) ?? NOTHING));
  const heldBytes = inPasses ? all * BYTES_PER_COEFFICIENT : 0;
  return { heldBytes, visitedSamples, ...(!whole && { fault: 'CUT_SHORT' as const }) };
}

/** The coefficients of a component that its scans have sent to their last bit: 0 to 31, and 32 to 63, a bit each. */
interface Coverage {
  low: number;
  high: number;
}

const NOTHING: Coverage = { low: 0, high: 0 };
const EVERYTHING: Coverage = { low: ~0, high: ~0 };

function isWhole({ low, high }: Coverage): boolean {
  return low === EVERYTHING.low && high === EVERYTHING.high;
}

/** The coefficients that a scan completes, by its first and last coefficient and the bit at which it ends (G.1.1.1); all of it where it is sequential. */
function sentIn(view: DataView, at: number, progressive: boolean): Coverage {
  if (!progressive) return EVERYTHING;
  if (at + 2 >= view.byteLength || (view.getUint8(at + 2) & 15) > 0) return NOTHING;
  const [first, last] = [view.getUint8(at), Math.min(STEPS - 1, view.getUint8(at + 1))];
  return { low: bitsFrom(first, Math.min(last, 31)), high: bitsFrom(Math.max(first - 32, 0), last - 32) };
}

function bitsFrom(first: number, last: number): number {
  return last < first ? 0 : (~0 >>> (31 - (last - first))) << first;
}

const BYTES_PER_COEFFICIENT = 2;
/** Of a scan (B.2.3). A decoder refuses one that claims more, and 255 in each of millions of scans take a minute to add up. */
const MAX_SCAN_COMPONENTS = 4;

/** The next marker that is neither a stuffed byte (FF 00) nor a restart (RST0–RST7); the end of the file when there is none. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
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

/** SOF0–SOF15 without DHT (C4), JPG (C8) and DAC (CC); SOF55. */
function isFrameHeader(marker: number): boolean {
  if (marker === JPEG_LS) return true;
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
