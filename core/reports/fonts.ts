/** The fonts that a report embeds: Noto Sans, which has Latin, Greek, Cyrillic and Arabic letters. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

/**
 * WOFF, not WOFF2: subsets that are cut out of the latter lose the parts of composed letters.
 * In the order in which a letter is looked for.
 */
const FILES = [
  ['latin', '@fontsource/noto-sans/files/noto-sans-latin'],
  ['latin-ext', '@fontsource/noto-sans/files/noto-sans-latin-ext'],
  ['arabic', '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic'],
  ['cyrillic', '@fontsource/noto-sans/files/noto-sans-cyrillic'],
  ['greek', '@fontsource/noto-sans/files/noto-sans-greek'],
  ['vietnamese', '@fontsource/noto-sans/files/noto-sans-vietnamese'],
] as const;
/** The font of the substitute for a letter that no embedded font has. */
export const FIRST_FONT = 'latin';
const WEIGHTS = { regular: 400, bold: 700 } as const;
export type Weight = keyof typeof WEIGHTS;

export interface FontFile {
  /** Names it in the document. */
  name: string;
  path: string;
}

/** The files of a weight, in the order in which a letter is looked for. */
export function fontFiles(weight: Weight): FontFile[] {
  return FILES.map(([name, file]) => ({
    name: `${name} ${weight}`,
    path: fileURLToPath(import.meta.resolve(`${file}-${WEIGHTS[weight]}-normal.woff`)),
  }));
}

const read = new Map<string, Buffer>();

/** The font of a file, its tables decompressed. Read once: the library would decompress each table at each use. */
export function fontBytes(path: string): Buffer {
  const known = read.get(path);
  if (known !== undefined) return known;
  const font = unpackWoff(readFileSync(path));
  read.set(path, font);
  return font;
}

const WOFF = { header: 44, entry: 20 };
const SFNT = { header: 12, entry: 16 };

/**
 * The OpenType font that a WOFF file holds (https://www.w3.org/TR/WOFF/).
 * @throws {Error} the file is no WOFF file
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('The font is no WOFF file.');
  const count = file.readUInt16BE(12);
  const log = Math.floor(Math.log2(count));
  const head = Buffer.alloc(SFNT.header + count * SFNT.entry);
  file.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** log, 6);
  head.writeUInt16BE(log, 8);
  head.writeUInt16BE(16 * (count - 2 ** log), 10);
  const parts: Uint8Array[] = [head];
  let end = head.length;
  for (let index = 0; index < count; index += 1) {
    const at = WOFF.header + index * WOFF.entry;
    const [start, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const stored = file.subarray(start, start + packed);
    const table = packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored;
    const to = SFNT.header + index * SFNT.entry;
    file.copy(head, to, at, at + 4);
    file.copy(head, to + 4, at + 16, at + 20);
    head.writeUInt32BE(end, to + 8);
    head.writeUInt32BE(length, to + 12);
    // Each table begins at a multiple of four bytes.
    const padding = Buffer.alloc(-length & 3);
    parts.push(table, padding);
    end += length + padding.length;
  }
  return Buffer.concat(parts);
}
