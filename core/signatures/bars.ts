/** Long straight lines among strokes: a signature is struck through, crossed out or underlined with them, and remains without them. */
import { piecesOf, type Stroke } from './strokes.ts';

/** Lengths are shares of the long side of all strokes. */
const BAR = {
  /** A line runs over so much, is drawn over so much of its way, and wavers so far to either side. */
  length: 0.55,
  drawn: 0.7,
  waver: 0.014,
  /** Its direction is off by no more, radians. */
  turn: 0.22,
} as const;
/** Directions that are looked at, and places along a line that are drawn or not. */
const TURNS = 60;
const PLACES = 40;
const TURN = Math.PI / TURNS;
const COS = Float64Array.from({ length: TURNS }, (_, turn) => Math.cos(turn * TURN));
const SIN = Float64Array.from({ length: TURNS }, (_, turn) => Math.sin(turn * TURN));

/** A short straight bit of a stroke, from its middle. */
interface Bit {
  stroke: number;
  at: number;
  x: number;
  y: number;
  angle: number;
  length: number;
}

/** The strokes without the longest straight line that runs over most of their long side; undefined where there is none. */
export function withoutBar(strokes: readonly Stroke[]): Stroke[] | undefined {
  const bits = bitsOf(strokes);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of bits) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  }
  const span = Math.max(right - left, bottom - top);
  if (!(span > 0)) return undefined;
  const bar = barIn(
    bits.map((bit) => ({
      ...bit,
      x: (bit.x - left) / span,
      y: (bit.y - top) / span,
      length: bit.length / span,
    })),
  );
  if (!bar) return undefined;
  const gone = new Set(bar.map(({ stroke, at }) => stroke * PER_STROKE + at));
  return piecesOf(strokes, (_x, _y, stroke, at) => !gone.has(stroke * PER_STROKE + at));
}

/** No stroke has more numbers. */
const PER_STROKE = 2 ** 20;

function bitsOf(strokes: readonly Stroke[]): Bit[] {
  return strokes.flatMap((points, stroke) => {
    const bits: Bit[] = [];
    for (let at = 2; at < points.length; at += 2) {
      // The direction over some points: thinned lines go in steps.
      const [from, to] = [Math.max(0, at - 2 * AROUND), Math.min(points.length - 2, at + 2 * AROUND)];
      const angle = Math.atan2(points[to + 1]! - points[from + 1]!, points[to]! - points[from]!);
      const [x, y] = [points[at]!, points[at + 1]!];
      const length = Math.hypot(x - points[at - 2]!, y - points[at - 1]!);
      bits.push({ stroke, at, x, y, angle, length });
    }
    return bits;
  });
}

const AROUND = 4;

/** A Hough transform: bits vote for the lines through them in their direction. */
function barIn(bits: readonly Bit[]): Bit[] | undefined {
  const offsets = Math.ceil(4 / BAR.waver);
  const votes = new Float32Array(TURNS * offsets);
  const reach = Math.floor(BAR.turn / TURN);
  for (const { x, y, angle, length } of bits) {
    const nearest = Math.round(angle / TURN);
    for (let turn = nearest - reach; turn <= nearest + reach; turn++) {
      const index = ((turn % TURNS) + TURNS) % TURNS;
      const off = y * COS[index]! - x * SIN[index]!;
      votes[index * offsets + Math.floor((off + 2) / BAR.waver)]! += length;
    }
  }
  let best = 0;
  const filled = (at: number) => votes[at]! + votes[at + 1]!;
  for (let at = 1; at < votes.length - 1; at++) if (filled(at) > filled(best)) best = at;
  const chosen = Math.floor(best / offsets);
  const turn = chosen * TURN;
  const [cos, sin] = [COS[chosen]!, SIN[chosen]!];
  const middle = ((best % offsets) + 1) * BAR.waver - 2;
  const along = bits.filter(({ x, y, angle }) => {
    const aslant = angle - turn - Math.PI * Math.round((angle - turn) / Math.PI);
    return Math.abs(aslant) <= BAR.turn && Math.abs(y * cos - x * sin - middle) <= BAR.waver;
  });
  const places = new Set(along.map(({ x, y }) => Math.round((x * cos + y * sin) * PLACES)));
  const way = Math.max(...places) - Math.min(...places) + 1;
  const isLong = way >= BAR.length * PLACES && places.size >= BAR.drawn * way;
  return along.length > 0 && isLong ? along : undefined;
}
