/** Reads the text of the PDF files that the service creates, and how their pictures lie. */
import { inflateSync } from 'node:zlib';

/** Every stream of a PDF by the number of its object, inflated. */
function streamsOf(file: string): Map<string, string> {
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
