import { test } from 'node:test';
import assert from 'node:assert/strict';
import { textOf } from '../../test/support/pdfText.ts';
import { Sheet } from './sheet.ts';

test('a heading stands on the page of the picture that it introduces', async () => {
  const picture = { content: undefined, without: 'none', caption: 'caption', width: 4, height: 3 };
  for (let lines = 0; lines < 60; lines++) {
    const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
    for (let line = 0; line < lines; line++) sheet.paragraph('line');
    sheet.heading('Heading');
    sheet.pictures([picture], 150);
    const text = textOf(await sheet.end({ head: '', foot: '', pageOf: (page) => `end-of-${page}` }));
    assert.match(text, /Heading(?!.*end-of-.*caption)/, `after ${lines} lines`);
  }
});

test('a heading without a section is written all the same', async () => {
  const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
  sheet.heading('First');
  sheet.heading('Second');
  const text = textOf(await sheet.end({ head: '', foot: '', pageOf: () => '' }));
  assert.match(text, /FirstSecond/);
});
