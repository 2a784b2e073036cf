/** Two inks of a picture: which one is the pen's, and which one a stamp's, a watermark's or another hand's. */
import { boxOf, grown, label, tall, wide, type Bounds } from './components.ts';
import { drawnIn, isWritten, type Drawn } from './drawn.ts';
import { handwritingIn, type Handwriting, type PrintedShapes, type Side } from './handwriting.ts';
import { STAMPED, boldnessOf, roughPenWidth } from './penWidth.ts';
import { countOf, without, type Mask, type Plane } from './raster.ts';
import { RING, ringShare } from './rings.ts';
import { bridged } from './strokes.ts';
import { tonesIn, tonesOf } from './tones.ts';

/** An ink, the handwriting among it, and its traits. */
interface Written {
  found: Mask;
  handwriting: Handwriting;
  traits: Traits;
}

/** @param printed the shapes of all ink, where they were looked for */
export function writingIn(found: Mask, cut: ReadonlySet<Side>, printed: PrintedShapes | undefined): Written {
  const handwriting = handwritingIn(found, cut, printed);
  return { found, handwriting, traits: traitsOf(handwriting) };
}

/**
 * The handwriting in the one of two inks that is less of a stamp.
 * @param differInColour the inks do not differ in tone, of which the darker one is mostly the pen's
 */
export function handwritingOf(
  [darkInk, otherInk]: readonly Written[],
  cut: ReadonlySet<Side>,
  differInColour: boolean,
): Handwriting {
  if (!darkInk || !otherInk) throw new RangeError('There are no two inks to look at.');
  const { handwriting: dark, traits: traitsOfDark } = darkInk;
  const { handwriting: other, traits: traitsOfOther } = otherInk;
  const isOther = isOtherThePen(traitsOfDark, traitsOfOther, differInColour);
  const { foreign, ...pen } = isOther ? other : dark;
  const [traits, left] = isOther ? [traitsOfOther, traitsOfDark] : [traitsOfDark, traitsOfOther];
  const isRemains = isMarkOver(left, traits) || goesOn(pen.ink, cut);
  // A darker ink over a paler pen hides pieces of the strokes.
  const isOver = isOther && !differInColour;
  return {
    ...pen,
    ink: isOver ? bridged(pen.ink, darkInk.found) : pen.ink,
    foreign: new Set([...foreign, 'OTHER_INK']),
    entangled: pen.entangled || isRemains,
    mixed: pen.mixed || (isOver && hiddenShare(otherInk.found, darkInk.found) > HIDDEN),
  };
}

/** Whether ink goes on beyond a side on which the picture is cut out around other ink: that of a stamp of which it holds a part. */
export function goesOn(ink: Mask, cut: ReadonlySet<Side>): boolean {
  const { left, top, right, bottom } = boxOf(label(ink, 'corners').components);
  return (
    (cut.has('left') && left === 0) ||
    (cut.has('top') && top === 0) ||
    (cut.has('right') && right === ink.width - 1) ||
    (cut.has('bottom') && bottom === ink.height - 1)
  );
}

/**
 * Whether an ink is but a mark, by a pen, that runs through what is written in another ink and is as tall as a signature: what
 * is written may be what is left of a stamp or a watermark, which is the same for everybody.
 */
export const isMarkOver = (mark: Traits, written: Traits): boolean =>
  written.isWritten &&
  !mark.isWritten &&
  mark.foreign <= UNMIXED &&
  mark.length >= MARK.pens &&
  mark.penWidth <= SOLID * mark.height &&
  !isEmblem(mark, written) &&
  mark.points <= PEN_POINTS &&
  mark.longest >= MARK.height * written.height &&
  shareWithin(mark.ink, written.box) >= MARK.within;

/** Strokes as bold as an emblem's, and far broader than those that are written. */
const isEmblem = (mark: Traits, written: Traits): boolean =>
  mark.boldness >= STAMPED && mark.penWidth > BROADER * written.penWidth;

