/** Thins ink to lines one pixel wide. */
import { mask } from './raster.ts';
import type { Mask } from './raster.ts';

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

/** For each neighbourhood: bit 0, may go in the first half-step; bit 1, in the second. Zhang and Suen (1984). */
const REMOVABLE = removalTable();

function removalTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (let code = 0; code < 256; code++) {
    const on = (k: number) => (code >> (k & 7)) & 1;
    let neighbours = 0;
    let rises = 0;
    for (let k = 0; k < 8; k++) {
      neighbours += on(k);
      rises += on(k) === 0 && on(k + 1) === 1 ? 1 : 0;
    }
    if (neighbours < 2 || neighbours > 6 || rises !== 1) continue;
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
  let border: number[] = [];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (image.data[at] === 0) continue;
      out.data[at] = 1;
      border.push(at);
    }
  for (let removed = true; removed;) {
    removed = false;
    for (const half of [1, 2]) {
      const gone = border.filter((at) => (REMOVABLE[neighbourhood(out, at)]! & half) !== 0);
      for (const at of gone) out.data[at] = 0;
      removed ||= gone.length > 0;
      border = border.filter((at) => out.data[at] === 1);
    }
  }
  return out;
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
