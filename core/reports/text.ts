/**
 * Text of any direction on a page. The PDF library shapes one word well (Arabic letters join), but sets words from left
 * to right in one font. So words, fonts and the order on the line are decided here, by the Unicode bidirectional
 * algorithm (UAX #9), and every piece is drawn where it belongs.
 */
import bidiFactory from 'bidi-js/dist/bidi.mjs';
import { fontFiles, furtherFonts, type FontFile, type Weight } from './fonts.ts';
import { joinedRuns, ReportFont, type Run } from './shaping.ts';

const bidi = bidiFactory();
/** Marks of direction: they order what stands around them, and are not drawn. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const PERCENT = /(?<![\d.,])[.,]*\d[\d.,]*%/g;
const LINE_END = /\r\n|[\n-\r\u0085\u2028\u2029]/;
/** Share of the size that stands above the baseline: of Noto Sans, for all fonts, so that they stand on one line. */
const ABOVE = 1.07;

export interface TextStyle {
  /** Points. */
  size: number;
  weight?: Weight;
  colour?: string;
}

export type Direction = 'ltr' | 'rtl';

/** A code point, and what is drawn for it: a mirrored bracket, or a plain form where no font has the letter. */
interface Letter {
  text: string;
  shown: string;
}

/** Letters of one font, level and word, or the space between two. */
interface Piece {
  letters: readonly Letter[];
  font: ReportFont;
  run: Run;
  level: number;
  space: boolean;
}

export interface Line {
  pieces: Piece[];
  width: number;
}

