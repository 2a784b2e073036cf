/** Sheets of A4 with the parts of every report: head, foot, headings, facts, tables, pictures, a scale; mirrored for Arabic. */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Box } from '../contracts/faces.ts';
import { labelPlaces, type Frame } from './labelPlaces.ts';
import { readingOf, TextSetter, type Direction, type Line, type TextStyle } from './text.ts';

const MARGIN = 48;
const FOOT = 40;
const INK = '#17212b';
const SOFT = '#4a5866';
const LINE = '#c3ccd5';
const BODY: TextStyle = { size: 9.5, colour: INK };
const SMALL: TextStyle = { size: 8, colour: SOFT };
/** Share of the width that the names of facts take. */
const NAMES = 0.28;

const HEAD = 24;
/** Below a rule, points. */
const RULE = 2;
/** Marks of direction have no place in the facts of a document. */
const ISOLATES = /[\u2066-\u2069]/g;
/** Height of a heading of one line, and the least that a page must have left for it and its section, points. */
const [HEADING, LEAST_SECTION] = [30, 140];
const STRONG: TextStyle = { size: 11.5, weight: 'bold', colour: INK };
/** The colours of a score below both thresholds, between them, and above both: they differ in print without colour, too. */
const ZONES = ['#e6eaee', '#e9c46a', '#b3402f'] as const;
const TRACK = 7;
/** Ground and letters of a block, by rising severity. */
const ALERTS = [
  ['#e6eaee', INK],
  ['#f4c95d', INK],
  ['#9b1c1c', '#ffffff'],
] as const;
/** Between the frame of a block and its text, points. */
const ALERT_GAP = 10;
/** Side of the picture of a row, points. */
const ROW_PICTURE = 44;
const CELL_GAP = 6;
/** A table up to this height, points, is not divided between pages. */
const UNDIVIDED = 300;

interface SheetPicture {
  /** A PNG or JPEG; undefined: there is none. */
  content: Uint8Array | undefined;
  /** The text in place of a picture that is missing or damaged. */
  without?: string;
  caption: string;
  width: number;
  height: number;
  /** Boxes on the picture, in its pixels; the one that is reported on has a thicker line. */
  marks?: readonly PictureMark[];
  /** Dots with their labels, which cover each other only where there is no room beside. */
  points?: readonly PicturePoint[];
  /** Another picture on this one. */
  over?: LaidPicture;
}

/** A picture that is laid over another one. */
interface LaidPicture {
  content: Uint8Array;
  width: number;
  height: number;
  /** Maps its pixels onto those of the picture below: x' = a·x + b·y + c, y' = d·x + e·y + f. */
  onto: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
}

interface PictureMark {
  label: string;
  box: Box;
  isMain: boolean;
}

/** A dot on a picture, in its pixels. */
interface PicturePoint {
  label: string;
  at: { x: number; y: number };
}

/** Where a picture begins on the page, and points per pixel. */
interface PictureOrigin {
  x: number;
  y: number;
  scale: number;
}

/** A cell of a table, set in lines. */
interface Cell {
  lines: readonly Line[];
  style: TextStyle;
  /** Points from the margin. */
  left: number;
  width: number;
}

interface Row {
  cells: readonly Cell[];
  height: number;
  isHead: boolean;
  /** `alt`: the text of the second column, which names it. */
  picture: { content: Uint8Array; alt: string } | undefined;
}

/** An element of the structure that screen readers follow. */
type Element = PDFKit.PDFStructureElement;

