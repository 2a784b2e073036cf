/** Photos as they may arrive: out of focus, dark, small, noisy, cut, rolled, covered. Deterministic. */
import sharp, { type Sharp } from 'sharp';
import type { Point } from '../../core/contracts/faces.ts';
import { openImage } from '../../core/vision/decode.ts';
import { withCover } from '../../research/occlusion/covers.ts';

export interface Arrival {
  /** The alteration of the photo. */
  kind: string;
  bytes: Uint8Array;
}

/** A photo of 250 × 250 pixels or so, and where its eyes are. */
export interface Original {
  bytes: Uint8Array;
  eyes: readonly [Point, Point];
}

type Change = (original: Original, random: () => number) => Sharp | Promise<Sharp>;

/** From hardly visible to hopeless, evenly spread; one in eleven is left as it is. */
const CHANGES: readonly (readonly [string, Change])[] = [
  ['as it is', ({ bytes }) => sharp(bytes)],
  ['blurred', ({ bytes }, random) => sharp(bytes).blur(0.5 + 7.5 * random() ** 2)],
  ['darkened', ({ bytes }, random) => sharp(bytes).linear(0.04 + 0.4 * random(), 0)],
  ['overexposed', ({ bytes }, random) => sharp(bytes).linear(1.3 + 2 * random(), 0)],
  ['reduced', ({ bytes }, random) => sharp(bytes).resize(Math.round(32 + 140 * random()))],
  ['cut', cut],
  ['rolled', ({ bytes }, random) => sharp(bytes).rotate(360 * random() - 180, { background: '#777' })],
  ['eyes covered', (original, random) => covered(original, 'eyes', random)],
  ['mouth covered', (original, random) => covered(original, 'mouth', random)],
  ['noisy', noisy],
  ['faded', faded],
];

/** One in five is also compressed beyond what any camera does. */
export async function arrived(original: Original, random: () => number): Promise<Arrival> {
  const quality = random() < 0.2 ? Math.round(5 + 15 * random()) : 90;
  const [kind, change] = CHANGES[Math.floor(random() * CHANGES.length)]!;
  const changed = await change(original, random);
  return { kind, bytes: await changed.jpeg({ quality }).toBuffer() };
}

async function cut({ bytes }: Original, random: () => number): Promise<Sharp> {
  const { width, height } = await sharp(bytes).metadata();
  const kept = Math.round(width / 2);
  return sharp(bytes).extract({ left: Math.round(random() * (width - kept)), top: 0, width: kept, height });
}

/** Something that is worn, held or painted over a part of the face. */
export async function covered(
  { bytes, eyes }: Original,
  part: 'eyes' | 'mouth',
  random: () => number,
): Promise<Sharp> {
  const { raster } = await (await openImage(bytes)).overview();
  const { data, width, height } = withCover(raster, eyes, part, random);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Noise of a small sensor in the dark: per channel, standard deviation 10 to 60 of 255. */
async function noisy({ bytes }: Original, random: () => number): Promise<Sharp> {
  const spread = 10 + 50 * random();
  const { data, info } = await sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer({
    resolveWithObject: true,
  });
  // The sum of four even spreads has a standard deviation of 1 / √3.
  const noise = () => (random() + random() + random() + random() - 2) * Math.sqrt(3);
  const values = Uint8ClampedArray.from(data, (value) => value + spread * noise());
  return sharp(values, { raw: { width: info.width, height: info.height, channels: 3 } });
}

function faded({ bytes }: Original, random: () => number): Sharp {
  const contrast = 0.1 + 0.5 * random();
  return sharp(bytes).linear(contrast, 128 * (1 - contrast));
}
