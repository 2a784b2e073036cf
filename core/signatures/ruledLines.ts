/** Takes printed lines and frames out of a mask of ink, and leaves the strokes that cross them whole. */
import { keepParts, label, runsOf, tall, wide } from './components.ts';
import type { Bounds, Component, Runs } from './components.ts';
import { mask, type Mask } from './raster.ts';
import { boxOf } from './resample.ts';
import { straightSides } from './straight.ts';

/** Steepest slope of a line that is still taken for ruled: a page may lie askew by about 5°. */
const STEEPEST = 0.09;
/**
 * A ruled line covers this share of its own way, and goes over this share of all ink and of the picture's long side. No hand
 * is so straight for so long.
 */
const COVERED = 0.85;
const ACROSS = 0.8;
const ACROSS_PICTURE = 0.5;
/** At most this many lines are taken out in either direction: ruled paper, not a picture of stripes. */
const MAX_LINES = 80;

/** Lines of a table leave those that are shorter, as its other sides: the ink is looked at again without them, so often. */
const MAX_LOOKS = 3;

/** @returns `partial`: a line does not go over the whole picture, as ruled paper's do, but belongs to something on it */
export function withoutRuledLines(ink: Mask): { ink: Mask; partial: boolean } {
  let [left, partial, isFound] = [ink, false, true];
  for (let look = 0; look < MAX_LOOKS && isFound; look++) {
    const looked = withoutLinesOnce(left);
    isFound = looked.isFound;
    partial ||= looked.partial;
    left = looked.ink;
  }
  return { ink: left, partial };
}

function withoutLinesOnce(ink: Mask): { ink: Mask; partial: boolean; isFound: boolean } {
  const { width, height } = ink;
  const out = mask(width, height);
  out.data.set(ink.data);
  let partial = false;
  let thickest = 0;
  const horizontal: View = { length: width, depth: height, step: 1, stride: width };
  const vertical: View = { length: height, depth: width, step: width, stride: 1 };
  const runs = runsOf(ink, 1);
  const counts = [horizontal, vertical].map((view) => {
    const lines = straightLines(ink.data, view, runs);
    for (const line of lines) {
      thickest = Math.max(thickest, erase(out.data, ink.data, view, line));
      partial ||= line.span < ACROSS * wayOf(line, view);
    }
    return lines.length;
  });
  for (const { view, line } of linesAskew(out, horizontal, vertical)) {
    erase(out.data, out.data, view, line);
    partial = true;
  }
  // Where lines cross, neither is as thin as a line: of a grid, dots are left.
  const isFound = counts.some((count) => count > 0);
  if (counts.some((count) => count === 0)) return { ink: out, partial, isFound };
  const dots = label(out, 'corners');
  const isDot = ({ left, top, right, bottom }: Bounds) => Math.max(right - left, bottom - top) <= thickest;
  return { ink: keepParts(out, dots, (part) => !isDot(part)), partial, isFound };
}

/** Lines of a picture that lies farther askew than {@link STEEPEST}: straight edges over much of the ink, as thin all along as a line. */
function linesAskew(ink: Mask, horizontal: View, vertical: View): { view: View; line: Line }[] {
  const { left, top, right, bottom } = boxOf(ink);
  const least = Math.max(LEAST_ASKEW, ASKEW * Math.max(right - left, bottom - top));
  return straightSides(ink, least).flatMap(({ x0, y0, x1, y1 }) => {
    const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    const ends = isSteep ? [y0, x0, y1, x1] : [x0, y0, x1, y1];
    const [from, start, to, end] = ends[0]! < ends[2]! ? ends : [ends[2], ends[3], ends[0], ends[1]];
    const slope = (end! - start!) / (to! - from!);
    const view = isSteep ? vertical : horizontal;
    const line = { start: start! - slope * from!, slope, from: Math.round(from!), to: Math.round(to!) };
    const span = ruledSpan(ink.data, view, line, ALONE);
    return span >= LEAST_ASKEW ? [{ view, line: { ...line, span } }] : [];
  });
}

