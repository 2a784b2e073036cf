/** From colours to the density of ink: 0 bare ground, 1 black; light, shadow and the colour of the paper divided out. */
import { boxBlur, extremes, plane } from './raster.ts';
import type { Colours, Plane } from './raster.ts';

/** The background is smooth: it is estimated on a picture this many times smaller. */
const SHRINK = 4;

/** Luma after ITU-R BT.601, 0 to 255. */
export function greyOf(colours: Colours): Plane {
  const grey = plane(colours.width, colours.height);
  const { data } = colours;
  for (let i = 0, at = 0; i < grey.data.length; i++, at += 3)
    grey.data[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  return grey;
}

/** One of the three channels, 0 red to 2 blue. */
export function channelOf(colours: Colours, channel: number): Plane {
  const out = plane(colours.width, colours.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = colours.data[i * 3 + channel]!;
  return out;
}

/**
 * Whether the ink is lighter than its ground. Ink covers the lesser part, so what is left of the picture without its
 * slow changes is skewed towards the ink: the sign of the third moment tells, whatever the light.
 */
export function isInverted(grey: Plane): boolean {
  const small = halved(grey);
  const slow = boxBlur(small, Math.round(Math.max(small.width, small.height) / 20));
  let third = 0;
  for (let i = 0; i < small.data.length; i++) {
    const off = small.data[i]! - slow.data[i]!;
    third += off * off * off;
  }
  return third > 0;
}

function halved(grey: Plane): Plane {
  const out = plane(grey.width >> 1, grey.height >> 1);
  for (let y = 0, to = 0; y < out.height; y++)
    for (let x = 0, at = 2 * y * grey.width; x < out.width; x++, at += 2, to++)
      out.data[to] =
        (grey.data[at]! +
          grey.data[at + 1]! +
          grey.data[at + grey.width]! +
          grey.data[at + grey.width + 1]!) /
        4;
  return out;
}

export function invert(image: Plane): Plane {
  const out = plane(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = 255 - image.data[i]!;
  return out;
}

/** Darker ground than this is taken for this: nothing can be told from ink on it. */
const DARKEST_GROUND = 24;

/** Density 1 − g/background of dark ink, 0 to 1. */
export function densityOf(grey: Plane): Plane {
  const { width, height } = grey;
  const ground = groundOf(grey);
  const density = plane(width, height);
  const across = placesOf(width, ground.width, SHRINK);
  const down = placesOf(height, ground.height, SHRINK);
  const row = new Float32Array(ground.width + 1);
  for (let y = 0, at = 0; y < height; y++) {
    blendRows(ground, down.index[y]!, down.share[y]!, row);
    for (let x = 0; x < width; x++, at++) {
      const left = across.index[x]!;
      const light = row[left]! + (row[left + 1]! - row[left]!) * across.share[x]!;
      const share = 1 - grey.data[at]! / Math.max(DARKEST_GROUND, light);
      density.data[at] = share > 0 ? share : 0;
    }
  }
  return density;
}

/** One row of a picture between two of its rows; the last value stands twice, for what lies beyond it. */
function blendRows(image: Plane, index: number, share: number, row: Float32Array): void {
  const { width, height, data } = image;
  const top = index * width;
  const bottom = Math.min(height - 1, index + 1) * width;
  for (let x = 0; x < width; x++) row[x] = data[top + x]! * (1 - share) + data[bottom + x]! * share;
  row[width] = row[width - 1]!;
}

/** The ground under the ink, shrunk: morphological closing with a window wider than any stroke, then a box blur. */
function groundOf(grey: Plane): Plane {
  const small = brightest(grey, SHRINK);
  const radius = Math.max(3, Math.round(Math.max(grey.width, grey.height) / 32 / SHRINK));
  const closed = extremes(extremes(small, radius, 'largest'), radius, 'smallest');
  return boxBlur(closed, radius);
}

/** Shrinks by whole blocks, keeping the second-brightest row mean of each: bright, but not the brightest grain of noise. */
function brightest(grey: Plane, block: number): Plane {
  const out = plane(Math.ceil(grey.width / block), Math.ceil(grey.height / block));
  for (let y = 0; y < out.height; y++)
    for (let x = 0; x < out.width; x++)
      out.data[y * out.width + x] = blockLight(grey, x * block, y * block, block);
  return out;
}

function blockLight(grey: Plane, left: number, top: number, block: number): number {
  const right = Math.min(grey.width, left + block);
  const bottom = Math.min(grey.height, top + block);
  let best = 0;
  for (let y = top; y < bottom; y++) {
    let sum = 0;
    for (let x = left; x < right; x++) sum += grey.data[y * grey.width + x]!;
    best = Math.max(best, sum / (right - left));
  }
  return best;
}

/** Between which two small pixels each large one lies, and how far towards the second. */
function placesOf(length: number, small: number, block: number): { index: Int32Array; share: Float32Array } {
  const index = new Int32Array(length);
  const share = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const place = Math.min(small - 1, Math.max(0, (i + 0.5) / block - 0.5));
    index[i] = Math.floor(place);
    share[i] = place - index[i]!;
  }
  return { index, share };
}
