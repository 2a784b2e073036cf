/** Ink of several tones, as of a pen over a grey watermark, and where there is ink of any. */
import { boxOf, grown, label, runsOf } from './components.ts';
import { roughPenWidth } from './penWidth.ts';
import { countOf, extremes, mask, without, type Colours, type Mask, type Plane } from './raster.ts';
import { hysteresis, splitOf, type Split } from './threshold.ts';

/** The rim of a stroke, pixels. */
const RIM = 2;

/** The density at each pixel of ink, or the largest near by: at the rim of a stroke every ink is light. */
export function tonesIn(density: Plane, ink: Mask): Float32Array {
  const { width, height } = ink;
  const tones = new Float32Array(countOf(ink));
  let count = 0;
  // Largest densities of the columns of a window, which the next pixel of a stroke shares but for one.
  const columns = new Float32Array(width);
  const runs = runsOf(ink, 1);
  for (let i = 0, known = 0; i < runs.count; i++) {
    const y = runs.row[i]!;
    if (y < RIM || y >= height - RIM) continue;
    if (y !== runs.row[i - 1]) known = 0;
    const start = y * width;
    const end = Math.min(width - RIM - 1, runs.to[i]!);
    for (let x = Math.max(RIM, runs.from[i]!); x <= end; x++) {
      let darkest = 0;
      for (known = Math.max(known, x - RIM); known <= x + RIM; known++) {
        let most = 0;
        for (let at = start + known - RIM * width; at <= start + known + RIM * width; at += width)
          if (density.data[at]! > most) most = density.data[at]!;
        columns[known] = most;
      }
      for (let column = x - RIM; column <= x + RIM; column++)
        if (columns[column]! > darkest) darkest = columns[column]!;
      tones[count++] = darkest;
    }
  }
  return tones.slice(0, count).sort();
}

/**
 * A pale tone beside a pen's: so much ink lies within `near` of it, as a share of the tone; so many times as much as within
 * `above`, the tones between both; and a tenth of all ink is so much darker. No clean signature of 143 has half as many times.
 */
const PALE = { share: 0.15, near: 0.1, times: 3, above: [1.3, 1.55], darker: 1.5, step: 1.03 } as const;

/** The ground of a sheet is so even that its ink stands out by so many times its spread; that of photos is not. */
const EVEN_GROUND = 11;
export const standsOut = ({ ink, ground, groundSpread }: Split) => ink - ground >= EVEN_GROUND * groundSpread;

/** @param tones of ink, which rise */
export function paleToneOf(tones: Float32Array, split: Split): number | undefined {
  if (!standsOut(split)) return undefined;
  const below = (tone: number) => {
    let [low, high] = [0, tones.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tones[middle]! < tone) low = middle + 1;
      else high = middle;
    }
    return low / tones.length;
  };
  const dark = tones[Math.floor(0.9 * tones.length)] ?? 0;
  let pale: number | undefined;
  let most: number = PALE.times;
  for (let tone = Math.max(LEAST_DENSITY, tones[0] ?? 1); PALE.darker * tone < dark; tone *= PALE.step) {
    const share = below((1 + PALE.near) * tone) - below((1 - PALE.near) * tone);
    const times = share / (below(PALE.above[1] * tone) - below(PALE.above[0] * tone) + 0.01);
    if (share >= PALE.share && times > most) [pale, most] = [tone, times];
  }
  return pale;
}

/** A watermark's strokes are so broad that so much of all ink outlasts an opening by the pen's width, at so much of its tone. */
const BROAD = { ink: 0.1, tone: 0.7 };

/**
 * Divides broad strokes of one pale tone out of a density, as the letters of a watermark: a pen's are darker and thinner.
 * @param found where there is ink of any tone
 * @param tone the pale tone
 * @returns undefined where there are none
 */
export function withoutWatermark(density: Plane, found: Mask, tone: number): Plane | undefined {
  const { data } = density;
  const most = PALE.above[0] * tone;
  const dark = mask(found.width, found.height);
  for (let i = 0; i < data.length; i++) if (data[i]! > most) dark.data[i] = 1;
  const radius = Math.ceil(0.5 * roughPenWidth(dark)) + 1;
  const broad = extremes(extremes(density, radius, 'smallest'), radius, 'largest').data;
  let inked = 0;
  for (let i = 0; i < data.length; i++) if (broad[i]! > BROAD.tone * tone) inked += found.data[i]!;
  if (inked < BROAD.ink * countOf(found)) return undefined;
  const pale = (i: number) => Math.min(broad[i]!, most);
  return { ...density, data: data.map((value, i) => Math.max(0, 1 - (1 - value) / (1 - pale(i)))) };
}

/**
 * Two tones of ink: the lighter one has less than this density of the other, both have so much of the ink, and they are even, or
 * parted so clearly (Otsu's share of the variance) as the rims and ends of one pen's strokes are in none of 214 clean signatures.
 */
const TONES = { lighter: 0.62, uneven: 0.17, parted: 0.7, clearly: 0.88, least: 0.05 };
/** Ink that covers so much of a picture is mostly a pattern of the paper, beside which a pen has less. */
const COVERS = 0.22;
const LEAST_ON_PATTERN = 0.015;

