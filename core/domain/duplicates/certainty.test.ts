import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import { certaintyOf, HIGHEST_CERTAINTY, STEPS } from './groups.ts';

test('no group is stated to be certain, however many near pairs there are', () => {
  const law = { at: 1, level: 3, slope: -10 };
  const tail = {
    faces: 6_000,
    pairs: 1e7,
    measuredTo: 1e-6,
    strong: 0.8,
    law,
    error: { level: 0, slope: 0, both: 0 },
  };
  const run: Pick<DuplicateRun, 'tail' | 'maxDistance' | 'total'> = { tail, maxDistance: 0.9, total: 1_000 };
  const counts = Array.from({ length: STEPS }, () => 1_000);
  for (const searched of [run, { ...run, tail: null }]) {
    const certainty = certaintyOf(searched, counts);
    assert.equal(certainty.at(0), HIGHEST_CERTAINTY);
    assert.ok(certainty.distanceOf(0.99) > 0);
  }
});
