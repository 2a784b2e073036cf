/** Regular shapes, which no hand draws: circles, ovals, rectangles, closed outlines of them, and fields of a code. */
import { grown, label, runsOf, type Bounds, type Labelled } from './components.ts';
import { mask, type Mask } from './raster.ts';

/** A convex outline: corners in order, x0, y0, x1, y1, … */
type Hull = readonly number[];

/** A regular shape: what lies within it is told by {@link isWithin}. */
export interface Shape {
  hull: Hull;
  bounds: Bounds;
}

/** The convex hull of points that are sorted by rising y, then x (Andrew 1979). */
function hullOf(points: readonly (readonly [number, number])[]): Hull {
  const chain = (list: readonly (readonly [number, number])[]) => {
    const out: (readonly [number, number])[] = [];
    for (const point of list) {
      while (out.length > 1 && turns(out.at(-2)!, out.at(-1)!, point) <= 0) out.pop();
      out.push(point);
    }
    return out.slice(0, -1);
  };
  return [...chain(points), ...chain(points.toReversed())].flat();
}

const turns = (a: readonly [number, number], b: readonly [number, number], c: readonly [number, number]) =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Both ends of the rows of each part, which hold all corners of its hull. */
export function hullsOf({ runs, components }: Labelled): Hull[] {
  const ends = components.map((): [number, number][] => []);
  for (let i = 0; i < runs.count; i++) {
    const [points, y] = [ends[runs.part[i]!]!, runs.row[i]!];
    // The runs of a row follow each other.
    if (points.at(-2)?.[1] === y) points.pop();
    if (points.at(-1)?.[1] !== y) points.push([runs.from[i]!, y]);
    if (runs.to[i]! > points.at(-1)![0]) points.push([runs.to[i]!, y]);
  }
  return ends.map(hullOf);
}

/** Twice the area, by the shoelace formula. */
export function areaOf(hull: Hull): number {
  let sum = 0;
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    sum += hull[i]! * hull[j + 1]! - hull[j]! * hull[i + 1]!;
  }
  return Math.abs(sum) / 2;
}

const SAMPLES = 120;

/** Points evenly along a hull, with the directions in which it runs. */
function along(hull: Hull): { x: number; y: number; dx: number; dy: number }[] {
  const sides = Array.from({ length: hull.length / 2 }, (_, i) => {
    const j = (2 * i + 2) % hull.length;
    const [dx, dy] = [hull[j]! - hull[2 * i]!, hull[j + 1]! - hull[2 * i + 1]!];
    return { x: hull[2 * i]!, y: hull[2 * i + 1]!, dx, dy, length: Math.hypot(dx, dy) };
  });
  const whole = sides.reduce((sum, side) => sum + side.length, 0);
  const out: { x: number; y: number; dx: number; dy: number }[] = [];
  let [side, before] = [0, 0];
  for (let i = 0; i < SAMPLES; i++) {
    const at = ((i + 0.5) / SAMPLES) * whole;
    while (side < sides.length - 1 && before + sides[side]!.length < at) before += sides[side++]!.length;
    const { x, y, dx, dy, length } = sides[side]!;
    const share = (at - before) / length;
    out.push({ x: x + share * dx, y: y + share * dy, dx: dx / length, dy: dy / length });
  }
  return out;
}

/**
 * How far a hull is from the best ellipse or rectangle, pixels (the distance that nine in ten places do not exceed), and how
 * thin it is: its width where that is least.
 */
export function regularity(hull: Hull): { off: number; thin: number; isRound: boolean } {
  const points = along(hull);
  const box = leastBox(points);
  const off = (distance: (u: number, v: number) => number) =>
    points
      .map(({ x, y }) => {
        const [cx, cy] = [x - box.x, y - box.y];
        return distance(Math.abs(box.cos * cx + box.sin * cy), Math.abs(-box.sin * cx + box.cos * cy));
      })
      .sort((a, b) => a - b)[Math.floor(SAMPLES * 0.9)]!;
  const { a, b } = box;
  const ellipse = off((u, v) => Math.abs(Math.hypot(u / a, v / b) - 1) * Math.min(a, b));
  const rectangle = off((u, v) => Math.min(Math.abs(a - u), Math.abs(b - v)));
  return { off: Math.min(ellipse, rectangle), thin: 2 * Math.min(a, b), isRound: ellipse < rectangle };
}

