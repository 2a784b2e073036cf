import { problem, type PlainCode } from '../../contracts/errors/problem.ts';
import type { AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { KeptAnchors, AuditEntry, AuditHead } from '../ports/auditEntry.ts';
import { bytesOfHex, equalBytes, hexOf } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';

/** The hash that stands before the first entry. */
export const GENESIS = new Uint8Array(32);

/** SHA-256 over the hash of the entry before and every field of this one. @returns 32 bytes */
export function hashEntry(crypto: CryptoPort, previous: Uint8Array, entry: AuditEntry): Uint8Array {
  const { sequence, at, company, actor, action, object, outcome, details } = entry;
  const fields = JSON.stringify([sequence, at, company, actor, action, object, outcome, details]);
  return crypto.sha256(previous, fields);
}

/** The message that the signature of a head covers. */
export function headMessage(sequence: number, hash: Uint8Array): string {
  return `vouch audit head ${sequence} ${hexOf(hash)}`;
}

/** All that a log says of itself. */
export interface AuditLogContent {
  /** In the order of their sequence, each with its stored hash. */
  entries: AsyncIterable<AuditEntry & { hash: Uint8Array }>;
  /** Asked for after the last entry was read: the log may have grown meanwhile. */
  head(): AuditHead | undefined;
  /** Whether the key of the log made this Ed25519 signature; undefined: the key is missing. */
  isSigned: ((message: string, signature: Uint8Array) => boolean) | undefined;
  /** The triggers that refuse changes are in place. */
  guarded: boolean;
}

type IntegrityProblem = NonNullable<AuditVerdict['firstBad']>;

/**
 * Reads a whole log and names the first entry that is not as it was written: changed, missing, inserted, or truncated at
 * the end. Anchors from outside the database also detect a log that was rolled back to an earlier state: every anchor of
 * every file is compared.
 */
export async function verifyAuditLog(
  crypto: CryptoPort,
  log: AuditLogContent,
  files: readonly KeptAnchors[],
): Promise<AuditVerdict> {
  const findings: IntegrityProblem[] = [];
  const find = (sequence: number, code: PlainCode) => {
    findings.push({ sequence, problem: { code, parameters: {} } });
  };
  const anchors = files.flatMap(({ anchors: kept }) => kept);
  const anchored = Map.groupBy(anchors, ({ sequence }) => sequence);
  let previous: Uint8Array = GENESIS;
  let last = 0;
  for await (const entry of log.entries) {
    if (entry.sequence !== last + 1) {
      find(last + 1, entry.sequence > last + 1 ? 'AUDIT_MISSING' : 'AUDIT_BEFORE_FIRST');
      break;
    }
    const hash = hashEntry(crypto, previous, entry);
    if (!equalBytes(hash, entry.hash)) {
      find(entry.sequence, 'AUDIT_CHANGED');
      break;
    }
    const hex = hexOf(hash);
    if (anchored.get(entry.sequence)?.some((anchor) => anchor.hash !== hex)) {
      find(entry.sequence, 'AUDIT_NOT_AS_ANCHORED');
      break;
    }
    previous = hash;
    last = entry.sequence;
  }
  if (findings.length === 0)
    for (const finding of judgeEnd(log, last, previous, anchors)) findings.push(finding);
  for (const file of files) for (const finding of judgeFile(file)) findings.push(finding);
  findings.sort((a, b) => a.sequence - b.sequence);
  return {
    whole: findings.length === 0,
    entries: last,
    anchors: anchors.length,
    anchoredUpTo: Math.max(0, ...anchored.keys()),
    firstBad: findings[0] ?? null,
  };
}

/** The faults within a file of anchors: unreadable lines, and numbers that fall. */
function judgeFile({ file, anchors, damaged }: KeptAnchors): IntegrityProblem[] {
  const findings: IntegrityProblem[] = damaged.map(({ line, after }) => ({
    sequence: after + 1,
    problem: problem('AUDIT_ANCHOR_UNREADABLE', { line, file }),
  }));
  for (const [index, { sequence }] of anchors.entries()) {
    const before = anchors[index - 1]?.sequence ?? 0;
    if (sequence < before)
      findings.push({
        sequence: sequence + 1,
        problem: problem('AUDIT_ANCHORS_FALL', { file, sequence, before }),
      });
  }
  return findings;
}

/** Detects entries that were cut off at the end, which the remaining entries cannot show. */
function judgeEnd(
  log: AuditLogContent,
  last: number,
  hash: Uint8Array,
  anchors: readonly AuditAnchor[],
): IntegrityProblem[] {
  const { isSigned, guarded } = log;
  const head = log.head();
  const findings: IntegrityProblem[] = [];
  const newest = Math.max(0, ...anchors.map(({ sequence }) => sequence));
  if (newest > last)
    findings.push({
      sequence: last + 1,
      problem: problem('AUDIT_TRUNCATED', { anchored: newest }),
    });
  if (head === undefined) {
    if (last > 0) findings.push({ sequence: last, problem: problem('AUDIT_HEAD_MISSING') });
  } else if (head.sequence > last)
    findings.push({ sequence: last + 1, problem: problem('AUDIT_END_MISSING', { entries: head.sequence }) });
  else if (head.sequence < last)
    findings.push({ sequence: head.sequence + 1, problem: problem('AUDIT_UNSIGNED') });
  else if (!equalBytes(head.hash, hash))
    findings.push({ sequence: last, problem: problem('AUDIT_NOT_THE_HEAD') });
  if (isSigned === undefined) findings.push({ sequence: last, problem: problem('AUDIT_KEY_MISSING') });
  else {
    const isSignedHead = ({ sequence, hash: signed, signature }: AuditHead) =>
      isSigned(headMessage(sequence, signed), signature);
    if (head !== undefined && !isSignedHead(head))
      findings.push({ sequence: head.sequence, problem: problem('AUDIT_HEAD_UNSIGNED') });
    const foreign = anchors.find((anchor) => !isSignedHead(fromAnchor(anchor)));
    if (foreign !== undefined)
      findings.push({
        sequence: foreign.sequence,
        problem: problem('AUDIT_ANCHOR_FOREIGN'),
      });
  }
  if (!guarded) findings.push({ sequence: last + 1, problem: problem('AUDIT_UNGUARDED') });
  return findings;
}

function fromAnchor(anchor: AuditAnchor): AuditHead {
  return {
    sequence: anchor.sequence,
    hash: bytesOfHex(anchor.hash),
    signature: bytesOfHex(anchor.signature),
  };
}
