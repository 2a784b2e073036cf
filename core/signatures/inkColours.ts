/** Tells two inks, as a pen's and a stamp's, by their colours. */
import { channelOf, toDensity } from './density.ts';
import { plane, type Colours, type Mask, type Plane } from './raster.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** An ink pixel counts as coloured from this difference of its channels on, also as a share of what it swallows at most. */
const COLOURED = { bytes: 24, share: 0.25 };
/** Ink pixels absorb at least so much; fainter ones are rims. */
const STRONG = 0.2;
/** Both inks must make up this share of what is there. */
const LEAST_SHARE = 0.025;
/** Cosine between the absorptions of two inks beyond which they are taken for one. */
const SAME_INK = 0.945;

/**
 * Splits ink of two colours.
 * @param ink where there is ink of any colour
 * @returns density of either ink alone, that which swallows more of the red first; undefined when all ink is of one colour
 */
export function inksOf(colours: Colours, ink: Mask): readonly [Plane, Plane] | undefined {
  if (colouredShare(colours, ink) < LEAST_SHARE) return undefined;
  // Most coloured ink is one blue pen's: whether there are two inks shows on every third pixel of every third row.
  const inks = twoInks(inkColours(sparse(colours, 3), sparse(ink, 3)));
  if (!inks) return undefined;
  const [one, other] = inks;
  const [red, green, blue] = densitiesOf(colours);
  const out = [plane(colours.width, colours.height), plane(colours.width, colours.height)] as const;
  for (let i = 0; i < out[0].data.length; i++) {
    // Where nothing is absorbed there is neither ink.
    if (red[i] === 0 && green[i] === 0 && blue[i] === 0) continue;
    const colour = [absorptionOf(red[i]!), absorptionOf(green[i]!), absorptionOf(blue[i]!)] as const;
    out[0].data[i] = 1 - Math.exp(-shareOf(colour, one, other));
    out[1].data[i] = 1 - Math.exp(-shareOf(colour, other, one));
  }
  return out;
}

/** Every `step`th pixel of every `step`th row. */
function sparse<T extends Colours | Mask>(picture: T, step: number): T {
  const { width, height, data } = picture;
  const channels = data.length / (width * height);
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const out = new Uint8Array(columns * rows * channels);
  for (let y = 0, to = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      for (let c = 0; c < channels; c++) out[to++] = data[(y * step * width + x * step) * channels + c]!;
  return { ...picture, width: columns, height: rows, data: out };
}

/** Absorption of each ink pixel that is strong enough to have a colour. */
function inkColours(colours: Colours, ink: Mask): Colour[] {
  const [red, green, blue] = densitiesOf(colours);
  const out: Colour[] = [];
  for (let i = 0; i < ink.data.length; i++) {
    if (ink.data[i] === 0) continue;
    const colour = [absorptionOf(red[i]!), absorptionOf(green[i]!), absorptionOf(blue[i]!)] as const;
    if (strength(colour) > STRONG) out.push(colour);
  }
  return out;
}

/** Densities of the three channels. */
function densitiesOf(colours: Colours): [red: Float32Array, green: Float32Array, blue: Float32Array] {
  const densityIn = (channel: number) => {
    const light = channelOf(colours, channel);
    toDensity(light);
    return light.data;
  };
  return [densityIn(0), densityIn(1), densityIn(2)];
}

function colouredShare(colours: Colours, ink: Mask): number {
  let coloured = 0;
  let all = 0;
  for (let i = 0, at = 0; i < ink.data.length; i++, at += 3) {
    if (ink.data[i] === 0) continue;
    all++;
    const [red, green, blue] = [colours.data[at]!, colours.data[at + 1]!, colours.data[at + 2]!];
    const difference = Math.max(red, green, blue) - Math.min(red, green, blue);
    if (difference > Math.max(COLOURED.bytes, COLOURED.share * (255 - Math.min(red, green, blue))))
      coloured++;
  }
  return coloured / Math.max(1, all);
}

/** Absorption −ln(light that comes back): what two inks on one spot absorb adds up (Beer and Lambert). */
const absorptionOf = (density: number) => Math.fround(-Math.log(Math.max(0.04, 1 - density)));

const strength = ([red, green, blue]: Colour) => Math.hypot(red, green, blue);
const dot = (a: Colour, b: Colour) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (colour: Colour): Colour => {
  const length = Math.max(1e-6, strength(colour));
  return [colour[0] / length, colour[1] / length, colour[2] / length];
};
/** 0 for black and grey, towards 1 for pure colours. */
const purity = ([red, green, blue]: Colour) =>
  1 - Math.min(red, green, blue) / Math.max(red, green, blue, 1e-6);

/** Two clusters of absorption directions, that which swallows more of the red first. Undefined when there is but one ink. */
function twoInks(samples: readonly Colour[]): readonly [Colour, Colour] | undefined {
  if (samples.length < 50) return undefined;
  const directions = samples.map(unit);
  let first = atShare(directions, purity, 0.03);
  const start = first;
  let second = atShare(directions, (direction) => dot(direction, start), 0.03);
  for (let round = 0; round < 6; round++) {
    const { near, far, lesser } = clustersAround(samples, first, second);
    if (lesser / samples.length < LEAST_SHARE) return undefined;
    first = unit(near);
    second = unit(far);
  }
  if (dot(first, second) > SAME_INK) return undefined;
  return first[0] >= second[0] ? [first, second] : [second, first];
}

/**
 * The item below which this share of the items lies by a key: what a stable sort by the key has in that place, at the
 * price of sorting numbers alone.
 */
export function atShare<T>(items: readonly T[], keyOf: (item: T) => number, share: number): T {
  const keys = Float64Array.from(items, keyOf);
  const sorted = keys.toSorted();
  const place = Math.floor(items.length * share);
  const key = sorted[place]!;
  let index = -1;
  // Of those with the same key, as many come before it as in the sorted list.
  for (let among = place - sorted.indexOf(key); among >= 0; among--) index = keys.indexOf(key, index + 1);
  return items[index]!;
}

/** Sums of the absorptions nearer to one or the other direction, and how many samples the lesser cluster has. */
function clustersAround(samples: readonly Colour[], first: Colour, second: Colour) {
  const near: [number, number, number] = [0, 0, 0];
  const far: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const sample of samples) {
    const isNear = dot(sample, first) >= dot(sample, second);
    const sum = isNear ? near : far;
    if (isNear) count++;
    // A dark sample counts for more: the rims of strokes are dull.
    sum[0] += sample[0];
    sum[1] += sample[1];
    sum[2] += sample[2];
  }
  return { near, far, lesser: Math.min(count, samples.length - count) };
}

/** The rim of a stroke, half paper, is duller than its ink: so much of one ink's absorption may look like the other ink. */
const RIM = 0.2;

/** How much of one ink is on a spot: least squares of its absorption as a sum of both, neither below zero. */
function shareOf(colour: Colour, ink: Colour, other: Colour): number {
  const both = dot(ink, other);
  const toInk = dot(colour, ink);
  const toOther = dot(colour, other);
  const det = 1 - both * both;
  const ofOther = (toOther - both * toInk) / det;
  if (ofOther <= 0) return Math.max(0, toInk);
  return Math.max(0, (toInk - both * toOther) / det - RIM * ofOther);
}
