/**
 * Fonts as reports draw them. The PDF library gives each glyph the text that it stood for first, moves marks by moving the
 * line, and keeps a ligature's letters in one glyph: readers then find other letters than those that are seen. Here
 * every code point has a glyph on the line, in the order in which it is seen, with exactly its text.
 */
import { create, type Font, type Glyph, type GlyphPosition } from 'fontkit';
import { type FontFile, fontBytes } from './fonts.ts';

/** A glyph on the line, for one code point. */
interface Slot {
  glyph: number;
  code: number;
  /** Units of the font. */
  width: number;
}

/** An outline beside the line (a mark, a reordered vowel): drawn as a shape, and its text stands on the line. */
export interface Outline {
  /** A path of SVG, y upwards. Units of the font. */
  path: string;
  x: number;
  y: number;
}

/** A text that is laid out in one font. */
export interface Run {
  /** From left to right. */
  slots: readonly Slot[];
  outlines: readonly Outline[];
  /** Units of the font. */
  width: number;
  /** The library could not join the letters or place the marks: each stands alone. */
  isPlain: boolean;
}

interface Layout {
  glyphs: readonly Glyph[];
  positions: readonly Pick<GlyphPosition, 'xAdvance' | 'xOffset' | 'yOffset'>[];
}

/** A glyph of a layout: its place in units of the font from the start of the text, and its share of the line. */
interface Placed {
  glyph: Glyph;
  x: number;
  y: number;
  width: number;
  /** It stands beside its place on the line. */
  isMoved: boolean;
}

/** The picture that is drawn for letters that cannot be told apart. */
interface Group {
  parts: readonly Placed[];
  codes: readonly number[];
}

/** Beyond the glyphs of a font: the same glyph again with another text or width. */
const COPIES = 0x10000;
/** Letters without a shape. */
const BLANKS = [0x20, 0xa0];

/** Join letters or part them, and are not drawn: the library knows them without a glyph. */
const JOINERS = /[\u200c\u200d]/;

/** One font of one document. */
export class ReportFont {
  readonly name: string;
  readonly unitsPerEm: number;
  readonly #font: Font;
  readonly #blank: number | undefined;
  readonly #runs = new Map<string, Run>();
  /** Numbers of the copied glyphs by glyph, code point and width, and their glyphs. */
  readonly #copies = new Map<string, number>();
  readonly #copied: number[] = [];
  #drawn: Run | undefined;

  /** @throws {Error} the file is no font, or a collection of fonts */
  constructor({ name, path }: FontFile) {
    this.name = name;
    const font = openFont(path);
    this.#font = font;
    this.unitsPerEm = font.unitsPerEm;
    const blank = BLANKS.find((code) => font.hasGlyphForCodePoint(code));
    this.#blank = blank === undefined ? undefined : font.glyphForCodePoint(blank).id;
  }

  hasAll(text: string): boolean {
    return Array.from(text).every(
      (letter) => JOINERS.test(letter) || this.#font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0),
    );
  }

