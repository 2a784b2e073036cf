import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BAD_STATES, pictureFile, SCREEN_STATES } from './screenStates.ts';

const PROJECT = join(import.meta.dirname, '../..');

test('docs/screens holds the pictures that the pages show, each of a state', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: PROJECT })];
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(PROJECT, page), 'utf8').matchAll(/screens\/([\w-]+\.png)/g)].map(
      ([, file]) => file,
    ),
  );
  const kept = readdirSync(join(PROJECT, 'docs/screens')).sort();
  assert.deepEqual(kept, [...new Set(shown)].sort());
  const taken = [...SCREEN_STATES, ...BAD_STATES].flatMap((state) =>
    (state.pictures ?? []).map((look) => pictureFile(state, look)),
  );
  assert.deepEqual(
    kept.filter((file) => !taken.includes(file)),
    [],
  );
});
