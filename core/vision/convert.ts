/** Makes a JPEG of a picture in another format, and of the picture of a face record. */
import sharp, { type Sharp } from 'sharp';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { IMAGE_LIMITS } from '../contracts/limits/limits.ts';
import { isRead, KIND_HEAD_BYTES, pictureKindOf, type ReadKind } from '../contracts/pictureKinds.ts';
import { exceedsLimits } from '../decoding/imageHeader.ts';
import { readFaceRecord, type RecordFace } from '../decoding/records/readRecord.ts';
import type { PictureConversion } from '../domain/ports/recognition.ts';
import { bitmapHeader, decodeBitmap } from './bitmap.ts';
import { BEHIND_ALPHA, openImage, UnreadableImage } from './decode.ts';
import { codestreamSize, decodeJpeg2000 } from './jpeg2000.ts';

/** Decoded pixels, row by row from the top; 8 bits a sample; one or two channels: grey (and alpha), three or four: RGB (and alpha). */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** Of full colour resolution. At this quality a template differs less than by a second photo (bench/README.md). */
const QUALITY = 95;

/**
 * @param bytes a file of any kind @returns a JPEG or PNG: the picture as it is where it is one, else a JPEG of it, with its
 * kind before; or the reason why there is none
 * @throws {UnreadableImage} the picture is damaged, too large, or of a kind of its format that is not supported
 */
export async function convertPicture(bytes: Uint8Array): Promise<PictureConversion> {
  try {
    const original = kindOf(bytes);
    if (original !== 'face record')
      return { kind: 'converted', content: await asPicture(bytes, original), original, record: null };
    const { image, facts } = largestOf(readFaceRecord(bytes));
    return { kind: 'converted', content: await asPicture(image, kindOf(image)), original, record: facts };
  } catch (error) {
    if (error instanceof CodedError) return { kind: 'unconvertible', reason: error.problem };
    throw error;
  }
}

/** @throws {CodedError} the file is of a kind that is not read, and what to do about it */
function kindOf(bytes: Uint8Array): ReadKind {
  const kind = pictureKindOf(bytes.subarray(0, KIND_HEAD_BYTES));
  if (isRead(kind)) return kind;
  if (kind === null) throw new CodedError('PICTURE_UNKNOWN');
  if (kind === 'HEIC') throw new CodedError('PICTURE_HEIC');
  const isDocument = kind === 'PDF' || kind === 'SVG' || kind === 'video';
  throw new CodedError(problem(isDocument ? 'PICTURE_DOCUMENT' : 'PICTURE_UNSUPPORTED', { kind }));
}

/** Several faces of a record are of one person. The largest picture shows the most. */
function largestOf([first, ...others]: RecordFace[]): RecordFace {
  const pixelsOf = ({ facts: { size } }: RecordFace) => (size?.width ?? 0) * (size?.height ?? 0);
  return others.reduce((best, each) => (pixelsOf(each) > pixelsOf(best) ? each : best), first!);
}

async function asPicture(bytes: Uint8Array, kind: ReadKind): Promise<Uint8Array> {
  if (kind === 'JPEG' || kind === 'PNG') {
    await openImage(bytes);
    return bytes;
  }
  try {
    return await jpegOf(await decoded(bytes, kind));
  } catch (error) {
    if (error instanceof UnreadableImage || error instanceof CodedError) throw error;
    throw new UnreadableImage('CORRUPT_IMAGE', { cause: error });
  }
}

async function decoded(bytes: Uint8Array, kind: ReadKind): Promise<Sharp> {
  if (kind === 'JPEG 2000') {
    const size = codestreamSize(bytes);
    if (size === undefined) throw new UnreadableImage('CORRUPT_IMAGE');
    // 32 bits a sample in the tile and in the picture; the other bytes of a worker hold what is made of them.
    checkSize(size.width, size.height, 8 * size.components);
    if (!size.hasAllTiles) throw new UnreadableImage('CORRUPT_IMAGE');
    if (size.irregular) throw new UnreadableImage('UNSUPPORTED_IMAGE');
    return sharpOf(await decodeJpeg2000(bytes));
  }
  if (kind === 'BMP') {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = bitmapHeader(file);
    if (header === undefined) throw new UnreadableImage('CORRUPT_IMAGE');
    checkSize(header.width, header.height, 3);
    return sharpOf(decodeBitmap(file, header));
  }
  const options = { failOn: 'error', limitInputPixels: IMAGE_LIMITS.pixels, page: 0, pages: 1 } as const;
  const { width, height, channels, depth, subifds } = await sharp(bytes, {
    ...options,
    limitInputPixels: false,
  }).metadata();
  // A raw picture of a camera in TIFF: its first page is a small preview.
  if (kind === 'TIFF' && (subifds ?? 0) > 0)
    throw new CodedError(problem('PICTURE_UNSUPPORTED', { kind: 'camera RAW' }));
  // The decoder of AVIF holds the picture several times, 17 bytes a pixel.
  const held = kind === 'AVIF' ? 12 : Math.max(4, channels);
  checkSize(width, height, held * (depth === 'uchar' ? 1 : 2));
  return sharp(bytes, options).autoOrient();
}

/** Before anything is decoded. @param held bytes of each pixel that the decoder holds at once */
function checkSize(width: number, height: number, held: number): void {
  const cost = { quantisation: 1, heldBytes: width * height * held, visitedSamples: 0 };
  if (exceedsLimits({ format: 'png', width, height, ...cost })) throw new UnreadableImage('IMAGE_TOO_LARGE');
}

function sharpOf({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
}

/** With 8 bits a sample, without alpha and metadata. */
export async function jpegOf(picture: Sharp): Promise<Uint8Array> {
  const jpeg = await picture
    .flatten({ background: BEHIND_ALPHA })
    .toColourspace('srgb')
    // Tables of the picture's own would take 12 bytes a pixel, because the encoder holds the whole picture for them.
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer();
  return new Uint8Array(jpeg);
}