/** The share of some ink that lies in a box. */
function shareWithin({ width, data }: Mask, { left, top, right, bottom }: Bounds): number {
  let [all, within] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    if (data[i] === 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    all++;
    if (x >= left && x <= right && y >= top && y <= bottom) within++;
  }
  return within / Math.max(1, all);
}

/** Less print and regular shapes, as a share of an ink, are none. */
const UNMIXED = 0.08;
/**
 * A mark is so long, in widths of its pen, and a stroke of it as a share of the height of what is written: grain is not. This share of
 * it lies in that one's box.
 */
const MARK = { pens: 12, height: 0.4, within: 0.1 };

/** Pens are black or blue, stamps mostly red; but the pen's ink is the other one where this one has less handwriting… */
const LEAST_OF_OTHER = 0.08;
/** … or more print and regular shapes, by so much of its ink, or strokes so much broader, as letters of a watermark have. */
export const MORE_FOREIGN = 0.2;
const BROADER = 2.2;
/**
 * … or bold letters, as a share of their height, so much broader than strokes of a paler ink with no more points than any of 1,709
 * clean signatures of the development sets.
 */
const BOLD = 0.14;
const BOLDER = 1.4;
const PEN_POINTS = 503;

/** Another ink is no signature if more than this share of it was print and regular shapes. */
const MAX_FOREIGN = 0.6;
/** Of two inks that might be signatures, a caption's is lower: the other one, with little more print, is so many times as tall. */
const TALLER = 2;
const CAPTIONED = 0.3;
/** … and strokes broader than this share of their height are those of a shape. */
const SOLID = 0.2;

interface Traits {
  foreign: number;
  /** It holds more than a mark. */
  isWritten: boolean;
  penWidth: number;
  /** Length of the ink in widths of its pen: buttons have much ink and no length. */
  length: number;
  height: number;
  /** The longer side of the part in which that is longest. */
  longest: number;
  boldness: number;
  points: number;
  ink: Mask;
  box: Bounds;
}

export function traitsOf(handwriting: Handwriting): Traits {
  const drawn = drawnIn(handwriting.ink);
  const { parts, penWidth } = drawn;
  const foreign = foreignShare(handwriting, drawn);
  const box = boxOf(parts.components);
  const height = box.bottom - box.top + 1;
  const boldness = boldnessOf(drawn.clean);
  const isThin = penWidth <= SOLID * height && boldness < STAMPED;
  // Lines of the paper are no sign of a stamp.
  const stamped = foreignShare({ ...handwriting, ruled: 0 }, drawn);
  return {
    ink: handwriting.ink,
    box,
    boldness,
    points: drawn.shape?.points.count ?? 0,
    foreign,
    isWritten: stamped <= MAX_FOREIGN && isThin && isWritten(drawn),
    penWidth,
    length: countOf(handwriting.ink) / Math.max(1, penWidth) ** 2,
    height,
    longest: Math.max(0, ...parts.components.map((part) => Math.max(wide(part), tall(part)))),
  };
}

/** Whether the paler of two tones is the pen's, or may be. */
export function penUnder(density: Plane, all: Mask, cut: ReadonlySet<Side>): 'PEN' | 'PERHAPS' | undefined {
  const tones = tonesOf(density, all, tonesIn(density, all), undefined);
  const [dark, other] = (tones ?? []).map((tone) => traitsOf(handwritingIn(tone, cut)));
  if (!dark || !other) return undefined;
  if (isOtherThePen(dark, other, false)) return 'PEN';
  return other.isWritten ? 'PERHAPS' : undefined;
}

