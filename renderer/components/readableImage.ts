import { useEffect, useState } from 'react';
import type { TFunction } from 'i18next';
import { faceApi } from '../../core/contracts/dashboard/faceImages.ts';
import {
  isRead,
  KIND_HEAD_BYTES,
  pictureKindOf,
  type PictureKind,
} from '../../core/contracts/pictureKinds.ts';
import { IMAGE_LIMITS } from '../../core/contracts/limits/limits.ts';
import { ApiError, requestFile } from '../api/client.ts';

// An image that an operator gives to the dashboard, in a format that the service accepts: JPEG or PNG.

export interface ReadableImage {
  /** JPEG or PNG. */
  file: File;
  /** The kind of the given file, where it was converted; null: the file is as it was given. */
  convertedFrom: PictureKind | null;
}

/** The file is of no kind that the service reads, and this browser cannot convert it. */
export class UnreadableImage extends Error {
  override name = 'UnreadableImage';
  readonly fileName: string;
  /** Null: the content is of no known kind. */
  readonly format: PictureKind | null;

  constructor(fileName: string, format: PictureKind | null) {
    super(`${fileName} cannot be converted to JPEG or PNG.`);
    this.fileName = fileName;
    this.format = format;
  }
}

/** The longest side that is converted, pixels: the canvas of every browser holds it. */
const LONGEST = 16_384;
/** A PNG above this is written as a JPEG instead, bytes: the largest photo that every route accepts. */
export const LARGEST_PNG = 10_000_000;
const JPEG_QUALITY = 0.95;

/**
 * The image as JPEG or PNG. The service converts other formats and face records; HEIC is decoded by this browser, where it
 * can, turned upright and written as PNG (a very large one as JPEG) without metadata.
 * @throws {UnreadableImage} neither reads the file @throws {ApiError} the service refused it, with the reason
 */
export async function readableImage(file: File): Promise<ReadableImage> {
  const kind = await pictureKind(file);
  if (kind === 'JPEG' || kind === 'PNG') return { file, convertedFrom: null };
  const converted = isRead(kind)
    ? await requestFile(faceApi.convert, { body: new Blob([file], { type: 'application/octet-stream' }) })
    : kind === 'HEIC'
      ? await convert(file).catch(() => null)
      : null;
  if (converted === null) throw new UnreadableImage(file.name, kind);
  const { type } = converted;
  const name = `${file.name}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return { file: new File([converted], name, { type }), convertedFrom: kind };
}

/** @returns null: the content is of no known kind. Rejects when the disk would not give it. */
export async function pictureKind(file: Blob): Promise<PictureKind | null> {
  return pictureKindOf(new Uint8Array(await file.slice(0, KIND_HEAD_BYTES).arrayBuffer()));
}

async function convert(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    if (Math.max(bitmap.width, bitmap.height) > LONGEST) return null;
    const canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.drawImage(bitmap, 0, 0);
    const written = (type: string) =>
      new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
    const png = await written('image/png');
    return png !== null && png.size > LARGEST_PNG ? await written('image/jpeg') : png;
  } finally {
    bitmap.close();
  }
}

/** The unusable file by its name and format, in words. */
export function unreadableInWords({ fileName: file, format }: UnreadableImage, t: TFunction): ApiError {
  return new ApiError(
    415,
    format === null ? t('search.notAnImage', { file }) : t('search.notConvertible', { file, format }),
  );
}

/** @returns each photo as {@link readableImage} has it, which this browser can show. @throws {UnreadableImage} @throws {ApiError} */
export async function readablePhotos(photos: readonly File[]): Promise<Map<File, File>> {
  const read = async (photo: File) => [photo, (await readableImage(photo)).file] as const;
  return new Map(await Promise.all(photos.map(read)));
}

/** The data URI of a photo of any format that the browser can read. @throws {UnreadableImage} */
export async function photoUriOf(photo: File): Promise<string> {
  const { file } = await readableImage(photo);
  return dataUriOf({ file, kind: (await imageKind(file)) ?? 'image/jpeg' });
}

/** The data URI of an image or a file, as the service takes it. */
export async function dataUriOf({
  file,
  kind,
}: {
  file: File;
  kind: ImageKind | 'application/octet-stream';
}): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In portions: a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += 32_768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return `data:${kind};base64,${btoa(text)}`;
}

/** The file of a data URI of the service. @param image base64, JPEG or PNG */
export function fileOf(image: string, name: string): File {
  const [head = '', content = ''] = image.split(',');
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: head.slice('data:'.length, -';base64'.length) });
}

/** The kind of an image by its first bytes, as the service decides too. Names and MIME types are not trusted. */
export type ImageKind = 'image/jpeg' | 'image/png';

const MAGIC: Record<ImageKind, readonly number[]> = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
};

/** @returns null: neither JPEG nor PNG. Rejects when the disk would not give it. */
export async function imageKind(file: Blob): Promise<ImageKind | null> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const kinds = Object.keys(MAGIC) as ImageKind[];
  return kinds.find((kind) => MAGIC[kind].every((byte, index) => head[index] === byte)) ?? null;
}

// The size of an image from its header alone, so that a window does not decode an image of gigabytes for a thumbnail.

/** Bytes of a JPEG segment up to the width: marker, length, precision, height, width (ITU-T T.81, B.2.2). */
const FRAME_BYTES = 9;
/** Markers of frames are C0 to CF without C4, C8 and CC, which are tables, an extension and arithmetic coding. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** More segments than any camera writes before the frame; a damaged file is not read to its end in steps of two bytes. */
const MAX_SEGMENTS = 1_000;

/** @returns pixels of a JPEG or PNG; null: another format, or a damaged header. Rejects when the file cannot be read. */
export async function pixelsOf(file: Blob): Promise<number | null> {
  const read = async (from: number, bytes: number) =>
    new DataView(await file.slice(from, from + bytes).arrayBuffer());
  const kind = await imageKind(file);
  if (kind === 'image/png') {
    const head = await read(16, 8);
    return head.byteLength < 8 ? null : head.getUint32(0) * head.getUint32(4);
  }
  if (kind !== 'image/jpeg') return null;
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const head = await read(at, FRAME_BYTES);
    if (head.byteLength < FRAME_BYTES || head.getUint8(0) !== 0xff) return null;
    const marker = head.getUint8(1);
    if (isFrame(marker)) return head.getUint16(5) * head.getUint16(7);
    // FF before a marker is padding.
    at += marker === 0xff ? 1 : 2 + head.getUint16(2);
  }
  return null;
}

/**
 * The file, where a window may decode it: within the limit of the service. An image whose size is unknown is shown: a
 * browser does not decode it either.
 * @returns null until the header was read, and for a larger or unreadable file
 */
export function useSmallEnough(file: Blob | null | undefined): Blob | null {
  const [checked, setChecked] = useState<Blob | null>(null);
  useEffect(() => {
    if (file == null) return;
    let current = true;
    const accept = (pixels: number | null) => {
      if (current && (pixels ?? 0) <= IMAGE_LIMITS.pixels) setChecked(file);
    };
    // A file that was removed or replaced on the disk has no thumbnail.
    pixelsOf(file).then(accept, () => undefined);
    return () => {
      current = false;
    };
  }, [file]);
  return checked === file ? checked : null;
}
