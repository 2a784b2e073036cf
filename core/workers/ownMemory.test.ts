import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { MEMORY_VARIABLE, OVER_MEMORY } from './ownMemory.ts';

const PROGRAM = `
  import { watchOwnMemory } from ${JSON.stringify(new URL('./ownMemory.ts', import.meta.url).href)};
  watchOwnMemory();
  setTimeout(() => process.exit(), 600);
`;

test('a worker above its memory limit exits with its own code; below it, it runs on', () => {
  const codeUnder = (limit: number) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env: { [MEMORY_VARIABLE]: String(limit) },
    }).status;
  assert.deepEqual([codeUnder(2 ** 20), codeUnder(2 ** 40)], [OVER_MEMORY, 0]);
});
