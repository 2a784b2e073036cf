import { test } from 'node:test';
import assert from 'node:assert/strict';
import { signings } from '../../test/signatures/specimens.ts';
import { cleanInk } from './clean.ts';
import { CALIBRATION } from './calibration.ts';
import { compareSignatures, scoreParts, scoreSignatures, type Comparable } from './compare.ts';
import { similarityOf } from './fusion.ts';
import { withoutBar } from './bars.ts';
import { likeliestOf, partedBy, partsOf, restOf } from './parts.ts';
import { shapeOf } from './points.ts';
import type { Stroke } from './strokes.ts';

const strokesOf = (person: number): Stroke[] => cleanInk(signings(person, 1, 'tablet')[0]!).ink!.strokes;

const strokesOfTwo = (person: number): Stroke[][] =>
  signings(person, 2, 'tablet').map((picture) => cleanInk(picture).ink!.strokes);

const ALONE = { otherInk: 'NONE', isSimple: false } as const;

const boxOf = (strokes: readonly Stroke[]) => {
  const along = (axis: number) => strokes.flatMap((stroke) => [...stroke].filter((_, i) => i % 2 === axis));
  const [xs, ys] = [along(0), along(1)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

const moved = (strokes: readonly Stroke[], right: number, down: number): Stroke[] =>
  strokes.map((stroke) => stroke.map((value, i) => value + (i % 2 === 0 ? right : down)));

/** A line, pixel by pixel. */
const line = (x0: number, y0: number, x1: number, y1: number): Stroke => {
  const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0));
  return Float64Array.from({ length: 2 * steps }, (_, i) => {
    const share = (i >> 1) / steps;
    return i % 2 === 0 ? x0 + share * (x1 - x0) : y0 + share * (y1 - y0);
  });
};

/** The kinds of other ink beside those parts of some strokes that agree with a signature. */
const otherInkIn = (strokes: readonly Stroke[], signature: readonly Stroke[]) => {
  const whole = shapeOf(signature)!;
  return likeliestOf(partsOf(strokes, [whole]), [whole])
    .filter((part) => compareSignatures(part, whole).similarity >= 70)
    .map(({ otherInk }) => otherInk);
};

test('a signature that is struck through or crossed out agrees without the lines', () => {
  for (const person of [3, 19]) {
    const signature = strokesOf(person);
    const { left, top, right, bottom } = boxOf(signature);
    const middle = (top + bottom) / 2;
    const struck = [...signature, line(left - 20, middle + 6, right + 20, middle - 4)];
    assert.ok(otherInkIn(struck, signature).includes('APART'), `person ${person}, struck through`);
    const crossed = [...signature, line(left, top, right, bottom), line(left, bottom, right, top)];
    assert.ok(otherInkIn(crossed, signature).includes('APART'), `person ${person}, crossed out`);
  }
});

test('another signature that overlaps aslant, in columns and rows, is parted', () => {
  for (const [person, another, across, down] of [
    [52, 19, 0.85, 0.85],
    [40, 41, 0.9, 0.7],
  ] as const) {
    const [signature, other] = [strokesOf(person), strokesOf(another)];
    const [box, second] = [boxOf(signature), boxOf(other)];
    const x = box.left + across * (box.right - box.left) - second.left;
    const y = box.top + down * (box.bottom - box.top) - second.top;
    const both = [...signature, ...moved(other, x, y)];
    assert.ok(otherInkIn(both, signature).includes('PARTED'), `person ${person}`);
  }
});

/** Small squares all over a place, as of a code or a pattern. */
const squaresAt = (left: number, top: number, side: number, rows: number): Stroke[] => {
  const cell = side / rows;
  const places = Array.from({ length: rows * rows }, (_, i) => i).filter((i) => (i * 7919) % 5 < 3);
  return places.map((i) => {
    const [x, y] = [left + (i % rows) * cell, top + Math.floor(i / rows) * cell];
    const to = 0.8 * cell;
    return Float64Array.of(x, y, x + to, y, x + to, y + to, x, y + to, x, y);
  });
};

test('a signature within far more ink is found there, another one is not', () => {
  for (const person of [3, 40]) {
    const [one = [], again = []] = strokesOfTwo(person);
    const { left, top, right, bottom } = boxOf(again);
    const [width, height] = [right - left, bottom - top];
    const over = [...again, ...squaresAt(left + 0.45 * width, top + 0.1 * height, 0.8 * height, 6)];
    const [signature, page, other] = [shapeOf(one)!, shapeOf(over)!, shapeOf(strokesOf(19))!];
    const scores = scoreSignatures(signature, page);
    assert.ok(similarityOf(scores.score, CALIBRATION) < 40, `person ${person}`);
    const inkIn = (image: Comparable, against: Comparable) =>
      partedBy(ALONE, restOf(image, against, scoreSignatures(image, against))).otherInk;
    assert.equal(inkIn(page, signature), 'APART', `person ${person}`);
    assert.equal(inkIn(signature, page), 'NONE', `person ${person}`);
    assert.equal(inkIn(page, other), 'NONE', `person ${person}`);
  }
});

/** Strokes laid on others, so many times as large, from a share of their width and height on. */
function laidOver(
  under: readonly Stroke[],
  over: readonly Stroke[],
  across: number,
  down: number,
  size: number,
) {
  const [box, other] = [boxOf(under), boxOf(over)];
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const fit = Math.min(width / (other.right - other.left), (1.6 * height) / (other.bottom - other.top));
  const [x, y] = [box.left + across * width, box.top + down * height];
  const placed = (value: number, i: number) =>
    i % 2 === 0 ? x + size * fit * (value - other.left) : y + size * fit * (value - other.top);
  return [...under, ...over.map((stroke) => stroke.map(placed))];
}

test('a signature under a part of another one is found by its place', () => {
  for (const [person, another, across, down, size] of [
    [19, 40, 0.55, 0.1, 0.8],
    [40, 19, 0.7, -0.2, 0.7],
    [40, 52, 0.55, 0.1, 0.8],
    [52, 19, 0.55, 0.1, 0.8],
  ] as const) {
    const [one = [], again = []] = strokesOfTwo(person);
    const both = laidOver(again, strokesOf(another), across, down, size);
    const inkBeside = (strokes: readonly Stroke[]) =>
      partedBy(ALONE, scoreParts(both, [shapeOf(strokes)!])).otherInk;
    assert.equal(inkBeside(one), 'APART', `person ${person}`);
    assert.equal(inkBeside(strokesOf(3)), 'NONE', `person ${person}`);
  }
});

test('what is left out for a whole that is compared is far from alike', () => {
  for (const [person, against] of [
    [3, 19],
    [19, 52],
    [52, 3],
  ] as const) {
    const [strokes, whole] = [strokesOf(person), shapeOf(strokesOf(against))!];
    assert.deepEqual(likeliestOf(partsOf(strokes, [whole]), [whole]), likeliestOf(partsOf(strokes), [whole]));
  }
});

test('a scribble of any length is looked through for lines', () => {
  const scribble = Float64Array.from({ length: 400_000 }, (_, i) => Math.abs(((i * 7919) % 1998) - 999));
  assert.doesNotThrow(() => withoutBar([scribble]));
});
