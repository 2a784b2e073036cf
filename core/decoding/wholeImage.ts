/** Decodes a JPEG or PNG whose rows are all there; the end marker of a JPEG does not count. */
import sharp, { type Sharp, type SharpOptions } from 'sharp';

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

// The decoder remarks at the end of an image, which a cache would put off; and nothing is kept between images.
sharp.cache(false);

/** A remark of the JPEG decoder. It words the first of an image and counts all. */
const REMARK = 'VipsJpeg: ';
const SEVERAL_REMARKS = /^read gave (?!1 )\d+ warnings/;
/** Remarks of the decoder although every row is there. */
const HARMLESS =
  /extraneous bytes before marker|Adobe color transform|JFIF revision|SOS parameters|bad ICC marker/i;
/** How the decoders refuse a kind of image that they do not know. */
const UNKNOWN_KIND = /unsupported|not implemented|omitted at compile time/i;

/** The file with the end marker that some cameras leave out. What follows an end marker is read by no decoder. */
export function withEndMarker(bytes: Uint8Array): Uint8Array {
  const isEnded = END_OF_IMAGE.equals(bytes.subarray(-END_OF_IMAGE.length));
  return isEnded || bytes[0] !== 0xff ? bytes : Buffer.concat([bytes, END_OF_IMAGE]);
}

/**
 * Decodes and refuses what is not whole. Where the data of a JPEG end early, its decoder fills up the picture and only
 * warns; the option `failOn: 'warning'` does not see the warnings about the last rows. A PNG decoder refuses such a file.
 * @param bytes as from {@link withEndMarker}
 * @param decode reads the image to the last row that it needs
 * @throws the error of the decoder, or an error with its warning
 */
export async function decodeWhole<T>(
  bytes: Uint8Array,
  options: Omit<SharpOptions, 'failOn'>,
  decode: (image: Sharp) => Promise<T>,
): Promise<T> {
  const image = sharp(bytes, { ...options, failOn: 'error' });
  const warnings: string[] = [];
  image.on('warning', (warning: string) => warnings.push(warning));
  const decoded = await decode(image);
  const damage = warnings.find(
    (warning) => SEVERAL_REMARKS.test(warning) || (warning.startsWith(REMARK) && !HARMLESS.test(warning)),
  );
  if (damage !== undefined) throw new Error(damage);
  return decoded;
}

/** Whether the decoder knows the format, but not this kind of it. */
export function isUnknownKind(error: unknown): boolean {
  return UNKNOWN_KIND.test(String(error));
}