export const isPatterned = (ink: Mask): boolean => countOf(ink) > COVERS * ink.data.length;

/** @param found the ink of these tones, and maybe more */
const twoTonesIn = (tones: Float32Array, found: Mask): Split | undefined => {
  if (tones.length < 50) return undefined;
  const split = splitOf({ width: tones.length, height: 1, data: tones });
  const { ground: light, groundSpread, ink: dark, separation, share } = split;
  const isEven = groundSpread < TONES.uneven * light && separation > TONES.parted;
  const least = isPatterned(found) ? LEAST_ON_PATTERN : TONES.least;
  const isTwo = light <= TONES.lighter * dark && Math.min(share, 1 - share) >= least;
  return isTwo && (isEven || separation > TONES.clearly) ? split : undefined;
};

/** A pen is darker than a pattern by more than so many spreads of that, and covers a share of the picture between these. */
const BARE = { spreads: 2.5, covers: [0.002, 0.12] } as const;

/**
 * The picture without a pale pattern that covers much of it, as of squared paper or a cheque: as dark as that is its ground.
 * @returns undefined where there is none, or no darker pen
 */
export function withoutPattern(density: Plane): Colours | undefined {
  const { width, height } = density;
  const inked = density.data.filter((value) => value >= LEAST_DENSITY);
  if (inked.length < COVERS * width * height) return undefined;
  const split = splitOf({ width: inked.length, height: 1, data: inked });
  if (split.ground > TONES.lighter * split.ink) return undefined;
  const pale = Math.min(split.threshold, split.ground + BARE.spreads * split.groundSpread);
  const data = new Uint8Array(3 * width * height);
  let covered = 0;
  for (let i = 0; i < density.data.length; i++) {
    const light = 1 - Math.max(0, density.data[i]! - pale) / (1 - pale);
    if (light < DARKER) covered++;
    data.fill(Math.round(255 * light), 3 * i, 3 * i + 3);
  }
  const [least, most] = BARE.covers;
  return covered >= least * width * height && covered <= most * width * height
    ? { width, height, data }
    : undefined;
}

/** A pen is darker than so much of the light of the paper. */
const DARKER = 0.85;

/** A paler ink has so much of what is found of a darker one; what is so near to that, pixels, are its rims. */
const PALER = { share: 0.1, rim: 3 };

/**
 * All ink, where there is so much darker ink than a pen's that the threshold between that and the ground misses the pen's.
 * @param found the darker ink
 * @returns undefined where there is none so pale
 */
export function withPaler(density: Plane, found: Mask): Mask | undefined {
  const least = PALER.share * countOf(found);
  const rims = grown(found, PALER.rim, 1).data;
  let beyond = 0;
  for (let i = 0; i < rims.length; i++) if (rims[i] === 0 && density.data[i]! >= LEAST_DENSITY) beyond++;
  if (beyond < least) return undefined;
  const rest = { ...density, data: density.data.slice() };
  for (let i = 0; i < rims.length; i++) if (rims[i] === 1) rest.data[i] = 0;
  const paler = splitOf(rest);
  if (!standsOut(paler) || inkWithin(inkMask(rest, paler)) < least) return undefined;
  const all = inkMask(density, paler);
  return twoTonesIn(tonesIn(density, all), all) && all;
}

/** The area of parts that end within the picture: lines of the paper go on beyond it. */
const inkWithin = (ink: Mask): number =>
  boxOf(
    label(ink, 'corners').components.filter(
      ({ left, top, right, bottom }) =>
        Math.min(left, top) > 0 && right < ink.width - 1 && bottom < ink.height - 1,
    ),
  ).area;

/**
 * Splits ink of two tones, as of a pen over a grey pattern.
 * @param found where there is ink of any tone
 * @param tones of that ink, which rise
 * @param pale the pale tone among them
 * @returns the darker and the lighter ink; undefined when all ink is of one tone
 */
export function tonesOf(
  density: Plane,
  found: Mask,
  tones: Float32Array,
  pale: number | undefined,
): Mask[] | undefined {
  const split = twoTonesIn(tones, found);
  if (!split && pale === undefined) return undefined;
  const [low, high] = split
    ? [Math.max(0.6 * split.threshold, split.ground + 2 * split.groundSpread), split.threshold]
    : [PALE.above[0] * pale!, PALE.darker * pale!];
  const darker = hysteresis(density, low, high);
  const lighter = without(found, grown(darker, RIM, 1));
  if (roughPenWidth(darker) > THIN) return [darker, lighter];
  // Most of a thin stroke is its rims, as light as the other ink.
  const rims = grown(darker, 1, 1).data;
  const whole = { ...found, data: found.data.map((value, i) => (value & rims[i]!) | darker.data[i]!) };
  return [whole, lighter];
}

/** Pixels. */
const THIN = 4;

/** Otsu's threshold, but clear of the ground's noise; ends may fade to 60 % of it. */
export function inkMask(density: Plane, split: Split = splitOf(density)): Mask {
  const high = Math.max(split.threshold, split.ground + 4 * split.groundSpread, LEAST_DENSITY);
  return hysteresis(density, Math.max(high * 0.6, split.ground + 3 * split.groundSpread), high);
}

/** Fainter than this is no ink but the paper's own pattern. */
export const LEAST_DENSITY = 0.08;
