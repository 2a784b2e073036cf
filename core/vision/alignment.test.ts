import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mirror } from './alignment.ts';

test('a mirrored picture has every row backwards and its colours in order', () => {
  const pixel = (value: number) => [value, value + 100, value + 200];
  const data = Uint8Array.from([1, 2, 3, 11, 12, 13].flatMap(pixel));
  const mirrored = mirror({ width: 3, height: 2, data });
  assert.deepEqual([mirrored.width, mirrored.height], [3, 2]);
  assert.deepEqual([...mirrored.data], [3, 2, 1, 13, 12, 11].flatMap(pixel));
});
