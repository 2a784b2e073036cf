import { test } from 'node:test';
import assert from 'node:assert/strict';
import { supportOf } from '../../contracts/knownSignatures.ts';
import { KNOWN_CALIBRATION } from './calibration.ts';
import { findingsOf } from './findings.ts';
import type { Likeness } from './likeness.ts';
import { expectedAmong } from './ratios.ts';

/** Likeness by a rule, in log-odds. */
function likenessOf(questioned: readonly number[], among: (i: number, j: number) => number): Likeness {
  return {
    questioned,
    among: questioned.map((_, i) =>
      questioned.map((_, j) => (i === j ? NaN : among(Math.min(i, j), Math.max(i, j)))),
    ),
  };
}

/** A little different for each pair, as real ones are. */
const usual = (i: number, j: number) => 1.2 + 0.1 * Math.sin(3 * i + j);

function found(likeness: Likeness, halfTurns = 6, acrossMedia = false, hadOtherInk = false) {
  const known = likeness.questioned.map(() => halfTurns);
  return findingsOf(
    likeness,
    { halfTurns: { questioned: halfTurns, known }, acrossMedia, hadOtherInk },
    KNOWN_CALIBRATION,
  );
}

function reordered({ questioned, among }: Likeness, order: readonly number[]): Likeness {
  return {
    questioned: order.map((i) => questioned[i]!),
    among: order.map((i) => order.map((j) => among[i]![j]!)),
  };
}

test('the words follow the ENFSI scale in both directions', () => {
  const words = (log10: number) => Object.values(supportOf(log10)).join(' ');
  assert.equal(words(0.3), 'neither NONE');
  assert.equal(words(0.302), 'known_writer WEAK');
  assert.equal(words(-1), 'alternative MODERATE');
  assert.equal(words(2), 'known_writer MODERATELY_STRONG');
  assert.equal(words(-3.5), 'alternative STRONG');
  assert.equal(words(4), 'known_writer VERY_STRONG');
  assert.equal(words(6), 'known_writer EXTREMELY_STRONG');
});

test('more likeness to the known ones raises both ratios within their bounds', () => {
  const ratios = (level: number) => found(likenessOf([level, level, level, level], usual)).ratios!;
  for (const alternative of ['imitation', 'stranger'] as const) {
    const values = [-40, -2, 0, 1, 2, 40].map((level) => ratios(level)[alternative]);
    for (const { log10, bounds } of values) assert.ok(log10 >= bounds.lowest && log10 <= bounds.highest);
    for (const [i, { log10 }] of values.entries()) assert.ok(i === 0 || log10 >= values[i - 1]!.log10);
    assert.equal(values[0]!.log10, values[0]!.bounds.lowest);
    assert.equal(values.at(-1)!.log10, values[0]!.bounds.highest);
  }
});

test('the same likeness counts for less where the known signatures are more alike', () => {
  const imitation = (level: number) =>
    found(likenessOf([0.5, 0.5, 0.5, 0.5], () => level)).ratios!.imitation.log10;
  assert.ok(imitation(2.5) < imitation(0));
});

test('the usual likeness stands in for known signatures that are few', () => {
  const expected = (count: number) =>
    expectedAmong(likenessOf(Array<number>(count).fill(0), () => 3).among, KNOWN_CALIBRATION);
  assert.equal(expected(1), KNOWN_CALIBRATION.prior.likeness);
  assert.ok(expected(2) < expected(4) && expected(4) < expected(10) && expected(10) < 3);
});

