import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { ComparisonRecord } from '../../domain/ports/comparisons.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { hashesOf } from '../../domain/signatures/matching.ts';
import { invalidFields } from '../http/errors.ts';

/**
 * Makes sure that the files sent for a report are those that were compared.
 * @throws {ApiError} 422 with a problem for each file whose SHA-256 is not the recorded one
 */
export function requireRecordedFiles(
  crypto: CryptoPort,
  files: Parameters<typeof hashesOf>[1],
  { sha256 }: Pick<ComparisonRecord<string>, 'sha256'>,
): void {
  const hashes = hashesOf(crypto, files);
  const errors = new Map<string, Problem[]>();
  for (const key of ['image1', 'image2'] as const)
    if (hashes[key] !== sha256[key]) errors.set(key, [problem('SIGNATURE_ANOTHER_FILE', { field: key })]);
  if (errors.size > 0) throw invalidFields(errors);
}
