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

export function countOf(image: Mask): number {
  return image.data.reduce((sum, value) => sum + value, 0);
}

/** Mean over a square window of side 2·radius + 1, cut off at the edges. Two running sums: time is independent of the radius. */
export function boxBlur(image: Plane, radius: number): Plane {
  const { width, height } = image;
  const rows = plane(width, height);
  blurLines(image.data, rows.data, { lines: height, length: width, lineStep: width, step: 1 }, radius);
  const both = plane(width, height);
  blurLines(rows.data, both.data, { lines: width, length: height, lineStep: 1, step: width }, radius);
  return both;
}

interface Scan {
  lines: number;
  length: number;
  lineStep: number;
  step: number;
}

function blurLines(from: Float32Array, to: Float32Array, scan: Scan, radius: number): void {
  const { lines, length, lineStep, step } = scan;
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    let sum = 0;
    let count = 0;
    for (let i = 0; i < Math.min(radius, length); i++, count++) sum += from[start + i * step]!;
    for (let i = 0; i < length; i++) {
      if (i + radius < length) {
        sum += from[start + (i + radius) * step]!;
        count++;
      }
      if (i > radius) {
        sum -= from[start + (i - radius - 1) * step]!;
        count--;
      }
      to[start + i * step] = sum / count;
    }
  }
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
