import type { KeyObject } from 'node:crypto';
import type { AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { KeptAnchors } from './ports.ts';
import { GENESIS, hashEntry, isSignedHead, type AuditEntry, type AuditHead } from './entry.ts';

/** All that a log says of itself. */
export interface AuditLogContent {
  /** In the order of their sequence, each with its stored hash. */
  entries: AsyncIterable<AuditEntry & { hash: Uint8Array }>;
  /** Asked for after the last entry was read: the log may have grown meanwhile. */
  head(): AuditHead | undefined;
  key: KeyObject | undefined;
  /** The triggers that refuse changes are in place. */
  guarded: boolean;
}

type Finding = NonNullable<AuditVerdict['firstBad']>;

/**
 * Reads a whole log and names the first entry that is not as it was written: changed, missing, slipped in, cut off at
 * the end. Anchors from outside the database tell besides whether all of it was put back to an earlier state.
 */
export async function verifyAuditLog(
  log: AuditLogContent,
  { anchors, damaged }: KeptAnchors,
): Promise<AuditVerdict> {
  const findings: Finding[] = [];
  const find = (sequence: number, problem: string) => {
    findings.push({ sequence, problem });
  };
  const anchored = new Map(anchors.map((anchor) => [anchor.sequence, anchor]));
  let previous: Uint8Array = GENESIS;
  let last = 0;
  for await (const entry of log.entries) {
    if (entry.sequence !== last + 1) {
      find(last + 1, entry.sequence > last + 1 ? 'It is missing.' : 'An entry stands before the first.');
      break;
    }
    const hash = hashEntry(previous, entry);
    if (!hash.equals(entry.hash)) {
      find(entry.sequence, 'It, or its hash, was changed.');
      break;
    }
    const anchor = anchored.get(entry.sequence);
    if (anchor !== undefined && anchor.hash !== hash.toString('hex')) {
      find(entry.sequence, 'It, or one before it, is another one than when the log was anchored.');
      break;
    }
    previous = hash;
    last = entry.sequence;
  }
  if (findings.length === 0)
    for (const finding of judgeEnd(log, last, previous, anchors)) findings.push(finding);
  for (const { line, after } of damaged)
    find(
      after + 1,
      `The anchor that covers it cannot be read: line ${line} of audit-anchors.jsonl is damaged.`,
    );
  findings.sort((a, b) => a.sequence - b.sequence);
  return {
    whole: findings.length === 0,
    entries: last,
    anchors: anchors.length,
    anchoredUpTo: Math.max(0, ...anchored.keys()),
    firstBad: findings[0] ?? null,
  };
}

/** What the entries themselves cannot tell: whether more of them were there. */
function judgeEnd(
  log: AuditLogContent,
  last: number,
  hash: Uint8Array,
  anchors: readonly AuditAnchor[],
): Finding[] {
  const { key, guarded } = log;
  const head = log.head();
  const findings: Finding[] = [];
  const newest = Math.max(0, ...anchors.map(({ sequence }) => sequence));
  if (newest > last)
    findings.push({
      sequence: last + 1,
      problem: `It is missing with all after it: the log was anchored at ${newest}. It was cut, or an earlier state was put back.`,
    });
  if (head === undefined) {
    if (last > 0) findings.push({ sequence: last, problem: 'The head of the log is missing.' });
  } else if (head.sequence > last)
    findings.push({ sequence: last + 1, problem: `It is missing: the log had ${head.sequence} entries.` });
  else if (head.sequence < last)
    findings.push({ sequence: head.sequence + 1, problem: 'It was added without being signed.' });
  else if (!Buffer.from(head.hash).equals(hash))
    findings.push({ sequence: last, problem: 'It is not the one that the head of the log names.' });
  if (key === undefined)
    findings.push({ sequence: last, problem: 'The key that signs the head is missing.' });
  else {
    if (head !== undefined && !isSignedHead(head, key))
      findings.push({ sequence: head.sequence, problem: 'The head of the log is not signed with its key.' });
    const foreign = anchors.find((anchor) => !isSignedHead(fromAnchor(anchor), key));
    if (foreign !== undefined)
      findings.push({
        sequence: foreign.sequence,
        problem: 'Its anchor is not signed with the key of this log: one of the two is not the old one.',
      });
  }
  if (!guarded) findings.push({ sequence: last + 1, problem: 'The triggers that refuse changes are gone.' });
  return findings;
}

function fromAnchor(anchor: AuditAnchor): AuditHead {
  return {
    sequence: anchor.sequence,
    hash: Buffer.from(anchor.hash, 'hex'),
    signature: Buffer.from(anchor.signature, 'hex'),
  };
}
