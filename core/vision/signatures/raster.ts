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

function extremeLines(from: Float32Array, to: Float32Array, scan: Scan, radius: number, sign: number): void {
  const { lines, length, lineStep, step } = scan;
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0; i < length; i++) {
      const last = Math.min(length - 1, i + radius);
      let best = -Infinity;
      for (let k = Math.max(0, i - radius); k <= last; k++) {
        const value = sign * from[start + k * step]!;
        if (value > best) best = value;
      }
      to[start + i * step] = sign * best;
    }
  }
}
