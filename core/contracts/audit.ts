/** What stands in the audit log. Numbers and words of this program only: never an image, a template, a secret, a name. */
import { z } from 'zod';

/** Every action that is on the record, with what its object is. */
export const AUDIT_ACTIONS = {
  'session.opened': 'An operator signed in',
  'session.refused': 'A sign-in, passphrase or recovery key was wrong',
  'session.locked': 'A sign-in was not looked at: earlier ones failed',
  'session.confirmed': 'An operator gave the passphrase again',
  'session.closed': 'An operator signed out',
  'operator.created': 'An operator was added',
  'operator.changed': 'An operator got another role, or may (not) sign in any more',
  'operator.passphrase': 'An operator got another passphrase',
  'company.created': 'A company was made',
  'company.changed': "A company's settings or storage folder were changed",
  'site.changed': 'Settings of the installation were changed',
  'credential.created': 'A credential for a program was made',
  'credential.revoked': 'A credential for a program was revoked',
  'upload.accepted': 'An upload was accepted',
  'upload.completed': 'The last image of an upload was answered',
  'blacklist.created': 'A blacklist was made',
  'blacklist.changed': 'A blacklist got another name or description',
  'blacklist.activated': 'A blacklist is screened against and takes faces',
  'blacklist.deactivated': 'A blacklist is not screened against and takes no faces',
  'blacklist.erased': 'A blacklist was erased with its faces',
  'face.erased': 'A face was erased from a blacklist',
  'flow.created': 'A Trust Flow was made',
  'flow.renamed': 'A Trust Flow got another name',
  'flow.draft': 'Tool settings of a Trust Flow were saved or dropped',
  'flow.saved': 'A Trust Flow was saved: new validations use its new version',
  'validation.created': 'A verification was begun',
  'validation.selfie': 'A verification got its selfie',
  'validation.finalised': 'A verification was finalised, with or without screening',
  'validation.decided': 'A person decided on a Trust Validation',
  'image.read': 'A photo of a person was looked at',
  'search.run': 'Watchlists were searched with a photo',
  'signature.compared': 'Two signatures were compared',
  'export.taken': 'Personal data was taken out of the installation',
  'person.erased': 'A person was erased',
  'recovery.created': 'A recovery key was made, with which backups are opened',
  'backup.taken': 'A backup of the installation was taken',
  'backup.restored': 'The installation was put back from a backup',
  'audit.anchored': 'The head of the audit log was written outside the database',
  'audit.verified': 'The audit log was verified',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;
const ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

export const AUDIT_OUTCOMES = ['done', 'refused'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One entry as the dashboard and the terminal show it. */
export const auditRow = z.object({
  sequence: z.number().int(),
  at: z.iso.datetime(),
  /** `operator:3`, `token:7`, `hmac:2`, `owner`, `service`, `nobody`. */
  actor: z.string(),
  action: z.enum(ACTION_NAMES),
  /** What it was done to, e.g. `blacklist:4`; null where the action says it all. */
  object: z.string().nullable(),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Counts, codes, what changed. */
  facts: z.record(z.string(), z.unknown()),
});

/** `GET /audit`, newest first; `before` is the last sequence of the page before. */
export const auditQuery = z.object({
  action: z.enum(ACTION_NAMES).optional(),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const auditPage = z.object({ items: z.array(auditRow) });

/** What a verification found. */
export const auditVerdict = z.object({
  whole: z.boolean(),
  entries: z.number().int(),
  /** Anchors that were compared, and the newest entry that one of them covers. */
  anchors: z.number().int(),
  anchoredUpTo: z.number().int(),
  /** The first entry that is not as it was written; null when all are. */
  firstBad: z.object({ sequence: z.number().int(), problem: z.string() }).nullable(),
});
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** The head of the log at a moment, signed; it is kept outside the database. */
export const auditAnchor = z.object({
  sequence: z.number().int(),
  /** Lowercase hex of SHA-256. */
  hash: z.string(),
  at: z.iso.datetime(),
  /** Ed25519, hex: of the head, not of the time it was written down. */
  signature: z.string(),
});
export type AuditAnchor = z.infer<typeof auditAnchor>;
