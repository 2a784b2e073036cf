import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ar } from '../../renderer/i18n/ar.ts';
import { en } from '../../renderer/i18n/en.ts';
import { screenTexts } from '../../renderer/i18n/screens.en.ts';
import { RETIRED_IN_THE_INTERFACE } from './retiredWords.ts';

interface Tree {
  readonly [key: string]: unknown;
}

/** Every text by the path of its key. */
function textsOf(tree: Tree, before = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string'
      ? [[`${before}${key}`, value]]
      : typeof value === 'object' && value !== null
        ? textsOf(value as Tree, `${before}${key}.`)
        : [],
  );
}

const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
const ENGLISH = textsOf({ ...en, ...screenTexts });
const ARABIC = new Map(textsOf(ar));

test('an Arabic text has the placeholders of the English one', () => {
  // The schema's own sentence exists in English only. Arabic states the limit instead.
  const different = ENGLISH.filter(([key, text]) => {
    const arabic = ARABIC.get(key);
    return (
      arabic !== undefined &&
      text !== '{{sentence}}' &&
      placeholders(text).join() !== placeholders(arabic).join()
    );
  });
  assert.ok(ARABIC.size > 1000);
  assert.deepEqual(different, []);
});

test('no text of the interface has a retired word', () => {
  const found = ENGLISH.flatMap(([key, text]) =>
    RETIRED_IN_THE_INTERFACE.filter(([word]) =>
      new RegExp(`\\b(?:${word})\\b`, 'i').test(text.replace(/\{\{\w+\}\}/g, '')),
    ).map(([word, instead]) => `${key}: ${word} (write: ${instead})`),
  );
  assert.deepEqual(found, []);
});
