/** From colours to the density of ink: 0 bare ground, 1 black; light, shadow and the colour of the paper divided out. */
import { boxBlur, extremes, plane, type Colours, type Plane } from './raster.ts';

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
 * slow changes is skewed towards the ink: the sign of the third moment shows the polarity in any light.
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

/** Turns light ink on a dark ground to dark ink, in the picture itself. */
export function invert({ data }: Plane): void {
  for (let i = 0; i < data.length; i++) data[i] = 255 - data[i]!;
}

/** Darker ground is treated as this value: ink on darker ground cannot be separated from it. */
const DARKEST_GROUND = 24;

/** Turns light into the density 1 − g/background of dark ink, 0 to 1, in the picture itself. */
export function toDensity({ width, height, data }: Plane): void {
  const ground = groundOf({ width, height, data });
  const across = placesOf(width, ground.width, SHRINK);
  const down = placesOf(height, ground.height, SHRINK);
  const row = new Float32Array(ground.width + 1);
  for (let y = 0, at = 0; y < height; y++) {
    blendRows(ground, down.index[y]!, down.share[y]!, row);
    for (let x = 0; x < width; x++, at++) {
      const left = across.index[x]!;
      const light = row[left]! + (row[left + 1]! - row[left]!) * across.share[x]!;
      const share = 1 - data[at]! / Math.max(DARKEST_GROUND, light);
      data[at] = share > 0 ? share : 0;
    }
  }
}

/**
 * The picture with all that is broader than a pen divided out of each channel: shadows of folds, stains, highlighters, desks.
 * @param radius half the window that is wider than the pen, pixels
 */
export function levelled(colours: Colours, radius: number): Colours {
  const { width, height } = colours;
  const data = new Uint8Array(colours.data.length);
  for (let c = 0; c < 3; c++) {
    const light = channelOf(colours, c);
    const ground = closedOver(boxBlur(light, 1), radius);
    for (let i = 0, at = c; i < ground.data.length; i++, at += 3)
      data[at] = Math.min(
        255,
        Math.round((255 * light.data[i]!) / Math.max(DARKEST_GROUND, ground.data[i]!)),
      );
  }
  return { width, height, data };
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

/** Dark along the picture's edge, over a window and so many pixels inwards, goes on beyond it: no stroke does. */
const RIM = 4;

/** Morphological closing with a square of side 2·radius + 1, of a picture that goes on beyond its edges. */
function closedOver(image: Plane, radius: number): Plane {
  const { width, height } = image;
  const around = 2 * radius;
  const wide = plane(width + 2 * around, height + 2 * around);
  const inner = (y: number) => (y + around) * wide.width + around;
  for (let y = 0; y < height; y++) wide.data.set(image.data.subarray(y * width, (y + 1) * width), inner(y));
  const brightestOf = (of: (depth: number) => number) => {
    let most = 0;
    for (let depth = 0; depth < RIM; depth++) most = Math.max(most, of(depth));
    return most;
  };
  const closedLine = (length: number, at: (along: number, depth: number) => number): Float32Array => {
    const line = {
      width: length,
      height: 1,
      data: Float32Array.from({ length }, (_, i) => brightestOf((depth) => at(i, depth))),
    };
    return extremes(extremes(line, radius, 'largest'), radius, 'smallest').data;
  };
  const deep = (depth: number, length: number) => Math.min(depth, length - 1);
  const left = closedLine(height, (y, depth) => image.data[y * width + deep(depth, width)]!);
  const right = closedLine(height, (y, depth) => image.data[(y + 1) * width - 1 - deep(depth, width)]!);
  for (let y = 0; y < height; y++) {
    wide.data.fill(left[y]!, inner(y) - around, inner(y));
    wide.data.fill(right[y]!, inner(y) + width, inner(y) + width + around);
  }
  const column = (x: number, y: number) => wide.data[(y + around) * wide.width + x]!;
  const top = closedLine(wide.width, (x, depth) => column(x, deep(depth, height)));
  const bottom = closedLine(wide.width, (x, depth) => column(x, height - 1 - deep(depth, height)));
  for (let y = 0; y < around; y++) {
    wide.data.set(top, y * wide.width);
    wide.data.set(bottom, (y + around + height) * wide.width);
  }
  const closed = extremes(extremes(wide, radius, 'largest'), radius, 'smallest').data;
  const out = plane(width, height);
  for (let y = 0; y < height; y++) out.data.set(closed.subarray(inner(y), inner(y) + width), y * width);
  return out;
}

/** Shrinks by whole blocks, keeping the brightest row mean of each: bright, but not the brightest grain of noise. */
export function brightest(grey: Plane, block: number): Plane {
  const { width, height, data } = grey;
  const out = plane(Math.ceil(width / block), Math.ceil(height / block));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / block) * out.width;
    for (let x = 0, at = y * width; x < out.width; x++) {
      const end = Math.min((y + 1) * width, at + block);
      const count = end - at;
      let sum = 0;
      for (; at < end; at++) sum += data[at]!;
      const mean = Math.fround(sum / count);
      if (mean > out.data[row + x]!) out.data[row + x] = mean;
    }
  }
  return out;
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
