/** From a thinned mask to strokes: chains of points between ends and crossings, smoothed, without spurs. */
import { AROUND, neighbourhood } from './thinning.ts';
import type { Mask } from './raster.ts';

/** A line of points, in pixels of the mask: x0, y0, x1, y1, … */
export type Stroke = Float64Array;

interface Chain {
  /** Pixel indices from one node to the other. */
  pixels: number[];
  /** Whether the chain begins or ends in the open instead of at a crossing. */
  openStart: boolean;
  openEnd: boolean;
}

/**
 * Traces a thinned mask.
 * @param spur chains shorter than this many pixels that hang on a crossing by one end are dropped: thinning grows them
 *   on the corners of thick strokes
 */
export function traceStrokes(thinned: Mask, spur: number): Stroke[] {
  const degree = degrees(thinned);
  const chains = chainsOf(thinned, degree);
  const strokes: Stroke[] = [];
  for (const chain of chains) {
    const hanging = chain.openStart !== chain.openEnd;
    if (hanging && chain.pixels.length < spur) continue;
    strokes.push(smoothed(chain.pixels, thinned.width));
  }
  return strokes;
}

/** How many lines leave each pixel: 1 at an end, 2 along a line, 3 and more at a crossing; 0 off the lines or alone. */
function degrees(thinned: Mask): Uint8Array {
  const out = new Uint8Array(thinned.data.length);
  for (let at = 0; at < out.length; at++) {
    if (thinned.data[at] === 0) continue;
    const code = neighbourhood(thinned, at);
    let rises = 0;
    for (let k = 0; k < 8; k++)
      rises += ((code >> k) & 1) === 0 && ((code >> ((k + 1) & 7)) & 1) === 1 ? 1 : 0;
    out[at] = rises;
  }
  return out;
}

function chainsOf(thinned: Mask, degree: Uint8Array): Chain[] {
  const { width } = thinned;
  const steps = [0, 2, 4, 6, 1, 3, 5, 7].map((k) => AROUND[k]![0] + AROUND[k]![1] * width);
  const seen = new Uint8Array(degree.length);
  const chains: Chain[] = [];
  const isNode = (at: number) => degree[at] !== 2;
  const walk = (node: number, first: number): Chain => {
    const pixels = [node, first];
    seen[first] = 1;
    for (let at = first, from = node; !isNode(at);) {
      const options = steps.map((step) => at + step).filter((to) => to !== from && thinned.data[to] === 1);
      const next = options.find(isNode) ?? options.find((to) => seen[to] === 0);
      if (next === undefined || (next === node && pixels.length < 4 && options.length > 1)) break;
      pixels.push(next);
      if (!isNode(next)) seen[next] = 1;
      from = at;
      at = next;
    }
    return { pixels, openStart: degree[node] === 1, openEnd: degree[pixels.at(-1)!] === 1 };
  };
  for (let at = 0; at < degree.length; at++) {
    if (thinned.data[at] === 0 || !isNode(at)) continue;
    for (const step of steps) {
      const first = at + step;
      if (thinned.data[first] === 1 && !isNode(first) && seen[first] === 0) chains.push(walk(at, first));
      else if (thinned.data[first] === 1 && isNode(first) && first > at)
        chains.push({ pixels: [at, first], openStart: false, openEnd: false });
    }
  }
  for (let at = 0; at < degree.length; at++)
    if (thinned.data[at] === 1 && degree[at] === 2 && seen[at] === 0)
      chains.push(ring(at, steps, thinned, seen));
  return chains;
}

/** A closed loop without any crossing. */
function ring(start: number, steps: number[], thinned: Mask, seen: Uint8Array): Chain {
  const pixels = [start];
  seen[start] = 1;
  for (let at = start; ;) {
    const next = steps.map((step) => at + step).find((to) => thinned.data[to] === 1 && seen[to] === 0);
    if (next === undefined) break;
    seen[next] = 1;
    pixels.push(next);
    at = next;
  }
  pixels.push(start);
  return { pixels, openStart: false, openEnd: false };
}

/** Pixel centres as points; the inner ones averaged with two neighbours on either side, which takes the stairs out. */
function smoothed(pixels: number[], width: number): Stroke {
  const count = pixels.length;
  const out = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    const reach = Math.min(2, i, count - 1 - i);
    let x = 0;
    let y = 0;
    for (let k = i - reach; k <= i + reach; k++) {
      const at = pixels[k]!;
      x += at % width;
      y += Math.floor(at / width);
    }
    out[i * 2] = x / (2 * reach + 1);
    out[i * 2 + 1] = y / (2 * reach + 1);
  }
  return out;
}
