/** More that hides a head: paint, stickers, hoods, hair, mosaics and blurs of every strength. Seeded. */
import sharp, { type Sharp } from 'sharp';
import type { Raster } from '../../core/vision/raster.ts';
import {
  colourAt,
  COVERS,
  scaled,
  textured,
  type Colour,
  type Cover,
  type Portrait,
} from '../desk/people.ts';
import { painted, type Shape } from '../occlusion/covers.ts';

type Random = () => number;

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

function anyColour(random: Random): Colour {
  return [255 * random(), 255 * random(), 255 * random()];
}

function ellipse(across: number, down: number, middle: number): Shape {
  return (u, v) => (u / across) ** 2 + ((v - middle) / down) ** 2 < 1;
}

/** A shape of one colour with light and grain. */
function filled(
  face: Portrait,
  shape: Shape,
  colour: Colour,
  light: (x: number, y: number) => number,
): Raster {
  return painted(face.raster, face.eyes, shape, (x, y) => scaled(colour, light(x, y)));
}

const level = () => 1;

/** The covers of the tables of `bench -- desk`, and further kinds. */
export const ALL_COVERS: Readonly<Record<string, Cover>> = {
  ...COVERS,
  paint: (face, _, random) => {
    const shape = ellipse(between(random, 0.95, 1.5), between(random, 1.2, 1.9), between(random, 0.3, 0.7));
    return Promise.resolve(filled(face, shape, anyColour(random), level));
  },
  box: (face, _, random) => {
    const [side, top, bottom] = [1 + 0.5 * random(), between(random, -1.4, -0.6), between(random, 1.5, 2.2)];
    const grey = random() < 0.5 ? 0 : 250;
    const colour = random() < 0.75 ? ([grey, grey, grey] as const) : anyColour(random);
    const shape: Shape = (u, v) => Math.abs(u) < side && v > top && v < bottom;
    return Promise.resolve(filled(face, shape, colour, level));
  },
  sticker: (face, _, random) => {
    const radius = between(random, 1.2, 1.8);
    const colour = random() < 0.6 ? ([250, 205, 60] as const) : anyColour(random);
    return Promise.resolve(filled(face, ellipse(radius, radius, 0.5), colour, level));
  },
  'piece of a photo': (face, cloth, random) =>
    Promise.resolve(
      textured(face, cloth, ellipse(between(random, 1, 1.3), between(random, 1.4, 1.9), 0.35), random),
    ),
  hood: (face, _, random) => {
    const [slit, period] = [between(random, 0.2, 0.35), between(random, 2, 9)];
    const grey = between(random, 10, 120);
    const colour = random() < 0.6 ? ([grey, grey, grey] as const) : anyColour(random);
    const head = ellipse(1.25, 1.9, 0.4);
    const shape: Shape = (u, v) => head(u, v) && !(Math.abs(v) < slit && Math.abs(Math.abs(u) - 0.5) < 0.42);
    return Promise.resolve(filled(face, shape, colour, (x, y) => 0.85 + 0.15 * Math.sin((x + y) / period)));
  },
  noise: (face, _, random) =>
    Promise.resolve(painted(face.raster, face.eyes, ellipse(1.2, 1.7, 0.45), () => anyColour(random))),
  hair: (face, _, random) => {
    const tone = between(random, 15, 150);
    const colour = [tone, tone * between(random, 0.7, 1), tone * between(random, 0.5, 1)] as const;
    const [period, slant] = [between(random, 1.2, 4), between(random, -0.6, 0.6)];
    const shape = ellipse(between(random, 1.1, 1.4), between(random, 1.6, 2.1), between(random, 0.1, 0.5));
    const light = (x: number, y: number) => 0.7 + 0.25 * Math.sin((x + slant * y) / period) + 0.2 * random();
    return Promise.resolve(filled(face, shape, colour, light));
  },
  'bald head': (face, _, random) => {
    const [left, right] = face.eyes;
    const [middle, unit] = [(left.x + right.x) / 2, right.x - left.x];
    const light = (x: number) => 1.1 - 0.25 * ((x - middle) / unit) ** 2 + 0.04 * random();
    return Promise.resolve(filled(face, ellipse(1.15, 1.65, 0.35), colourAt(face, 0, 0.45), light));
  },
  mosaic: (face, _, random) => {
    const across = 3 + Math.floor(13 * random());
    return overPart(face, random, async (head, { width, height }) => {
      const down = Math.max(2, Math.round((across * height) / width));
      return sharp(await head.resize(across, down, { fit: 'fill' }).png().toBuffer());
    });
  },
  'any blur': (face, _, random) =>
    overPart(face, random, (head) =>
      Promise.resolve(head.blur(Math.max(0.5, face.width * between(random, 0.05, 0.3)))),
    ),
};

/** Replaces a box or an ellipse over a head, of a size that is drawn. */
async function overPart(
  { raster, eyes, width }: Portrait,
  random: Random,
  alter: (head: Sharp, region: { width: number; height: number }) => Promise<Sharp>,
): Promise<Raster> {
  const [across, down] = [between(random, 0.55, 0.85) * width, between(random, 0.65, 0.95) * width];
  const x = (eyes[0].x + eyes[1].x) / 2;
  const y = (eyes[0].y + eyes[1].y) / 2 + 0.2 * width;
  const [left, top] = [Math.max(0, Math.round(x - across)), Math.max(0, Math.round(y - down))];
  const region = {
    width: Math.min(raster.width - left, Math.round(2 * across)),
    height: Math.min(raster.height - top, Math.round(2 * down)),
  };
  const raw = { width: raster.width, height: raster.height, channels: 3 as const };
  const head = await sharp(raster.data, { raw })
    .extract({ left, top, ...region })
    .png()
    .toBuffer();
  const altered = await (await alter(sharp(head), region)).png().toBuffer();
  const pixels = await sharp(altered)
    .resize({ ...region, kernel: 'nearest', fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const isRound = random() < 0.45;
  const data = new Uint8Array(raster.data);
  for (let row = 0; row < region.height; row++)
    for (let column = 0; column < region.width; column++) {
      const off = Math.hypot((2 * column) / region.width - 1, (2 * row) / region.height - 1);
      if (isRound && off > 1) continue;
      const from = 3 * (row * region.width + column);
      data.set(pixels.subarray(from, from + 3), 3 * ((row + top) * raster.width + column + left));
    }
  return { ...raster, data };
}