/** The smallest box around some hulls: its shorter side, and how far the longer one lies off level, radians, −π/2 to π/2. */
export function boxAround(hulls: readonly Hull[]): { thin: number; slant: number } {
  const points = hulls.flatMap((hull) =>
    Array.from({ length: hull.length / 2 }, (_, i) => ({ x: hull[2 * i]!, y: hull[2 * i + 1]! })),
  );
  const { a, b, cos, sin } = leastBox(points);
  return { thin: 2 * Math.min(a, b), slant: a >= b ? Math.atan2(sin, cos) : Math.atan2(-cos, sin) };
}

/** The box around a hull after a turn about the corner of the picture. */
export function turnedBox(hull: Hull, turn: number): Bounds {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < hull.length; i += 2) {
    const [x, y] = [cos * hull[i]! - sin * hull[i + 1]!, sin * hull[i]! + cos * hull[i + 1]!];
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** The smallest box around points, at any turn: centre, half sides and direction. */
function leastBox(points: readonly { x: number; y: number }[]) {
  let best = { x: 0, y: 0, a: 0, b: 0, cos: 1, sin: 0 };
  let least = Infinity;
  for (let degrees = 0; degrees < 90; degrees += 1.5) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of points) {
      const u = cos * x + sin * y;
      const v = cos * y - sin * x;
      left = Math.min(left, u);
      right = Math.max(right, u);
      top = Math.min(top, v);
      bottom = Math.max(bottom, v);
    }
    const [a, b] = [(right - left) / 2, (bottom - top) / 2];
    if (a * b >= least) continue;
    least = a * b;
    const [u, v] = [(left + right) / 2, (top + bottom) / 2];
    best = { x: cos * u - sin * v, y: sin * u + cos * v, a: Math.max(a, 0.5), b: Math.max(b, 0.5), cos, sin };
  }
  return best;
}

/** Share of a hull that ink follows within `reach` pixels inwards. */
export function inkedShare({ width, height, data }: Mask, hull: Hull, reach: number): number {
  let inked = 0;
  for (const { x, y, dx, dy } of along(hull))
    for (let step = -1; step <= reach; step++) {
      // The hull runs clockwise in a picture whose rows go down: inwards is to the right of its direction.
      const u = Math.round(x - step * dy);
      const v = Math.round(y + step * dx);
      if (u < 0 || v < 0 || u >= width || v >= height || data[v * width + u] === 0) continue;
      inked++;
      break;
    }
  return inked / SAMPLES;
}

/** Whether a point lies in a hull, or up to `slack` pixels outside. */
export function isWithin(hull: Hull, x: number, y: number, slack: number): boolean {
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const [dx, dy] = [hull[j]! - hull[i]!, hull[j + 1]! - hull[i + 1]!];
    const left = dx * (y - hull[i + 1]!) - dy * (x - hull[i]!);
    if (left < -slack * Math.hypot(dx, dy)) return false;
  }
  return true;
}

/** The mask `by` times smaller: ink where there is any in a cell. */
function shrunk(image: Mask, by: number): Mask {
  const out = mask(Math.ceil(image.width / by), Math.ceil(image.height / by));
  const { count, row, from, to } = runsOf(image, 1);
  for (let i = 0; i < count; i++) {
    const start = Math.floor(row[i]! / by) * out.width;
    out.data.fill(1, start + Math.floor(from[i]! / by), start + Math.floor(to[i]! / by) + 1);
  }
  return out;
}

