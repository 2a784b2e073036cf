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
  'operator.unlocked': 'An operator need not wait any more after failed sign-ins',
  'operator.signed-out': 'All sessions of an operator were ended',
  'operator.recovery-code':
    'A way back in was printed: a recovery key; the one before it opens nothing any more',
  'operator.recovered': 'Somebody came back in with the recovery key',
  'company.created': 'A company was made',
  'company.changed': "A company's settings or storage folder were changed",
  'installation.changed': 'Settings of the installation were changed',
  'credential.created': 'A credential for a program was made',
  'credential.revoked': 'A credential for a program was revoked',
  'upload.accepted': 'An upload was accepted',
  'upload.completed': 'The last image of an upload was answered',
  'blacklist.created': 'A blacklist was made',
  'blacklist.changed': 'A blacklist got another name or description',
  'blacklist.activated': 'A blacklist is screened against and takes faces',
  'blacklist.deactivated': 'A blacklist is not screened against and takes no faces',
  'blacklist.erased': 'A blacklist was erased with its faces',
  'blacklist.exported': 'A blacklist was sealed for another site',
  'blacklist.imported': 'A blacklist of another site was taken in',
  'blacklist.import-reverted': 'A blacklist of another site was taken back out',
  'installation.identified': 'The installation got the keys by which other sites know it',
  'installation.trusted': 'Another site was trusted, to exchange blacklists with',
  'installation.revoked': 'Another site is not trusted any more',
  'network.enabled': 'Other machines are let in, or under other names',
  'network.disabled': 'Other machines are not let in any more',
  'face.erased': 'A face was erased from a blacklist',
  'person.erased': 'Everything of a person, or what was due by a retention rule, was erased',
  'erasure.finished':
    'The files of an erasure are gone, the database was searched, and its receipt was signed',
  'retention.applied': 'What retention rules say was erased',
  'retention.blocked':
    'The daily erasure by retention rules was held until a person confirms the rules again',
  'flow.created': 'A Trust Flow was made',
  'flow.renamed': 'A Trust Flow got another name',
  'flow.draft': 'Tool settings of a Trust Flow were saved or dropped',
  'flow.saved': 'A Trust Flow was saved: new validations use its new version',
  'validation.created': 'A verification was begun',
  'validation.selfie': 'A verification got its selfie',
  'validation.finalised': 'A verification was finalised, with or without screening',
  'validation.decided': 'A person decided on a Trust Validation',
  'validation.viewed': 'A Trust Validation was looked at, with the persons it names',
  'image.read': 'A photo of a person was looked at',
  'image.damaged': 'A stored photo was found damaged or changed',
  'search.run': 'Watchlists were searched with a photo',
  'face.compared': 'Two faces were compared',
  'signature.compared': 'Two signatures were compared',
  'calibration.applied': "Thresholds measured on the company's own photos were applied",
  'calibration.reset': 'The thresholds of the pipeline were restored',
  'pipeline.chosen': 'Another recognition pipeline was chosen: faces are described again by it',
  'pipeline.changed':
    'Describing faces again was paused, continued, or allowed to leave refused faces behind',
  'pipeline.cancelled': 'Describing faces again was cancelled',
  'pipeline.switched': 'Another recognition pipeline serves the company from here on',
  'pipeline.purged': 'The templates of a pipeline that is not in use were erased',
  'export.taken': 'Personal data was taken out of the installation',
  'backup-key.created': 'A backup key was made, with which backups are opened',
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
  /** `operator:3`, `token:7`, `hmac:2`, `local-admin`, `service`, `anonymous`. */
  actor: z.string(),
  action: z.enum(ACTION_NAMES),
  /** What it was done to, e.g. `blacklist:4`; null where the action says it all. */
  object: z.string().nullable(),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Counts, codes, what changed. */
  details: z.record(z.string(), z.unknown()),
});

/** An entry with the names that its numbers have today; null: it names nobody, or nobody any more. */
export const namedAuditRow = auditRow.extend({
  actorName: z.string().nullable(),
  objectName: z.string().nullable(),
});
export type NamedAuditRow = z.infer<typeof namedAuditRow>;

const party = z.string().regex(/^[a-z][a-zA-Z-]{0,39}(:[\w-]{1,60})?$/);

/** What is looked for in the log; absent: anything. */
export const auditFilter = z.object({
  action: z.enum(ACTION_NAMES).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  /** Who did it, e.g. `operator:3`; a kind alone (`operator`) means all of the kind. */
  actor: party.optional(),
  /** What it was done to, e.g. `blacklist:4`, or a kind alone. */
  object: party.optional(),
  /** Days of the site's zone as moments: from this one, to before that one. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** `GET /audit`, newest first; `before` is the last sequence of the page before. */
export const auditQuery = auditFilter.extend({
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const auditPage = z.object({
  items: z.array(namedAuditRow),
  /** Entries of the company that the filter lets through, on this page or not. */
  total: z.number().int(),
  /** The last sequence of this page when more follow. */
  nextBefore: z.number().int().nullable(),
});
export type AuditPage = z.infer<typeof auditPage>;

export const AUDIT_EXPORT_FORMATS = ['csv', 'jsonl'] as const;
/** `GET /audit/export`: every entry that the filter lets through, oldest first, as a file. */
export const auditExportQuery = auditFilter.extend({ format: z.enum(AUDIT_EXPORT_FORMATS) });

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

/** The file outside the home that receives every anchor; `problem` says why it cannot be read or written. */
export const auditWitness = z.object({ file: z.string().nullable(), problem: z.string().nullable() });
export type AuditWitness = z.infer<typeof auditWitness>;

/** `GET /audit/state`, and the answer of `POST /audit/anchor`: what protects the log now. */
export const auditState = z.object({
  /** The signed head; null while nothing was recorded. */
  head: auditAnchor.nullable(),
  /** The newest head that was written outside the database. */
  anchor: auditAnchor.nullable(),
  witness: auditWitness,
  /** The last time this company's people had the whole log verified. */
  lastVerified: z
    .object({ at: z.iso.datetime(), actorName: z.string().nullable(), entries: z.number().int() })
    .nullable(),
});
export type AuditState = z.infer<typeof auditState>;
