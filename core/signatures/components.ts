/** Connected parts of a mask. */
import { EIGHT_ONES, eightsOf, mask, type Mask } from './raster.ts';

/** First and last column and row. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Component extends Bounds {
  area: number;
}

/** The bounds of several parts together, and their area. */
export function boxOf(parts: readonly Component[]): Component {
  const box = { area: 0, left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const part of parts) {
    box.area += part.area;
    box.left = Math.min(box.left, part.left);
    box.top = Math.min(box.top, part.top);
    box.right = Math.max(box.right, part.right);
    box.bottom = Math.max(box.bottom, part.bottom);
  }
  return box;
}

/** Columns and rows of a box. */
export const wide = (box: Bounds) => box.right - box.left + 1;
export const tall = (box: Bounds) => box.bottom - box.top + 1;

/** Parts that lie in a box. */
export function within(components: readonly Component[], box: Bounds): number[] {
  return components.flatMap((part, i) =>
    part.left >= box.left && part.right <= box.right && part.top >= box.top && part.bottom <= box.bottom
      ? [i]
      : [],
  );
}

/** A stretch of ones within a row, its end included. */
export interface Runs {
  count: number;
  row: Int32Array;
  from: Int32Array;
  to: Int32Array;
  /** Index into `components`. */
  part: Int32Array;
}

export interface Labelled {
  runs: Runs;
  components: Component[];
}

/**
 * Finds the parts of a mask that hang together through sides, or also through corners: runs of each row, united with
 * those above.
 * @param value parts of what: 1 of the ink, 0 of the bare ground
 */
export function label(image: Mask, through: 'sides' | 'corners', value: 0 | 1 = 1): Labelled {
  const runs = runsOf(image, value);
  const { count, row, from, to } = runs;
  const parent = new Int32Array(count);
  const slack = through === 'corners' ? 1 : 0;
  for (let i = 0, above = 0; i < count; i++) {
    parent[i] = i;
    const before = row[i]! - 1;
    while (above < i && (row[above]! < before || (row[above] === before && to[above]! + slack < from[i]!)))
      above++;
    for (let k = above; k < i && row[k] === before && from[k]! - slack <= to[i]!; k++)
      parent[rootOf(parent, k)] = rootOf(parent, i);
  }
  return { runs, components: collect(runs, parent) };
}

/** The run that stands for all those united with this one; shortens the way there for the next time. */
function rootOf(parent: Int32Array, run: number): number {
  let root = run;
  while (parent[root] !== root) root = parent[root]!;
  for (let at = run; at !== root;) {
    const next = parent[at]!;
    parent[at] = root;
    at = next;
  }
  return root;
}

/** The runs of `value`, row by row, of no part yet. */
export function runsOf(image: Mask, value: 0 | 1): Runs {
  const { width, height, data } = image;
  const eights = eightsOf(image);
  // Eight pixels that are all of the value, or none of them.
  const [full, none] = value === 1 ? [EIGHT_ONES, 0] : [0, EIGHT_ONES];
  let capacity = 4096;
  let row = new Int32Array(capacity);
  let from = new Int32Array(capacity);
  let to = new Int32Array(capacity);
  let count = 0;
  for (let y = 0, start = 0; y < height; y++, start += width) {
    const end = start + width;
    for (let at = start; at < end;) {
      while (at < end && data[at] !== value) at += (at & 7) === 0 && eights[at >> 3] === none ? 8 : 1;
      if (at >= end) break;
      const first = at++;
      while (at < end && data[at] === value)
        at += (at & 7) === 0 && at + 8 <= end && eights[at >> 3] === full ? 8 : 1;
      if (count === capacity) {
        capacity *= 2;
        row = lengthened(row, capacity);
        from = lengthened(from, capacity);
        to = lengthened(to, capacity);
      }
      row[count] = y;
      from[count] = first - start;
      to[count++] = at - 1 - start;
    }
  }
  return { count, row, from, to, part: new Int32Array(count) };
}

/** The same numbers with room for more. */
export function lengthened(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(capacity);
  out.set(old);
  return out;
}

function collect(runs: Runs, parent: Int32Array): Component[] {
  const components: Component[] = [];
  const indexOfRoot = new Int32Array(runs.count).fill(-1);
  for (let i = 0; i < runs.count; i++) {
    const root = rootOf(parent, i);
    let index = indexOfRoot[root]!;
    if (index < 0) {
      index = components.length;
      indexOfRoot[root] = index;
      components.push({ area: 0, left: Infinity, top: runs.row[i]!, right: -1, bottom: 0 });
    }
    runs.part[i] = index;
    const part = components[index]!;
    part.area += runs.to[i]! - runs.from[i]! + 1;
    part.left = Math.min(part.left, runs.from[i]!);
    part.right = Math.max(part.right, runs.to[i]!);
    part.bottom = runs.row[i]!;
  }
  return components;
}

/** The mask with only the parts that `keep` says yes to. */
export function keepParts(
  image: Mask,
  { runs, components }: Labelled,
  keep: (part: Component, index: number) => boolean,
): Mask {
  const kept = components.map(keep);
  const out = mask(image.width, image.height);
  for (let i = 0; i < runs.count; i++)
    if (kept[runs.part[i]!]) {
      const start = runs.row[i]! * image.width;
      out.data.fill(1, start + runs.from[i]!, start + runs.to[i]! + 1);
    }
  return out;
}

/** Fills holes of fewer than `area` pixels: pinholes of noise would turn into rings when thinned. */
export function fillPinholes(image: Mask, area: number): Mask {
  const { width, height } = image;
  const { runs, components } = label(image, 'sides', 0);
  const out = mask(width, height);
  out.data.set(image.data);
  for (let i = 0; i < runs.count; i++) {
    if (components[runs.part[i]!]!.area >= area) continue;
    const start = runs.row[i]! * width;
    out.data.fill(1, start + runs.from[i]!, start + runs.to[i]! + 1);
  }
  return out;
}

/** Grows what has a value by a square of side 2·radius + 1; beyond the edge nothing is. */
export function grown(image: Mask, radius: number, value: 0 | 1): Mask {
  const { width, height } = image;
  // Four pixels to a word, in rows of whole words, and as many bare rows above and below as are looked at.
  const words = Math.ceil(width / 4);
  const level = new Uint8Array(4 * words * (height + 2 * radius));
  const { count, row, from, to } = runsOf(image, value);
  for (let i = 0, next = 0; i < count; i++) {
    const start = 4 * words * (row[i]! + radius);
    if (i > 0 && row[i] !== row[i - 1]) next = 0;
    const end = Math.min(width, to[i]! + radius + 1);
    for (let x = Math.max(next, from[i]! - radius); x < end; x++) level[start + x] = 1;
    next = end;
  }
  const fours = new Uint32Array(level.buffer);
  // Each word with those below it: of 2 rows, then of 4 and so on.
  let rows = 1;
  for (; 2 * rows <= 2 * radius + 1; rows *= 2)
    for (let i = 0, other = rows * words; other < fours.length; i++, other++) fours[i]! |= fours[other]!;
  const ground = value === 1 ? 0 : 0x01010101;
  for (let i = 0, other = (2 * radius + 1 - rows) * words; i < words * height; i++, other++)
    fours[i] = (fours[i]! | fours[other]!) ^ ground;
  const out = mask(width, height);
  for (let y = 0, start = 0; y < height; y++, start += 4 * words)
    out.data.set(level.subarray(start, start + width), y * width);
  return out;
}
