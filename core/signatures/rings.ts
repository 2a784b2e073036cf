/** Rings and ovals of a stamp among the lines of a signature: no hand draws one so round. */
import { shapeOf, type Frame, type OrientedPoints } from './points.ts';
import { endsOf, piecesOf, type Stroke } from './strokes.ts';

// Lengths are in units of the points.

/** Cells of the map of centres, and how many there are from its middle to either side. */
const CELL = 0.06;
const HALF = 50;
const SIDE = 2 * HALF;
/** Radii that are looked for. */
const RADIUS = { least: 0.2, most: 2 };
/** From a line, on either side of it. */
const RADII_OF_CENTRES = Float64Array.from(
  { length: Math.ceil((2 * RADIUS.most) / CELL) },
  (_, i) => i * CELL - RADIUS.most,
).filter((radius) => Math.abs(radius) >= RADIUS.least);
/** Centres and radii that are looked at more closely. */
const CENTRES = 3;
const RADII = 2;
const SECTORS = 48;
/** How far off a ring its points may lie, also as a share of its radius, and how far off its direction a line, radians. */
const OFF = { least: 0.012, share: 0.012, turn: 0.2 };
/** The first circle is rough: points this far off it are fitted, then nearer ones. */
const NEARER = [0.09, 0.045, 0.02];
/** Stamps are round or oval: roughly their height over their width, and how far they lie askew, radians. */
const OVALS = [1, 0.8, 0.63].flatMap((flat) =>
  (flat === 1 ? [0] : [-0.25, 0, 0.25]).map((turn) => ({ flat, turn })),
);
/** In a picture in which it is nearly a circle, a stamp is hardly flatter than this. */
const FLATTEST = 0.75;

/** So much of a ring is a stamp's; less may be one that strokes cover. Hands draw 0.6 of one, seldom more. */
export const RING = { stamp: 0.75, mixed: 0.62 };

/** Places of lines and their directions, of length 1. */
interface Lines {
  count: number;
  x: Float64Array;
  y: Float64Array;
  dx: Float64Array;
  dy: Float64Array;
}

/** A curve with a·x² + b·x·y + c·y² + d·x + e·y = 1, from a place within it. */
interface Oval {
  x: number;
  y: number;
  conic: readonly number[];
}

/** The fullest ring or oval among lines. */
export interface Ring {
  /** The share of its directions, seen from its centre, in which it is drawn: 0 to 1. */
  share: number;
  /** Roughly how far a place lies beyond it, units; less than zero within it. */
  beyond: (x: number, y: number) => number;
}

/** The share of the fullest ring or oval: 0 to 1. */
export const ringShare = (points: OrientedPoints): number => ringIn(points).share;

export function ringIn({ count, x, y, angle }: OrientedPoints): Ring {
  const lines = { count, x, y, dx: angle.map(Math.cos), dy: angle.map(Math.sin) };
  const rings = OVALS.map(({ flat, turn }) => {
    const { share, oval } = circleIn(squashed(lines, flat, turn));
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const beyond = (u: number, v: number) =>
      oval ? beyondOval(oval, cos * u + sin * v, (cos * v - sin * u) / flat) : Infinity;
    return { share, beyond };
  });
  return rings.reduce((best, ring) => (ring.share > best.share ? ring : best));
}

/** How far a place lies beyond an oval, to first order: the equation over its slope. */
function beyondOval({ x, y, conic }: Oval, placeX: number, placeY: number): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = conic;
  const [u, v] = [placeX - x, placeY - y];
  const slope = Math.hypot(2 * a * u + b * v + d, b * u + 2 * c * v + e);
  return (a * u * u + b * u * v + c * v * v + d * u + e * v - 1) / Math.max(slope, 1e-9);
}

/** The lines in a picture in which an oval is a circle. */
function squashed({ count, ...lines }: Lines, flat: number, turn: number): Lines {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const out = { count, x: lines.x.slice(), y: lines.y.slice(), dx: lines.dx.slice(), dy: lines.dy.slice() };
  for (let i = 0; i < count; i++) {
    out.x[i] = cos * lines.x[i]! + sin * lines.y[i]!;
    out.y[i] = (cos * lines.y[i]! - sin * lines.x[i]!) / flat;
    const dx = cos * lines.dx[i]! + sin * lines.dy[i]!;
    const dy = (cos * lines.dy[i]! - sin * lines.dx[i]!) / flat;
    const length = Math.sqrt(dx * dx + dy * dy);
    out.dx[i] = dx / length;
    out.dy[i] = dy / length;
  }
  return out;
}

/** How much of an oval is drawn. */
interface Drawn {
  share: number;
  oval: Oval | undefined;
}

