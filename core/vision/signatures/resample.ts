/** Brings ink to one size: the same signature is thinned alike, whatever the resolution it came in. */
import { boxBlur, mask, plane } from './raster.ts';
import type { Mask } from './raster.ts';

/** Root mean square distance of the ink from its centroid, in pixels of the brought picture. */
const SPREAD = 100;
const MARGIN = 6;
const LARGEST = 1200;

/** Crops to the ink, scales its spread to 100 px and rounds off the stairs and frayed edges of thick strokes. */
export function toOneSize(ink: Mask, penWidth: number): Mask {
  const box = boxOf(ink);
  if (box.spread < 1) return ink;
  const scale = Math.min(
    SPREAD / box.spread,
    LARGEST / (box.right - box.left + 1),
    LARGEST / (box.bottom - box.top + 1),
  );
  const radius = Math.max(scale < 0.8 ? 1 : 0, Math.round(0.16 * penWidth));
  const soft = softened(ink, radius);
  const width = Math.ceil((box.right - box.left + 1) * scale) + 2 * MARGIN;
  const height = Math.ceil((box.bottom - box.top + 1) * scale) + 2 * MARGIN;
  const out = mask(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const u = (x - MARGIN + 0.5) / scale + box.left - 0.5;
      const v = (y - MARGIN + 0.5) / scale + box.top - 0.5;
      out.data[y * width + x] = sample(soft.data, ink.width, ink.height, u, v) >= 0.5 ? 1 : 0;
    }
  return out;
}

function softened(ink: Mask, radius: number): { data: Float32Array | Uint8Array } {
  if (radius === 0) return ink;
  const image = plane(ink.width, ink.height);
  image.data.set(ink.data);
  return boxBlur(image, radius);
}

function sample(
  data: Float32Array | Uint8Array,
  width: number,
  height: number,
  u: number,
  v: number,
): number {
  const left = Math.floor(u);
  const top = Math.floor(v);
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 0;
  const at = top * width + left;
  const right = u - left;
  const down = v - top;
  return (
    (1 - down) * ((1 - right) * data[at]! + right * data[at + 1]!) +
    down * ((1 - right) * data[at + width]! + right * data[at + width + 1]!)
  );
}

interface InkBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
  spread: number;
}

function boxOf(ink: Mask): InkBox {
  const box = { left: ink.width, top: ink.height, right: 0, bottom: 0, spread: 0 };
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  let squares = 0;
  for (let y = 0, at = 0; y < ink.height; y++)
    for (let x = 0; x < ink.width; x++, at++) {
      if (ink.data[at] === 0) continue;
      count++;
      sumX += x;
      sumY += y;
      squares += x * x + y * y;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  if (count > 0)
    box.spread = Math.sqrt(Math.max(0, squares / count - (sumX / count) ** 2 - (sumY / count) ** 2));
  return box;
}
