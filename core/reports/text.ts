/**
 * Text of any direction on a page. The PDF library shapes one word well (Arabic letters join), but sets words from left
 * to right in one font. So words, fonts and the order on the line are decided here, by the Unicode bidirectional
 * algorithm (UAX #9), and every piece is drawn where it belongs.
 */
import bidiFactory from 'bidi-js/dist/bidi.mjs';
import { create, type Font } from 'fontkit';
import { FIRST_FONT, fontBytes, fontFiles, type FontFile, type Weight } from './fonts.ts';

const bidi = bidiFactory();
/** Marks of direction: they order what stands around them, and are not drawn. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Share of the size that stands above the baseline: of Noto Sans, for all fonts, so that they stand on one line. */
const ABOVE = 1.07;

export interface TextStyle {
  /** Points. */
  size: number;
  weight?: Weight;
  colour?: string;
}

export type Direction = 'ltr' | 'rtl';

const FONTS: Readonly<Record<Weight, readonly FontFile[]>> = {
  regular: fontFiles('regular'),
  bold: fontFiles('bold'),
};

/** Letters of one font, level and word, or the space between two. */
interface Piece {
  text: string;
  font: string;
  level: number;
  space: boolean;
}

interface Line {
  pieces: Piece[];
  width: number;
}

/** A font's letters, as the library that pdfkit itself reads fonts with knows them. */
type Letters = Pick<Font, 'hasGlyphForCodePoint'>;

export class TextSetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #opened = new Map<string, Letters>();
  readonly #widths = new Map<string, number>();

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  /** Breaks a text into lines of at most `width` points; a longer word is cut. */
  lines(text: string, style: TextStyle, direction: Direction, width: number): Line[] {
    return text
      .split('\n')
      .flatMap((paragraph) => this.#fill(this.#pieces(paragraph, style, direction), style, width));
  }

  /** Draws a line between `x` and `x + width`, at the side where its direction begins. @returns its height */
  draw(line: Line, style: TextStyle, direction: Direction, x: number, y: number, width: number): number {
    let at = direction === 'rtl' ? x + width - line.width : x;
    this.#doc.fillColor(style.colour ?? '#000000');
    for (const piece of inVisualOrder(line.pieces, direction)) {
      if (!piece.space) {
        this.#use(piece, style);
        this.#doc.text(piece.text, at, y + ABOVE * style.size, { lineBreak: false, baseline: 'alphabetic' });
      }
      at += this.#width(piece, style);
    }
    return this.lineHeight(style);
  }

  lineHeight({ size }: TextStyle): number {
    return size * 1.38;
  }

  /** Words and spaces in the order in which they are read, each of one font and one level. */
  #pieces(paragraph: string, { weight = 'regular' }: TextStyle, direction: Direction): Piece[] {
    const { levels } = bidi.getEmbeddingLevels(paragraph, direction);
    const mirrored = bidi.getMirroredCharactersMap(paragraph, levels);
    const pieces: Piece[] = [];
    let last: Piece | undefined;
    for (let at = 0; at < paragraph.length;) {
      const letter = String.fromCodePoint(paragraph.codePointAt(at) ?? 0x20);
      const level = levels[at] ?? 0;
      const shown = mirrored.get(at) ?? letter;
      at += letter.length;
      if (MARKS.test(letter)) continue;
      const space = letter === ' ' || letter === '\t';
      const { text, font } = this.#fontOf(shown, weight, last);
      if (last?.level === level && last.space === space && last.font === font) last.text += text;
      else pieces.push((last = { text, font, level, space }));
    }
    return pieces;
  }

  /** The font of a letter: that of the letter before where it has this one too, so that words stay whole. */
  #fontOf(letter: string, weight: Weight, before: Piece | undefined): { text: string; font: string } {
    const code = letter.codePointAt(0) ?? 0;
    const fonts = FONTS[weight];
    const same = fonts.find(({ name }) => name === before?.font);
    const found = [same, ...fonts].find((font) => font !== undefined && this.#has(font, code));
    if (found !== undefined) return { text: letter, font: found.name };
    return { text: UNKNOWN, font: `${FIRST_FONT} ${weight}` };
  }

  /** Fonts are opened when a letter is first looked for in them: most reports need one or two. */
  #has({ name, path }: FontFile, code: number): boolean {
    let font = this.#opened.get(name);
    if (font === undefined) {
      this.#doc.registerFont(name, fontBytes(path));
      font = lettersOf(path);
      this.#opened.set(name, font);
    }
    return font.hasGlyphForCodePoint(code);
  }

  #fill(pieces: readonly Piece[], style: TextStyle, width: number): Line[] {
    const lines: Line[] = [];
    let line: Line = { pieces: [], width: 0 };
    const put = (word: readonly Piece[]) => {
      const wide = word.reduce((sum, piece) => sum + this.#width(piece, style), 0);
      const blank = word.every(({ space }) => space);
      if (line.width + wide > width && line.pieces.length > 0) {
        lines.push(withoutEndSpace(line, (piece) => this.#width(piece, style)));
        line = { pieces: [], width: 0 };
        if (blank) return;
      }
      line.pieces.push(...word);
      line.width += wide;
    };
    let word: Piece[] = [];
    for (const piece of pieces.flatMap((each) => this.#cut(each, style, width))) {
      if (piece.space || (piece.text.length > 1 && this.#width(piece, style) > width * 0.6)) {
        put(word);
        put([piece]);
        word = [];
      } else word.push(piece);
    }
    put(word);
    return [...lines, withoutEndSpace(line, (piece) => this.#width(piece, style))];
  }

  /** Cuts what is wider than a line: a hash, a long file name. */
  #cut(piece: Piece, style: TextStyle, width: number): Piece[] {
    if (this.#width(piece, style) <= width) return [piece];
    const letters = Array.from(piece.text);
    const share = Math.max(1, Math.floor((letters.length * width) / this.#width(piece, style)) - 1);
    const parts: Piece[] = [];
    for (let from = 0; from < letters.length; from += share)
      parts.push({ ...piece, text: letters.slice(from, from + share).join('') });
    return parts;
  }

  #width(piece: Piece, style: TextStyle): number {
    const key = `${piece.font}/${style.size}/${piece.text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    this.#use(piece, style);
    const width = this.#doc.widthOfString(piece.text);
    this.#widths.set(key, width);
    return width;
  }

  #use({ font }: Piece, { size }: TextStyle): void {
    this.#doc.font(font).fontSize(size);
  }
}

function lettersOf(path: string): Letters {
  const opened = create(fontBytes(path));
  if (!('hasGlyphForCodePoint' in opened)) throw new Error(`${path} is a collection of fonts, and not one.`);
  return opened;
}

/** The substitute for a letter that no embedded font has. */
const UNKNOWN = '?';

function withoutEndSpace(line: Line, widthOf: (piece: Piece) => number): Line {
  const last = line.pieces.at(-1);
  if (last?.space !== true) return line;
  return { pieces: line.pieces.slice(0, -1), width: line.width - widthOf(last) };
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
