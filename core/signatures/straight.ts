/** Straight edges of ink, as rulers and printers draw them, and the corners in which they meet. */
import { runsOf, type Runs } from './components.ts';
import { mask, type Mask } from './raster.ts';

/** A straight stretch of an edge of ink, in pixels of the picture. */
interface Line {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  length: number;
}

/** No place of a straight edge is farther off the line, pixels: what is drawn by hand wavers more. */
const WAVER = 0.75;

/** All straight edges of at least a length. */
function straightEdges(image: Mask, least: number): Line[] {
  const runs = runsOf(image, 1);
  const steep = steepEdges(runs, least);
  const flat = steepEdges(runsOf(transposed(image, runs), 1), least);
  return [
    ...steep,
    ...flat.map(({ x0, y0, x1, y1, length }) => ({ x0: y0, y0: x0, x1: y1, y1: x1, length })),
  ];
}

function transposed({ width, height }: Mask, { count, row, from, to }: Runs): Mask {
  const out = mask(height, width);
  for (let i = 0; i < count; i++) for (let x = from[i]!; x <= to[i]!; x++) out.data[x * height + row[i]!] = 1;
  return out;
}

/** Edges that go down by at least as much as they go aside: the ends of the runs of rows, followed from row to row. */
function steepEdges({ count, row, from, to }: Runs, least: number): Line[] {
  const found: Line[] = [];
  for (const ends of [from, to]) {
    const follower = new Int32Array(count).fill(-1);
    const isFollowed = new Uint8Array(count);
    for (let i = 0, next = 0; i < count; i++) {
      const below = row[i]! + 1;
      while (next < count && (row[next]! < below || (row[next] === below && ends[next]! < ends[i]! - 1)))
        next++;
      if (row[next] !== below || ends[next]! > ends[i]! + 1 || isFollowed[next] === 1) continue;
      follower[i] = next;
      isFollowed[next] = 1;
    }
    for (let start = 0; start < count; start++)
      if (isFollowed[start] === 0) followDown(start, follower, row, ends, least, found);
  }
  return found;
}

/** Cuts a chain of ends into stretches that lie within a narrow cone from their start. */
function followDown(
  start: number,
  follower: Int32Array,
  row: Int32Array,
  ends: Int32Array,
  least: number,
  found: Line[],
): void {
  let [first, last] = [start, start];
  let [low, high] = [-Infinity, Infinity];
  for (let at = start; at >= 0; at = follower[at]!) {
    const down = row[at]! - row[first]!;
    if (down > 0) {
      const aside = ends[at]! - ends[first]!;
      low = Math.max(low, (aside - WAVER) / down);
      high = Math.min(high, (aside + WAVER) / down);
      if (low > high) {
        keep(first, last);
        [first, low, high] = [last, -Infinity, Infinity];
        const back = row[at]! - row[first]!;
        if (back > 0) {
          low = (ends[at]! - ends[first]! - WAVER) / back;
          high = (ends[at]! - ends[first]! + WAVER) / back;
        }
      }
    }
    last = at;
  }
  keep(first, last);

  function keep(from: number, to: number) {
    // Most stretches are shorter even along a diagonal.
    if (Math.SQRT2 * (row[to]! - row[from]!) < least) return;
    const [x0, y0, x1, y1] = [ends[from]!, row[from]!, ends[to]!, row[to]!];
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length >= least) found.push({ x0, y0, x1, y1, length });
  }
}

/** A side is seen in pieces of at least such a share of its least length: other strokes cross it. */
const PIECE = 0.4;
/** So many edges are looked at, the longest first. */
const MAX_EDGES = 80;
/** Parts of one side, between strokes that cross it: radians and pixels between them, and the share that is there. */
const COLLINEAR = { turn: 0.04, off: 2, share: 0.5 };
/** Two sides make a corner when their ends are so near, in widths of the pen and pixels, and the angle between them is between these. */
const CORNER = { pens: 1.5, pixels: 4, least: 0.45, most: 2.7 };
/** Two corners of a box or of another regular polygon are alike, to so many radians. */
const ALIKE = 0.05;

