/** The contents of the audit log: numbers and fixed words only, never an image, a template, a secret or a name. */
import { problemShape } from './errors/problemShape.ts';
import { z } from 'zod';
import { namesOf } from './namesOf.ts';
import { REPORT_LANGUAGES } from './dashboard/search.ts';
import { get, post } from './dashboard/operation.ts';

/** Every action of the audit log, with what its object is. */
export const AUDIT_ACTIONS = {
  'session.opened': 'Operator signed in',
  'session.refused': 'Failed sign-in',
  'session.locked': 'Sign-in rejected: too many failed attempts',
  'session.confirmed': 'Passphrase confirmed',
  'session.closed': 'Operator signed out',
  'operator.created': 'Operator added',
  'operator.changed': 'Role or access of an operator changed',
  'operator.passphrase': 'Passphrase of an operator reset',
  'operator.unlocked': 'Operator unlocked',
  'operator.signed-out': 'Operator signed out everywhere',
  'operator.recovery-code': 'Sign-in recovery code created (the previous code no longer works)',
  'operator.recovered': 'Operator signed in with the recovery code',
  'company.created': 'Company created',
  'company.changed': 'Settings or storage folder of a company changed',
  'installation.changed': 'Settings of the installation changed',
  'credential.created': 'API credential created',
  'credential.revoked': 'API credential revoked',
  'upload.accepted': 'Upload received',
  'upload.completed': 'Upload completed',
  'encounter.stored': 'Encounter received from another identity system',
  'photo.unfixable': 'Failed photos marked as not fixable, or the mark removed',
  'blacklist.created': 'Blacklist created',
  'blacklist.changed': 'Name or description of a blacklist changed',
  'blacklist.activated': 'Blacklist activated',
  'blacklist.deactivated': 'Blacklist deactivated',
  'blacklist.erased': 'Blacklist erased with its faces',
  'blacklist.exported': 'Blacklist exported for another installation',
  'blacklist.imported': 'Blacklist imported from another installation',
  'blacklist.import-reverted': 'Import of a blacklist undone',
  'installation.identified': 'Keys of the installation created for sharing blacklists',
  'installation.trusted': 'Trusted installation added',
  'installation.revoked': 'Trust in an installation removed',
  'network.enabled': 'Network access enabled or changed',
  'network.disabled': 'Network access disabled',
  'face.erased': 'Face erased from a blacklist',
  'face.listing-changed': 'Severity, reason or expiry of a blacklist face changed',
  'face.moved': 'Face moved from one blacklist to another',
  'face.expired': 'Expired faces of a blacklist no longer match',
  'face.expiry-undone': 'Faces of a blacklist match again after the clock was corrected',
  'person.erased': 'Person erased (on request or by a retention rule)',
  'erasure.finished': 'Erasure completed: files removed, database searched, receipt signed',
  'retention.applied': 'Retention rules applied',
  'retention.blocked': 'Daily erasure suspended until an operator confirms the retention rules',
  'flow.created': 'Trust Flow created',
  'flow.renamed': 'Trust Flow renamed',
  'flow.draft': 'Draft of a Trust Flow saved or discarded',
  'flow.saved': 'Trust Flow published',
  'validation.created': 'Verification started',
  'validation.selfie': 'Selfie received',
  'validation.finalised': 'Verification finalised',
  'validation.decided': 'Decision made on a validation',
  'validation.batch-decided': 'One decision made on several validations',
  'validation.viewed': 'Validation viewed',
  'image.read': 'Photo of a person viewed',
  'image.damaged': 'Stored photo found damaged or changed',
  'search.run': 'Face search run',
  'search.changed': 'Threshold or filter of a face search changed',
  'face.compared': 'Two faces compared',
  'signature.compared': 'Two signatures compared',
  'signature.known-compared': 'A signature compared with several known ones',
  'duplicates.started': 'Duplicate search started',
  'duplicates.changed': 'Duplicate search paused, resumed or cancelled',
  'duplicates.ended': 'Duplicate search finished or failed',
  'identity.decided': 'Decision on duplicates or on a person made',
  'identity.undone': 'Decision on duplicates or on a person undone',
  'examination.begun': 'Examination of a pair begun',
  'examination.saved': 'Step of an examination saved',
  'examination.replaced': 'Examiner with unfinished work replaced',
  'examination.settled': 'Different conclusions of an examination settled',
  'caseFolder.entry': 'Entry added to the chain of custody of a case folder',
  'caseFolder.deleted': 'Case folder deleted with its chain of custody',
  'caseFolder.opened': 'Case folder of another installation opened',
  'person.changed': 'Data of a person changed',
  'specimen.added': 'Signature specimen of a person stored',
  'specimen.viewed': 'Signature specimen of a person viewed',
  'specimen.used': 'Signature specimens of a person loaded for a comparison',
  'specimen.erased': 'Signature specimen of a person erased',
  'specimens.erased': 'All signature specimens of the company erased',
  'calibration.applied': 'Calibrated thresholds applied',
  'calibration.reset': 'Default thresholds restored',
  'signatureCalibration.applied': 'Signature calibration applied',
  'signatureCalibration.reset': 'Default signature scale restored',
  'pipeline.chosen': 'Pipeline switch started',
  'pipeline.changed': 'Pipeline switch paused, resumed, or continued without failed faces',
  'pipeline.cancelled': 'Pipeline switch cancelled',
  'pipeline.switched': 'Pipeline switched',
  'pipeline.purged': 'Templates of an unused pipeline erased',
  'export.taken': 'Personal data exported',
  'backup-key.created': 'Backup key created',
  'backup.taken': 'Backup created',
  'backup.restored': 'Installation restored from a backup',
  'audit.anchored': 'Anchor of the audit log created',
  'audit.verified': 'Audit log verified',
  'audit.rowsAccepted': 'Rows that were changed on the database server accepted',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;
const ACTION_NAMES = namesOf(AUDIT_ACTIONS);

export const AUDIT_OUTCOMES = ['done', 'refused'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One entry as the dashboard and the terminal show it. */
export const auditRow = z.object({
  sequence: z.number().int(),
  at: z.iso.datetime(),
  /** `operator:3`, `token:7`, `hmac:2`, `local-admin`, `service`, `anonymous`. */
  actor: z.string(),
  action: z.enum(ACTION_NAMES),
  /** The object of the action, e.g. `blacklist:4`; null where the action has none. */
  object: z.string().nullable(),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Counts, codes, what changed. */
  details: z.record(z.string(), z.unknown()),
});

/** An entry with the present names of its actor and object; null: there is no name, or it was erased. */
export const namedAuditRow = auditRow.extend({
  actorName: z.string().nullable(),
  objectName: z.string().nullable(),
  /** The blacklist that the face of `object` is in; null: `object` is no face of a blacklist. */
  objectBlacklist: z.number().int().nullable(),
});
export type NamedAuditRow = z.infer<typeof namedAuditRow>;

const party = z.string().regex(/^[a-z][a-zA-Z-]{0,39}(:[\w-]{1,60})?$/);

/** Actions that only look at a person. An operator makes many of them, and they change nothing. */
export const VIEW_ACTIONS = [
  'validation.viewed',
  'image.read',
  'specimen.viewed',
] as const satisfies readonly AuditAction[];

/** The kinds of objects that entries name. */
export const AUDIT_OBJECT_KINDS = [
  ...[
    'blacklist',
    'caseFolder',
    'company',
    'duplicate-run',
    'erasure',
    'examination',
    'face',
    'faceComparison',
    'flow',
    'hmac',
  ],
  ...['identity-decision', 'operator', 'person', 'pipeline', 'search', 'signatureComparison', 'token'],
  ...['trusted-installation', 'upload', 'validation'],
];

/** The filter of a listing; absent fields match every entry. */
export const auditFilter = z.object({
  action: z.enum(ACTION_NAMES).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  /** The actor, e.g. `operator:3`; a kind alone (`operator`) means all of the kind. */
  actor: party.optional(),
  /**
   * The object of the action, e.g. `blacklist:4`; a kind alone; or the name, reference or external ID of a person, a photo, a
   * blacklist, a Trust Flow or an operator. A person, a photo or a validation means everything that is known of the person.
   */
  object: z.string().trim().min(1).max(200).optional(),
  /** `hidden` leaves out the {@link VIEW_ACTIONS}. It limits what is shown; a verification reads every entry. */
  views: z.literal('hidden').optional(),
  /** Days of the installation's zone as moments: from this one, to before that one. */
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
  /** How many objects the filter `object` means: 0 where no object has this name or number; null without the filter. */
  objects: z.number().int().nullable(),
  /** The last sequence of this page when more follow. */
  nextBefore: z.number().int().nullable(),
});
export type AuditPage = z.infer<typeof auditPage>;

export const AUDIT_EXPORT_FORMATS = ['csv', 'jsonl'] as const;
/** `GET /audit/export`: every entry that the filter lets through, oldest first, as a file. */
export const auditExportQuery = auditFilter.extend({ format: z.enum(AUDIT_EXPORT_FORMATS) });

/** The findings of a verification. */
export const auditVerdict = z.object({
  whole: z.boolean(),
  entries: z.number().int(),
  /** Anchors that were compared, and the newest entry that one of them covers. */
  anchors: z.number().int(),
  anchoredUpTo: z.number().int(),
  /** The first entry that is not as it was written; null when all are. */
  firstBad: z.object({ sequence: z.number().int(), problem: problemShape }).nullable(),
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
export const externalAnchorFile = z.object({ file: z.string().nullable(), problem: problemShape.nullable() });
export type ExternalAnchorFile = z.infer<typeof externalAnchorFile>;

/** `GET /audit/state`, and the answer of `POST /audit/anchor`: what protects the log now. */
export const auditState = z.object({
  /** The signed head; null while nothing was recorded. */
  head: auditAnchor.nullable(),
  /** The newest head that was written outside the database. */
  anchor: auditAnchor.nullable(),
  external: externalAnchorFile,
  /** The last time this company's people had the whole log verified. */
  lastVerified: z
    .object({ at: z.iso.datetime(), actorName: z.string().nullable(), entries: z.number().int() })
    .nullable(),
});
export type AuditState = z.infer<typeof auditState>;

/** The kinds of uses in the report of use, with the actions of the log that make each. */
export const USES = {
  search: ['search.run'],
  faceComparison: ['face.compared'],
  examination: ['examination.begun'],
  signatureComparison: ['signature.compared', 'signature.known-compared'],
  verification: ['validation.finalised'],
  duplicateSearch: ['duplicates.ended', 'duplicates.changed'],
  duplicateDecision: ['identity.decided'],
} as const satisfies Record<string, readonly AuditAction[]>;
export type UseKind = keyof typeof USES;

/** Columns of the file of uses. */
export const USE_FILE_COLUMNS = [
  ...['start', 'end', 'use', 'actor', 'actorName', 'referenceDatabase', 'facesCompared', 'input'],
  ...['result', 'verifiedBy', 'decision'],
] as const;

/** `GET /audit/use`: each use of a period, as a file for programs or a report for people. Without an end: until now. */
export const useReportQuery = auditFilter.pick({ from: true, to: true }).extend({
  format: z.enum(['csv', 'pdf']),
  language: z.enum(REPORT_LANGUAGES).default('en'),
});

/** The dashboard's operations. */
export const auditApi = {
  list: get('/audit', 'audit:read', { query: auditQuery, answer: auditPage }),
  export: get('/audit/export', 'exports:create', { query: auditExportQuery }),
  use: get('/audit/use', 'exports:create', { query: useReportQuery }),
  state: get('/audit/state', 'audit:read', { answer: auditState }),
  anchor: post('/audit/anchor', 'audit:verify', { answer: auditState }),
  verify: post('/audit/verify', 'audit:verify', { answer: auditVerdict }),
};
