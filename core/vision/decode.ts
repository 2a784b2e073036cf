/** From the bytes of a file to upright sRGB pixels: JPEG and PNG only, bounded, and nothing of a damaged file. */
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { Box, ImageFacts } from '../contracts/faces.ts';
import { IMAGE_LIMITS } from '../contracts/limits/limits.ts';
import { exceedsLimits, readImageHeader } from '../decoding/imageHeader.ts';
import { decodeWhole, isUnknownKind, withEndMarker } from '../decoding/wholeImage.ts';
import { ImageView } from './imageView.ts';

/**
 * Alpha is flattened on mid-grey: a face cut out on white would be measured as overexposed, on black as dark.
 */
export const BEHIND_ALPHA = '#808080';

/** The long side of an overview has at least this many pixels, unless the original has fewer. */
const OVERVIEW_SIDE = 800;
/**
 * By how much an overview may be reduced. A JPEG decoder leaves out what a half, a quarter or an eighth does not need;
 * sharp lets it only where something is left to reduce after that, hence 3, 5 and 9 (docs/research/recognition-speed.md).
 */
const REDUCTIONS = [9, 5, 3, 2, 1] as const;

type UnreadableCode = 'CORRUPT_IMAGE' | 'UNSUPPORTED_IMAGE' | 'IMAGE_TOO_LARGE';

/** The content cannot become pixels; nothing of it is used. */
export class UnreadableImage extends Error {
  override name = 'UnreadableImage';
  readonly code: UnreadableCode;

  constructor(code: UnreadableCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/**
 * Prepares the decoder of this process: no loader but those of the formats that are read (a file's content, not its name,
 * chooses the loader, and libvips knows many), one thread per image. {@link openImage} passes on JPEG and PNG alone.
 */
export function restrictDecoder(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  const read = ['Jpeg', 'Png', 'Webp', 'Heif', 'Tiff', 'Nsgif'];
  sharp.unblock({ operation: read.map((format) => `VipsForeignLoad${format}`) });
  sharp.concurrency(1);
}

export interface OpenedImage {
  facts: ImageFacts;
  /** As in `ImageHeader`. */
  quantisation: number;
  /** The whole image, reduced by a small whole number so that its long side keeps at least 800 pixels. */
  overview(): Promise<ImageView>;
  /** A part of the image at full resolution; `region` is clipped to the image. */
  detail(region: Box): Promise<ImageView>;
}

/** Reads and checks the header; throws `UnreadableImage`. */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  const header = readImageHeader(bytes);
  if (header === undefined) throw new UnreadableImage('CORRUPT_IMAGE');
  if (exceedsLimits(header)) throw new UnreadableImage('IMAGE_TOO_LARGE');
  if (header.fault !== undefined)
    throw new UnreadableImage(header.fault === 'CUT_SHORT' ? 'CORRUPT_IMAGE' : 'UNSUPPORTED_IMAGE');
  const metadata = await readable(() => sharp(bytes).metadata());
  const { width, height } = metadata.autoOrient;
  const facts: ImageFacts = { width, height, format: header.format };
  const whole = withEndMarker(bytes);
  const options = optionsFor(metadata.space);
  const read: Reading = (shape) => toRaster(whole, options, shape);
  return {
    facts,
    quantisation: header.quantisation,
    overview: () => decodeOverview(read, facts),
    detail: (region) => decodeDetail(read, facts, region),
  };
}

/** Decodes the image anew; `shape` reduces or cuts it. */
type Reading = (shape: (image: Sharp) => Sharp) => ReturnType<typeof toRaster>;

/**
 * A colour profile is applied where there is no colour without it (CMYK). For RGB it is ignored: converting costs as
 * much as decoding (12 megapixels: 21 ms, with Display P3 57 ms) and the gamuts in use differ less than two cameras do.
 */
function optionsFor(space: string | undefined): SharpOptions {
  return {
    autoOrient: true,
    ignoreIcc: space !== 'cmyk',
    limitInputPixels: IMAGE_LIMITS.pixels,
    sequentialRead: true,
  };
}

async function decodeOverview(read: Reading, facts: ImageFacts): Promise<ImageView> {
  const reduction = reductionOf(Math.max(facts.width, facts.height));
  if (reduction === 1) return new ImageView(await read((image) => image));
  // Rounded down: reduced by a hair less, the decoder would have to do twice the work.
  const width = Math.max(1, Math.floor(facts.width / reduction));
  const height = Math.max(1, Math.floor(facts.height / reduction));
  const raster = await read((image) =>
    image.resize(width, height, { fit: 'fill', kernel: 'linear', fastShrinkOnLoad: true }),
  );
  return new ImageView(raster, { x: 0, y: 0 }, Math.sqrt((width * height) / (facts.width * facts.height)));
}

function reductionOf(longSide: number): number {
  return REDUCTIONS.find((reduction) => longSide / reduction >= OVERVIEW_SIDE) ?? 1;
}

async function decodeDetail(read: Reading, facts: ImageFacts, region: Box): Promise<ImageView> {
  const left = Math.max(0, Math.floor(region.x));
  const top = Math.max(0, Math.floor(region.y));
  const right = Math.min(facts.width, Math.ceil(region.x + region.width));
  const bottom = Math.min(facts.height, Math.ceil(region.y + region.height));
  if (right <= left || bottom <= top) throw new RangeError('the region lies outside the image');
  const part = { left, top, width: right - left, height: bottom - top };
  return new ImageView(await read((image) => image.extract(part)), { x: left, y: top });
}

async function toRaster(bytes: Uint8Array, options: SharpOptions, shape: (image: Sharp) => Sharp) {
  const { data, info } = await readable(() =>
    decodeWhole(bytes, options, (image) =>
      shape(image)
        .flatten({ background: BEHIND_ALPHA })
        .toColourspace('srgb')
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  if (info.channels !== 3) throw new Error(`decoded to ${info.channels} channels instead of 3`);
  return { width: info.width, height: info.height, data };
}

/** Separates the decoder's errors, which are faults of the file, from faults of the program. */
async function readable<T>(decoding: () => Promise<T>): Promise<T> {
  try {
    return await decoding();
  } catch (error) {
    throw new UnreadableImage(isUnknownKind(error) ? 'UNSUPPORTED_IMAGE' : 'CORRUPT_IMAGE', { cause: error });
  }
}