/** A letter and the marks on it. */
const ON_LETTER = /[\p{M}\p{Default_Ignorable_Code_Point}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

export class TextSetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #fontsFolder: string | undefined;
  readonly #opened = new Map<string, ReportFont | undefined>();
  /** By weight and letter, as {@link #shown} found it. */
  readonly #forms = new Map<string, string | undefined>();
  /** Letters that no font has, as they are printed: `[U+738B]`. */
  readonly missing = new Set<string>();
  #further: readonly FontFile[] | undefined;

  /** @param fontsFolder further fonts, for letters that no shipped font has */
  constructor(doc: PDFKit.PDFDocument, fontsFolder?: string) {
    this.#doc = doc;
    this.#fontsFolder = fontsFolder;
  }

  /** Breaks a text into lines of at most `width` points; a longer word is cut. */
  lines(text: string, style: TextStyle, direction: Direction, width: number): Line[] {
    // A percent sign stands on the right of its number everywhere, as in `0.4% (0.35–0.47)`.
    const said = direction === 'rtl' ? text.replaceAll(PERCENT, '\u2066$&\u2069') : text;
    return said
      .split(LINE_END)
      .flatMap((paragraph) => this.#fill(this.#pieces(paragraph, style, direction), style, width));
  }

  /** Draws a line between `x` and `x + width`, at the side where its direction begins. @returns its height */
  draw(line: Line, style: TextStyle, direction: Direction, x: number, y: number, width: number): number {
    let at = direction === 'rtl' ? x + width - line.width : x;
    this.#doc.fillColor(style.colour ?? '#000000');
    // Neighbours in one font are drawn at once: a reader takes them for one text.
    const ordered = withMarks(inVisualOrder(line.pieces, direction), direction);
    for (const pieces of partsOf(ordered, ({ font }) => font)) {
      const text = pieces.map(({ letters }) => textOf(letters)).join('');
      const run = joinedRuns(pieces.map((piece) => piece.run));
      pieces[0]?.font.draw(this.#doc, run, { x: at, y: y + ABOVE * style.size, size: style.size, text });
      at += pieces.reduce((sum, piece) => sum + widthOf(piece, style), 0);
    }
    return this.lineHeight(style);
  }

  lineHeight({ size }: TextStyle): number {
    return size * 1.38;
  }

  /** Words and spaces in the order in which they are read, each of one font and one level. */
  #pieces(paragraph: string, { weight = 'regular' }: TextStyle, direction: Direction): Piece[] {
    // Composed: fonts have letters with their marks.
    const text = paragraph.normalize('NFC');
    const { levels } = bidi.getEmbeddingLevels(text, direction);
    const mirrored = bidi.getMirroredCharactersMap(text, levels);
    const pieces: Piece[] = [];
    let word: Letter[] = [];
    let [level, space] = [0, false];
    const finish = () => {
      if (word.length > 0) pieces.push(...this.#word(word, weight, level, space, pieces.at(-1)?.font));
      word = [];
    };
    for (let at = 0; at < text.length;) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
      // An invisible letter joins or parts those around it.
      const own = word.length > 0 && INVISIBLE.test(letter) ? level : (levels[at] ?? 0);
      const isSpace = letter === ' ' || letter === '\t';
      const drawn = mirrored.get(at) ?? (isSpace ? ' ' : letter);
      at += letter.length;
      if (MARKS.test(letter)) continue;
      if (own !== level || isSpace !== space) finish();
      [level, space] = [own, isSpace];
      const shown = this.#shown(drawn, weight);
      if (shown !== undefined) word.push({ text: letter === '\t' ? ' ' : letter, shown });
      else if (!INVISIBLE.test(letter)) {
        finish();
        pieces.push(...this.#missing(letter, weight, level));
      }
    }
    finish();
    return pieces;
  }

  /** A letter as the fonts have it; undefined: none has it. */
  #shown(letter: string, weight: Weight): string | undefined {
    const key = `${weight} ${letter}`;
    if (this.#forms.has(key)) return this.#forms.get(key);
    const forms = [letter, letter.normalize('NFKC')];
    const found = forms.find((form) => this.#fonts(form, weight).next().done !== true);
    this.#forms.set(key, found);
    return found;
  }

  /** Printed as its number, from left to right, so that two names stay different. */
  #missing(letter: string, weight: Weight, level: number): Piece[] {
    const number = `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
    this.missing.add(number);
    const letters = Array.from(number, (each) => ({ text: each, shown: each }));
    return this.#word(letters, weight, level + (isOdd(level) ? 1 : 0), false);
  }

  /** A word in the first font that has all of it, so that its letters join; else in pieces. A space is of the font before. */
  #word(
    letters: readonly Letter[],
    weight: Weight,
    level: number,
    space: boolean,
    before?: ReportFont,
  ): Piece[] {
    if (space && before?.hasAll(' ') === true) return [this.#piece(letters, before, level, space)];
    // A bracket chooses no other font for the word in it.
    const parts = partsOf(letters, ({ text }) => PUNCTUATION.test(text));
    if (parts.length > 1) return this.#joined(parts, weight, level, space);
    const whole = this.#inOneFont(letters, weight, level, space);
    if (whole?.run.isPlain === false) return [whole];
    const clusters = clustersOf(letters);
    if (clusters.length > 1) return this.#joined(clusters, weight, level, space);
    if (whole !== undefined) return [whole];
    return letters.flatMap((letter) => this.#inOneFont([letter], weight, level, space) ?? []);
  }

  /** Neighbours in the same font are laid out together where that succeeds. */
  #joined(parts: readonly (readonly Letter[])[], weight: Weight, level: number, space: boolean): Piece[] {
    const pieces = parts.flatMap((each) => this.#word(each, weight, level, space));
    const joined: Piece[] = [];
    for (const run of partsOf(pieces, ({ font }) => font)) {
      const [first] = run;
      if (first === undefined) continue;
      const letters = run.flatMap((piece) => piece.letters);
      const all = this.#piece(letters, first.font, level, space);
      joined.push(...(all.run.isPlain ? run : [all]));
    }
    return joined;
  }

  /** Undefined: no font has all of these letters. */
  #inOneFont(letters: readonly Letter[], weight: Weight, level: number, space: boolean): Piece | undefined {
    let plain: Piece | undefined;
    for (const font of this.#fonts(shownOf(letters), weight)) {
      const piece = this.#piece(letters, font, level, space);
      if (!piece.run.isPlain) return piece;
      plain ??= piece;
    }
    return plain;
  }

  #piece(letters: readonly Letter[], font: ReportFont, level: number, space: boolean): Piece {
    const run = font.shape(textOf(letters), shownOf(letters), isOdd(level));
    return { letters, font, run, level, space };
  }

  /** The fonts that have all of these letters, each opened when it is asked for: further ones where no shipped one has them. */
  *#fonts(shown: string, weight: Weight): Generator<ReportFont> {
    let isShipped = false;
    for (const file of fontFiles(weight, shown)) {
      const font = this.#open(file);
      if (font?.hasAll(shown) !== true) continue;
      isShipped = true;
      yield font;
    }
    if (isShipped) return;
    this.#further ??= furtherFonts(this.#fontsFolder);
    for (const file of this.#further) {
      const font = this.#open(file);
      if (font?.hasAll(shown) === true) yield font;
    }
  }

  #open(file: FontFile): ReportFont | undefined {
    if (this.#opened.has(file.name)) return this.#opened.get(file.name);
    const font = openFont(file);
    if (font !== undefined) this.#doc.registerFont(file.name, font.embedded);
    this.#opened.set(file.name, font);
    return font;
  }

  #fill(pieces: readonly Piece[], style: TextStyle, width: number): Line[] {
    const lines: Line[] = [];
    let line: Line = { pieces: [], width: 0 };
    const put = (word: readonly Piece[]) => {
      const wide = word.reduce((sum, piece) => sum + widthOf(piece, style), 0);
      // A word in several fonts is broken between them where it is wider than a line.
      if (wide > width && word.length > 1) {
        for (const piece of word) put([piece]);
        return;
      }
      const blank = word.every(({ space }) => space);
      if (line.width + wide > width && line.pieces.length > 0) {
        lines.push(withoutEndSpace(line, style));
        line = { pieces: [], width: 0 };
        if (blank) return;
      }
      line.pieces.push(...word);
      line.width += wide;
    };
    let word: Piece[] = [];
    for (const piece of pieces.flatMap((each) => this.#cut(each, style, width))) {
      if (piece.space || (piece.letters.length > 1 && widthOf(piece, style) > width * 0.6)) {
        put(word);
        put([piece]);
        word = [];
      } else word.push(piece);
    }
    put(word);
    return [...lines, withoutEndSpace(line, style)];
  }

  /** Cuts what is wider than a line: a hash, a long file name. */
  #cut(piece: Piece, style: TextStyle, width: number): Piece[] {
    const wide = widthOf(piece, style);
    const clusters = clustersOf(piece.letters);
    if (wide <= width || clusters.length < 2) return [piece];
    const share = Math.max(1, Math.floor((clusters.length * width) / wide) - 1);
    const parts: Piece[] = [];
    for (let from = 0; from < clusters.length; from += share) {
      const letters = clusters.slice(from, from + share).flat();
      parts.push(this.#piece(letters, piece.font, piece.level, piece.space));
    }
    // Letters are of different widths.
    return parts.flatMap((part) => this.#cut(part, style, width));
  }
}

/** Undefined: an added file that is no font. Its letters are printed as numbers then, and the report says so. */
function openFont(file: FontFile): ReportFont | undefined {
  try {
    return new ReportFont(file);
  } catch {
    return undefined;
  }
}

/**
 * The text of lines for screen readers, in the order of reading. None: the drawn words say the same, from left to right
 * on one line.
 */
export function readingOf(lines: readonly Line[]): { actual?: string } {
  const isPlain = lines.length < 2 && lines.every(({ pieces }) => pieces.every(({ level }) => !isOdd(level)));
  if (isPlain) return {};
  const texts = lines.map(({ pieces }) => pieces.map(({ letters }) => textOf(letters)).join(''));
  return { actual: texts.join(' ') };
}

const isOdd = (level: number) => level % 2 === 1;
const textOf = (letters: readonly Letter[]) => letters.map(({ text }) => text).join('');
const shownOf = (letters: readonly Letter[]) => letters.map(({ shown }) => shown).join('');

/** Points. */
function widthOf({ font, run }: Piece, { size }: TextStyle): number {
  return (run.width * size) / font.unitsPerEm;
}

/** Neighbours that are of one kind. */
function partsOf<T>(items: readonly T[], kindOf: (item: T) => unknown): T[][] {
  const parts: T[][] = [];
  let kind: unknown;
  for (const item of items) {
    const own = kindOf(item);
    const last = parts.at(-1);
    if (last !== undefined && own === kind) last.push(item);
    else parts.push([item]);
    kind = own;
  }
  return parts;
}

/** Each letter with the marks on it. */
function clustersOf(letters: readonly Letter[]): Letter[][] {
  const clusters: Letter[][] = [];
  for (const letter of letters) {
    const last = clusters.at(-1);
    if (last !== undefined && ON_LETTER.test(letter.text)) last.push(letter);
    else clusters.push([letter]);
  }
  return clusters;
}

function withoutEndSpace(line: Line, style: TextStyle): Line {
  const last = line.pieces.at(-1);
  if (last?.space !== true) return line;
  return { pieces: line.pieces.slice(0, -1), width: line.width - widthOf(last, style) };
}

/**
 * Readers turn Arabic and Hebrew words round again, and take spaces and punctuation between texts of two directions for
 * either. Marks of direction tell to which they belong.
 * @param ordered the pieces of a line from left to right
 */
function withMarks(ordered: readonly Piece[], direction: Direction): Piece[] {
  const ends = ordered.map(({ letters, level }) => {
    const odd = isOdd(level);
    // On pages from left to right readers place what is between Arabic words and digits well without marks.
    const sure = odd && direction === 'ltr' ? /\P{M}/u : /\p{L}/u;
    const [first, last] = [letters[0], letters.at(-1)].map((letter) => sure.test(letter?.text ?? ''));
    return { odd, left: odd ? last === true : first === true, right: odd ? first === true : last === true };
  });
  const outside = { odd: direction === 'rtl', left: false, right: false };
  return ordered.map((piece, index) => {
    const own = ends[index] ?? outside;
    const [before, after] = [ends[index - 1] ?? outside, ends[index + 1] ?? outside];
    // Left to right is what a reader assumes: there only the border to the other direction needs a mark.
    const needs = (letter: boolean, beside: typeof own, facing: boolean) =>
      !letter && (own.odd ? !(beside.odd && facing) : beside.odd);
    const at = { left: needs(own.left, before, before.right), right: needs(own.right, after, after.left) };
    if (!at.left && !at.right) return piece;
    return { ...piece, run: piece.font.marked(piece.run, own.odd ? '\u200f' : '\u200e', at) };
  });
}

/** Rule L2: from the highest level down to the lowest odd one, whatever stands at it or above is turned round. */
function inVisualOrder(pieces: readonly Piece[], direction: Direction): Piece[] {
  const base = direction === 'rtl' ? 1 : 0;
  const order = [...pieces];
  // Rule L1: white space at the end of a line has the direction of the line; it was cut off before.
  const highest = Math.max(base, ...order.map(({ level }) => level));
  for (let level = highest; level >= 1; level--)
    for (let from = 0; from < order.length; from++) {
      if ((order[from]?.level ?? 0) < level) continue;
      let to = from;
      while (to + 1 < order.length && (order[to + 1]?.level ?? 0) >= level) to++;
      order.splice(from, to - from + 1, ...order.slice(from, to + 1).reverse());
      from = to;
    }
  return order;
}
