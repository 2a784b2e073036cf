/** Sheets of A4 with what every report has: head, foot, headings, facts, tables, pictures; mirrored for Arabic. */
import PDFDocument from 'pdfkit';
import { TextSetter, type Direction, type TextStyle } from './text.ts';

const MARGIN = 48;
const FOOT = 40;
const INK = '#17212b';
const SOFT = '#4a5866';
const LINE = '#c3ccd5';
const BODY: TextStyle = { size: 9.5, colour: INK };
const SMALL: TextStyle = { size: 8, colour: SOFT };
/** Share of the width that the names of facts take. */
const NAMES = 0.28;

interface SheetPicture {
  content: Uint8Array;
  caption: string;
  width: number;
  height: number;
}

export class Sheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #text: TextSetter;
  readonly #direction: Direction;
  readonly #chunks: Buffer[] = [];
  readonly #done: Promise<Uint8Array>;
  #y = MARGIN;

  /** @param made when, for the document's own facts */
  constructor(options: { title: string; direction: Direction; made: Date }) {
    const { title, direction, made } = options;
    this.#direction = direction;
    this.#doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: direction === 'rtl' ? 'ar' : 'en',
      info: { Title: title, Producer: 'Vouch', Creator: 'Vouch', CreationDate: made },
    });
    this.#text = new TextSetter(this.#doc);
    this.#done = new Promise((resolve, reject) => {
      this.#doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      this.#doc.on('end', () => {
        resolve(new Uint8Array(Buffer.concat(this.#chunks)));
      });
      this.#doc.on('error', reject);
    });
  }

  title(text: string, under: string): void {
    this.#lines(text, { size: 18, weight: 'bold', colour: INK });
    this.#lines(under, { ...BODY, colour: SOFT });
    this.space(6);
  }

  heading(text: string): void {
    this.space(10);
    this.#room(130);
    this.#lines(text, { size: 11.5, weight: 'bold', colour: INK });
    this.#rule();
  }

  paragraph(text: string, kind: 'body' | 'small' = 'body'): void {
    this.#lines(text, kind === 'body' ? BODY : SMALL);
    this.space(3);
  }

  /** Names and values in two columns. */
  facts(rows: readonly (readonly [name: string, value: string])[]): void {
    this.table(
      rows.map(([name, value]) => [name, value]),
      [NAMES, 1 - NAMES],
      { headless: true },
    );
  }

  /** @param shares of the width, one per column @param options `headless`: the first row is no head */
  table(
    rows: readonly (readonly string[])[],
    shares: readonly number[],
    options: { headless?: boolean } = {},
  ): void {
    // A head alone at the end of a page belongs on the next.
    if (options.headless !== true) this.#room(90);
    for (const [index, row] of rows.entries()) {
      const head = index === 0 && options.headless !== true;
      const styles = row.map((_, column): TextStyle =>
        head
          ? { ...SMALL, weight: 'bold' }
          : options.headless === true && column === 0
            ? { ...BODY, colour: SOFT }
            : BODY,
      );
      this.#row(row, shares, styles);
    }
  }

  /** One or two pictures side by side, with their captions under them. */
  pictures(pictures: readonly SheetPicture[], height: number): void {
    const gap = 14;
    const width = (this.#width - gap * (pictures.length - 1)) / pictures.length;
    this.#room(height + 28);
    const top = this.#y;
    for (const [index, picture] of pictures.entries()) {
      const x = MARGIN + this.#column(index, pictures.length) * (width + gap);
      this.#picture(picture, { x, y: top, width, height });
      const [caption] = this.#text.lines(picture.caption, SMALL, this.#direction, width);
      if (caption !== undefined) this.#text.draw(caption, SMALL, this.#direction, x, top + height + 4, width);
    }
    this.#y = top + height + 22;
  }

  space(points: number): void {
    this.#y += points;
  }

  /** @param foot what stands under every page, before its number */
  async end(foot: string, pageOf: (page: number, pages: number) => string): Promise<Uint8Array> {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.#doc.switchToPage(page);
      const y = this.#doc.page.height - FOOT;
      const text = `${foot}  ·  ${pageOf(page + 1, count)}`;
      for (const line of this.#text.lines(text, SMALL, this.#direction, this.#width))
        this.#text.draw(line, SMALL, this.#direction, MARGIN, y, this.#width);
    }
    this.#doc.end();
    return this.#done;
  }

  get #width(): number {
    return this.#doc.page.width - 2 * MARGIN;
  }

  /** Where a column stands from the left: the first is on the side where reading begins. */
  #column(index: number, columns: number): number {
    return this.#direction === 'rtl' ? columns - 1 - index : index;
  }

  #lines(text: string, style: TextStyle): void {
    for (const line of this.#text.lines(text, style, this.#direction, this.#width)) {
      this.#room(this.#text.lineHeight(style));
      this.#y += this.#text.draw(line, style, this.#direction, MARGIN, this.#y, this.#width);
    }
  }

  #row(cells: readonly string[], shares: readonly number[], styles: readonly TextStyle[]): void {
    const pad = 6;
    const set = cells.map((text, column) => {
      const style = styles[column] ?? BODY;
      const width = (shares[column] ?? 0) * this.#width - pad;
      return { style, width, lines: this.#text.lines(text, style, this.#direction, width) };
    });
    const height =
      Math.max(...set.map(({ lines, style }) => lines.length * this.#text.lineHeight(style))) + 5;
    this.#room(height);
    let before = 0;
    for (const [column, { lines, style, width }] of set.entries()) {
      const share = shares[column] ?? 0;
      const left = this.#direction === 'rtl' ? 1 - before - share : before;
      let y = this.#y + 2;
      for (const line of lines)
        y += this.#text.draw(line, style, this.#direction, MARGIN + left * this.#width, y, width);
      before += share;
    }
    this.#y += height;
    this.#rule();
  }

  #picture(
    { content, width, height }: SheetPicture,
    frame: { x: number; y: number; width: number; height: number },
  ): void {
    const scale = Math.min(frame.width / width, frame.height / height);
    const drawn = { width: width * scale, height: height * scale };
    const x = frame.x + (frame.width - drawn.width) / 2;
    const y = frame.y + (frame.height - drawn.height) / 2;
    this.#doc.image(Buffer.from(content), x, y, drawn);
    this.#doc.rect(frame.x, frame.y, frame.width, frame.height).lineWidth(0.5).stroke(LINE);
  }

  #rule(): void {
    this.#doc
      .moveTo(MARGIN, this.#y)
      .lineTo(MARGIN + this.#width, this.#y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.#y += 2;
  }

  /** Begins another page when less than this is left of the present one. */
  #room(points: number): void {
    if (this.#y + points <= this.#doc.page.height - FOOT - 14) return;
    this.#doc.addPage();
    this.#y = MARGIN;
  }
}
