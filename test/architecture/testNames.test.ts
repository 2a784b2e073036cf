import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Longest name of a test, so that a report shows it on one line; an inserted value counts as one character. */
const LONGEST_NAME = 80;
const NAME = /\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;

function longNames(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([, , name]) => name!.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'))
    .filter((name) => name.length > LONGEST_NAME);
}

test('every name of a test has at most 80 characters', () => {
  const files = ['core', 'electron', 'renderer', 'test', 'bench', 'research', 'models'].flatMap((folder) =>
    globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: PROJECT }),
  );
  assert.ok(files.length > 200, `only ${files.length} files were found`);
  const long = files.flatMap((file) =>
    longNames(readFileSync(join(PROJECT, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(long, []);
});

test('a long name is found and an inserted value counts little', () => {
  assert.equal(longNames(`test('${'x'.repeat(81)}', () => undefined);`).length, 1);
  assert.deepEqual(longNames(`test(\`\${${'x'.repeat(99)}} is short\`, () => undefined);`), []);
});
