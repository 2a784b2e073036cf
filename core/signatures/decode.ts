/** From an encoded image to colours on a known ground, small enough to work on. */
import sharp from 'sharp';
import { SIGNATURE_LIMITS, type SignatureFault } from '../contracts/signatures.ts';
import { exceedsLimits, readImageHeader } from '../decoding/imageHeader.ts';
import { decodeWhole, isUnknownKind, withEndMarker } from '../decoding/wholeImage.ts';
import type { Bounds } from './components.ts';
import type { Colours } from './raster.ts';

/** A picture of an image, or of a part of it. */
export interface Shown {
  kind: 'colours';
  colours: Colours;
  /** The part that is shown, in pixels of the upright image. */
  part: Part;
}

type Decoded = Shown | { kind: 'fault'; fault: SignatureFault };

/** A rectangle of the upright image, in its pixels. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The long side that is worked on: strokes of a scan stay several pixels wide, a phone photo stays cheap. */
const LONGEST_SIDE = 900;
/** Smaller pictures are enlarged to this, so that thinning sees smooth strokes. */
const LEAST_LONG_SIDE = 480;
/** A part is as much larger than its ink, on each side of it. */
const MARGIN = 0.1;
/** A closer look is worth its time when it makes the ink this many times larger. */
const WORTH_A_LOOK = 1.3;
/** A visible pixel this light on a transparent ground is ink meant for a dark page. */
const LIGHT_INK = 160;

// Only these two decoders run, whatever type a file claims: the others would be attack surface without use.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

/**
 * Decodes a JPEG or PNG, upright, flattened, long side at most 900 px. The header is judged before anything is
 * decoded, so an image that claims 30,000 × 30,000 pixels costs nothing.
 * @param part what to look at more closely; the whole image without it
 */
export async function decodeSignature(bytes: Uint8Array, part?: Part): Promise<Decoded> {
  const fault = (code: SignatureFault): Decoded => ({ kind: 'fault', fault: code });
  const header = readImageHeader(bytes);
  if (!header) return fault('UNDECODABLE');
  const { width, height } = header;
  if (header.fault === 'UNSUPPORTED_KIND') return fault('UNSUPPORTED_KIND');
  if (width * height > SIGNATURE_LIMITS.pixels) return fault('TOO_MANY_PIXELS');
  if (exceedsLimits(header)) return fault('TOO_LARGE');
  if (Math.min(width, height) < SIGNATURE_LIMITS.shortestSide) return fault('TOO_SMALL');
  if (header.fault === 'CUT_SHORT') return fault('UNDECODABLE');
  const longest = part ? Math.max(part.width, part.height) : Math.max(width, height);
  const side = workedSide(longest);
  const options = {
    autoOrient: true,
    limitInputPixels: SIGNATURE_LIMITS.pixels,
    ignoreIcc: true,
    sequentialRead: true,
  };
  const pixels = await decodeWhole(withEndMarker(bytes), options, (upright) =>
    (part ? upright.extract(part) : upright)
      .resize(side, side, { fit: 'inside', kernel: longest > side ? 'linear' : 'cubic' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  ).catch((error: unknown) => fault(isUnknownKind(error) ? 'UNSUPPORTED_KIND' : 'UNDECODABLE'));
  if ('kind' in pixels) return pixels;
  const { info, data } = pixels;
  const colours = flatten(data, info.width, info.height, info.channels);
  const lies = width >= height !== info.width >= info.height;
  const whole = { left: 0, top: 0, width: lies ? height : width, height: lies ? width : height };
  return { kind: 'colours', colours, part: part ?? whole };
}

const workedSide = (longest: number) => Math.min(LONGEST_SIDE, Math.max(LEAST_LONG_SIDE, longest));

/**
 * The part of an image to look at again, where ink fills so little of what was shown that its strokes are drawn finer
 * there.
 * @param ink bounds of the ink in pixels of `shown`
 */
export function closerPart({ colours, part: shown }: Shown, ink: Bounds): Part | undefined {
  const scale = Math.max(shown.width, shown.height) / Math.max(colours.width, colours.height);
  const [wide, tall] = [ink.right - ink.left + 1, ink.bottom - ink.top + 1];
  const around = Math.ceil(MARGIN * Math.max(wide, tall)) + 4;
  const from = (first: number, start: number) =>
    Math.max(start, start + Math.floor((first - around) * scale));
  const to = (last: number, start: number, length: number) =>
    Math.min(start + length, start + Math.ceil((last + 1 + around) * scale));
  const [left, top] = [from(ink.left, shown.left), from(ink.top, shown.top)];
  const part = {
    left,
    top,
    width: to(ink.right, shown.left, shown.width) - left,
    height: to(ink.bottom, shown.top, shown.height) - top,
  };
  const longest = Math.max(part.width, part.height);
  return workedSide(longest) / longest > WORTH_A_LOOK / scale ? part : undefined;
}

/** Lays 1 to 4 channels on white; on black when what is visible is light, as exports of pads for dark pages are. */
function flatten(data: Uint8Array, width: number, height: number, channels: number): Colours {
  if (channels === 3) return { width, height, data };
  const out = new Uint8Array(width * height * 3);
  const hasAlpha = channels === 2 || channels === 4;
  const green = channels > 2 ? 1 : 0;
  const blue = channels > 2 ? 2 : 0;
  const ground = hasAlpha && isLight(data, channels) ? 0 : 255;
  for (let from = 0, to = 0; to < out.length; from += channels, to += 3) {
    const alpha = hasAlpha ? data[from + channels - 1]! / 255 : 1;
    const rest = (1 - alpha) * ground;
    out[to] = data[from]! * alpha + rest;
    out[to + 1] = data[from + green]! * alpha + rest;
    out[to + 2] = data[from + blue]! * alpha + rest;
  }
  return { width, height, data: out };
}

/** Whether most of the picture is transparent and its visible part is light. */
function isLight(data: Uint8Array, channels: number): boolean {
  let weight = 0;
  let light = 0;
  for (let at = 0; at < data.length; at += channels) {
    const alpha = data[at + channels - 1]!;
    weight += alpha;
    light += alpha * data[at + (channels > 2 ? 1 : 0)]!;
  }
  const covered = weight / 255 / (data.length / channels);
  return covered > 0 && covered < 0.5 && light / weight > LIGHT_INK;
}
