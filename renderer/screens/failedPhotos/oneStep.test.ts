import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photosOfOneStep } from './oneStep.ts';

const photos = (count: number, faces: number) => Array.from({ length: count }, () => faces);

test('a step takes 200 main faces, 50 sheets, or the sheets that reach 200 faces', () => {
  assert.equal(photosOfOneStep(photos(300, 1)), 200);
  assert.equal(photosOfOneStep(photos(120, 1)), 120);
  assert.equal(photosOfOneStep(photos(60, 2)), 50);
  assert.equal(photosOfOneStep([150, 40, 30, 5]), 3, 'the rest of the last sheet is taken');
  assert.equal(photosOfOneStep([]), 0);
});
