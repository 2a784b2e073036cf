/** An image that an operator gives to the dashboard, in a format that the service accepts: JPEG or PNG. */
import { imageKind } from './imageKind.ts';

/** Formats that the service does not accept and that browsers can often decode, by their first bytes. */
const CONVERTIBLE = ['WebP', 'GIF', 'BMP', 'AVIF', 'HEIC', 'TIFF'] as const;
export type ConvertibleFormat = (typeof CONVERTIBLE)[number];

export interface ReadableImage {
  /** JPEG or PNG. */
  file: File;
  /** The format of the given file, where this browser converted it; null: the file is as it was given. */
  convertedFrom: ConvertibleFormat | null;
}

/** The file is in no format that the service accepts, and this browser cannot convert it. */
export class UnreadableImage extends Error {
  override name = 'UnreadableImage';
  readonly fileName: string;
  /** Null: the content is in none of the known image formats. */
  readonly format: ConvertibleFormat | null;

  constructor(fileName: string, format: ConvertibleFormat | null) {
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
 * The image as the service accepts it. WebP, GIF (the first frame), BMP, AVIF, HEIC and TIFF are decoded by this browser,
 * where it can, turned upright and written as PNG (a very large one as JPEG) without metadata.
 * @throws {UnreadableImage} the browser cannot decode the file
 */
export async function readableImage(file: File): Promise<ReadableImage> {
  if ((await imageKind(file)) !== null) return { file, convertedFrom: null };
  const format = await convertibleFormat(file);
  if (format === null) throw new UnreadableImage(file.name, null);
  const converted = await convert(file).catch(() => null);
  if (converted === null) throw new UnreadableImage(file.name, format);
  const { type } = converted;
  const name = `${file.name}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return { file: new File([converted], name, { type }), convertedFrom: format };
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

/** Brands of ISO base media files (ISO/IEC 14496-12) that hold still images. */
const BRANDS: Readonly<Record<string, ConvertibleFormat>> = {
  avif: 'AVIF',
  avis: 'AVIF',
  heic: 'HEIC',
  heix: 'HEIC',
  heim: 'HEIC',
  heis: 'HEIC',
  mif1: 'HEIC',
  msf1: 'HEIC',
};

/** @returns null: the content is in none of the formats that browsers convert. Rejects when the disk would not give it. */
export async function convertibleFormat(file: Blob): Promise<ConvertibleFormat | null> {
  const head = new Uint8Array(await file.slice(0, 32).arrayBuffer());
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'WebP';
  if (text(0, 4) === 'GIF8') return 'GIF';
  if (text(0, 2) === 'BM') return 'BMP';
  if (text(0, 4) === 'II*\0' || text(0, 4) === 'MM\0*') return 'TIFF';
  return text(4, 8) === 'ftyp' ? (BRANDS[text(8, 12)] ?? null) : null;
}
