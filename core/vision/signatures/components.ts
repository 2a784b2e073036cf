/** Connected parts of a mask. */
import { mask } from './raster.ts';
import type { Mask } from './raster.ts';

export interface Component {
  area: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A stretch of ones within a row, its end included. */
interface Runs {
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

/** Finds the parts of a mask that hang together through sides, or also through corners: runs of each row, united with those above. */
export function label(image: Mask, through: 'sides' | 'corners'): Labelled {
  const runs = runsOf(image);
  const { count, row, from, to } = runs;
  const parent = Int32Array.from({ length: count }, (_, i) => i);
  const find = (run: number): number => {
    let root = run;
    while (parent[root] !== root) root = parent[root]!;
    while (parent[run] !== root) {
      const next = parent[run]!;
      parent[run] = root;
      run = next;
    }
    return root;
  };
  const slack = through === 'corners' ? 1 : 0;
  for (let i = 0, above = 0; i < count; i++) {
    const before = row[i]! - 1;
    while (above < i && (row[above]! < before || (row[above] === before && to[above]! + slack < from[i]!)))
      above++;
    for (let k = above; k < i && row[k] === before && from[k]! - slack <= to[i]!; k++)
      parent[find(k)] = find(i);
  }
  return { runs, components: collect(runs, find) };
}

function runsOf({ width, height, data }: Mask): Runs {
  let capacity = 4096;
  let row = new Int32Array(capacity);
  let from = new Int32Array(capacity);
  let to = new Int32Array(capacity);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (data[at] === 0) continue;
      const start = x;
      while (x + 1 < width && data[at + 1] === 1) {
        x++;
        at++;
      }
      if (count === capacity) {
        capacity *= 2;
        row = grown(row, capacity);
        from = grown(from, capacity);
        to = grown(to, capacity);
      }
      row[count] = y;
      from[count] = start;
      to[count++] = x;
    }
  return { count, row, from, to, part: new Int32Array(count) };
}

function grown(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(capacity);
  out.set(old);
  return out;
}

function collect(runs: Runs, find: (run: number) => number): Component[] {
  const components: Component[] = [];
  const indexOfRoot = new Map<number, number>();
  for (let i = 0; i < runs.count; i++) {
    const root = find(i);
    let index = indexOfRoot.get(root);
    if (index === undefined) {
      index = components.length;
      indexOfRoot.set(root, index);
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
  keep: (part: Component) => boolean,
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
  const bare = mask(width, height);
  for (let i = 0; i < bare.data.length; i++) bare.data[i] = 1 - image.data[i]!;
  const { runs, components } = label(bare, 'sides');
  const out = mask(width, height);
  out.data.set(image.data);
  for (let i = 0; i < runs.count; i++) {
    if (components[runs.part[i]!]!.area >= area) continue;
    const start = runs.row[i]! * width;
    out.data.fill(1, start + runs.from[i]!, start + runs.to[i]! + 1);
  }
  return out;
}
