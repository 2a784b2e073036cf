/** Scales ink to one size, so that a signature is thinned alike at every resolution. */
import { runsOf } from './components.ts';
import { blurByOne, boxBlur, mask, plane, type Mask } from './raster.ts';

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
  const soft = softened(ink, box, radius);
  const width = Math.ceil((box.right - box.left + 1) * scale) + 2 * MARGIN;
  const height = Math.ceil((box.bottom - box.top + 1) * scale) + 2 * MARGIN;
  const out = mask(width, height);
  const across = placesOf(width, scale, box.left, soft.left, soft.width);
  const down = placesOf(height, scale, box.top, soft.top, soft.height);
  for (let y = 0; y < height; y++)
    if (down.index[y]! >= 0)
      sampleRow(soft, down.index[y]! * soft.width, down.share[y]!, across, out.data.subarray(y * width));
  return out;
}

/** Where each pixel of one side of the new picture lies: behind which old pixel, and how far towards the next. */
interface Places {
  /** −1 beyond the last two. */
  index: Int32Array;
  share: Float64Array;
}

/**
 * @param from first pixel of the ink
 * @param cut pixels that were cut off before the first of the `length` that are left
 */
function placesOf(count: number, scale: number, from: number, cut: number, length: number): Places {
  const index = new Int32Array(count).fill(-1);
  const share = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const place = (i - MARGIN + 0.5) / scale + from - 0.5;
    const whole = Math.floor(place);
    if (whole < cut || whole - cut >= length - 1) continue;
    index[i] = whole - cut;
    share[i] = place - whole;
  }
  return { index, share };
}

/** One row of the new picture between two rows of the old one: ink where at least half of it is. */
function sampleRow(soft: Soft, top: number, down: number, across: Places, out: Uint8Array): void {
  const { data, width } = soft;
  const { index, share } = across;
  const up = 1 - down;
  for (let x = 0; x < index.length; x++) {
    if (index[x]! < 0) continue;
    const at = top + index[x]!;
    const [a, b, c, d] = [data[at]!, data[at + 1]!, data[at + width]!, data[at + width + 1]!];
    if (a + b + c + d === 0) continue;
    const right = share[x]!;
    const ink = up * ((1 - right) * a + right * b) + down * ((1 - right) * c + right * d);
    if (ink >= 0.5) out[x] = 1;
  }
}

/** A part of a picture, whose top left pixel is (left, top) of the whole. */
interface Soft {
  left: number;
  top: number;
  width: number;
  height: number;
  data: Float32Array | Uint8Array;
}

/** The blurred ink with as much bare ground around it as the blur reaches: beyond, there is nothing. */
function softened(ink: Mask, box: InkBox, radius: number): Soft {
  if (radius === 0) return { ...ink, left: 0, top: 0 };
  // A blurred pixel lies up to `radius` from the ink, and its own window reaches as far again.
  const around = 2 * radius + 2;
  const left = Math.max(0, box.left - around);
  const top = Math.max(0, box.top - around);
  const part = plane(
    Math.min(ink.width, box.right + around + 1) - left,
    Math.min(ink.height, box.bottom + around + 1) - top,
  );
  for (let y = 0; y < part.height; y++) {
    const start = (top + y) * ink.width + left;
    part.data.set(ink.data.subarray(start, start + part.width), y * part.width);
  }
  if (radius > 1) return { ...boxBlur(part, radius), left, top };
  blurByOne(part);
  return { ...part, left, top };
}

interface InkBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
  spread: number;
}

/** Bounds of all ink, and how far it spreads around its centre. */
export function boxOf(ink: Mask): InkBox {
  const box = { left: ink.width, top: ink.height, right: 0, bottom: 0, spread: 0 };
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  let squares = 0;
  const runs = runsOf(ink, 1);
  for (let i = 0; i < runs.count; i++) {
    const [y, from, to] = [runs.row[i]!, runs.from[i]!, runs.to[i]!];
    for (let x = from; x <= to; x++) {
      count++;
      sumX += x;
      sumY += y;
      squares += x * x + y * y;
    }
    box.left = Math.min(box.left, from);
    box.right = Math.max(box.right, to);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  if (count > 0)
    box.spread = Math.sqrt(Math.max(0, squares / count - (sumX / count) ** 2 - (sumY / count) ** 2));
  return box;
}
