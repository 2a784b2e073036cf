import type { AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { KeptAnchors } from '../ports/audit.ts';
import { bytesOfHex, equalBytes, hexOf } from '../common/encoding.ts';
import { GENESIS, hashEntry, headMessage } from './entry.ts';
import type { AuditEntry, AuditHead } from '../ports/auditEntry.ts';
import type { CryptoPort } from '../ports/crypto.ts';

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
  const find = (sequence: number, problem: string) => {
    findings.push({ sequence, problem });
  };
  const anchors = files.flatMap(({ anchors: kept }) => kept);
  const anchored = Map.groupBy(anchors, ({ sequence }) => sequence);
  let previous: Uint8Array = GENESIS;
  let last = 0;
  for await (const entry of log.entries) {
    if (entry.sequence !== last + 1) {
      find(last + 1, entry.sequence > last + 1 ? 'It is missing.' : 'An entry stands before the first.');
      break;
    }
    const hash = hashEntry(crypto, previous, entry);
    if (!equalBytes(hash, entry.hash)) {
      find(entry.sequence, 'It, or its hash, was changed.');
      break;
    }
    const hex = hexOf(hash);
    if (anchored.get(entry.sequence)?.some((anchor) => anchor.hash !== hex)) {
      find(entry.sequence, 'This entry or an earlier one differs from the anchored copy.');
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
    problem: `The anchor that covers it cannot be read: line ${line} of ${file} is damaged.`,
  }));
  for (const [index, { sequence }] of anchors.entries()) {
    const before = anchors[index - 1]?.sequence ?? 0;
    if (sequence < before)
      findings.push({
        sequence: sequence + 1,
        problem: `${file} has an anchor of entry ${sequence} behind one of entry ${before}. The log was rolled back, or the file was rearranged.`,
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
      problem: `This entry and every later one are missing, although the log was anchored at entry ${newest}. The log was truncated or rolled back.`,
    });
  if (head === undefined) {
    if (last > 0) findings.push({ sequence: last, problem: 'The head of the log is missing.' });
  } else if (head.sequence > last)
    findings.push({ sequence: last + 1, problem: `It is missing: the log had ${head.sequence} entries.` });
  else if (head.sequence < last)
    findings.push({ sequence: head.sequence + 1, problem: 'It was added without being signed.' });
  else if (!equalBytes(head.hash, hash))
    findings.push({ sequence: last, problem: 'It is not the one that the head of the log names.' });
  if (isSigned === undefined)
    findings.push({ sequence: last, problem: 'The key that signs the head is missing.' });
  else {
    const isSignedHead = ({ sequence, hash: signed, signature }: AuditHead) =>
      isSigned(headMessage(sequence, signed), signature);
    if (head !== undefined && !isSignedHead(head))
      findings.push({ sequence: head.sequence, problem: 'The head of the log is not signed with its key.' });
    const foreign = anchors.find((anchor) => !isSignedHead(fromAnchor(anchor)));
    if (foreign !== undefined)
      findings.push({
        sequence: foreign.sequence,
        problem:
          "The anchor is signed with a different key than this log's. Either the key or the anchor was replaced.",
      });
  }
  if (!guarded) findings.push({ sequence: last + 1, problem: 'The triggers that refuse changes are gone.' });
  return findings;
}

function fromAnchor(anchor: AuditAnchor): AuditHead {
  return {
    sequence: anchor.sequence,
    hash: bytesOfHex(anchor.hash),
    signature: bytesOfHex(anchor.signature),
  };
}
