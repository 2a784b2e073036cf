/** A signature as a cloud of oriented points: where its line runs, and in which direction. Pen, medium and size are gone. */
import type { Stroke } from './strokes.ts';

/** Unit of length: root mean square distance of the points from their centroid, which is the origin. */
export interface OrientedPoints {
  count: number;
  x: Float64Array;
  y: Float64Array;
  /** Direction of the line, radians, modulo π. */
  angle: Float64Array;
  /** Which stroke a point lies on. */
  stroke: Int32Array;
}

/** Pixels of the stroke's own picture that are (0, 0), and how many make one unit. */
export interface Frame {
  centreX: number;
  centreY: number;
  unit: number;
}

/** Distance between neighbouring points along a line, in units. */
export const SPACING = 0.045;
/** Half the length over which a direction is measured, in units. */
const REACH = 0.07;

/** The parts of one signature that a comparison uses. */
export interface Shape {
  points: OrientedPoints;
  bends: Bends;
}

/** Spreads points evenly along strokes. Undefined when all ink is in one spot. */
export function shapeOf(strokes: readonly Stroke[]): (Shape & { frame: Frame }) | undefined {
  const frame = frameOf(strokes);
  if (frame.unit < 1) return undefined;
  const lines = strokes.map((stroke) => new Polyline(stroke));
  return { frame, points: pointsOf(lines, frame), bends: bendsOf(lines, frame.unit) };
}

function pointsOf(lines: readonly Polyline[], frame: Frame): OrientedPoints {
  const xs: number[] = [];
  const ys: number[] = [];
  const angles: number[] = [];
  const owners: number[] = [];
  lines.forEach((line, index) => {
    const spacing = SPACING * frame.unit;
    const steps = Math.max(1, Math.round(line.length / spacing));
    for (let i = 0; i < steps; i++) {
      const at = ((i + 0.5) / steps) * line.length;
      const [x, y] = line.at(at);
      const [x0, y0] = line.at(at - REACH * frame.unit);
      const [x1, y1] = line.at(at + REACH * frame.unit);
      xs.push((x - frame.centreX) / frame.unit);
      ys.push((y - frame.centreY) / frame.unit);
      angles.push(Math.atan2(y1 - y0, x1 - x0));
      owners.push(index);
    }
  });
  return {
    count: xs.length,
    x: Float64Array.from(xs),
    y: Float64Array.from(ys),
    angle: Float64Array.from(angles),
    stroke: Int32Array.from(owners),
  };
}

/** Height over width, both by spread. @param turn by which the points are turned first, radians */
export function heightOverWidth({ x, y, count }: OrientedPoints, turn = 0): number {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < count; i++) {
    xx += (cos * x[i]! - sin * y[i]!) ** 2;
    yy += (sin * x[i]! + cos * y[i]!) ** 2;
  }
  return Math.sqrt((yy + 1e-3) / (xx + 1e-3));
}

/** How the line bends where it runs on far enough to either side: a list of places, in no order that matters. */
export interface Bends {
  /** To which side the line bulges, radians; the same whichever way the line is followed. */
  bulge: Float64Array;
  /** By how much the direction changes, 0 (straight on) to π (back). */
  turn: Float64Array;
}

/** Distance between the places, and length of the line that is looked at on either side, in units. */
const BEND_SPACING = 0.02;
const LEG = 0.1;

/** How often the line turns back on itself, by the sum of its turns: a straight stroke has none, a circle has two. */
export function halfTurnsOf({ turn }: Bends): number {
  return (turn.reduce((sum, one) => sum + one, 0) * BEND_SPACING) / LEG / Math.PI;
}

