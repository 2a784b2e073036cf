import type { NamedAuditRow } from '../../contracts/audit.ts';

const COLUMNS = [
  'sequence',
  'at',
  'actor',
  'actorName',
  'action',
  'object',
  'objectName',
  'outcome',
  'facts',
] as const;
/** Spreadsheets run what begins like this; a quote in front makes it text. */
const FORMULA = /^[=+\-@\t\r]/;

/** The first line of the log as comma-separated values (RFC 4180), behind a byte-order mark for spreadsheets. */
export function csvHead(): string {
  return `\ufeff${COLUMNS.join(',')}\r\n`;
}

export function csvLine(row: NamedAuditRow): string {
  const cells = COLUMNS.map((column) => {
    const value = row[column];
    return cell(typeof value === 'object' ? JSON.stringify(value ?? '') : String(value));
  });
  return `${cells.join(',')}\r\n`;
}

function cell(text: string): string {
  const plain = text === '""' || text === '{}' ? '' : text;
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
