import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileKernel } from './build.ts';
import { bestVariant } from './kernel.ts';

for (const variant of ['relaxed', 'plain'] as const)
  test(`the committed ${variant} kernel is what its source compiles to`, () => {
    const committed = readFileSync(join(import.meta.dirname, `scan.${variant}.wasm`));
    assert.ok(
      committed.equals(compileKernel(variant)),
      'Run `node core/gallery/kernel/build.ts` and commit its output.',
    );
  });

test('this engine runs the relaxed kernel', () => {
  assert.equal(bestVariant(), 'relaxed');
});