function bendsOf(lines: readonly Polyline[], unit: number): Bends {
  const bulge: number[] = [];
  const turn: number[] = [];
  const leg = LEG * unit;
  for (const line of lines)
    for (let at = leg; at <= line.length - leg; at += BEND_SPACING * unit) {
      const [x0, y0] = line.at(at - leg);
      const [x, y] = line.at(at);
      const [x1, y1] = line.at(at + leg);
      const cross = (x - x0) * (y1 - y) - (y - y0) * (x1 - x);
      const along = (x - x0) * (x1 - x) + (y - y0) * (y1 - y);
      // Away from the chord between both ends.
      const side = cross >= 0 ? 1 : -1;
      bulge.push(Math.atan2(-side * (x1 - x0), side * (y1 - y0)));
      turn.push(Math.abs(Math.atan2(cross, along)));
    }
  return { bulge: Float64Array.from(bulge), turn: Float64Array.from(turn) };
}

/** Centroid and spread of the lines, every bit of length weighing the same. */
export function frameOf(strokes: readonly Stroke[]): Frame {
  let weight = 0;
  let sumX = 0;
  let sumY = 0;
  let squares = 0;
  for (const stroke of strokes)
    for (let i = 2; i < stroke.length; i += 2) {
      const x = (stroke[i]! + stroke[i - 2]!) / 2;
      const y = (stroke[i + 1]! + stroke[i - 1]!) / 2;
      const length = Math.hypot(stroke[i]! - stroke[i - 2]!, stroke[i + 1]! - stroke[i - 1]!);
      weight += length;
      sumX += length * x;
      sumY += length * y;
      squares += length * (x * x + y * y);
    }
  if (weight === 0) return { centreX: 0, centreY: 0, unit: 0 };
  const centreX = sumX / weight;
  const centreY = sumY / weight;
  const variance = squares / weight - centreX * centreX - centreY * centreY;
  return { centreX, centreY, unit: Math.sqrt(Math.max(0, variance)) };
}

/** A line that can be asked for the point at a length from its start; beyond its ends it stays there. */
class Polyline {
  readonly length: number;
  readonly #points: Float64Array;
  readonly #lengths: Float64Array;

  constructor(points: Float64Array) {
    this.#points = points;
    this.#lengths = new Float64Array(points.length / 2);
    for (let i = 1; i < this.#lengths.length; i++)
      this.#lengths[i] =
        this.#lengths[i - 1]! +
        Math.hypot(points[i * 2]! - points[i * 2 - 2]!, points[i * 2 + 1]! - points[i * 2 - 1]!);
    this.length = this.#lengths.at(-1) ?? 0;
  }

  at(length: number): [number, number] {
    const lengths = this.#lengths;
    const points = this.#points;
    let low = 0;
    let high = lengths.length - 1;
    if (length <= 0) return [points[0]!, points[1]!];
    if (length >= this.length) return [points[high * 2]!, points[high * 2 + 1]!];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lengths[middle]! <= length) low = middle;
      else high = middle;
    }
    const share = (length - lengths[low]!) / Math.max(1e-9, lengths[high]! - lengths[low]!);
    return [
      points[low * 2]! + share * (points[high * 2]! - points[low * 2]!),
      points[low * 2 + 1]! + share * (points[high * 2 + 1]! - points[low * 2 + 1]!),
    ];
  }
}

/** x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Affine = [1, 0, 0, 0, 1, 0];

export function rotation(radians: number): Affine {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return [cos, -sin, 0, sin, cos, 0];
}

/** First `inner`, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f];
}

export function inverse([a, b, c, d, e, f]: Affine): Affine {
  const det = a * e - b * d;
  const [p, q, s, t] = [e / det, -b / det, -d / det, a / det];
  return [p, q, -(p * c + q * f), s, t, -(s * c + t * f)];
}

export function transformed(points: OrientedPoints, [a, b, c, d, e, f]: Affine): OrientedPoints {
  const { count, stroke } = points;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    x[i] = a * points.x[i]! + b * points.y[i]! + c;
    y[i] = d * points.x[i]! + e * points.y[i]! + f;
    const dx = Math.cos(points.angle[i]!);
    const dy = Math.sin(points.angle[i]!);
    angle[i] = Math.atan2(d * dx + e * dy, a * dx + b * dy);
  }
  return { count, x, y, angle, stroke };
}
