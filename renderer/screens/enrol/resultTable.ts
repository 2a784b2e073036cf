import { csvLine } from '../../../core/contracts/csv.ts';
import type { Run } from './run.ts';

/**
 * A run as comma-separated values (RFC 4180), one line per file.
 * @param words the sentence of a failure code, in the language of the page
 */
export function resultTable({ items }: Run, words: (code: string) => string): string {
  const head = ['file', 'status', 'trust_validation_id', 'failure_code', 'reason'];
  const lines = items.map(({ path, state, trustValidationId, failureCode, reason }) => [
    path,
    state,
    trustValidationId === null ? '' : String(trustValidationId),
    failureCode ?? '',
    failureCode === null ? (reason ?? '') : words(failureCode),
  ]);
  return [head, ...lines].map(csvLine).join('');
}
