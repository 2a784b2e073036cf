import { test } from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { create } from 'fontkit';
import PDFDocument from 'pdfkit';
import { glyphsIn, type DrawnGlyph } from '../../test/support/pdfText.ts';
import { fontBytes, fontFiles } from './fonts.ts';
import { readingOf, TextSetter, type Direction } from './text.ts';

const STYLE = { size: 10 };
const WIDTH = 500;

/** The glyphs of each text, drawn on a line of its own, from left to right. */
async function drawn(
  texts: readonly string[],
  direction: Direction,
  fontsFolder?: string,
): Promise<DrawnGlyph[][]> {
  const doc = new PDFDocument({ size: [600, 40 * (texts.length + 1)], margin: 0 });
  const setter = new TextSetter(doc, fontsFolder);
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise((resolve) => doc.on('end', resolve));
  const tops = texts.map((text, index) => {
    const [line] = setter.lines(text, STYLE, direction, WIDTH);
    if (line !== undefined) setter.draw(line, STYLE, direction, 10, 40 * index, WIDTH);
    return doc.page.height - 40 * index;
  });
  doc.end();
  await done;
  const glyphs = glyphsIn(Buffer.concat(chunks));
  return tops.map((top) =>
    glyphs.filter(({ y }) => y < top && y > top - 40).sort((one, other) => one.x - other.x),
  );
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** The text of a word as a reader finds it by the places of its letters, without the marks of direction. */
function found(glyphs: readonly DrawnGlyph[], word: string): string {
  const texts = glyphs.map(({ text }) => text);
  return (RIGHT_TO_LEFT.test(word) ? texts.reverse() : texts).join('').replaceAll(/[\u200e\u200f]/g, '');
}

/** The outline of a letter alone, in the first font of a script that has it. */
function outlineOf(letter: string): string {
  for (const { path } of fontFiles('regular', letter)) {
    const font = create(fontBytes(path));
    assert.ok('hasGlyphForCodePoint' in font);
    const code = letter.codePointAt(0) ?? 0;
    if (font.hasGlyphForCodePoint(code)) return font.glyphForCodePoint(code).path.toSVG();
  }
  return '';
}

test('digits of a number are drawn from left to right beside every script', async () => {
  const numbers = ['١٢٣', '۱۲۳۴۵', '٠٥٠١٢٣٤٥٦٧', '٢٠٢٤/١١/٠٥', '123', '2024-11-05', '२०२४', '٣٫١٤'];
  for (const direction of ['ltr', 'rtl'] as const)
    for (const around of ['', 'محمد ', 'Anna ', 'שלום ', 'علی و Anna ']) {
      const lines = await drawn(
        numbers.map((number) => `${around}\u2068${number}\u2069`),
        direction,
      );
      for (const [index, number] of numbers.entries()) {
        const outlines = new Set(Array.from(number, outlineOf));
        const digits = lines[index]!.filter(({ text }) => number.includes(text) && text !== '');
        assert.equal(digits.map(({ text }) => text).join(''), number, `${around}${number} ${direction}`);
        assert.deepEqual(
          digits.map(({ outline }) => outline),
          Array.from(number, outlineOf),
          `${around}${number} ${direction}`,
        );
        assert.ok(outlines.size > 1);
      }
    }
});

test('a number stands at the end of an Arabic name: on its left', async () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    const [line] = await drawn(['محمد ١٢٣'], direction);
    const text = line!
      .map((glyph) => glyph.text)
      .join('')
      .replaceAll(/[\u200e\u200f]/g, '');
    assert.equal(text, '١٢٣ دمحم');
  }
});

/** Names and words with ligatures, marks, reordered vowels and joined letters. */
const WORDS = [
  ...'محمد مخمذ صفحة صقخة تقرير تقرتر رقم رفم إله أله آمنة الآن لأن لإيلاف الإسلام لآلئ الله عبدالله شيء'.split(' '),
  ...'يُوسُفِ مُحَمَّدٍ كِتَابٌ فِ ڢاس ڧاس ٱلرَّحۡمَٰنِ'.split(' '),
  ...'چنگیز پژمان گلناز ژاله کوروش‌نیا ٹیپو ڈاکٹر لڑکا بھائی ہے ښاغلی ځوان ڕێوار ڵە ئۇيغۇر'.split(' '),
  ...'בִּנְיָמִין שלום राम क्षत्रिय श्रीमती कृष्णा মোহাম্মদ শ্রী கோபால் ஸ்ரீநிவாசன் สมชาย กำธร ปู่น้ำ'.split(' '),
  ...'አበበ გიორგი Արամ Ἀριστοτέλης ＴＡＮＡＫＡ Nguyễn Željko Йорген office ﬁn O’Brien'.split(' '),
].map((word) => word.normalize('NFC'));