/** A field fills so much of its hull, is at least so wide, and its hull is so regular, as a share of its width. */
const SOLID = 0.86;
const LEAST_FIELD = 20;
const FIELD_PENS = 6;
const FIELD_OFF = 0.03;
/** A button or a punched hole has so much ink that it may be less broad. */
const BUTTON = { pens: 2.5, inked: 0.9 };

/** Fields that ink fills densely and evenly: codes of finer and coarser cells, bars, buttons. In pixels of the whole image. */
export function denseFields(image: Mask, penWidth: number): Shape[] {
  const by = 2;
  const small = shrunk(image, by);
  const radius = Math.max(2, Math.round((1.2 * penWidth) / by));
  const isFilled = ({ bounds }: Shape) => isSolid(image, bounds) || hasCells(image, bounds);
  const closed = grown(grown(small, radius, 1), radius, 0);
  const fine = fieldsIn(closed, by, penWidth, FIELD_PENS).filter(isFilled);
  if (fine.length > 0) return fine;
  const buttons = fieldsIn(small, by, penWidth, BUTTON.pens);
  const solid = buttons.filter((field) => isSolid(image, field.bounds, BUTTON.inked) || isHole(image, field));
  if (solid.length > 0) return solid;
  for (const closing of [radius, Math.max(COARSE, radius)]) {
    // Strokes that touch a code are thinner than it.
    const opening = closing + Math.ceil(penWidth / by);
    const eroded = grown(grown(small, closing, 1), closing + opening, 0);
    if (!eroded.data.includes(1)) continue;
    const found = fieldsIn(grown(eroded, opening, 1), by, penWidth, FIELD_PENS).filter((field) => {
      const { left, top, right, bottom } = field.bounds;
      return Math.min(right - left, bottom - top) >= WIDE_FIELD * by * opening && isFilled(field);
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** A disc, as a punched hole: as wide as tall, and filled. A broad pen's dots are longer. */
const HOLE = { wide: 0.85, inked: 0.93 };

function isHole(image: Mask, { hull, bounds: { left, top, right, bottom } }: Shape): boolean {
  const [wide, tall] = [right - left, bottom - top];
  if (Math.min(wide, tall) < HOLE.wide * Math.max(wide, tall) || !regularity(hull).isRound) return false;
  return isSolid(image, { left, top, right, bottom }, (HOLE.inked * Math.PI) / 4);
}

/** Ink and its edges are counted in cells of so many pixels a side. */
const CELL = 8;
/**
 * Windows of a code, in cells: ink is neither scarce nor solid, and its upright and level edges, as shares of the pixels, are
 * many both ways, or of bars many one way and few the other. So many windows one beside another are a code: as one of 941
 * images of the development sets has (a dense scribble; the next ones have 10 of the first kind and at most 7 of the others).
 */
const TEXTURES: readonly Texture[] = [
  { across: 7, down: 7, windows: 12, upright: [0.0925, 1], level: [0.0925, 1] },
  { across: 7, down: 4, windows: 8, upright: [0.13, 1], level: [0, 0.035] },
  { across: 4, down: 7, windows: 8, upright: [0, 0.035], level: [0.13, 1] },
];
const TEXTURE_INK = [0.4, 0.75] as const;

interface Texture {
  across: number;
  down: number;
  windows: number;
  upright: readonly [number, number];
  level: readonly [number, number];
}

/**
 * Codes known by their texture alone, which may touch strokes of any width: boxes in pixels. The ridges of a finger run every way and
 * have several of the textures.
 */
export function codesIn(image: Mask): Shape[] {
  const sums = edgeSums(image);
  const ofEach = TEXTURES.map((texture) => windowsOf(texture, sums)).filter(({ length }) => length > 0);
  if (ofEach.length > 1) return [];
  return ofEach
    .flat()
    .map((bounds) => trimmed(image, bounds))
    .filter((bounds) => !hasBareRows(image, bounds))
    .map(({ left, top, right, bottom }) => ({
      hull: [left, top, right, top, right, bottom, left, bottom],
      bounds: { left, top, right, bottom },
    }));
}

/** Rows of print have little ink between them: so many rows of a box, with so much. */
const BARE = { rows: 0.12, ink: 0.25 };

function hasBareRows({ width, data }: Mask, { left, top, right, bottom }: Bounds): boolean {
  let bare = 0;
  for (let y = top; y <= bottom; y++) {
    const ink = data.subarray(y * width + left, y * width + right + 1).reduce((sum, one) => sum + one, 0);
    if (ink < BARE.ink * (right - left + 1)) bare++;
  }
  return bare > BARE.rows * (bottom - top + 1);
}

interface Sums {
  width: number;
  height: number;
  /** Of the ink, its upright and its level edges, in all cells above and to the left of each corner of a cell. */
  of: readonly [Int32Array, Int32Array, Int32Array];
}

function edgeSums(image: Mask): Sums {
  const { width, height, data } = image;
  const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const side = columns + 1;
  const all = () => new Int32Array(side * (rows + 1));
  const [ink, upright, level] = [all(), all(), all()];
  const runs = runsOf(image, 1);
  for (let i = 0; i < runs.count; i++) {
    const [y, from, to] = [runs.row[i]!, runs.from[i]!, runs.to[i]!];
    const cells = (Math.floor(y / CELL) + 1) * side + 1;
    upright[cells + Math.floor(from / CELL)]! += 1;
    upright[cells + Math.floor(to / CELL)]! += 1;
    for (let x = from, at = y * width + from; x <= to; x++, at++) {
      const cell = cells + Math.floor(x / CELL);
      ink[cell]! += 1;
      level[cell]! += 2 - (y > 0 ? data[at - width]! : 0) - (y < height - 1 ? data[at + width]! : 0);
    }
  }
  for (const one of [ink, upright, level])
    for (let at = side + 1; at < one.length; at++)
      if (at % side > 0) one[at]! += one[at - 1]! + one[at - side]! - one[at - side - 1]!;
  return { width: columns, height: rows, of: [ink, upright, level] };
}

/** Boxes around windows that have a texture, in pixels. */
function windowsOf(
  { across, down, windows, upright, level }: Texture,
  { width, height, of }: Sums,
): Bounds[] {
  if (width < across || height < down) return [];
  const found = mask(width - across + 1, height - down + 1);
  const side = width + 1;
  const pixels = across * down * CELL * CELL;
  const isAlike = (sum: Int32Array, from: number, [least, most]: readonly [number, number]) => {
    const to = from + down * side;
    const share = (sum[to + across]! - sum[to]! - sum[from + across]! + sum[from]!) / pixels;
    return share >= least && share <= most;
  };
  for (let y = 0, at = 0; y < found.height; y++)
    for (let x = 0, from = y * side; x < found.width; x++, at++, from++)
      if (isAlike(of[0], from, TEXTURE_INK) && isAlike(of[1], from, upright) && isAlike(of[2], from, level))
        found.data[at] = 1;
  return label(found, 'corners')
    .components.filter(({ area }) => area >= windows)
    .map(({ left, top, right, bottom }) => ({
      left: left * CELL,
      top: top * CELL,
      right: (right + across) * CELL - 1,
      bottom: (bottom + down) * CELL - 1,
    }));
}

/** A row or column at the rim of a code has so many of the edges that its rows or columns mostly have. */
const RIM = 0.5;

/** A box without the rows and columns at its rims that have few edges along them. */
function trimmed({ width, height, data }: Mask, box: Bounds): Bounds {
  const [right, bottom] = [Math.min(box.right, width - 1), Math.min(box.bottom, height - 1)];
  const [rows, columns] = [new Uint16Array(bottom - box.top + 1), new Uint16Array(right - box.left + 1)];
  for (let y = box.top; y <= bottom; y++)
    for (let x = box.left; x <= right; x++) {
      const at = y * width + x;
      if (x > box.left && data[at] !== data[at - 1]) rows[y - box.top]! += 1;
      if (y > box.top && data[at] !== data[at - width]) columns[x - box.left]! += 1;
    }
  const rims = (counts: Uint16Array) => {
    const least = RIM * counts.toSorted()[counts.length >> 1]!;
    return [
      counts.findIndex((count) => count >= least),
      counts.findLastIndex((count) => count >= least),
    ] as const;
  };
  const [first, last] = rims(columns);
  const [highest, lowest] = rims(rows);
  return { left: box.left + first, top: box.top + highest, right: box.left + last, bottom: box.top + lowest };
}

/** Whether a dense field is the print of a finger: round, and of ridges. */
export const isRidged = (image: Mask, { hull, bounds }: Shape): boolean =>
  regularity(hull).isRound && !isSolid(image, bounds);

/** Whether most of a box is ink: a button or a bar. */
export function isSolid(
  { width, height, data }: Mask,
  { left, top, right, bottom }: Bounds,
  share = INKED,
): boolean {
  let inked = 0;
  for (let y = top; y < Math.min(bottom, height); y++)
    for (let x = left; x < Math.min(right, width); x++) inked += data[y * width + x]!;
  return inked >= share * (right - left) * (bottom - top);
}

/**
 * Whether ink alternates with paper in a box as the cells or bars of a code do. An ideograph is as dense and as square as a
 * code, but a line across it meets two to four strokes.
 */
function hasCells(image: Mask, { left, top, right, bottom }: Bounds): boolean {
  const [width, height] = [Math.min(right, image.width) - left, Math.min(bottom, image.height) - top];
  const usualRuns = (lines: number, length: number, at: (line: number, i: number) => number) => {
    const counts = Uint16Array.from({ length: lines }, (_, line) => {
      let runs = 0;
      for (let i = 0, last = 0; i < length; i++) {
        const value = image.data[at(line, i)]!;
        if (value > last) runs++;
        last = value;
      }
      return runs;
    }).sort();
    return counts[lines >> 1] ?? 0;
  };
  const across = usualRuns(height, width, (y, x) => (top + y) * image.width + left + x);
  const down = usualRuns(width, height, (x, y) => (top + y) * image.width + left + x);
  return Math.min(across, down) >= CELLS || Math.max(across, down) >= BARS;
}

/** A field of coarse cells is so many times as wide as what the opening leaves of anything. */
const WIDE_FIELD = 4;
/** A share of a box. */
const INKED = 0.7;
/**
 * So many runs of ink are on half of the lines in both directions, or in one of them. Of 24 ideographs that look as regular as
 * a code the lesser number is at most 3; the smallest code has 21 cells, with 4 to 6 runs.
 */
const CELLS = 4;
const BARS = 8;

/** Cells of a coarse code are at most so far apart, in pixels of half the size. */
const COARSE = 7;

/** @param pens width of a field, in widths of the pen */
function fieldsIn(closed: Mask, by: number, penWidth: number, pens: number): Shape[] {
  const labelled = label(closed, 'sides');
  const hulls = hullsOf(labelled);
  return labelled.components.flatMap((part, i) => {
    const hull = hulls[i]!;
    const isGround =
      part.right - part.left + 1 === closed.width && part.bottom - part.top + 1 === closed.height;
    if (isGround || hull.length < 6 || part.area < SOLID * areaOf(hull)) return [];
    const { off, thin } = regularity(hull);
    if (by * thin < Math.max(LEAST_FIELD, pens * penWidth) || off > 1 + FIELD_OFF * thin) return [];
    const [left, top, right, bottom] = [
      part.left * by,
      part.top * by,
      (part.right + 1) * by,
      (part.bottom + 1) * by,
    ];
    return [{ hull: hull.map((value) => value * by + 0.5), bounds: { left, top, right, bottom } }];
  });
}
