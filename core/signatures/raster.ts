/** Pictures as typed arrays, row by row from the top left. */

/** One number a pixel. */
export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

/** One yes (1) or no (0) a pixel. */
export interface Mask {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Three bytes a pixel: red, green, blue. */
export interface Colours {
  width: number;
  height: number;
  data: Uint8Array;
}

export function plane(width: number, height: number): Plane {
  return { width, height, data: new Float32Array(width * height) };
}

export function mask(width: number, height: number): Mask {
  return { width, height, data: new Uint8Array(width * height) };
}

/**
 * The pixels of a mask eight at a time, without up to seven at its end, as numbers that nothing is computed with: 0 where all are
 * bare, {@link EIGHT_ONES} where none is. Empty where the memory is not aligned.
 */
export const eightsOf = ({ data }: Mask): Float64Array =>
  data.byteOffset % 8 === 0
    ? new Float64Array(data.buffer, data.byteOffset, data.length >> 3)
    : new Float64Array(0);
export const EIGHT_ONES = new Float64Array(new Uint8Array(8).fill(1).buffer)[0]!;

export function countOf(image: Mask): number {
  const { data } = image;
  const isAligned = data.byteOffset % 4 === 0;
  const fours = isAligned ? new Uint32Array(data.buffer, data.byteOffset, data.length >> 2) : [];
  let count = 0;
  let at = 0;
  while (at < fours.length) {
    // Sums stay below the 256 of a byte.
    const end = Math.min(fours.length, at + 255);
    let sums = 0;
    for (; at < end; at++) sums += fours[at]!;
    count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
  }
  for (at *= 4; at < data.length; at++) count += data[at]!;
  return count;
}

/** One where some ink is and another one is not. */
export function without(ink: Mask, other: Mask): Mask {
  const out = mask(ink.width, ink.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = ink.data[i]! & (1 - other.data[i]!);
  return out;
}

/** Mean over a square window of side 2·radius + 1, cut off at the edges. Running sums: time is independent of the radius. */
export function boxBlur(image: Plane, radius: number): Plane {
  const { width, height } = image;
  const out = plane(width, height);
  if (radius === 1) {
    out.data.set(image.data);
    blurByOne(out);
    return out;
  }
  // Sums of the columns within the window's rows, moved down row by row: memory is read in its order.
  const columns = new Float64Array(width);
  let rows = 0;
  const add = (y: number, sign: number) => {
    for (let x = 0, at = y * width; x < width; x++, at++) columns[x]! += sign * image.data[at]!;
    rows += sign;
  };
  for (let y = 0; y < Math.min(radius, height); y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) add(y + radius, 1);
    if (y > radius) add(y - radius - 1, -1);
    blurRow(columns, out.data.subarray(y * width, (y + 1) * width), radius, 1 / rows);
  }
  return out;
}

/**
 * The same for radius 1 in the picture itself, which whole pictures are blurred by: large arrays are what makes the
 * collector of garbage run.
 */
export function blurByOne({ width, height, data }: Plane): void {
  let above = new Float32Array(width);
  let here = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    [above, here] = [here, above];
    here.set(data.subarray(start, start + width));
    const row = data.subarray(start, start + width);
    if (y > 0 && y < height - 1) blurInnerRow(above, here, data.subarray(start + width), row);
    else blurOuterRow(here, y > 0 ? above : height > 1 ? data.subarray(start + width) : undefined, row);
  }
}

/** The mean of a row and those above and below it, written to `out`. */
function blurInnerRow(above: Float32Array, row: Float32Array, below: Float32Array, out: Float32Array): void {
  const last = out.length - 1;
  const columnAt = (x: number) => above[x]! + row[x]! + below[x]!;
  const scale = 1 / 9;
  let before = columnAt(0);
  let here = columnAt(Math.min(1, last));
  out[0] = (before + here) * 1.5 * scale;
  for (let x = 1; x < last; x++) {
    const after = above[x + 1]! + row[x + 1]! + below[x + 1]!;
    out[x] = (before + here + after) * scale;
    before = here;
    here = after;
  }
  out[last] = (here + before) * 1.5 * scale;
}

/** The first or last row: it has one neighbour, or none in a picture of one row. */
function blurOuterRow(row: Float32Array, other: Float32Array | undefined, out: Float32Array): void {
  const last = out.length - 1;
  const columnAt = (x: number) => {
    const at = Math.min(last, Math.max(0, x));
    return other ? row[at]! + other[at]! : row[at]!;
  };
  const scale = 1 / (other ? 6 : 3);
  out[0] = (columnAt(0) + columnAt(1)) * 1.5 * scale;
  for (let x = 1; x < last; x++) out[x] = (columnAt(x - 1) + columnAt(x) + columnAt(x + 1)) * scale;
  out[last] = (columnAt(last) + columnAt(last - 1)) * 1.5 * scale;
}

function blurRow(sums: Float64Array, out: Float32Array, radius: number, scale: number): void {
  const { length } = sums;
  let sum = 0;
  let count = 0;
  for (let x = 0; x < Math.min(radius, length); x++, count++) sum += sums[x]!;
  for (let x = 0; x < length; x++) {
    if (x + radius < length) {
      sum += sums[x + radius]!;
      count++;
    }
    if (x > radius) {
      sum -= sums[x - radius - 1]!;
      count--;
    }
    out[x] = (sum / count) * scale;
  }
}

interface Scan {
  lines: number;
  length: number;
  lineStep: number;
  step: number;
}

/** Largest or smallest value in a square window of side 2·radius + 1. */
export function extremes(image: Plane, radius: number, which: 'largest' | 'smallest'): Plane {
  const { width, height } = image;
  const sign = which === 'largest' ? 1 : -1;
  const rows = plane(width, height);
  extremeLines(
    image.data,
    rows.data,
    { lines: height, length: width, lineStep: width, step: 1 },
    radius,
    sign,
  );
  const both = plane(width, height);
  extremeLines(
    rows.data,
    both.data,
    { lines: width, length: height, lineStep: 1, step: width },
    radius,
    sign,
  );
  return both;
}

/** Running extremes after van Herk (1992) and Gil and Werman (1993): three comparisons for each pixel, for any window. */
function extremeLines(from: Float32Array, to: Float32Array, scan: Scan, radius: number, sign: number): void {
  const { lines, length, lineStep, step } = scan;
  const window = 2 * radius + 1;
  const padded = Math.ceil((length + 2 * radius) / window) * window;
  const values = new Float32Array(padded).fill(-Infinity);
  const forward = new Float32Array(padded);
  const backward = new Float32Array(padded);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0, at = start; i < length; i++, at += step) values[radius + i] = sign * from[at]!;
    for (let block = 0; block < padded; block += window) {
      const end = block + window - 1;
      forward[block] = values[block]!;
      for (let i = block + 1; i <= end; i++) forward[i] = Math.max(forward[i - 1]!, values[i]!);
      backward[end] = values[end]!;
      for (let i = end - 1; i >= block; i--) backward[i] = Math.max(backward[i + 1]!, values[i]!);
    }
    for (let i = 0, at = start; i < length; i++, at += step)
      to[at] = sign * Math.max(backward[i]!, forward[i + window - 1]!);
  }
}