/** Whether two inks, of strokes as broad, lie beside each other as parts of one signature: the pen was changed. */
export function isOneSignature(inks: readonly Written[]): boolean {
  const [one, other] = inks.map(({ found, traits }) => ({ ...traits, ...bulkOf(found) }));
  if (!one || !other) return false;
  const alike = (a: number, b: number) => Math.min(a, b) / Math.max(a, b);
  const overlap = (from: 'left' | 'top', to: 'right' | 'bottom') =>
    Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
  const lesser = (from: 'left' | 'top', to: 'right' | 'bottom') =>
    Math.min(one[to] - one[from], other[to] - other[from]);
  return (
    Math.max(one.foreign, other.foreign) <= UNMIXED &&
    alike(one.penWidth, other.penWidth) >= ONE.pens &&
    Math.min(one.length, other.length) >= MARK.pens &&
    overlap('left', 'right') <= ONE.over * lesser('left', 'right') &&
    overlap('left', 'right') >= -ONE.apart * lesser('left', 'right') &&
    overlap('top', 'bottom') >= ONE.level * lesser('top', 'bottom')
  );
}

/** The strokes of both are as broad; of the lesser one's width, they overlap by no more or lie no farther apart, and of its height, they overlap. */
const ONE = { pens: 0.6, over: 0.35, apart: 0.65, level: 0.4 };

/** A box without the outermost fortieth of some ink on each side: rims of the other ink lie there. */
function bulkOf({ width, height, data }: Mask): Bounds {
  const [columns, rows] = [new Uint32Array(width), new Uint32Array(height)];
  for (let at = 0; at < data.length; at++)
    if (data[at] === 1) {
      columns[at % width]! += 1;
      rows[Math.floor(at / width)]! += 1;
    }
  const ends = (counts: Uint32Array) => {
    const all = counts.reduce((sum, count) => sum + count, 0);
    let sum = 0;
    const sums = counts.map((count) => (sum += count));
    return [
      sums.findIndex((one) => one > all / 40),
      sums.findIndex((one) => one >= (39 * all) / 40),
    ] as const;
  };
  const [[left, right], [top, bottom]] = [ends(columns), ends(rows)];
  return { left, top, right, bottom };
}

function isOtherThePen(dark: Traits, other: Traits, differInColour: boolean): boolean {
  if (dark.isWritten !== other.isWritten) return other.isWritten;
  const moreForeign = dark.foreign - other.foreign;
  // A pattern of the paper has thin lines too, and more than a signature.
  const isBold =
    !differInColour &&
    dark.boldness >= BOLD &&
    dark.penWidth > BOLDER * other.penWidth &&
    other.points <= PEN_POINTS;
  if (other.isWritten && isBold) return true;
  if (other.isWritten && moreForeign > -CAPTIONED && other.height > TALLER * dark.height) return true;
  const isLikelyOther =
    dark.length < LEAST_OF_OTHER * other.length || dark.penWidth > BROADER * other.penWidth;
  return moreForeign > MORE_FOREIGN || (differInColour && moreForeign > -MORE_FOREIGN && isLikelyOther);
}

/** Roughly the share of a paler ink that lies under a darker one: that is as dense there as in a band about it. */
function hiddenShare(paler: Mask, darker: Mask): number {
  const cover = grown(darker, COVER_RIM, 1);
  const about = grown(cover, Math.ceil(roughPenWidth(darker)), 1);
  const band = without(about, cover);
  const seen = countOf(paler) - countOf(without(paler, band));
  const hidden = (seen / Math.max(1, countOf(band))) * countOf(cover);
  return hidden / Math.max(1, hidden + countOf(paler));
}

/** Of the paler ink, what is so near to the darker one is its rim, pixels; where more of it is hidden, a comparison loses much. */
const COVER_RIM = 2;
const HIDDEN = 0.25;

/** How much of the ink was print and regular shapes; all of it where a stamp's ring runs through what is left. */
function foreignShare(
  { ink, removed, solid, ruled, entangled }: Handwriting,
  { shape }: Pick<Drawn, 'shape'>,
): number {
  const foreign = Math.max(0, removed - solid) + ruled;
  const holdsRing = shape !== undefined && ringShare(shape.points) >= RING.mixed;
  return entangled || holdsRing ? 1 : foreign / Math.max(1, foreign + countOf(ink));
}
