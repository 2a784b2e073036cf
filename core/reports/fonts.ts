/** The fonts that a report embeds, and those that an administrator adds. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { hasSystemCode } from '../contracts/errors/systemProblem.ts';

/** The first font of the letters of each script, in the order in which a letter is looked for. */
const FAMILIES: readonly { file: string; scripts?: RegExp }[] = [
  ...['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'].map((part) => ({
    file: `noto-sans/files/noto-sans-${part}`,
  })),
  { file: 'ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic', scripts: /\p{scx=Arabic}/u },
  // Letters that the first Arabic font lacks, and sequences that cannot be laid out in it.
  { file: 'amiri/files/amiri-arabic', scripts: /\p{scx=Arabic}/u },
  { file: notoSans('hebrew'), scripts: /\p{scx=Hebrew}/u },
  { file: 'noto-sans/files/noto-sans-devanagari', scripts: /\p{scx=Devanagari}/u },
  { file: notoSans('bengali'), scripts: /\p{scx=Bengali}/u },
  { file: notoSans('tamil'), scripts: /\p{scx=Tamil}/u },
  { file: notoSans('thai'), scripts: /\p{scx=Thai}/u },
  { file: notoSans('ethiopic'), scripts: /\p{scx=Ethiopic}/u },
  { file: notoSans('georgian'), scripts: /\p{scx=Georgian}/u },
  { file: notoSans('armenian'), scripts: /\p{scx=Armenian}/u },
];
function notoSans(script: string): string {
  return `noto-sans-${script}/files/noto-sans-${script}-${script}`;
}

/** Packages that are too large to ship (up to 80 MB) and are used where they are installed. */
const OPTIONAL = ['sc', 'tc', 'jp', 'kr'].map((region) => `@fontsource/noto-sans-${region}`);
const WEIGHTS = { regular: 400, bold: 700 } as const;
export type Weight = keyof typeof WEIGHTS;

export interface FontFile {
  /** Names it in the document. */
  name: string;
  path: string;
}

const located = new Map<string, string>();

/**
 * WOFF, not WOFF2: subsets that are cut out of the latter lose the parts of composed letters.
 * @returns the shipped fonts that may have the letters of a text, in the order in which they are asked
 */
export function* fontFiles(weight: Weight, text: string): Iterable<FontFile> {
  for (const { file, scripts } of FAMILIES) {
    if (scripts?.test(text) === false) continue;
    const name = `${file}-${WEIGHTS[weight]}-normal.woff`;
    const path = located.get(name) ?? fileURLToPath(import.meta.resolve(`@fontsource/${name}`));
    located.set(name, path);
    yield { name, path };
  }
}

/**
 * @param folder of the administrator's fonts; undefined, or not there: none
 * @returns the fonts of that folder, then those of the optional packages that are installed, in regular weight
 */
export function furtherFonts(folder: string | undefined): FontFile[] {
  const packages = OPTIONAL.flatMap((name) => {
    const found = installed(`${name}/package.json`);
    return found === undefined ? [] : [join(dirname(found), 'files')];
  });
  return [
    ...filesIn(folder, /\.(?:ttf|otf|woff)$/i),
    ...packages.flatMap((each) => filesIn(each, /-400-normal\.woff$/)),
  ];
}

function installed(name: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(name));
  } catch {
    return undefined;
  }
}

function filesIn(folder: string | undefined, names: RegExp): FontFile[] {
  if (folder === undefined) return [];
  try {
    return readdirSync(folder)
      .filter((name) => names.test(name))
      .sort()
      .map((name) => ({ name: join(folder, name), path: join(folder, name) }));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const read = new Map<string, Buffer>();

/** The font of a file, the tables of WOFF decompressed. Read once: the library would decompress each table at each use. */
export function fontBytes(path: string): Buffer {
  const known = read.get(path);
  if (known !== undefined) return known;
  const file = readFileSync(path);
  const font = path.toLowerCase().endsWith('.woff') ? unpackWoff(file) : file;
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