/** Such a line goes over this share of the ink, and at least so many pixels. */
const ASKEW = 0.5;
const LEAST_ASKEW = 120;

/** A picture read along one side: `step` leads along the lines that are looked for, `stride` across them. */
interface View {
  length: number;
  depth: number;
  step: number;
  stride: number;
}

interface Candidate {
  /** Place across at the start, and change per pixel along. */
  start: number;
  slope: number;
  /** Its first and last place along; the whole side without them. */
  from?: number;
  to?: number;
}

/** `span`: from its first to its last place. */
type Line = Candidate & { span: number };

/** A Hough transform of near-parallel lines: ink votes for every line through it. */
function straightLines(ink: Uint8Array, view: View, runs: Runs): Line[] {
  const pixels = inkPixels(ink, view, runs);
  const { from, to, places } = extentOf(pixels, view.length);
  const least = Math.max(ACROSS * (to - from + 1), ACROSS_PICTURE * Math.max(view.length, view.depth));
  if (places < Math.floor(COVERED * least)) return [];
  const count = Math.ceil((STEEPEST * view.length) / 3);
  const slopes = Array.from({ length: 2 * count + 1 }, (_, i) => (count ? STEEPEST * (i / count - 1) : 0));
  const found = linesAmong(ink, view, pixels, { slopes, least: () => least, rule: ALONE }, []);
  if (!found || found.length < PATTERN) return found ?? [];
  // The others of squared or ruled paper: parallel, also where the corner of the picture cuts them short.
  const usual = middleOf(found.map(({ slope }) => slope));
  const near = Array.from({ length: 9 }, (_, i) => usual + (STEEPEST / Math.max(1, count)) * (i / 4 - 1));
  const across = (line: Candidate) => Math.max(LEAST_OTHER, ACROSS * wayOf(line, view));
  return linesAmong(ink, view, pixels, { slopes: near, least: across, rule: OTHERS }, found) ?? [];
}

/** So many parallel lines are a pattern of the paper; of its others, at least so many pixels lie in the picture. */
const PATTERN = 3;
const LEAST_OTHER = 12;

/** Shares of the least length that votes, of the places that are thin, and of these, that are straight. */
interface Rule {
  votes: number;
  thin: number;
  even: number;
}

/** @returns `found` and the further lines of some slopes; undefined where they are too many */
function linesAmong(
  ink: Uint8Array,
  view: View,
  pixels: Int32Array,
  looked: { slopes: readonly number[]; least: (line: Candidate) => number; rule: Rule },
  found: readonly Line[],
): Line[] | undefined {
  const offset = Math.ceil(2 * STEEPEST * view.length) + 1;
  const bins = view.depth + 2 * offset;
  const lines = [...found];
  const votes = new Uint16Array(bins);
  const candidates: (Candidate & { votes: number })[] = [];
  for (const slope of looked.slopes) {
    votes.fill(0);
    for (let i = 0; i < pixels.length; i += 2)
      votes[Math.round(pixels[i + 1]! - slope * pixels[i]!) + offset]! += 1;
    for (let bin = 1; bin < bins - 1; bin++) {
      const line = { start: bin - offset, slope };
      const count = votes[bin]! + Math.max(votes[bin - 1]!, votes[bin + 1]!);
      if (count > 0 && count >= looked.rule.votes * looked.least(line))
        candidates.push({ ...line, votes: count });
    }
  }
  candidates.sort((a, b) => b.votes - a.votes);
  for (const line of candidates) {
    if (lines.length >= MAX_LINES) return undefined;
    const near = lines.some((other) => Math.abs(middle(other, view) - middle(line, view)) < 6);
    if (near) continue;
    const span = ruledSpan(ink, view, line, looked.rule);
    if (span >= looked.least(line)) lines.push({ ...line, span });
  }
  return lines;
}