test('order and copies of the known signatures do not change the ratios', () => {
  const five = likenessOf([0.4, 1.3, 0.9, 1.1, 0.2], usual);
  const copied = reordered(five, [0, 1, 2, 3, 4, 2, 2]);
  const withCopies: Likeness = {
    questioned: copied.questioned,
    among: copied.among.map((row) => row.map((value) => (Number.isNaN(value) ? 30 : value))),
  };
  const plain = found(five);
  for (const order of [
    [4, 3, 2, 1, 0],
    [2, 0, 4, 1, 3],
  ]) {
    const other = found(reordered(five, order));
    assert.deepEqual(other.ratios, plain.ratios);
    assert.equal(other.similarity, plain.similarity);
    assert.equal(order[other.nearest], plain.nearest);
  }
  const other = found(withCopies);
  assert.deepEqual(other.ratios, plain.ratios);
  assert.deepEqual(other.typicality, plain.typicality);
  assert.ok(other.warnings.includes('KNOWN_ARE_COPIES') && !plain.warnings.includes('KNOWN_ARE_COPIES'));
  assert.equal(other.known.length, 7);
});

/** The likeness of all but the second of five. */
const without1 = (i: number, j: number) => usual(i > 0 ? i + 1 : i, j > 0 ? j + 1 : j);

test('one bad known signature of four or more is named, with the result without it', () => {
  const bad = (count: number) =>
    found(
      likenessOf(
        Array.from({ length: count }, (_, i) => (i === 1 ? -3 : 1)),
        (i, j) => (i === 1 || j === 1 ? -3 : usual(i, j)),
      ),
    );
  const { agreement, ratios, warnings } = bad(5);
  assert.equal(agreement.differing?.index, 1);
  assert.notDeepEqual(agreement.differing.ratiosWithout, ratios);
  assert.deepEqual(agreement.differing.ratiosWithout, found(likenessOf([1, 1, 1, 1], without1)).ratios);
  assert.ok(warnings.includes('ONE_KNOWN_DIFFERS'));
  assert.equal(bad(3).agreement.differing, null);
  assert.ok(bad(3).warnings.includes('KNOWN_DISAGREE'));
  assert.equal(found(likenessOf([1, 1, 1, 1, 1], usual)).agreement.differing, null);
});

test('two clear groups of known signatures give no value', () => {
  const side = (i: number) => i % 2;
  const two = found(likenessOf([1, -2, 1, -2, 1], (i, j) => (side(i) === side(j) ? usual(i, j) : -2)));
  assert.equal(two.ratios, null);
  assert.deepEqual(two.agreement.groups, [
    [0, 2, 4],
    [1, 3],
  ]);
  assert.ok(two.warnings.includes('TWO_GROUPS'));
});

test('the rank counts known signatures that lie closer to the others', () => {
  const rank = (level: number) => found(likenessOf([level, level, level, level], usual)).typicality;
  assert.deepEqual(rank(0), { closer: 4, of: 4 });
  assert.deepEqual(rank(3), { closer: 0, of: 4 });
  assert.equal(found(likenessOf([1, 1], usual)).typicality, null);
});

test('a simple form, few known ones, two media, copies, other ink are warned of', () => {
  const { warnings, complexity } = found(likenessOf([9, 1], usual), 2, true);
  assert.equal(complexity, 'LOW');
  assert.deepEqual(warnings, ['FEW_KNOWN', 'CROSS_MEDIUM', 'LOW_COMPLEXITY', 'QUESTIONED_IS_COPY']);
  assert.deepEqual(found(likenessOf([1, 1, 1, 1, 1], usual)).warnings, []);
  const beside = found(likenessOf([1, 1, 1, 1, 1], usual), 6, false, true);
  assert.deepEqual(beside.warnings, ['FOREIGN_INK']);
});

test('a line that is plainer or richer than all that were measured is warned about', () => {
  const warnings = (halfTurns: number) => found(likenessOf([1, 1, 1, 1, 1], usual), halfTurns).warnings;
  assert.deepEqual(warnings(14), ['OUTSIDE_VALIDATION']);
  assert.deepEqual(warnings(0.5), ['LOW_COMPLEXITY', 'OUTSIDE_VALIDATION']);
  assert.deepEqual(warnings(13), []);
});