  /**
   * @param text that a reader finds and copies
   * @param shown the letters that are drawn for it: mirrored brackets, the plain forms of letters that no font has
   */
  shape(text: string, shown: string, isRightToLeft: boolean): Run {
    const key = `${isRightToLeft} ${shown} ${text}`;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const laid = this.#layOut(shown, isRightToLeft);
    const run =
      (laid && this.#runOf(laid, text, isRightToLeft)) ?? this.#plainRun(text, shown, isRightToLeft);
    this.#runs.set(key, run);
    return run;
  }

  /** A run with an invisible mark of direction at its ends, which takes a little of the width of the letter beside it. */
  marked(run: Run, mark: string, at: { left: boolean; right: boolean }): Run {
    const slots = [...run.slots];
    const width = this.unitsPerEm / 100;
    const code = mark.codePointAt(0);
    const place = (index: number) => {
      const beside = slots.at(index);
      if (this.#blank === undefined || code === undefined || beside === undefined) return [];
      slots.splice(index, 1, { ...beside, width: beside.width - width });
      return [{ glyph: this.#blank, code, width }];
    };
    const left = at.left ? place(0) : [];
    const right = at.right ? place(-1) : [];
    return { ...run, slots: [...left, ...slots, ...right] };
  }

  /** Draws a run at a place of the baseline, points from the top left of the page. The font is registered by its name. */
  draw(doc: PDFKit.PDFDocument, run: Run, at: { x: number; y: number; size: number; text: string }): void {
    const { size, text, x, y } = at;
    this.#drawn = run;
    // With features, even none, the library asks for the whole text at once.
    const options: PDFKit.Mixins.TextOptions = {
      lineBreak: false,
      baseline: 'alphabetic',
      features: [],
    };
    if (run.slots.length > 0) doc.font(this.name).fontSize(size).text(text, x, y, options);
    const scale = size / this.unitsPerEm;
    for (const { path, x: right, y: up } of run.outlines)
      doc
        .save()
        .translate(x + right * scale, y - up * scale)
        .scale(scale, -scale)
        .path(path)
        .fill()
        .restore();
  }

  /** The font as the library reads it: it lays out the run that is drawn, and embeds the copied glyphs. */
  get embedded(): Font {
    return withMembers(this.#font, {
      layout: () => this.#drawnLayout(),
      createSubset: () => {
        const subset = this.#font.createSubset();
        const numbers = new Map<number, number>();
        const includeGlyph = (glyph: number) => {
          if (glyph < COPIES) return subset.includeGlyph(this.#font.getGlyph(glyph));
          const number = numbers.get(glyph) ?? subset.glyphs.push(this.#copied[glyph - COPIES] ?? 0) - 1;
          numbers.set(glyph, number);
          return number;
        };
        return withMembers(subset, { includeGlyph });
      },
    });
  }

  #drawnLayout() {
    const { slots, width } = this.#drawn ?? { slots: [], width: 0 };
    return {
      glyphs: slots.map((slot) => ({
        id: this.#copyOf(slot),
        advanceWidth: slot.width,
        codePoints: [slot.code],
      })),
      positions: slots.map((slot) => ({ xAdvance: slot.width, yAdvance: 0, xOffset: 0, yOffset: 0 })),
      advanceWidth: width,
    };
  }

  #copyOf({ glyph, code, width }: Slot): number {
    const key = `${glyph}/${code}/${width}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    const copy = COPIES + this.#copied.push(glyph) - 1;
    this.#copies.set(key, copy);
    return copy;
  }

  /** Undefined: the library fails at some sequences of letters and marks. */
  #layOut(shown: string, isRightToLeft: boolean): Layout | undefined {
    try {
      const direction = isRightToLeft ? 'rtl' : 'ltr';
      return this.#font.layout(shown, undefined, undefined, undefined, direction);
    } catch {
      return undefined;
    }
  }

  #plainRun(text: string, shown: string, isRightToLeft: boolean): Run {
    const glyphs = this.#font.glyphsForString(shown);
    if (isRightToLeft) glyphs.reverse();
    const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, xOffset: 0, yOffset: 0 }));
    const run = this.#runOf({ glyphs, positions }, text, isRightToLeft);
    if (run !== undefined) return { ...run, isPlain: true };
    const slots = glyphs.map(({ advanceWidth, codePoints, id }) => ({
      glyph: id,
      code: codePoints[0] ?? 0x20,
      width: advanceWidth,
    }));
    return { slots, outlines: [], width: widthOf(positions), isPlain: true };
  }

  /** Gives each code point of a text its place on the line. Undefined: that needs a blank, and the font has none. */
  #runOf({ glyphs, positions }: Layout, text: string, isRightToLeft: boolean): Run | undefined {
    const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
    let pen = 0;
    const placed = glyphs.map((glyph, index): Placed => {
      const { xAdvance, xOffset, yOffset } = positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
      const at = { x: pen + xOffset, y: yOffset, isMoved: xOffset !== 0 || yOffset !== 0 };
      pen += xAdvance;
      return { ...at, glyph, width: xAdvance };
    });
    if (isRightToLeft) placed.reverse();
    const groups = groupsOf(placed, codes).map((group) => this.#onLine(group, isRightToLeft));
    const slots = groups.flatMap((group) => group.slots);
    if (slots.length < codes.length) return undefined;
    if (isRightToLeft) slots.reverse();
    return { slots, outlines: groups.flatMap((group) => group.outlines), width: pen, isPlain: false };
  }

  /** Letters in the order of the text, and what is drawn beside the line. A glyph stands where its letters begin on the left. */
  #onLine({ codes, parts }: Group, isRightToLeft: boolean): Pick<Run, 'outlines'> & { slots: Slot[] } {
    const [one, other] = parts.length > 1 ? parts.filter(({ width }) => width !== 0) : parts;
    const whole = other === undefined && one?.isMoved === false ? one : undefined;
    const holder = isRightToLeft ? codes.length - 1 : 0;
    const width = parts.reduce((sum, part) => sum + part.width, 0) / codes.length;
    const slots = codes.flatMap((code, index) => {
      const glyph = index === holder && whole !== undefined ? whole.glyph.id : this.#blank;
      return glyph === undefined ? [] : [{ glyph, code, width }];
    });
    const outlines = parts
      .filter((part) => part !== whole)
      .map(({ glyph, x, y }) => ({ path: glyph.path.toSVG(), x, y }));
    return { slots, outlines: outlines.filter(({ path }) => path !== '') };
  }
}

/**
 * The glyphs of each letter, in the order of the text. Marks, and further parts of a letter that is drawn as several
 * glyphs, are of the letter before them. One group: the glyphs are of other letters than the text, such as the plain
 * forms of letters that no font has.
 */
function groupsOf(placed: readonly Placed[], codes: readonly number[]): Group[] {
  const groups: { parts: Placed[]; codes: number[] }[] = [];
  let taken = 0;
  for (const part of placed) {
    const own = codes.slice(taken, taken + part.glyph.codePoints.length);
    taken += part.glyph.codePoints.length;
    const last = groups.at(-1);
    const isPart = part.width === 0 || own.length === 0 || last?.codes.length === 0;
    if (last !== undefined && isPart) {
      last.parts.push(part);
      last.codes.push(...own);
    } else groups.push({ parts: [part], codes: own });
  }
  return taken === codes.length ? groups : [{ parts: placed, codes }];
}

/** Runs of one font beside each other, from left to right. */
export function joinedRuns(runs: readonly Run[]): Run {
  const joined = { slots: [] as Slot[], outlines: [] as Outline[], width: 0, isPlain: false };
  for (const { slots, outlines, width } of runs) {
    joined.slots.push(...slots);
    joined.outlines.push(...outlines.map((outline) => ({ ...outline, x: outline.x + joined.width })));
    joined.width += width;
  }
  return joined;
}

const opened = new Map<string, Font>();

/** The font of a file, for all documents: its tables and glyphs are read once. */
function openFont(path: string): Font {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const font = create(fontBytes(path));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${path} is a collection of fonts, and not one.`);
  // The library keeps a glyph with the first code points that it had.
  const glyphOf = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => withMembers(glyphOf(id, []), { codePoints });
  opened.set(path, font);
  return font;
}

const widthOf = (positions: Layout['positions']) =>
  positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);

/** An object with other methods in place of some of its own. */
function withMembers<T extends object>(object: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(object, {
    get: (target, key) =>
      typeof key === 'string' && key in members ? members[key] : Reflect.get(target, key, target),
  });
}
