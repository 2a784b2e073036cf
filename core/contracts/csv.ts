/** Tables as comma-separated values (RFC 4180). */

/** Spreadsheets run a cell that begins with one of these as a formula; an apostrophe in front makes it text. */
const FORMULA = /^[=+\-@\t\r]/;

/** A line with its end. A cell that a spreadsheet would run is made text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
