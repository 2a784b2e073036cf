/** The largest distance between two faces of a group. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capOf } from './component.ts';
import { tailRate } from './tail.ts';

const tail = {
  faces: 2_320,
  pairs: 2_690_040,
  strong: 0,
  measuredTo: 1e-3,
  law: { at: 0.6, level: 3, slope: -9 },
  error: { level: 0, slope: 0, both: 0 },
};

test('a group is as wide as a false match rate of 1e-3, and as its search at least', () => {
  // On LFW at d_link of 1e-5: B-cubed recall 0.963 at a precision of 0.999; with 1e-4 0.956 at the same precision.
  assert.ok(Math.abs(tailRate(tail, capOf({ tail, maxDistance: 0.4 })) - 1e-3) < 1e-9);
  assert.equal(capOf({ tail, maxDistance: 1 }), 1);
  assert.equal(capOf({ tail: null, maxDistance: 0.4 }), 0.4);
});