/** How far a line runs within the picture. */
function wayOf({ start, slope }: Candidate, { length, depth }: View): number {
  if (slope === 0) return length;
  const [one, other] = [-start / slope, (depth - 1 - start) / slope];
  return Math.max(0, Math.min(length, Math.max(one, other)) - Math.max(0, Math.min(one, other)));
}

/** From where to where ink lies along, and over how many places. */
function extentOf(pixels: Int32Array, length: number): { from: number; to: number; places: number } {
  const inked = new Uint8Array(length);
  for (let i = 0; i < pixels.length; i += 2) inked[pixels[i]!] = 1;
  return {
    from: inked.indexOf(1),
    to: inked.lastIndexOf(1),
    places: inked.reduce((sum, one) => sum + one, 0),
  };
}

const middle = (line: Candidate, view: View) => line.start + line.slope * (view.length / 2);

/** Ink as pairs (along, across), only where it begins across: flat areas vote for little. */
function inkPixels(ink: Uint8Array, { step, stride }: View, { count, row, from, to }: Runs): Int32Array {
  if (step !== 1) {
    const out = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) [out[2 * i], out[2 * i + 1]] = [row[i]!, from[i]!];
    return out;
  }
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    const y = row[i]!;
    for (let x = from[i]!, at = y * stride + x; x <= to[i]!; x++, at++)
      if (y === 0 || ink[at - stride] === 0) out.push(x, y);
  }
  return Int32Array.from(out);
}

/** How far ink follows a line, mostly as thinly and as straight as print does: a flat hand wavers about it; 0 if it does not. */
function ruledSpan(ink: Uint8Array, view: View, line: Candidate, { thin: leastThin, even }: Rule): number {
  const places: number[] = [];
  const thicknesses: number[] = [];
  const offs: number[] = [];
  for (let along = line.from ?? 0; along <= (line.to ?? view.length - 1); along++) {
    const stretch = run(ink, view, along, line);
    if (stretch === undefined) continue;
    places.push(along);
    thicknesses.push(stretch.to - stretch.from + 1);
    offs.push((stretch.from + stretch.to) / 2 - line.start - line.slope * along);
  }
  const span = (places.at(-1) ?? 0) - (places[0] ?? 0) + 1;
  if (places.length < COVERED * span) return 0;
  const usual = middleOf(thicknesses);
  if (usual > THICKEST * Math.max(view.length, view.depth)) return 0;
  // A line askew is known by one of its edges.
  const off = line.from === undefined ? 0 : middleOf(offs);
  // Where strokes cross the line it is thicker and tells nothing of how straight it is.
  const thin = thicknesses.flatMap((one, i) => (one <= usual + 2 ? [Math.abs(offs[i]! - off)] : []));
  const straight = thin.filter((one) => one <= STRAIGHT).length;
  return thin.length >= leastThin * places.length && straight >= even * thin.length ? span : 0;
}

const middleOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/**
 * So many places of a ruled line are as thin as the usual one, and so many of those lie so near to the straight line, pixels. What
 * is parallel to a pattern of the paper and goes as far is one of its lines, also where much is written along it.
 */
const ALONE: Rule = { votes: 0.75, thin: 0.5, even: 0.9 };
const OTHERS: Rule = { votes: 0.4, thin: 0.25, even: 0.75 };
const STRAIGHT = 1.6;

/** No line is thicker, as a share of the picture's long side: the edge of a filled area is none. */
const THICKEST = 0.02;

/** The stretch of ink across the line at one place; undefined where there is none within 2 px of it. */
function run(
  ink: Uint8Array,
  view: View,
  along: number,
  line: Candidate,
): { from: number; to: number } | undefined {
  const centre = Math.round(line.start + line.slope * along);
  for (const off of [0, 1, -1, 2, -2]) {
    const across = centre + off;
    if (across < 0 || across >= view.depth || ink[along * view.step + across * view.stride] === 0) continue;
    let from = across;
    let to = across;
    while (from > 0 && ink[along * view.step + (from - 1) * view.stride] === 1) from--;
    while (to < view.depth - 1 && ink[along * view.step + (to + 1) * view.stride] === 1) to++;
    return { from, to };
  }
  return undefined;
}

