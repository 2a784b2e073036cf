/** Thins ink to lines one pixel wide. */
import { runsOf } from './components.ts';
import { countOf, mask, type Mask } from './raster.ts';

/** Neighbours clockwise from the top, as (dx, dy); bit k of a neighbourhood code stands for entry k. */
export const AROUND: readonly (readonly [number, number])[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
];

/** For each neighbourhood, how often bare turns to ink on the way around: as many lines leave the pixel. */
export const RISES = Uint8Array.from({ length: 256 }, (_, code) => {
  let rises = 0;
  for (let k = 0; k < 8; k++) rises += ((code >> k) & 1) === 0 && ((code >> ((k + 1) & 7)) & 1) === 1 ? 1 : 0;
  return rises;
});

/** For each neighbourhood: bit 0, may go in the first half-step; bit 1, in the second. Zhang and Suen (1984). */
const REMOVABLE = removalTable();

function removalTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (let code = 0; code < 256; code++) {
    const on = (k: number) => (code >> (k & 7)) & 1;
    let neighbours = 0;
    for (let k = 0; k < 8; k++) neighbours += on(k);
    if (neighbours < 2 || neighbours > 6 || RISES[code] !== 1) continue;
    const [north, east, south, west] = [on(0), on(2), on(4), on(6)];
    if (north * east * south === 0 && east * south * west === 0) table[code]! |= 1;
    if (north * east * west === 0 && north * south * west === 0) table[code]! |= 2;
  }
  return table;
}

/** Zhang–Suen thinning. Pixels at the very edge of the picture are dropped first, so that every neighbourhood is whole. */
export function thin(image: Mask): Mask {
  const { width, height } = image;
  const out = mask(width, height);
  const left = new Int32Array(countOf(image));
  let count = 0;
  const runs = runsOf(image, 1);
  for (let i = 0; i < runs.count; i++) {
    const y = runs.row[i]!;
    if (y === 0 || y === height - 1) continue;
    const end = y * width + Math.min(width - 2, runs.to[i]!);
    for (let at = y * width + Math.max(1, runs.from[i]!); at <= end; at++) {
      out.data[at] = 1;
      left[count++] = at;
    }
  }
  const gone = new Int32Array(count);
  for (let before = -1; before !== count;) {
    before = count;
    for (const half of [1, 2]) count = halfStep(out, left, count, gone, half);
  }
  return out;
}

/**
 * Takes out all pixels that may go in this half-step; judged before any of them goes.
 * @param left the first `count` are the pixels of ink; closed up in place
 * @param gone room for as many
 * @returns how many are left
 */
function halfStep(out: Mask, left: Int32Array, count: number, gone: Int32Array, half: number): number {
  let kept = 0;
  let removed = 0;
  for (let i = 0; i < count; i++) {
    const at = left[i]!;
    if ((REMOVABLE[neighbourhood(out, at)]! & half) === 0) left[kept++] = at;
    else gone[removed++] = at;
  }
  for (let i = 0; i < removed; i++) out.data[gone[i]!] = 0;
  return kept;
}

/** The eight neighbours of an inner pixel as bits, in the order of {@link AROUND}. */
export function neighbourhood(image: Mask, at: number): number {
  const { width, data } = image;
  return (
    data[at - width]! |
    (data[at - width + 1]! << 1) |
    (data[at + 1]! << 2) |
    (data[at + width + 1]! << 3) |
    (data[at + width]! << 4) |
    (data[at + width - 1]! << 5) |
    (data[at - 1]! << 6) |
    (data[at - width - 1]! << 7)
  );
}
