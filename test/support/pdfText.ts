/** Reads the text of the PDF files that the service creates, and how their pictures lie. */
import assert from 'node:assert/strict';
import { create, type Font } from 'fontkit';
import { inflateSync } from 'node:zlib';

/** Every stream of a PDF by the number of its object, inflated. */
export function streamsOf(file: string): Map<string, string> {
  const streams = new Map<string, string>();
  for (const [, object = '', head = '', content = ''] of file.matchAll(
    /(\d+) 0 obj\n<<((?:(?!endobj)[^])*?)>>\nstream\n([^]*?)\nendstream/g,
  ))
    if (head.includes('FlateDecode'))
      streams.set(object, inflateSync(Buffer.from(content, 'latin1')).toString('latin1'));
  return streams;
}

/** The text of each glyph of a font, by its number. */
function glyphsOf(map: string): string[] {
  return [...map.matchAll(/\[(<[^\]]*>)\]/g)].flatMap(([, row = '']) =>
    // A ligature stands for several letters.
    [...row.matchAll(/<([0-9a-f ]+)>/gi)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  );
}

/** The letters that a reader can find and copy. */
export function lettersOf(pdf: Uint8Array): string {
  const maps = [...streamsOf(Buffer.from(pdf).toString('latin1')).values()];
  return maps
    .filter((stream) => stream.includes('beginbfrange'))
    .flatMap(glyphsOf)
    .join('');
}

/** The text of the pages as drawn, without spaces: the words are placed one by one. */
export function textOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf).toString('latin1');
  const streams = streamsOf(file);
  const fonts = new Map<string, string[]>();
  for (const [, name = '', font = ''] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const about = new RegExp(`(?:^|\\n)${font} 0 obj\\n[^]*?\\/ToUnicode (\\d+) 0 R`).exec(file);
    fonts.set(name, glyphsOf(streams.get(about?.[1] ?? '') ?? ''));
  }
  let text = '';
  for (const content of streams.values()) {
    let glyphs: string[] = [];
    for (const [, font, drawn] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font !== undefined) glyphs = fonts.get(font) ?? [];
      else if (drawn !== undefined)
        text += [...drawn.matchAll(/<([0-9a-f]+)>/gi)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((code) => glyphs[parseInt(code, 16)] ?? '')
          .join('');
    }
  }
  return text.replaceAll(/\s+/g, '');
}

/** The turn of each picture that is drawn turned, as the share of its height by which its right side lies lower. */
export function turnsIn(pdf: Uint8Array): number[] {
  const streams = [...streamsOf(Buffer.from(pdf).toString('latin1')).values()];
  return streams.flatMap((content) =>
    [...content.matchAll(/^(\S+) (\S+) \S+ \S+ \S+ \S+ cm$/gm)].flatMap(([, across = '', down = '']) =>
      Number(down) === 0 ? [] : [Number((Number(down) / Number(across)).toFixed(3))],
    ),
  );
}

/** A glyph as it is drawn: its text, its place in points from the left and the bottom, and its outline in its font. */
export interface DrawnGlyph {
  text: string;
  x: number;
  y: number;
  outline: string;
}

/** The glyphs of the pages in the order in which they are drawn. Outlines come from the embedded fonts. */
export function glyphsIn(pdf: Uint8Array): DrawnGlyph[] {
  const file = Buffer.from(pdf).toString('latin1');
  const streams = streamsOf(file);
  const object = (number: string) =>
    new RegExp(`(?:^|\\n)${number} 0 obj\\n([^]*?)\\nendobj`).exec(file)?.[1] ?? '';
  const reference = (text: string, name: string) =>
    new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(text)?.[1] ?? '';
  const fonts = new Map<string, { texts: string[]; widths: number[]; font: Font }>();
  for (const [, name = '', number = ''] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const type0 = object(number);
    const about = object(reference(type0, 'DescendantFonts'));
    const program = streams.get(reference(object(reference(about, 'FontDescriptor')), 'FontFile2'));
    if (program === undefined) continue;
    const font = create(Buffer.from(program, 'latin1'));
    assert.ok('getGlyph' in font);
    const widths = (/\/W \[0 \[([^\]]*)\]/.exec(about)?.[1] ?? '').trim().split(/\s+/).map(Number);
    fonts.set(name, { texts: glyphsOf(streams.get(reference(type0, 'ToUnicode')) ?? ''), widths, font });
  }
  const drawn: DrawnGlyph[] = [];
  for (const content of streams.values())
    for (const [, x = '', y = '', name = '', size = '', shown = ''] of content.matchAll(
      /1 0 0 1 (\S+) (\S+) Tm\n\/(F\d+) (\S+) Tf\n\[([^\]]*)\] TJ/g,
    )) {
      const known = fonts.get(name);
      assert.ok(known !== undefined, name);
      let at = Number(x);
      for (const [, hex = '', back = '0'] of shown.matchAll(/<([0-9a-f]+)> (\S+)/gi)) {
        for (const code of hex.match(/.{4}/g) ?? []) {
          const glyph = parseInt(code, 16);
          drawn.push({
            text: known.texts[glyph] ?? '',
            x: at,
            y: Number(y),
            // Takes longer than the rest, and most tests read the text alone.
            get outline() {
              return known.font.getGlyph(glyph).path.toSVG();
            },
          });
          at += ((known.widths[glyph] ?? 0) * Number(size)) / 1000;
        }
        at -= (Number(back) * Number(size)) / 1000;
      }
    }
  return drawn;
}
