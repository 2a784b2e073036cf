import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faceMeaningOf } from '../../contracts/faceComparisons.ts';
import { scoreAtFmr } from './scores.ts';

test('a pair that different people rarely form never reads as "not similar"', () => {
  assert.equal(faceMeaningOf('NO_MATCH', scoreAtFmr(1 / 2_700)), 'UNDECIDED');
  assert.equal(faceMeaningOf('NO_MATCH', scoreAtFmr(1e-2)), 'UNDECIDED');
  assert.equal(faceMeaningOf('NO_MATCH', scoreAtFmr(2e-2)), 'NO_MATCH');
  for (const verdict of ['MATCH', 'POSSIBLE_MATCH'] as const)
    assert.equal(faceMeaningOf(verdict, 80), verdict);
  assert.equal(faceMeaningOf('INCONCLUSIVE', null), 'INCONCLUSIVE');
});
