import assert from 'node:assert/strict';
import { test } from 'node:test';
import { squaredDistance, squaredDistances, TOGETHER } from './distance.ts';

test('four distances at a time are those of one at a time, to the last bit', () => {
  const rows = Float32Array.from({ length: 5 * 31 }, (_, i) => Math.sin(12.9898 * i));
  const probe = rows.subarray(0, 31);
  const starts = [124, 31, 93, 62];
  const squares = new Float64Array(TOGETHER);
  squaredDistances(probe, [rows, rows, rows, rows], starts, squares);
  assert.deepEqual(
    [...squares],
    starts.map((start) => squaredDistance(probe, rows, start)),
  );
});
