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

export function countOf({ data }: Mask): number {
  const { length } = data;
  let count = 0;
  for (let i = 0; i < length; i++) count += data[i]!;
  return count;
}

/** Mean over a square window of side 2·radius + 1, cut off at the edges. Running sums: time is independent of the radius. */
export function boxBlur(image: Plane, radius: number): Plane {
  const { width, height } = image;
  if (radius === 1) return blurByOne(image);
  const out = plane(width, height);
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

/** The same for radius 1, which whole pictures are blurred by: three rows at a time. */
function blurByOne({ width, height, data }: Plane): Plane {
  const out = plane(width, height);
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    const at = y * width;
    const first = Math.max(0, y - 1);
    const last = Math.min(height - 1, y + 1);
    const inner = 1 / (3 * (last - first + 1));
    if (last - first === 2)
      for (let x = 0, i = at; x < width; x++, i++) sums[x] = data[i - width]! + data[i]! + data[i + width]!;
    else
      for (let x = 0; x < width; x++)
        sums[x] = data[first * width + x]! + (last > first ? data[last * width + x]! : 0);
    for (let x = 1; x < width - 1; x++) out.data[at + x] = (sums[x - 1]! + sums[x]! + sums[x + 1]!) * inner;
    for (const [edge, inside] of [
      [0, Math.min(1, width - 1)],
      [width - 1, Math.max(0, width - 2)],
    ] as const)
      out.data[at + edge] = (sums[edge]! + sums[inside]!) * 1.5 * inner;
  }
  return out;
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

/** Running extremes after van Herk (1992) and Gil and Werman (1993): three comparisons a pixel, whatever the window. */
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