export class Sheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #text: TextSetter;
  readonly #direction: Direction;
  /** The title, which the head of every page repeats. */
  readonly titleText: string;
  readonly #chunks: Buffer[] = [];
  readonly #done: Promise<Uint8Array>;
  readonly #root: Element;
  readonly #made: Date;
  /** The parts that were given and are not yet written, in their order. */
  #given: (() => void | Promise<void>)[] = [];
  #y = MARGIN;
  /** A heading that is written on the page of what follows it. */
  #heading: string | undefined;

  /** @param options `made`: when, for the document's own facts; `fontsFolder`: of further fonts */
  constructor(options: { title: string; direction: Direction; made: Date; fontsFolder?: string }) {
    const { title, direction, made, fontsFolder } = options;
    this.#direction = direction;
    this.#made = made;
    this.titleText = title;
    this.#doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      pdfVersion: '1.7',
      tagged: true,
      lang: direction === 'rtl' ? 'ar' : 'en',
      displayTitle: true,
      info: {
        Title: title.replaceAll(ISOLATES, ''),
        Producer: 'Vouch',
        Creator: 'Vouch',
        CreationDate: made,
      },
    });
    this.#text = new TextSetter(this.#doc, fontsFolder);
    this.#root = this.#doc.struct('Document');
    this.#doc.addStructure(this.#root);
    this.#done = new Promise((resolve, reject) => {
      this.#doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      this.#doc.on('end', () => {
        resolve(new Uint8Array(Buffer.concat(this.#chunks)));
      });
      this.#doc.on('error', reject);
    });
  }

  /** The title of the document, or of a chapter. */
  title(text: string, under: string): void {
    this.#given.push(() => {
      this.#room(2 * LEAST_SECTION);
      if (this.#y > MARGIN) this.#space(14);
      this.#lines('H1', text, { size: 18, weight: 'bold', colour: INK });
      this.#lines('P', under, { ...BODY, colour: SOFT });
      this.#space(6);
    });
  }

  /** A file inside the document. */
  attach({ name, type, content }: { name: string; type: string; content: Uint8Array }): void {
    this.#given.push(() => {
      const at = this.#made;
      this.#doc.file(Buffer.from(content), { name, type, creationDate: at, modifiedDate: at });
    });
  }

  heading(text: string): void {
    this.#given.push(() => {
      this.#room(0);
      this.#heading = text;
    });
  }

  paragraph(text: string, kind: 'body' | 'small' | 'strong' = 'body'): void {
    this.#given.push(() => {
      this.#lines('P', text, { body: BODY, small: SMALL, strong: STRONG }[kind]);
      this.#space(3);
    });
  }

  /**
   * A framed block that is seen first: white on dark at the highest level, so that it stands out in print without colour.
   * @param level 1 to 3, rising
   */
  alert(level: number, title: string, texts: readonly string[]): void {
    this.#given.push(() => {
      const [ground = SOFT, ink = INK] = ALERTS[level - 1] ?? ALERTS[0];
      const set = [
        { tag: 'H2', text: title, style: { ...STRONG, size: 14, colour: ink } },
        ...texts.map((text) => ({ tag: 'P', text, style: { ...BODY, size: 11, colour: ink } })),
      ].map((part) => ({
        ...part,
        lines: this.#text.lines(part.text, part.style, this.#direction, this.#width - 2 * ALERT_GAP),
      }));
      const height = set.reduce(
        (sum, { lines, style }) => sum + lines.length * this.#text.lineHeight(style),
        2 * ALERT_GAP,
      );
      this.#room(height + 6);
      this.#space(6);
      this.#artifact(() => {
        this.#doc.rect(MARGIN, this.#y, this.#width, height).lineWidth(2).fillAndStroke(ground, INK);
      });
      this.#y += ALERT_GAP;
      const [x, width] = [MARGIN + ALERT_GAP, this.#width - 2 * ALERT_GAP];
      for (const { tag, lines, style } of set)
        this.#tag(
          tag,
          () => {
            for (const line of lines)
              this.#y += this.#text.draw(line, style, this.#direction, x, this.#y, width);
          },
          readingOf(lines),
        );
      this.#y += ALERT_GAP + 8;
    });
  }

  /** Names and values in two columns. */
  facts(rows: readonly (readonly [name: string, value: string])[]): void {
    this.table(
      rows.map(([name, value]) => [name, value]),
      [NAMES, 1 - NAMES],
      { headless: true },
    );
  }

  /**
   * @param shares of the width, one per column
   * @param options `headless`: the first row is no head; `pictures`: of the rows after the head, JPEGs of a square in
   *   place of the text of the first column
   */
  table(
    rows: readonly (readonly string[])[],
    shares: readonly number[],
    options: { headless?: boolean; pictures?: readonly (Uint8Array | undefined)[] } = {},
  ): void {
    this.#given.push(() => this.#table(rows, shares, options));
  }

  async #table(...[rows, shares, options = {}]: Parameters<Sheet['table']>): Promise<void> {
    const { headless = false, pictures } = options;
    const set: Row[] = [];
    for (const [index, row] of rows.entries()) {
      const isHead = index === 0 && !headless;
      const picture = isHead ? undefined : pictures?.[index - 1];
      set.push(...this.#set(row, shares, { isHead, headless, picture }));
      await setImmediate();
    }
    const total = set.reduce((sum, { height }) => sum + height + RULE, 0);
    // A head alone at the end of a page belongs on the next.
    this.#room(total <= UNDIVIDED ? total : headless ? 0 : 90);
    const table = this.#child(this.#root, 'Table');
    for (const row of set) {
      const [head] = set;
      if (this.#room(row.height) && head?.isHead === true && !row.isHead)
        this.#artifact(() => {
          for (const cell of head.cells) this.#cell(cell);
          this.#y += head.height;
          this.#rule();
        });
      this.#row(row, headless, table);
      this.#artifact(() => {
        this.#rule();
      });
      await setImmediate();
    }
    table.end();
  }

  /**
   * One or two pictures side by side, with their captions under them.
   * @param below points that what belongs to them needs on the same page
   */
  pictures(pictures: readonly SheetPicture[], height: number, below = 0): void {
    this.#given.push(() => {
      const gap = 14;
      const width = (this.#width - gap * (pictures.length - 1)) / pictures.length;
      const captions = pictures.map(({ caption }) =>
        this.#text.lines(caption, SMALL, this.#direction, width),
      );
      const under = Math.max(...captions.map(({ length }) => length)) * this.#text.lineHeight(SMALL);
      this.#room(height + 18 + under + below);
      this.#space(4);
      const top = this.#y;
      for (const [index, picture] of pictures.entries()) {
        const x = MARGIN + this.#column(index, pictures.length) * (width + gap);
        const frame = { x, y: top, width, height };
        this.#figure(picture.caption, () => {
          if (!this.#picture(picture, frame)) this.#absent(picture.without ?? '', frame);
          this.#doc.rect(x, top, width, height).lineWidth(0.5).stroke(LINE);
        });
        const lines = captions[index] ?? [];
        let y = top + height + 4;
        if (lines.length > 0)
          this.#tag(
            'P',
            () => {
              for (const line of lines) y += this.#text.draw(line, SMALL, this.#direction, x, y, width);
            },
            readingOf(lines),
          );
      }
      this.#y = top + height + 8 + under;
    });
  }

  /**
   * A value as a mark on a scale with its thresholds, whose numbers stand below; low values where reading begins.
   * @param scale `text`: the same in words
   */
  scale(scale: {
    from: number;
    to: number;
    thresholds: readonly [number, number];
    value: number;
    text: string;
  }): void {
    this.#given.push(() => {
      this.#room(34);
      this.#figure(scale.text, () => {
        this.#drawScale(scale);
      });
    });
  }

  #drawScale(scale: {
    from: number;
    to: number;
    thresholds: readonly [number, number];
    value: number;
  }): void {
    const { from, thresholds, to, value } = scale;
    const y = this.#y + 4;
    const share = (at: number) => Math.max(0, Math.min(1, (at - from) / (to - from)));
    const place = (at: number) =>
      MARGIN + (this.#direction === 'rtl' ? 1 - share(at) : share(at)) * this.#width;
    const corners = [from, ...thresholds, to];
    for (const [zone, colour] of ZONES.entries()) {
      const [one, other] = [place(corners[zone] ?? from), place(corners[zone + 1] ?? to)];
      this.#doc.rect(Math.min(one, other), y, Math.abs(other - one), TRACK).fill(colour);
    }
    for (const at of thresholds) {
      const [label] = this.#text.lines(String(at), SMALL, 'ltr', this.#width);
      if (label === undefined) continue;
      this.#text.draw(label, SMALL, 'ltr', place(at) - label.width / 2, y + TRACK + 3, label.width);
    }
    const mark = place(value);
    this.#doc.rect(mark - 1.5, y - 4, 3, TRACK + 8).fill(INK);
    this.#y = y + TRACK + 18;
  }

  /** Whether letters that no font has were printed as numbers, in what is {@link write written}. */
  get lacksLetters(): boolean {
    return this.#text.missing.size > 0;
  }

  space(points: number): void {
    this.#given.push(() => {
      this.#space(points);
    });
  }

  #space(points: number): void {
    this.#y += points;
  }

  /** Writes the parts that were given. Other requests are served between them and between rows: a long report takes seconds. */
  async write(): Promise<void> {
    for (const part of this.#given.splice(0)) {
      await part();
      await setImmediate();
    }
  }

  /** Writes the head and the foot of every page. @returns the PDF */
  async end(frame: {
    head: string;
    foot: string;
    pageOf: (page: number, pages: number) => string;
  }): Promise<Uint8Array> {
    await this.write();
    this.#room(0);
    this.#root.end();
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.#doc.switchToPage(page);
      this.#artifact(() => {
        this.#edges(HEAD, frame.head, frame.pageOf(page + 1, count));
        this.#edges(this.#doc.page.height - FOOT, frame.foot, '');
      });
      await setImmediate();
    }
    this.#doc.end();
    return this.#done;
  }

  /** One line at the edge of a page: a text where reading begins, which is cut where it is too long, and one at the end. */
  #edges(y: number, start: string, end: string): void {
    const [last] = this.#text.lines(end, SMALL, this.#direction, this.#width);
    const taken = last?.width ?? 0;
    const [first] = this.#text.lines(start, SMALL, this.#direction, this.#width - taken - 12);
    if (first !== undefined) this.#text.draw(first, SMALL, this.#direction, MARGIN, y, this.#width);
    if (last === undefined) return;
    const x = this.#direction === 'rtl' ? MARGIN : MARGIN + this.#width - taken;
    this.#text.draw(last, SMALL, this.#direction, x, y, taken);
  }

  /** The end of the text of a page, points from its top. */
  get #bottom(): number {
    return this.#doc.page.height - FOOT - 14;
  }

  get #width(): number {
    return this.#doc.page.width - 2 * MARGIN;
  }

  /** Where a column stands from the left: the first is on the side where reading begins. */
  #column(index: number, columns: number): number {
    return this.#direction === 'rtl' ? columns - 1 - index : index;
  }

  /** Text in the lines of an element. */
  #lines(tag: string, text: string, style: TextStyle): void {
    const lines = this.#text.lines(text, style, this.#direction, this.#width);
    const height = this.#text.lineHeight(style);
    // The pending heading is an element of its own.
    this.#room(height);
    const draw = () => {
      for (const line of lines) {
        this.#room(height);
        this.#y += this.#text.draw(line, style, this.#direction, MARGIN, this.#y, this.#width);
      }
    };
    this.#tag(tag, draw, readingOf(lines));
  }

  #set(
    texts: readonly string[],
    shares: readonly number[],
    row: { isHead: boolean; headless: boolean; picture: Uint8Array | undefined },
  ): Row[] {
    const { headless, isHead, picture } = row;
    let before = 0;
    const cells = texts.map((text, column) => {
      const style: TextStyle = isHead
        ? { ...SMALL, weight: 'bold' }
        : headless && column === 0
          ? { ...BODY, colour: SOFT }
          : BODY;
      const share = shares[column] ?? 0;
      const left = (this.#direction === 'rtl' ? 1 - before - share : before) * this.#width;
      const width = share * this.#width - CELL_GAP;
      before += share;
      const shown = column === 0 && picture !== undefined ? '' : text;
      return { style, left, width, lines: this.#text.lines(shown, style, this.#direction, width) };
    });
    const heightOf = (lines: number) => lines * this.#text.lineHeight(BODY) + 5;
    // A row that is higher than a page continues in the next one.
    const most = Math.floor((this.#bottom - MARGIN - ROW_PICTURE) / heightOf(1));
    const rows = Math.ceil(Math.max(1, ...cells.map(({ lines }) => lines.length)) / most);
    return Array.from({ length: rows }, (_, part) => {
      const own = cells.map((cell) => ({ ...cell, lines: cell.lines.slice(part * most, (part + 1) * most) }));
      const alt = (texts[1] ?? '').replaceAll(ISOLATES, '');
      const shown = part === 0 && picture !== undefined ? { content: picture, alt } : undefined;
      const height = Math.max(
        heightOf(Math.max(...own.map(({ lines }) => lines.length))),
        shown === undefined ? 0 : ROW_PICTURE + 4,
      );
      return { cells: own, height, isHead, picture: shown };
    });
  }

  #cell({ lines, left, style, width }: Cell): void {
    let y = this.#y + 2;
    for (const line of lines) y += this.#text.draw(line, style, this.#direction, MARGIN + left, y, width);
  }

  #row({ cells, height, isHead, picture }: Row, headless: boolean, table: Element): void {
    const row = this.#child(table, 'TR');
    for (const [column, cell] of cells.entries()) {
      const scope = isHead ? 'Column' : headless && column === 0 ? 'Row' : undefined;
      const element = this.#child(row, scope === undefined ? 'TD' : 'TH', {
        scope,
        ...readingOf(cell.lines),
      });
      if (column === 0 && picture !== undefined) {
        const figure = this.#child(element, 'Figure', { alt: picture.alt });
        figure.add(() => {
          this.#rowPicture(picture.content);
        });
        figure.end();
      }
      element.add(() => {
        this.#cell(cell);
      });
      element.end();
    }
    row.end();
    this.#y += height;
  }

  #rowPicture(picture: Uint8Array): void {
    const x = this.#direction === 'rtl' ? MARGIN + this.#width - ROW_PICTURE : MARGIN;
    this.#image(picture, { x, y: this.#y + 2, width: ROW_PICTURE, height: ROW_PICTURE });
  }

  #child(parent: Element, tag: string, options: PDFKit.Mixins.StructureElementOptions = {}): Element {
    const element = this.#doc.struct(tag, options);
    parent.add(element);
    return element;
  }

  /** Draws an element of the document. */
  #tag(tag: string, draw: () => void, options?: PDFKit.Mixins.StructureElementOptions): void {
    const element = this.#child(this.#root, tag, options);
    element.add(draw);
    element.end();
  }

  #figure(text: string, draw: () => void): void {
    this.#tag('Figure', draw, { alt: text.replaceAll(ISOLATES, '') });
  }

  /** Draws a thing that is no part of the text: a rule, the head and the foot of a page. */
  #artifact(draw: () => void): void {
    this.#doc.markContent('Artifact');
    draw();
    this.#doc.endMarkedContent();
  }

  /** @returns whether it was drawn */
  #picture({ content, width, height, marks = [], points = [], over }: SheetPicture, frame: Frame): boolean {
    const scale = Math.min(frame.width / width, frame.height / height);
    const drawn = { width: width * scale, height: height * scale };
    const x = frame.x + (frame.width - drawn.width) / 2;
    const y = frame.y + (frame.height - drawn.height) / 2;
    if (!this.#image(content, { x, y, ...drawn })) return false;
    for (const mark of marks) this.#mark(mark, { x, y, scale });
    this.#points(points, { x, y, scale });
    return over === undefined || this.#over(over, { x, y, scale }, frame);
  }

  /**
   * Lays a picture over the one that begins at `x` and `y`, `scale` points per pixel; the part outside the frame is cut off.
   * @returns whether it was drawn
   */
  #over({ content, width, height, onto }: LaidPicture, below: PictureOrigin, frame: Frame): boolean {
    const { x, y, scale } = below;
    const [a, b, c, d, e, f] = onto;
    this.#doc.save().rect(frame.x, frame.y, frame.width, frame.height).clip();
    this.#doc.transform(scale * a, scale * d, scale * b, scale * e, x + scale * c, y + scale * f);
    const isDrawn = this.#image(content, { x: 0, y: 0, width, height });
    this.#doc.restore();
    return isDrawn;
  }

  /** @returns whether it was drawn: a stored picture can be missing or damaged, and the report is created all the same */
  #image(content: Uint8Array | undefined, { x, y, width, height }: Frame): boolean {
    if (content === undefined) return false;
    try {
      // As an address the library embeds a picture once, however often it is drawn.
      const once = `data:image;base64,${Buffer.from(content).toString('base64')}`;
      this.#doc.image(once, x, y, { width, height });
      return true;
    } catch {
      return false;
    }
  }

  /** A box on a picture that begins at `x` and `y`, `scale` points per pixel. */
  #mark({ label, box, isMain }: PictureMark, { x, y, scale }: PictureOrigin): void {
    const [left, top] = [x + box.x * scale, y + box.y * scale];
    // Two lines, so that one of them differs from the picture below.
    for (const [line, colour] of [
      [isMain ? 4 : 2.5, '#000000'],
      [isMain ? 2.5 : 1, '#ffffff'],
    ] as const)
      this.#doc
        .rect(left, top, box.width * scale, box.height * scale)
        .lineWidth(line)
        .stroke(colour);
    const [text] = this.#text.lines(label, SMALL, 'ltr', this.#width);
    if (text === undefined) return;
    const above = Math.max(y, top - 12);
    this.#doc.rect(left, above, text.width + 4, 11).fill('#ffffff');
    this.#text.draw(text, SMALL, 'ltr', left + 2, above, text.width);
  }

  /** Each label stands where it covers the least of the dots and labels before it. */
  #points(points: readonly PicturePoint[], { x, y, scale }: PictureOrigin): void {
    const dots = points.map(({ at }) => ({
      x: x + at.x * scale - 2,
      y: y + at.y * scale - 2,
      width: 4,
      height: 4,
    }));
    const texts = points.map(({ label }) => this.#text.lines(label, SMALL, 'ltr', this.#width)[0]);
    const places = labelPlaces(
      dots,
      texts.map((text) => ({ width: (text?.width ?? 0) + 3, height: 10 })),
    );
    for (const [index, text] of texts.entries()) {
      const [dot, place] = [dots[index]!, places[index]!];
      if (text === undefined) continue;
      const middle = { x: place.x + place.width / 2, y: place.y + place.height / 2 };
      // Twice: a light line under a dark one is seen on any picture.
      for (const [line, colour] of [
        [2, '#ffffff'],
        [0.7, '#000000'],
      ] as const)
        this.#doc
          .moveTo(dot.x + 2, dot.y + 2)
          .lineTo(middle.x, middle.y)
          .lineWidth(line)
          .stroke(colour);
      this.#doc
        .rect(place.x, place.y, place.width, place.height)
        .lineWidth(0.5)
        .fillAndStroke('#ffffff', '#000000');
      this.#text.draw(text, SMALL, 'ltr', place.x + 1.5, place.y - 0.5, text.width);
    }
    for (const dot of dots)
      this.#doc
        .circle(dot.x + 2, dot.y + 2, 2)
        .lineWidth(1)
        .fillAndStroke('#000000', '#ffffff');
  }

  /** The text in place of a missing picture, in the middle of its frame. */
  #absent(text: string, { x, y, width, height }: Frame): void {
    const [line] = this.#text.lines(text, SMALL, this.#direction, width);
    if (line === undefined) return;
    const left = x + (width - line.width) / 2;
    this.#text.draw(line, SMALL, this.#direction, left, y + height / 2, line.width);
  }

  #rule(): void {
    this.#doc
      .moveTo(MARGIN, this.#y)
      .lineTo(MARGIN + this.#width, this.#y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.#y += RULE;
  }

  /**
   * Begins another page when less than this is left of the present one, and writes the heading of what follows.
   * @returns whether another page began
   */
  #room(points: number): boolean {
    const heading = this.#heading;
    this.#heading = undefined;
    const needed = heading === undefined ? points : Math.max(LEAST_SECTION, points + HEADING);
    const isFull = this.#y + needed > this.#bottom;
    if (isFull) {
      // A paragraph that goes on is marked on both pages: readers pass over text that no element has.
      this.#doc.continueOnNewPage();
      this.#y = MARGIN;
    }
    if (heading === undefined) return isFull;
    this.#space(10);
    this.#lines('H2', heading, STRONG);
    this.#artifact(() => {
      this.#rule();
    });
    return isFull;
  }
}
