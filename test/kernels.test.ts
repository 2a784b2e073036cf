import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bestVariant } from '../core/gallery/kernel/kernel.ts';
import { compile, KERNELS, pathOf } from '../scripts/kernels.ts';

for (const kernel of KERNELS)
  test(`the committed ${kernel.binary} is what its source compiles to`, async () => {
    assert.ok(
      readFileSync(pathOf(kernel)).equals(await compile(kernel)),
      'Run `npm run kernels` and commit its output.',
    );
  });

test('this engine runs one of the faster scans', () => {
  assert.notEqual(bestVariant(), 'plain');
});
