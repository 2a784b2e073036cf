/** How the first invalid entry of an audit log differs from what was written. */
import type { ErrorEntry } from './api.ts';
export const AUDIT_FAULTS = {
  AUDIT_MISSING: { text: 'The entry is missing.' },
  AUDIT_BEFORE_FIRST: { text: 'The log has an entry before its first one.' },
  AUDIT_CHANGED: { text: 'The entry, or its hash, was changed.' },
  AUDIT_NOT_AS_ANCHORED: { text: 'This entry or an earlier one differs from the anchored copy.' },
  AUDIT_ANCHOR_UNREADABLE: {
    text: 'The anchor that covers the entry cannot be read: line {{line}} of {{file}} is damaged.',
  },
  AUDIT_ANCHORS_FALL: {
    text: '{{file}} has an anchor of entry {{sequence}} behind one of entry {{before}}. The log was rolled back, or the file was rearranged.',
  },
  AUDIT_TRUNCATED: {
    text: 'This entry and every later one are missing, although the log was anchored at entry {{anchored}}. The log was truncated or rolled back.',
  },
  AUDIT_HEAD_MISSING: { text: 'The head of the log is missing.' },
  AUDIT_END_MISSING: { text: 'The entry is missing: the log had {{entries}} entries.' },
  AUDIT_UNSIGNED: { text: 'The entry was added without a signature.' },
  AUDIT_NOT_THE_HEAD: { text: 'The head of the log names a different entry.' },
  AUDIT_KEY_MISSING: { text: 'The key that signs the head is missing.' },
  AUDIT_HEAD_UNSIGNED: { text: 'The head of the log is not signed with its key.' },
  AUDIT_ANCHOR_FOREIGN: {
    text: "The anchor is signed with a different key than this log's. Either the key or the anchor was replaced.",
  },
  AUDIT_UNGUARDED: { text: 'The triggers that refuse changes are gone.' },
} as const satisfies Record<string, ErrorEntry>;
