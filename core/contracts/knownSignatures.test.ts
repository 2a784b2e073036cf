import { test } from 'node:test';
import assert from 'node:assert/strict';
import { overstatesSupport } from './knownSignatures.ts';

test('a stated ratio from 1 to 3 overstates, those beside it do not', () => {
  assert.deepEqual([-0.1, 0, Math.log10(2), Math.log10(3), Math.log10(3.1), 1].map(overstatesSupport), [
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});
