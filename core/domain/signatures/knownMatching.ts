/** One questioned signature against several known ones of one writer. */
import type { Verdict } from '../../contracts/signatures.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { AuditLog } from '../ports/audit.ts';
import type { Company } from '../ports/companies.ts';
import type { KnownSet, KnownSetComparison } from '../ports/knownSignatures.ts';
import type { Clock } from '../ports/machine.ts';
import type { SignatureCalibrations, SignaturePort } from '../ports/signatures.ts';
import { scaleOf, verdictOf } from './matching.ts';
import type { SignatureScale } from './scale.ts';

export interface KnownMatchingPorts {
  signatures: SignaturePort;
  signatureCalibrations: Pick<SignatureCalibrations, 'of'>;
  audit: AuditLog;
  clock: Clock;
}

export interface KnownMatch {
  comparison: Exclude<KnownSetComparison, { kind: 'refused' }>;
  /** On the company's scale; null: no value can be stated. */
  similarity: number | null;
  verdict: Verdict;
  /** Of the company, for the other similarities of the comparison. */
  scale: SignatureScale;
}

/**
 * Compares, and notes in the audit log that a comparison was made before it returns. No image is kept.
 * @param credential of the caller
 * @returns the faults of the images where nothing could be compared
 */
export async function matchKnownSignatures(
  ports: KnownMatchingPorts,
  { id, settings }: Company,
  credential: Actor,
  set: KnownSet,
): Promise<KnownMatch | Extract<KnownSetComparison, { kind: 'refused' }>> {
  const comparison = await ports.signatures.compareKnown(set, { pictures: false });
  if (comparison.kind === 'refused') return comparison;
  const scale = await scaleOf(ports, id);
  const stated = comparison.kind === 'compared' && comparison.ratios !== null;
  const similarity = stated ? scale(comparison.similarity) : null;
  const verdict = verdictOf(similarity, settings.signatures);
  const act = { by: credential, at: ports.clock.now() };
  const details = { known: set.known.length };
  await ports.audit.record(act, { company: id, action: 'signature.known-compared', object: null, details });
  return { comparison, similarity, verdict, scale };
}
