/** From a thinned mask to strokes: chains of points between ends and crossings, smoothed, without spurs. */
import { grown } from './components.ts';
import { roughPenWidth } from './penWidth.ts';
import { mask, type Mask } from './raster.ts';
import { AROUND, RISES, neighbourhood, thin } from './thinning.ts';

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
  for (let at = 0; at < out.length; at++)
    if (thinned.data[at] === 1) out[at] = RISES[neighbourhood(thinned, at)]!;
  return out;
}

/** The line map that tracing follows. */
interface Lines {
  thinned: Uint8Array;
  degree: Uint8Array;
  /** Pixels along a line that some chain has been through. */
  seen: Uint8Array;
  /** From a pixel to its neighbours: sides first, then corners. */
  steps: Int32Array;
}

function chainsOf(image: Mask, degree: Uint8Array): Chain[] {
  const { width, data: thinned } = image;
  const steps = Int32Array.from([0, 2, 4, 6, 1, 3, 5, 7], (k) => AROUND[k]![0] + AROUND[k]![1] * width);
  const lines: Lines = { thinned, degree, seen: new Uint8Array(degree.length), steps };
  const chains: Chain[] = [];
  for (let at = 0; at < degree.length; at++) {
    if (thinned[at] === 0 || degree[at] === 2) continue;
    for (const step of steps) {
      const first = at + step;
      if (thinned[first] !== 1) continue;
      if (degree[first] !== 2) {
        if (first > at) chains.push({ pixels: [at, first], openStart: false, openEnd: false });
      } else if (lines.seen[first] === 0) chains.push(walk(lines, at, first));
    }
  }
  for (let at = 0; at < degree.length; at++)
    if (thinned[at] === 1 && degree[at] === 2 && lines.seen[at] === 0) chains.push(ring(lines, at));
  return chains;
}

/** From a node along a line to the next node. */
function walk(lines: Lines, node: number, first: number): Chain {
  const { degree, seen } = lines;
  const pixels = [node, first];
  seen[first] = 1;
  for (let at = first, from = node; degree[at] === 2;) {
    const next = nextOf(lines, at, from);
    if (next < 0 || (next === node && pixels.length < 4 && hasOther(lines, at, from, next))) break;
    pixels.push(next);
    if (degree[next] === 2) seen[next] = 1;
    from = at;
    at = next;
  }
  return { pixels, openStart: degree[node] === 1, openEnd: degree[pixels.at(-1)!] === 1 };
}

/** Where a line goes on: to the first node around, or else to the first pixel that no chain has been through; −1 nowhere. */
function nextOf({ thinned, degree, seen, steps }: Lines, at: number, from: number): number {
  let unseen = -1;
  for (const step of steps) {
    const to = at + step;
    if (to === from || thinned[to] !== 1) continue;
    if (degree[to] !== 2) return to;
    if (unseen < 0 && seen[to] === 0) unseen = to;
  }
  return unseen;
}

/** Whether a pixel has neighbours besides these two. */
function hasOther({ thinned, steps }: Lines, at: number, from: number, next: number): boolean {
  for (const step of steps) {
    const to = at + step;
    if (to !== from && to !== next && thinned[to] === 1) return true;
  }
  return false;
}

/** A closed loop without any crossing. */
function ring({ thinned, seen, steps }: Lines, start: number): Chain {
  const pixels = [start];
  seen[start] = 1;
  for (let at = start; ;) {
    const step = steps.find((each) => thinned[at + each] === 1 && seen[at + each] === 0);
    if (step === undefined) break;
    at += step;
    seen[at] = 1;
    pixels.push(at);
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

/** The stretches of strokes whose points are kept: a stroke parts where points are left out. */
export const piecesOf = (
  strokes: readonly Stroke[],
  isKept: (x: number, y: number, stroke: number, at: number) => boolean,
): Stroke[] =>
  strokes.flatMap((stroke, index) => {
    const pieces: number[][] = [[]];
    for (let at = 0; at < stroke.length; at += 2) {
      const [x, y] = [stroke[at]!, stroke[at + 1]!];
      if (isKept(x, y, index, at)) pieces.at(-1)!.push(x, y);
      else pieces.push([]);
    }
    return pieces.filter(({ length }) => length > 2).map((piece) => Float64Array.from(piece));
  });

/** An end of a stroke, and the direction from there along it, radians. */
interface End {
  x: number;
  y: number;
  angle: number;
}

/** Both ends of a stroke and its directions there, over some pixels. */
export function endsOf(stroke: Stroke): End[] {
  const last = stroke.length - 2;
  const over = Math.min(2 * END, last);
  return [
    [0, over],
    [last, last - over],
  ].map(([at, to]) => ({
    x: stroke[at!]!,
    y: stroke[at! + 1]!,
    angle: Math.atan2(stroke[to! + 1]! - stroke[at! + 1]!, stroke[to!]! - stroke[at!]!),
  }));
}

const END = 8;

/**
 * A gap under other ink is so long at most, in widths of the pen and of that ink; both its ends go on so much in its direction,
 * radians; they and so much of it lie so near to that ink, pixels.
 */
const GAP = { pens: 4, covers: 3, aslant: 0.6, near: 4, covered: 0.9 };

/** The strokes of a pen, drawn on under ink that covers them, between ends that face each other. */
export function bridged(pen: Mask, cover: Mask): Mask {
  const penWidth = roughPenWidth(pen);
  const near = grown(cover, GAP.near + Math.ceil(penWidth / 2), 1);
  const isNear = ({ x, y }: { x: number; y: number }) =>
    near.data[Math.round(y) * near.width + Math.round(x)] === 1;
  const longest = GAP.pens * penWidth + GAP.covers * roughPenWidth(cover);
  const ends = traceStrokes(thin(pen), penWidth).flatMap(endsOf).filter(isNear);
  const gaps = ends.flatMap((one, i) =>
    ends.slice(i + 1).flatMap((other) => {
      const [dx, dy] = [other.x - one.x, other.y - one.y];
      const long = Math.hypot(dx, dy);
      const way = Math.atan2(dy, dx);
      const aslant = Math.max(turnBetween(way, one.angle + Math.PI), turnBetween(way, other.angle));
      if (long > longest || aslant > GAP.aslant) return [];
      const places = Array.from({ length: Math.ceil(long) + 1 }, (_, at) => ({
        x: one.x + (dx * at) / Math.ceil(long),
        y: one.y + (dy * at) / Math.ceil(long),
      }));
      return places.filter(isNear).length >= GAP.covered * places.length
        ? [{ one, other, places, cost: long * (1 + aslant) }]
        : [];
    }),
  );
  const line = mask(pen.width, pen.height);
  const joined = new Set<End>();
  for (const { one, other, places } of gaps.sort((a, b) => a.cost - b.cost)) {
    if (joined.has(one) || joined.has(other)) continue;
    joined.add(one).add(other);
    for (const { x, y } of places) line.data[Math.round(y) * line.width + Math.round(x)] = 1;
  }
  const drawn = grown(line, Math.max(0, Math.round((penWidth - 1) / 2)), 1);
  return { ...pen, data: pen.data.map((value, i) => value | drawn.data[i]!) };
}

const turnBetween = (one: number, other: number) => Math.acos(Math.cos(one - other));