/**
 * Erases the line where it is as thin as a line; a longer stretch is a stroke that crosses it, and stays.
 * @returns the thickness up to which it was erased, pixels
 */
function erase(out: Uint8Array, ink: Uint8Array, view: View, line: Line): number {
  const thicknesses: number[] = [];
  for (let along = line.from ?? 0; along <= (line.to ?? view.length - 1); along++) {
    const stretch = run(ink, view, along, line);
    if (stretch) thicknesses.push(stretch.to - stretch.from + 1);
  }
  thicknesses.sort((a, b) => a - b);
  const thickest = (thicknesses[thicknesses.length >> 1] ?? 0) + 2;
  for (let along = line.from ?? 0; along <= (line.to ?? view.length - 1); along++) {
    const stretch = run(ink, view, along, line);
    if (!stretch || stretch.to - stretch.from + 1 > thickest) continue;
    for (let across = stretch.from; across <= stretch.to; across++)
      out[along * view.step + across * view.stride] = 0;
  }
  return thickest;
}

/**
 * Dots of dotted paper: so many alike ones at even distances both ways, which are most of the small parts. Each is so small,
 * as a share of that distance. Its next ones are up to so many distances away: strokes cover some, and of faint ones not all are ink.
 */
const DOTS = { least: 40, most: 2500, share: 0.6, small: 0.35, alike: 1.5, off: 1.5, steps: 3 } as const;

/** Parts that are the dots of dotted paper, by index: none where there is no such paper. */
export function paperDots(components: readonly Component[]): ReadonlySet<number> {
  const none = new Set<number>();
  if (components.length < DOTS.least) return none;
  const sizes = components.map((part) => Math.max(wide(part), tall(part)));
  const usual = sizes.toSorted((a, b) => a - b)[sizes.length >> 1]!;
  const alike = components.flatMap((part, i) =>
    Math.abs(sizes[i]! - usual) <= DOTS.alike
      ? [{ i, across: (part.left + part.right) / 2, down: (part.top + part.bottom) / 2 }]
      : [],
  );
  if (alike.length < DOTS.least || alike.length > DOTS.most) return none;
  type Dot = (typeof alike)[number];
  const isLevel = (along: number, off: number) => Math.abs(off) <= DOTS.off + STEEPEST * Math.abs(along);
  const towards = (one: Dot, other: Dot, way: 'across' | 'down') => {
    const [along, off] = [other.across - one.across, other.down - one.down];
    const [far, aside] = way === 'across' ? [along, off] : [off, along];
    return isLevel(far, aside) ? far : 0;
  };
  const [near, all] = [new Set<number>(), new Set<number>()];
  const ways = (['across', 'down'] as const).map((way) => {
    const next = alike.map((one) =>
      alike.reduce((least, other) => {
        const far = towards(one, other, way);
        return far > 0 && far < least ? far : least;
      }, Infinity),
    );
    return { way, pitch: next.sort((a, b) => a - b)[next.length >> 2]! };
  });
  if (ways.some(({ pitch }) => !(usual <= DOTS.small * pitch && pitch < Infinity))) return none;
  for (const one of alike) {
    const distances = ways.map(({ way, pitch }) =>
      alike.reduce((least, other) => {
        const far = Math.abs(towards(one, other, way));
        const steps = Math.round(far / pitch);
        return steps > 0 && Math.abs(far - steps * pitch) <= DOTS.off ? Math.min(least, steps) : least;
      }, Infinity),
    );
    if (distances.every((steps) => steps <= DOTS.steps)) near.add(one.i);
    if (distances.some((steps) => steps <= DOTS.steps)) all.add(one.i);
  }
  return near.size >= Math.max(DOTS.least, DOTS.share * alike.length) ? all : none;
}