/** Straight edges of at least a length, also where other strokes cross them. */
export function straightSides(ink: Mask, least: number): Line[] {
  const edges = straightEdges(ink, PIECE * least).sort((a, b) => b.length - a.length);
  return joined(edges.slice(0, MAX_EDGES)).filter(({ length }) => length >= least);
}

/**
 * How long the sides are that follow one another around alike corners to one side, or close a triangle: part of a box or of
 * another polygon. A hand is less straight, goes to and fro, and its corners differ.
 * @param least length of a side, pixels
 * @returns the shortest of three such sides, where that is longest; 0 where there are none
 */
export function polygonSide(ink: Mask, penWidth: number, least: number): number {
  const sides = straightSides(ink, least).flatMap((side) => [
    side,
    { ...side, x0: side.x1, y0: side.y1, x1: side.x0, y1: side.y0 },
  ]);
  const reach = CORNER.pens * penWidth + CORNER.pixels;
  const directions = sides.map(({ x0, y0, x1, y1 }) => Math.atan2(y1 - y0, x1 - x0));
  const corners = sides.map((one, i) =>
    sides.flatMap((other, j) => {
      if (i >> 1 === j >> 1 || Math.hypot(other.x0 - one.x1, other.y0 - one.y1) > reach) return [];
      const angle = directions[j]! - directions[i]!;
      const turn = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
      return turn >= CORNER.least && turn <= CORNER.most ? [{ to: j, turn }] : [];
    }),
  );
  const lengths = corners.flatMap((from, i) =>
    from.flatMap(({ to, turn }) =>
      corners[to]!.flatMap((next) => {
        const isClosed = corners[next.to]!.some((last) => last.to === i);
        if (next.to >> 1 === i >> 1 || (Math.abs(next.turn - turn) >= ALIKE && !isClosed)) return [];
        return [Math.min(sides[i]!.length, sides[to]!.length, sides[next.to]!.length)];
      }),
    ),
  );
  return Math.max(0, ...lengths);
}

/** Edges on one line as one side, where there is enough of it. */
function joined(edges: readonly Line[]): Line[] {
  const out: Line[] = [];
  const left = [...edges];
  for (let side = left.shift(); side; side = left.shift()) {
    let whole = side;
    for (let i = 0; i < left.length; i++) {
      const both = together(whole, left[i]!);
      if (!both) continue;
      whole = both;
      left.splice(i, 1);
      i = -1;
    }
    out.push(whole);
  }
  return out;
}

function together(one: Line, other: Line): Line | undefined {
  const span = Math.hypot(one.x1 - one.x0, one.y1 - one.y0);
  const [cos, sin] = [(one.x1 - one.x0) / span, (one.y1 - one.y0) / span];
  const along = (x: number, y: number) => cos * (x - one.x0) + sin * (y - one.y0);
  const off = (x: number, y: number) => cos * (y - one.y0) - sin * (x - one.x0);
  const [from, to] = [along(other.x0, other.y0), along(other.x1, other.y1)];
  const [offFrom, offTo] = [off(other.x0, other.y0), off(other.x1, other.y1)];
  if (Math.abs(offTo - offFrom) > COLLINEAR.turn * other.length) return undefined;
  if (Math.max(Math.abs(offFrom), Math.abs(offTo)) > COLLINEAR.off) return undefined;
  const [first, last] = [Math.min(0, from, to), Math.max(span, from, to)];
  const length = Math.min(last - first, one.length + other.length);
  if (length < COLLINEAR.share * (last - first)) return undefined;
  const at = (place: number) => [one.x0 + cos * place, one.y0 + sin * place] as const;
  const [[x0, y0], [x1, y1]] = [at(first), at(last)];
  return { x0, y0, x1, y1, length };
}
