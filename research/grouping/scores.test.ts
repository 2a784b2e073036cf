/** Scores of groups, against numbers that were worked out by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fHalf, scoresOf } from './scores.ts';

test('scores of groups are those worked out by hand', () => {
  // A has three photos, two of which are grouped with one of B; B has a second one alone; C has one.
  const scores = scoresOf(['A', 'A', 'A', 'B', 'B', 'C'], [[0, 1, 3]]);
  assert.ok(Math.abs(scores.precision - (2 / 3 + 2 / 3 + 1 + 1 / 3 + 1 + 1) / 6) < 1e-12);
  assert.ok(Math.abs(scores.recall - (2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2 + 1) / 6) < 1e-12);
  assert.ok(Math.abs(scores.several.precision - (2 / 3 + 2 / 3 + 1 + 1 / 3 + 1) / 5) < 1e-12);
  assert.deepEqual(scores.pairs, { precision: 1 / 3, recall: 1 / 4 });
  assert.deepEqual([scores.groups, scores.wrong, scores.largestWrong], [1, 1, 3]);
  // One for A's and one for B's part of the group; the third photo of A and the second of B are in no group.
  assert.deepEqual([scores.decisions, scores.missed], [2, 2]);
  assert.equal(fHalf({ precision: 1, recall: 1 }), 1);
  assert.ok(fHalf({ precision: 0.9, recall: 0.5 }) > fHalf({ precision: 0.5, recall: 0.9 }));
});
