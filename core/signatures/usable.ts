/** Whether ink can be one signature, and if not, why. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { boxOf, tall, wide, type Component } from './components.ts';
import type { Foreign } from './handwriting.ts';
import type { Split } from './threshold.ts';

/** Measurements of a picture after its ink is found; lengths in pixels. */
export interface InkFacts {
  split: Split;
  width: number;
  height: number;
  /** Share of the picture that is ink after specks are gone, 0 to 1. */
  share: number;
  penWidth: number;
  /** Spread of the stroke width over its mean. */
  widthVariation: number;
  /** Length of all strokes. */
  length: number;
  /** Parts that hang together, largest first. */
  parts: readonly Component[];
  /** The parts before anything was taken out. */
  all: readonly Component[];
  /** Kinds of ink that were taken out. */
  foreign: ReadonlySet<Foreign>;
  /** A stamp cannot be told from the ink. */
  entangled: boolean;
}

/** Ink is at least so much denser than its ground. */
export const LEAST_CONTRAST = 0.05;

export function unusableReason(facts: InkFacts): SignatureReason | undefined {
  const { split, parts, length, penWidth, share } = facts;
  const box = boxOf(parts);
  const extent = Math.max(box.right - box.left, box.bottom - box.top);
  if (split.share === 1) return 'BLANK';
  if (isText(facts)) return 'TEXT_PAGE';
  if (parts.length === 0 && facts.foreign.size > 0) return reasonForForeign(facts.foreign);
  if (parts.length === 0 || split.ink - split.ground < LEAST_CONTRAST) return 'BLANK';
  if (isPhoto(facts)) return 'NOT_INK';
  if (facts.entangled) return 'FOREIGN_INK';
  if (extent < 40 || length < 60 || length < 5 * penWidth || share < 0.0004) return 'TOO_LITTLE_INK';
  return isSeveral(parts) ? 'SEVERAL_SIGNATURES' : undefined;
}

/** Why nothing is left when other ink is taken out; a ruled line alone is the dash of a hand. */
function reasonForForeign(foreign: ReadonlySet<Foreign>): SignatureReason {
  if (foreign.has('OUTLINE') || foreign.has('FIELD')) return 'STAMP';
  return foreign.has('PRINT') ? 'PRINT' : 'TOO_SIMPLE';
}

/** Pens stay below, photos above: by their uneven width, by tones between ink and ground, and by an uneven ground. */
const MAX_PATCHINESS = 0.53;
/** Tones between ink and ground count when the two are parted less clearly than this (Otsu's share of the variance). */
const CLEARLY_PARTED = 0.86;
/** How far the ink of a plain scan stands out, in spreads of its ground. */
const USUAL_CONTRAST = 12;

/**
 * Ink is thin, of even width, on even ground, and the lesser part; photos split into broad uneven patches with everything
 * in between. Where {@link MAX_PATCHINESS} lies was measured: 600 scanned, photographed, drawn and degraded signatures reach
 * 0.49, one of 330 portraits stays below 0.57.
 */
function isPhoto({ split, share, penWidth, widthVariation, width, height }: InkFacts): boolean {
  const contrast = (split.ink - split.ground) / Math.max(0.005, split.groundSpread);
  const patchy =
    widthVariation +
    2 * Math.max(0, CLEARLY_PARTED - split.separation) -
    0.4 * Math.log(contrast / USUAL_CONTRAST);
  return share > 0.45 || penWidth > 0.09 * Math.max(width, height) || patchy > MAX_PATCHINESS;
}

/** Specks are smaller, in squares of the pen's width: those of a bad scan are no letters. */
export const SPECK_PENS = 0.8;

/** Ink that is left when other ink is taken out is a signature where a part of it is so many times as tall as the letters. */
const TALL_BESIDE_TEXT = 2.5;

/** Rows of many small parts of about one height, and nothing far taller beside other ink. */
function isText({ all, parts: left, foreign, height, penWidth }: InkFacts): boolean {
  const parts = all.filter(({ area }) => area >= SPECK_PENS * penWidth ** 2);
  if (parts.length < 45) return false;
  const heights = parts.map(tall).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length * 0.6)]!;
  const isBeside = foreign.size > 0 && left.some((part) => tall(part) >= TALL_BESIDE_TEXT * usual);
  if (isBeside) return false;
  const regular = parts.filter((part) => tall(part) < 1.8 * usual && wide(part) <= 12 * usual);
  return usual < 0.12 * height && regular.length > 0.85 * parts.length && rowsOf(parts, usual) >= 3;
}

