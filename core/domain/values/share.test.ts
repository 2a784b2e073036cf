import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './share.ts';

test('the interval of a share is Wilson’s, also for no error and for errors alone', () => {
  const rounded = (errors: number, of: number) => {
    const { rate, low, high } = shareOf(errors, of);
    return [rate, low, high].map((value) => Number(value.toFixed(4)));
  };
  // Brown, Cai and DasGupta 2001; Newcombe 1998, tables of the score interval without continuity correction.
  assert.deepEqual(rounded(81, 263), [0.308, 0.2553, 0.3662]);
  assert.deepEqual(rounded(15, 148), [0.1014, 0.0624, 0.1605]);
  assert.deepEqual(rounded(0, 20), [0, 0, 0.1611]);
  assert.deepEqual(rounded(20, 20), [1, 0.8389, 1]);
});