const fuller = (one: Drawn, other: Drawn): Drawn => (other.share > one.share ? other : one);

/** A Hough transform: each line votes for the centres of all circles that it may be a part of. */
function circleIn(lines: Lines): Drawn {
  const votes = new Uint16Array(SIDE * SIDE);
  for (let i = 0; i < lines.count; i++) {
    // In cells, so that cutting off the fraction gives the nearest one.
    const [x, y] = [lines.x[i]! / CELL + HALF + 0.5, lines.y[i]! / CELL + HALF + 0.5];
    const [dx, dy] = [lines.dx[i]! / CELL, lines.dy[i]! / CELL];
    for (const radius of RADII_OF_CENTRES) {
      const column = (x - radius * dy) | 0;
      const row = (y + radius * dx) | 0;
      if (column > 0 && row > 0 && column < SIDE - 1 && row < SIDE - 1) votes[row * SIDE + column]! += 1;
    }
  }
  let most: Drawn = { share: 0, oval: undefined };
  for (let look = 0; look < CENTRES; look++) {
    const at = fullest(votes);
    const [row, column] = [Math.floor(at / SIDE), at % SIDE];
    most = fuller(most, circleAround(lines, (column - HALF) * CELL, (row - HALF) * CELL));
    for (let v = Math.max(0, row - 2); v <= row + 2; v++)
      votes.fill(0, v * SIDE + column - 2, v * SIDE + column + 3);
  }
  return most;
}

/** The cell that has most votes with those beside it. */
function fullest(votes: Uint16Array): number {
  let most = 0;
  let best = SIDE + 1;
  for (let at = SIDE + 1; at < votes.length - SIDE - 1; at++) {
    const around = 2 * votes[at]! + votes[at - 1]! + votes[at + 1]! + votes[at - SIDE]! + votes[at + SIDE]!;
    if (around > most) [most, best] = [around, at];
  }
  return best;
}

/** The circle around near a centre that is drawn in most directions. */
function circleAround(lines: Lines, x: number, y: number): Drawn {
  const bins = new Uint16Array(Math.ceil(RADIUS.most / CELL) + 2);
  for (let i = 0; i < lines.count; i++) {
    const [u, v] = [lines.x[i]! - x, lines.y[i]! - y];
    const radius = Math.sqrt(u * u + v * v);
    const isAround = Math.abs(u * lines.dx[i]! + v * lines.dy[i]!) < 2 * OFF.turn * radius;
    if (isAround && radius >= RADIUS.least && radius <= RADIUS.most) bins[Math.floor(radius / CELL)]! += 1;
  }
  let most: Drawn = { share: 0, oval: undefined };
  for (let look = 0; look < RADII; look++) {
    const fill = (bin: number) => (bins[bin - 1]! + bins[bin]! + bins[bin + 1]!) / bin;
    let best = 1;
    for (let bin = 2; bin < bins.length - 1; bin++) if (fill(bin) > fill(best)) best = bin;
    const circle = 1 / ((best + 0.5) * CELL) ** 2;
    const rough = { x, y, conic: [circle, 0, circle, 0, 0] };
    const oval = NEARER.reduce<Oval>((nearest, slack) => fitted(lines, nearest, slack), rough);
    most = fuller(most, { share: sectorsOn(lines, oval) / SECTORS, oval });
    bins.fill(0, best - 1, best + 2);
  }
  return most;
}

/** Calls back with the places, from within, of lines that run along an oval. */
function forEachOn(lines: Lines, { x, y, conic }: Oval, slack: number, on: (u: number, v: number) => void) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = conic;
  for (let i = 0; i < lines.count; i++) {
    const [u, v] = [lines.x[i]! - x, lines.y[i]! - y];
    const [slopeU, slopeV] = [2 * a * u + b * v + d, b * u + 2 * c * v + e];
    const slope = Math.sqrt(slopeU * slopeU + slopeV * slopeV);
    if (Math.abs(a * u * u + b * u * v + c * v * v + d * u + e * v - 1) > slack * slope) continue;
    if (Math.abs(slopeU * lines.dx[i]! + slopeV * lines.dy[i]!) <= OFF.turn * slope) on(u, v);
  }
}