/** How many bands of ink lie one above the other with bare paper between. */
function rowsOf(parts: readonly Component[], usual: number): number {
  const sorted = [...parts].sort((a, b) => a.top - b.top);
  let rows = 0;
  let bottom = -Infinity;
  for (const part of sorted) {
    if (part.top > bottom + 0.1 * usual) rows++;
    bottom = Math.max(bottom, part.bottom);
  }
  return rows;
}

/** Bare paper between two groups: this many times the height (side by side) or the lesser height (stacked) of the groups. */
const GAP_BESIDE = 1.6;
const GAP_STACKED = 0.6;

/** Two groups of like size, each enough for a signature, with more bare paper between them than a writer leaves. */
function isSeveral(parts: readonly Component[]): boolean {
  return isParted(parts, 'beside') || isParted(parts, 'stacked');
}

function isParted(parts: readonly Component[], how: 'beside' | 'stacked'): boolean {
  const from = (part: Component) => (how === 'beside' ? part.left : part.top);
  const to = (part: Component) => (how === 'beside' ? part.right : part.bottom);
  const sorted = [...parts].sort((a, b) => from(a) - from(b));
  let reach = -Infinity;
  return sorted.some((part, i) => {
    const gap = from(part) - reach;
    reach = Math.max(reach, to(part));
    if (i === 0 || gap <= 0) return false;
    const before = boxOf(sorted.slice(0, i));
    const after = boxOf(sorted.slice(i));
    const alike = ratio(before.area, after.area) > 0.4 && ratio(wide(before), wide(after)) > 0.5;
    if (how === 'stacked')
      return (
        alike &&
        gap > GAP_STACKED * Math.min(tall(before), tall(after)) &&
        Math.min(wide(before) / tall(before), wide(after) / tall(after)) > 1.2
      );
    return (
      alike &&
      ratio(tall(before), tall(after)) > 0.5 &&
      gap > GAP_BESIDE * Math.max(tall(before), tall(after)) &&
      Math.min(wide(before) / tall(before), wide(after) / tall(after)) > 1.5
    );
  });
}

/**
 * Bare paper between two groups that may be two signatures, in heights of the lesser one; and how alike their ink and their length
 * must be. Of 190 signatures of the development sets 3 are parted so, none stacked; of pairs of them on one page with gaps of a
 * tenth of the page, 9 in 10.
 */
const MAY_BE_TWO = { beside: 0.6, stacked: 0.25, ink: 0.2, length: 0.4 };

/** Two groups of parts, by index, with more bare paper between them than most writers leave. */
export function groupsIn(
  parts: readonly Component[],
): [ReadonlySet<number>, ReadonlySet<number>] | undefined {
  for (const [from, to] of [
    ['left', 'right'],
    ['top', 'bottom'],
  ] as const) {
    const sorted = parts.map((_, i) => i).sort((a, b) => parts[a]![from] - parts[b]![from]);
    let reach = Infinity;
    for (const [at, i] of sorted.entries()) {
      const gap = parts[i]![from] - reach;
      reach = at === 0 ? parts[i]![to] : Math.max(reach, parts[i]![to]);
      if (gap <= 0) continue;
      const groups = [new Set(sorted.slice(0, at)), new Set(sorted.slice(at))] as const;
      const [before, after] = groups.map((group) => boxOf([...group].map((one) => parts[one]!)));
      const least = from === 'left' ? MAY_BE_TWO.beside : MAY_BE_TWO.stacked;
      if (
        gap >= least * Math.min(tall(before!), tall(after!)) &&
        ratio(before!.area, after!.area) >= MAY_BE_TWO.ink &&
        ratio(wide(before!), wide(after!)) >= MAY_BE_TWO.length
      )
        return [...groups];
    }
  }
  return undefined;
}

const ratio = (a: number, b: number) => Math.min(a, b) / Math.max(a, b, 1e-9);
