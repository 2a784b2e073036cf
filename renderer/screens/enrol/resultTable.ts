import type { Run } from './run.ts';

/** Spreadsheets run what begins like this; a quote in front makes it text. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A run as comma-separated values (RFC 4180), one line per file.
 * @param words the sentence of a failure code, in the language of the page
 */
export function resultTable({ items }: Run, words: (code: string) => string): string {
  const head = ['file', 'status', 'trust_validation', 'failure_code', 'reason'];
  const lines = items.map(({ path, state, trustValidationId, failureCode, reason }) => [
    path,
    state,
    trustValidationId === null ? '' : String(trustValidationId),
    failureCode ?? '',
    failureCode === null ? (reason ?? '') : words(failureCode),
  ]);
  return [head, ...lines].map((line) => line.map(cell).join(',')).join('\r\n');
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