/** The oval nearest to the lines along one, by least squares of its equation. */
function fitted(lines: Lines, oval: Oval, slack: number): Oval {
  const rows = Array.from({ length: 5 }, () => new Float64Array(6));
  const terms = new Float64Array(6).fill(1);
  forEachOn(lines, oval, slack, (u, v) => {
    [terms[0], terms[1], terms[2], terms[3], terms[4]] = [u * u, u * v, v * v, u, v];
    for (let i = 0; i < 5; i++) {
      const row = rows[i]!;
      const term = terms[i]!;
      for (let j = i; j < 6; j++) row[j]! += term * terms[j]!;
    }
  });
  for (let i = 1; i < 5; i++) for (let j = 0; j < i; j++) rows[i]![j] = rows[j]![i]!;
  for (let i = 0; i < 5; i++) {
    if (rows[i]![i]! < 1e-9) return oval;
    for (let j = 0; j < 5; j++) {
      if (i === j) continue;
      const share = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k < 6; k++) rows[j]![k]! -= share * rows[i]![k]!;
    }
  }
  return { ...oval, conic: rows.map((row, i) => row[5]! / row[i]!) };
}

/** In how many sectors of an oval a line runs along it; 0 where it is flatter or smaller than stamps. */
function sectorsOn(lines: Lines, oval: Oval): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = oval.conic;
  const det = 4 * a * c - b * b;
  const [x, y] = [(b * e - 2 * c * d) / det, (b * d - 2 * a * e) / det];
  // Half axes: the roots of the curve's own values.
  const size = 1 - (d * x + e * y) / 2;
  const [mean, off] = [(a + c) / 2, Math.hypot((a - c) / 2, b / 2)];
  const [short, long] = [Math.sqrt(size / (mean + off)), Math.sqrt(size / (mean - off))];
  if (!(det > 0 && short >= RADIUS.least && long <= RADIUS.most && short >= FLATTEST * long)) return 0;
  const seen = new Uint8Array(SECTORS);
  forEachOn(lines, oval, OFF.least + OFF.share * Math.sqrt(short * long), (u, v) => {
    seen[Math.floor((Math.atan2(v - y, u - x) / (2 * Math.PI) + 1) * SECTORS) % SECTORS] = 1;
  });
  return seen.reduce((sum, one) => sum + one, 0);
}

/** A ring is so broad to either side of its line; strokes that end so near it may go on across it, with directions so near. */
const BAND = { ring: 0.05, across: 0.09, gap: 0.16, turn: 0.7 };
/** A share of all strokes is beyond a stamp that lies over a signature; less are the remains of a stamp alone. */
const LEAST_BEYOND = 0.25;
/** A stamp has so many rings at most. */
const MAX_RINGS = 4;

/**
 * The strokes without a stamp: its rings, and what lies within them and does not hang on strokes that go beyond.
 * @returns undefined where a ring is left
 */
export function withoutStamp(strokes: readonly Stroke[]): Stroke[] | undefined {
  let left = [...strokes];
  for (let rings = 0; rings <= MAX_RINGS; rings++) {
    const shape = shapeOf(left);
    if (!shape) return undefined;
    const ring = ringIn(shape.points);
    if (ring.share < RING.mixed) return left;
    left = withoutRing(left, shape.frame, ring);
  }
  return undefined;
}

function withoutRing(
  strokes: readonly Stroke[],
  { centreX, centreY, unit }: Frame,
  { beyond }: Ring,
): Stroke[] {
  const beyondAt = (x: number, y: number) => beyond((x - centreX) / unit, (y - centreY) / unit);
  const pieces = piecesOf(strokes, (x, y) => Math.abs(beyondAt(x, y)) > BAND.ring).map((stroke) => ({
    stroke,
    isKept: beyondAt(stroke[0]!, stroke[1]!) > 0,
    ends: endsOf(stroke).map((end) => ({ ...end, isNear: Math.abs(beyondAt(end.x, end.y)) < BAND.across })),
  }));
  const hangTogether = (one: (typeof pieces)[number], other: (typeof pieces)[number]) =>
    one.ends.some((a) =>
      other.ends.some((b) => {
        const apart = Math.hypot(a.x - b.x, a.y - b.y);
        if (apart < 2) return true;
        const aslant = Math.abs(Math.cos(a.angle - b.angle));
        return a.isNear && b.isNear && apart < BAND.gap * unit && aslant > Math.cos(BAND.turn);
      }),
    );
  const queue = pieces.filter(({ isKept }) => isKept);
  const lengthOf = (list: readonly Stroke[]) => list.reduce((sum, { length }) => sum + length, 0);
  if (lengthOf(queue.map(({ stroke }) => stroke)) < LEAST_BEYOND * lengthOf(strokes)) return [];
  while (queue.length > 0) {
    const one = queue.pop()!;
    for (const other of pieces)
      if (!other.isKept && hangTogether(one, other)) {
        other.isKept = true;
        queue.push(other);
      }
  }
  return pieces.flatMap(({ stroke, isKept }) => (isKept ? [stroke] : []));
}
