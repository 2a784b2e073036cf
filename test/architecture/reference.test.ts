import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { test } from 'node:test';
import { referencePages } from '../../scripts/reference.ts';

test('the generated reference pages equal the code (else: npm run reference)', async () => {
  const pages = await referencePages();
  assert.ok(pages.size > 0);
  for (const [path, page] of pages) {
    assert.equal(await readFile(path, 'utf8'), page, basename(path));
    assert.match(page, /^\|/m, `${basename(path)} has a table`);
  }
});
