import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RETIRED } from './retiredWords.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** The glossary names the replaced words beside their terms. */
const NAMES_THEM = [
  'docs/glossary.md',
  'test/architecture/retiredWords.ts',
  'test/architecture/retiredWords.test.ts',
];

function retiredIn(text: string): string[] {
  return RETIRED.flatMap(([word, instead]) => {
    const found = new RegExp(word, 'm').exec(text);
    return found === null ? [] : `${found[0]} (write: ${instead})`;
  });
}

test('no text of the repository has a retired word', () => {
  const files = spawnSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.pl', '*.md'], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
    .stdout.split('\n')
    .filter((file) => file !== '' && !NAMES_THEM.includes(file) && existsSync(join(PROJECT, file)));
  assert.ok(files.length > 500);
  const found = files.flatMap((file) =>
    retiredIn(readFileSync(join(PROJECT, file), 'utf8')).map((word) => `${file}: ${word}`),
  );
  assert.deepEqual(found, []);
});

test('a planted retired word is found', () => {
  assert.deepEqual(retiredIn('class AuditDesk {}'), ['AuditDesk (write: …Service)']);
  const renamed = [
    'const MOST = 5;',
    'MOST_FACES',
    'ROWS_AT_ONCE',
    'PATIENCE_MS',
    'GRACE',
    'LOOK_AGAIN',
    'pool.staff',
  ];
  for (const planted of renamed) assert.equal(retiredIn(planted).length, 1, planted);
  assert.equal(retiredIn('/** What a call returns. */').length, 1);
  assert.equal(retiredIn(' * Who asks: the operator.').length, 1);
  assert.deepEqual(retiredIn('## What a backup holds'), []);
});
