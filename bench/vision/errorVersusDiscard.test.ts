import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAfterDiscard, risingQuality, shareOfPossibleGain } from './errorVersusDiscard.ts';

/** 1,000 comparisons of which every tenth is wrongly rejected. */
const comparisons = (quality: (i: number, match: boolean) => number) =>
  Array.from({ length: 1000 }, (_, i) => {
    const match = i % 10 !== 0;
    return { match, quality: quality(i, match) };
  });

test('an oracle gains everything, its opposite loses, a random score gains nothing', () => {
  assert.equal(shareOfPossibleGain(comparisons((_, match) => (match ? 100 : 0))), 1);
  assert.ok(shareOfPossibleGain(comparisons((_, match) => (match ? 0 : 100))) < 0);
  assert.ok(Math.abs(shareOfPossibleGain(comparisons((i) => (i * 7919) % 1000))) < 0.05);
});

test('the error that remains is that of the comparisons that stay', () => {
  const oracle = risingQuality(comparisons((_, match) => (match ? 100 : 0)));
  assert.equal(errorAfterDiscard(oracle, 0), 0.1);
  assert.equal(errorAfterDiscard(oracle, 0.05), 50 / 950);
  assert.equal(errorAfterDiscard(oracle, 0.1), 0);
});
