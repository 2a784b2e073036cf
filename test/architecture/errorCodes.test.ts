import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, problem, sentenceOf } from '../../core/contracts/errors/problem.ts';
import { errors as arabic } from '../../renderer/i18n/errors.ar.ts';

const namesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted();

test('an Arabic text names no parameter that the error does not have', () => {
  const generic = ['{{least}}', '{{most}}'];
  for (const [code, text] of Object.entries(arabic)) {
    const known = namesIn(ERRORS[code as keyof typeof arabic].text);
    const own = known.includes('{{sentence}}') ? generic : known;
    assert.deepEqual(
      namesIn(text).filter((name) => !own.includes(name)),
      [],
      code,
    );
  }
});

test('no text of the catalogue sends a program to a page', () => {
  const entries = Object.entries<{ text: string; remedy?: string }>(ERRORS);
  for (const [code, { text, remedy = '' }] of entries)
    assert.doesNotMatch(`${text} ${remedy}`, /\bpages?\b|\breload\b/i, code);
});

test('a sentence has its parameters in their places', () => {
  const reason = problem('BODY_TOO_LARGE', { kilobytes: 12 });
  assert.match(sentenceOf(reason), /not be greater than 12 kilobytes/);
});
