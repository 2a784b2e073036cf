import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BAD_STATES, pictureFile, SCREEN_STATES } from './screenStates.ts';

test('docs/screens holds the pictures of the states, and no others', () => {
  const kept = [...SCREEN_STATES, ...BAD_STATES].flatMap((state) =>
    (state.pictures ?? []).map((look) => pictureFile(state, look)),
  );
  assert.deepEqual(readdirSync(join(import.meta.dirname, '../../docs/screens')).sort(), kept.sort());
});
