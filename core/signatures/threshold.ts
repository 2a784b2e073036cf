/** From density to a mask of ink. */
import { lengthened } from './components.ts';
import { mask, type Mask, type Plane } from './raster.ts';

const BINS = 256;

/** How density splits into ground and ink. */
export interface Split {
  /** Density from which on a pixel is ink. */
  threshold: number;
  /** Mean density on either side, and the spread of the ground. */
  ground: number;
  groundSpread: number;
  ink: number;
  /** Share of the pixels that are ink, 0 to 1. */
  share: number;
  /** Variance between the two over the whole variance (Otsu 1979): near 1 for ink on paper, lower for photos. */
  separation: number;
}

/** Counts of densities. No density is negative; a density above 1 counts as 1. */
function histogramOf({ data }: Plane): Uint32Array {
  const histogram = new Uint32Array(BINS);
  const { length } = data;
  for (let i = 0; i < length; i++) {
    const bin = Math.floor(data[i]! * BINS);
    histogram[bin < BINS ? bin : BINS - 1]! += 1;
  }
  return histogram;
}

/** Otsu's threshold of a density. */
export function splitOf(density: Plane): Split {
  const histogram = histogramOf(density);
  const total = density.data.length;
  let sum = 0;
  let squares = 0;
  for (let bin = 0; bin < BINS; bin++) {
    sum += bin * histogram[bin]!;
    squares += bin * bin * histogram[bin]!;
  }
  let best = -1;
  let at = 0;
  let below = 0;
  let sumBelow = 0;
  for (let bin = 0; bin < BINS - 1; bin++) {
    below += histogram[bin]!;
    sumBelow += bin * histogram[bin]!;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const between = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2;
    if (between > best) {
      best = between;
      at = bin;
    }
  }
  return describe(histogram, at, total, squares / total - (sum / total) ** 2, best / total / total);
}

function describe(
  histogram: Uint32Array,
  at: number,
  total: number,
  variance: number,
  between: number,
): Split {
  let below = 0;
  let sumBelow = 0;
  let squaresBelow = 0;
  let sumAbove = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const count = histogram[bin]!;
    if (bin <= at) {
      below += count;
      sumBelow += bin * count;
      squaresBelow += bin * bin * count;
    } else sumAbove += bin * count;
  }
  const ground = sumBelow / Math.max(1, below);
  return {
    threshold: (at + 1) / BINS,
    ground: ground / BINS,
    groundSpread: Math.sqrt(Math.max(0, squaresBelow / Math.max(1, below) - ground * ground)) / BINS,
    ink: sumAbove / Math.max(1, total - below) / BINS,
    share: (total - below) / total,
    separation: variance > 0 ? between / variance : 0,
  };
}

/** Pixels above `high`, and all above `low` that touch them through others (8-connected): faint ends stay on. */
export function hysteresis(density: Plane, low: number, high: number): Mask {
  const { width, height, data } = density;
  const out = mask(width, height);
  const ink = out.data;
  // The queue has room for twice as many pixels whenever it is full.
  let queue = new Int32Array(4096);
  let length = 0;
  const add = (at: number) => {
    ink[at] = 1;
    if (length === queue.length) queue = lengthened(queue, 2 * length);
    queue[length++] = at;
  };
  for (let i = 0; i < data.length; i++) if (data[i]! >= high) add(i);
  for (let next = 0; next < length; next++) {
    const at = queue[next]!;
    const x = at % width;
    const left = x > 0 ? -1 : 0;
    const right = x < width - 1 ? 1 : 0;
    const last = Math.min(at + width, data.length - width + x);
    for (let row = at >= width ? at - width : at; row <= last; row += width)
      for (let to = row + left; to <= row + right; to++) if (ink[to] === 0 && data[to]! >= low) add(to);
  }
  return out;
}
