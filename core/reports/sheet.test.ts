import { test } from 'node:test';
import assert from 'node:assert/strict';
import { glyphsIn, streamsOf, textOf } from '../../test/support/pdfText.ts';
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

/** A grey pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const end = { head: 'head', foot: 'foot', pageOf: (page: number) => `end-of-${page}` };
const pagesOf = (text: string) => text.split(/end-of-\d+/).slice(0, -1);

test('a long caption is printed whole, above what follows it', async () => {
  const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
  const words = Array.from({ length: 40 }, (_, word) => `w${word}.`).join(' ');
  const picture = { content: undefined, without: 'none', caption: words, width: 4, height: 3 };
  sheet.pictures([picture, { ...picture, caption: 'short' }], 150);
  sheet.paragraph('after');
  const pdf = await sheet.end(end);
  assert.ok(textOf(pdf).includes(words.replaceAll(' ', '')));
  const lowest = (letter: string) =>
    Math.min(...glyphsIn(pdf).flatMap(({ text, y }) => (text === letter ? [y] : [])));
  assert.ok(lowest('w') - lowest('f') > 8, 'the paragraph stands below the last line of the caption');
});

test('short facts stand on one page, wherever they begin', async () => {
  for (let lines = 0; lines < 60; lines += 3) {
    const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
    for (let line = 0; line < lines; line++) sheet.paragraph('line');
    sheet.facts(Array.from({ length: 9 }, (_, row) => [`name${row}`, `value${row}`]));
    // The foot is drawn last on each page, and the head before it.
    const pages = pagesOf(textOf(await sheet.end(end)));
    assert.ok(
      pages.some((page) => page.includes('name0value0') && page.includes('name8value8')),
      `${lines}`,
    );
  }
});

test('a table that needs several pages repeats its head, and a high row loses no line', async () => {
  const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
  const words = Array.from({ length: 900 }, (_, word) => `w${word}.`);
  sheet.table(
    [
      ['Key', 'Text'],
      ...Array.from({ length: 40 }, (_, row) => [`k${row}`, 'short']),
      ['long', words.join(' ')],
    ],
    [0.3, 0.3],
  );
  const pdf = await sheet.end(end);
  const text = textOf(pdf);
  const pages = pagesOf(text);
  assert.ok(pages.length > 2);
  for (const page of pages) assert.match(page, /KeyText/);
  for (const word of words) assert.ok(text.includes(word), word);
  assert.ok(glyphsIn(pdf).every(({ y }) => y > 20));
});

test('a paragraph of several pages is an element on each of them', async () => {
  const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
  sheet.paragraph('word '.repeat(4000));
  const pdf = await sheet.end(end);
  const pages = [...streamsOf(Buffer.from(pdf).toString('latin1')).values()].filter((content) =>
    content.includes('\nBT\n'),
  );
  assert.ok(pages.length > 2);
  for (const page of pages) {
    let depth = 0;
    for (const [mark] of page.matchAll(/\b(?:BDC|BMC|EMC|TJ)\b/g)) {
      if (mark === 'TJ') assert.ok(depth > 0, 'a text that no element has');
      else depth += mark === 'EMC' ? -1 : 1;
    }
    assert.equal(depth, 0);
  }
});

test('a report is tagged with headings, tables, figures and its language', async () => {
  for (const [direction, language] of [
    ['ltr', 'en'],
    ['rtl', 'ar'],
  ] as const) {
    const sheet = new Sheet({ title: 'Title \u2068محمد\u2069', direction, made: new Date(0) });
    sheet.title('Title', 'under');
    sheet.alert(3, 'Stop', ['Reason']);
    sheet.heading('Heading');
    sheet.table([['Column'], ['\u0645\u062d\u0645\u062f']], [1]);
    sheet.facts([['name', 'value']]);
    sheet.table(
      [
        ['', 'Name'],
        ['none', 'Ada Roe'],
      ],
      [0.5, 0.5],
      { pictures: [PIXEL] },
    );
    sheet.pictures([{ content: undefined, without: 'none', caption: 'A face', width: 4, height: 3 }], 100);
    sheet.scale({ from: 0, to: 100, thresholds: [40, 70], value: 50, text: 'Similarity 50' });
    const pdf = await sheet.end(end);
    assert.ok(!textOf(pdf).includes('noneAda'), 'a picture stands in place of the text');
    const file = Buffer.from(pdf).toString('latin1');
    assert.match(file, /\/Marked true/);
    assert.ok(file.includes(`/Lang (${language})`));
    assert.match(file, /\/DisplayDocTitle true/);
    for (const tag of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
      assert.match(file, new RegExp(`/S /${tag}\\b`), tag);
    assert.match(file, /\/Alt \(A face\)/);
    assert.match(file, /\/Alt \(Ada Roe\)/);
    assert.match(file, /\/Alt \(Similarity 50\)/);
    assert.match(file, /\/Scope \/Column/);
    assert.match(file, /\/Scope \/Row/);
    // The words of an Arabic cell in the order of reading, as UTF-16.
    const reading = Buffer.from('\ufeffمحمد', 'utf16le').swap16().toString('latin1');
    assert.ok(file.includes(`/ActualText (${reading})`));
  }
});

test('other work is done between the parts and the rows of a long sheet', async () => {
  const sheet = new Sheet({ title: 'Title', direction: 'ltr', made: new Date(0) });
  const rows = 60;
  sheet.table(
    Array.from({ length: rows }, (_, row) => [`${row}`, 'word '.repeat(20)]),
    [0.3, 0.7],
  );
  for (let part = 0; part < rows; part++) sheet.paragraph('word '.repeat(20));
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  await sheet.end({ head: '', foot: '', pageOf: () => '' });
  clearInterval(count);
  assert.ok(turns > rows, `${turns}`);
});