test('the text under each word is the word, in every script that is drawn', async () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    const lines = await drawn(WORDS, direction);
    for (const [index, word] of WORDS.entries()) assert.equal(found(lines[index]!, word), word);
  }
});

test('a composed and a decomposed name are drawn alike', async () => {
  const names = ['Nguyễn Văn Đức', 'Željko Živković', 'Йорген', '각'];
  const [composed, decomposed] = await Promise.all(
    (['NFC', 'NFD'] as const).map((form) =>
      drawn(
        names.map((name) => name.normalize(form)),
        'ltr',
      ),
    ),
  );
  assert.deepEqual(composed, decomposed);
});

const doc = new PDFDocument({ margin: 0 });
const setter = new TextSetter(doc);

/** Sets and draws texts, and throws nothing. @returns the letters that were printed as numbers */
function drawAll(
  texts: Iterable<string>,
  directions: readonly Direction[] = ['ltr', 'rtl'],
): ReadonlySet<string> {
  setter.missing.clear();
  for (const text of texts)
    for (const direction of directions)
      for (const line of setter.lines(text, STYLE, direction, WIDTH))
        setter.draw(line, STYLE, direction, 10, 10, WIDTH);
  return setter.missing;
}

/** Of ideographs and hangul, which are alike, every 101st. */
const MANY = /[\p{Ideographic}\p{Script=Hangul}]/u;

function* codePoints(from: number, to: number, kind: RegExp): Generator<string> {
  for (let code = from; code <= to; code += 1) {
    const letter = String.fromCodePoint(code);
    if (kind.test(letter) && (code % 101 === 0 || !MANY.test(letter))) yield letter;
  }
}

test('every Arabic letter is drawn with every mark, alone and between letters', () => {
  const letters = [...codePoints(0x620, 0x6ff, /\p{L}/u)];
  const marks = [...codePoints(0x610, 0x6ed, /\p{M}/u)];
  const missing = drawAll(
    letters.flatMap((letter) => marks.flatMap((mark) => [`${letter}${mark}`, `ب${letter}${mark}م`])),
  );
  assert.deepEqual([...missing], []);
});

test('every assigned code point is drawn or printed as its number', () => {
  const missing = drawAll(
    [...codePoints(1, 0xd7ff, /\p{Assigned}/u), ...codePoints(0xf900, 0x1faff, /\p{Assigned}/u)],
    ['rtl'],
  );
  for (const number of ['[U+4E1E]', '[U+AC04]', '[U+0007]', '[U+1F600]'])
    assert.ok(missing.has(number), number);
  for (const letter of WORDS.join(''))
    assert.ok(
      !missing.has(`[U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`),
      letter,
    );
});

test('no text makes drawing fail, whatever its letters, marks and directions', () => {
  const unit = fc.oneof(
    fc.constantFrom(...Array.from(WORDS.join(''))),
    fc.integer({ min: 0x590, max: 0x10ff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom(
      ...Array.from(
        '\u200c\u200d\u200e\u200f\u202b\u202e\u2066\u2067\u2068\u2069\u0301\u0651\u064e \n\t-/.(12٣',
      ),
    ),
    fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom('\ud800', '\udfff'),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
      drawAll([units.join('')]);
    }),
    { numRuns: 400 },
  );
});

test('a letter without a font is printed as its number, and with one as itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-fonts-'));
  try {
    const names = ['ア', '\u0870'];
    const read = async () =>
      (await drawn(names, 'ltr', folder)).map((line, index) => found(line, names[index]!));
    // A number is read from left to right.
    assert.deepEqual(await read(), ['[U+30A2]', ']0780+U[']);
    const added = import.meta
      .resolve('@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff');
    copyFileSync(fileURLToPath(added), join(folder, 'added.WOFF'));
    writeFileSync(join(folder, 'broken.ttf'), 'no font');
    writeFileSync(join(folder, 'read.me'), 'no font');
    assert.deepEqual(await read(), ['[U+30A2]', '\u0870']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('no line is wider than its place, whatever fonts and directions a word has', () => {
  for (const word of [
    'iiiiiiWWWWWW',
    'aб',
    '王',
    'a-б.',
    'بa',
    '\u2067a\u2069ب',
    'ب\u08d4',
    'กำ',
    'कि',
    'بُّ',
    '(',
  ])
    for (const direction of ['ltr', 'rtl'] as const) {
      const lines = setter.lines(word.repeat(300), STYLE, direction, 150);
      assert.ok(lines.length > 3, word);
      for (const { width } of lines) assert.ok(width <= 150, `${word} ${width}`);
    }
});

test('a screen reader is given lines of words in the order of reading', () => {
  const read = (text: string, width = WIDTH) => readingOf(setter.lines(text, STYLE, 'ltr', width)).actual;
  assert.equal(read('Anna 12'), undefined);
  assert.equal(read('محمد Anna ١٢'), 'محمد Anna ١٢');
  assert.equal(read('one two three', 30), 'one two three');
});
