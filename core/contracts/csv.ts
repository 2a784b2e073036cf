/** Tables as comma-separated values (RFC 4180). */

/**
 * The places where a spreadsheet would begin to read a formula: at the start of a cell, and, where the list separator of the
 * system is a semicolon or the quotation marks are not understood, after a semicolon, a tab or a line end. The wide forms of the
 * characters begin formulas too, and some importers drop characters of no width before them. An apostrophe there makes it text.
 */
const FORMULA = /(^|[;\t\r\n])(?=\p{Cf}*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/gu;

/** Stands at the start of each file: with it spreadsheets read the file as UTF-8. */
export const CSV_START = '\ufeff';

/** A line with its end. A cell that a spreadsheet would run is made text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = text.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a table, with its number as a spreadsheet shows it: from 1. */
export interface CsvRow {
  number: number;
  cells: string[];
}

/**
 * The rows of a table; blank rows are left out. Cells are separated by the commas, semicolons or tabs of its first row, of
 * which it has most, or as a first row `sep=;` says: a spreadsheet writes semicolons where the comma is the decimal sign.
 * @returns undefined: a quotation mark is not closed, or text stands around the quotation marks of a cell
 */
export function csvRows(text: string): CsvRow[] | undefined {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  // Excel's own first line.
  const named = /^sep=([,;\t])$/i.exec(first)?.[1];
  const header = first.replace(/"[^"]*"/g, '');
  const columns = (each: string) => header.split(each).length;
  const separator =
    named ?? [',', ';', '\t'].reduce((best, each) => (columns(each) > columns(best) ? each : best));
  const plain = new RegExp(`[^"${separator}\\r\\n]*`, 'y');
  const end = new RegExp(`${separator}|\\r\\n|\\n|\\r|$`, 'y');
  const rows: CsvRow[] = [];
  let row: CsvRow = { number: 1, cells: [] };
  for (let at = 0; at < text.length || row.cells.length > 0;) {
    const isQuoted = text[at] === '"';
    plain.lastIndex = at;
    const content = isQuoted ? quotedAt(text, at) : plain.exec(text)![0];
    if (content === undefined) return undefined;
    end.lastIndex = at + content.length;
    const ended = end.exec(text)?.[0];
    if (ended === undefined) return undefined;
    row.cells.push((isQuoted ? content.slice(1, -1).replaceAll('""', '"') : content).trim());
    at = end.lastIndex;
    if (ended === separator) continue;
    const isNote = named !== undefined && row.number === 1;
    if (!isNote && row.cells.some((value) => value !== '')) rows.push(row);
    row = { number: row.number + 1, cells: [] };
    if (ended === '') break;
  }
  return rows;
}

/**
 * A cell with its quotation marks. A regular expression for it would need stack for each character of a long cell.
 * @returns undefined: it is not closed
 */
function quotedAt(text: string, start: number): string | undefined {
  let close = text.indexOf('"', start + 1);
  while (text[close + 1] === '"' && close >= 0) close = text.indexOf('"', close + 2);
  return close < 0 ? undefined : text.slice(start, close + 1);
}
