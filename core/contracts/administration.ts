/**
 * The owner's commands: what the terminal may ask of the service through the local socket that only the owner's
 * account can open. One table gives names, shapes and types to both ends.
 */
import { z } from 'zod';
import { blacklistView } from './blacklists.ts';
import { flowSettings } from './flows.ts';
import { healthReport } from './doctor.ts';
import { HMAC_PROFILES, SCOPES } from './codes.ts';
import { auditAnchor, auditVerdict } from './audit.ts';
import { appliedCalibration, calibrationPhoto, calibrationReport } from './calibration.ts';
import { companyPipeline, pipelineList, pipelineName, refusedFace } from './pipelines.ts';
import {
  COPY_FATES,
  erasureCandidate,
  erasureChoice,
  erasurePlan,
  erasureSummary,
  signedReceipt,
} from './erasure.ts';
import { retentionPreview, retentionRules } from './retention.ts';
import {
  importResult,
  importView,
  siteCard,
  siteName,
  siteView,
  trustedSiteView,
  undoResult,
} from './exchange.ts';
import { siteSettings } from './settings.ts';
import { OPERATOR_ROLES } from './dashboard/session.ts';

const none = z.object({});
const company = z.object({
  id: z.number().int(),
  name: z.string(),
  storageFolder: z.string().nullable(),
  registrationEnabled: z.boolean(),
  blacklistsEnabled: z.boolean(),
});
const companyName = z.string().trim().min(1).max(100);
const token = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});
const signingKey = token.extend({ userId: z.string(), profile: z.enum(HMAC_PROFILES) });
const operator = z.object({
  id: z.number().int(),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignedInAt: z.iso.datetime().nullable(),
});
const operatorName = z.string().trim().min(1).max(100);
const passphrase = z.string().min(1).max(1024);
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const candidate = z.object({
  faceId: z.number().int(),
  name: z.string(),
  watchlist: z.enum(['duplicate', 'blacklist']),
  trustValidationId: z.number().int().nullable(),
  distance: z.number(),
  similarityScore: z.number(),
  band: z.enum(['strong', 'possible', 'no match']),
  enrolledAt: z.iso.datetime(),
});

const flow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The internal flow of mass enrolment, which takes no verification. */
  system: z.boolean(),
  version: z.number().int().nullable(),
});

export const ADMIN_COMMANDS = {
  status: {
    input: none,
    output: z.object({
      version: z.string(),
      address: z.string().nullable(),
      pipelineId: z.string(),
      workers: z.number().int(),
      paused: z.boolean(),
      waiting: z.number().int(),
      inWork: z.number().int(),
    }),
  },
  doctor: { input: none, output: healthReport },
  'company.create': {
    input: z.object({
      name: companyName,
      storageFolder: z.string().optional().describe('absolute; default: in the home'),
    }),
    output: company,
  },
  'company.list': { input: none, output: z.array(company) },
  'company.update': {
    input: z.object({
      company: companyName,
      storageFolder: z.string().optional(),
      registrationEnabled: z.boolean().optional(),
      blacklistsEnabled: z.boolean().optional(),
    }),
    output: company,
  },
  'token.create': {
    input: z.object({
      company: companyName,
      name: z.string().trim().min(1).max(100),
      scopes: z.array(z.enum(SCOPES)).min(1),
      expiresAt: z.iso.datetime().optional(),
    }),
    output: token.extend({ token: z.string().describe('shown this once') }),
  },
  'token.list': { input: z.object({ company: companyName }), output: z.array(token) },
  'token.revoke': {
    input: z.object({ company: companyName, id: z.number().int() }),
    output: z.object({ revoked: z.boolean() }),
  },
  'key.create': {
    input: z.object({
      company: companyName,
      name: z.string().trim().min(1).max(100),
      userId: z
        .string()
        .regex(/^[\w.@-]{1,100}$/)
        .optional()
        .describe('what the program sends as X-USER-ID; default: a new one'),
      profile: z.enum(HMAC_PROFILES).default('v1'),
      scopes: z.array(z.enum(SCOPES)).min(1),
      expiresAt: z.iso.datetime().optional(),
    }),
    output: signingKey.extend({ secret: z.string().describe('shown this once') }),
  },
  'key.list': { input: z.object({ company: companyName }), output: z.array(signingKey) },
  'key.revoke': {
    input: z.object({ company: companyName, id: z.number().int() }),
    output: z.object({ revoked: z.boolean() }),
  },
  'operator.create': {
    input: z.object({
      company: companyName,
      name: operatorName,
      role: z.enum(OPERATOR_ROLES),
      passphrase,
    }),
    output: operator,
  },
  'operator.list': { input: z.object({ company: companyName }), output: z.array(operator) },
  'operator.update': {
    input: z.object({
      company: companyName,
      name: operatorName,
      role: z.enum(OPERATOR_ROLES).optional(),
      active: z.boolean().optional(),
    }),
    output: operator,
  },
  'operator.reset': {
    input: z.object({ company: companyName, name: operatorName, passphrase }),
    output: operator,
  },
  'operator.unlock': { input: z.object({ company: companyName, name: operatorName }), output: operator },
  'operator.recoveryKey': {
    input: z.object({ company: companyName }),
    output: z.object({ recoveryKey: z.string().describe('shown this once') }),
  },
  'audit.verify': {
    input: z.object({ anchors: z.array(auditAnchor).default([]).describe('kept elsewhere') }),
    output: auditVerdict,
  },
  'audit.anchor': { input: none, output: z.object({ anchor: auditAnchor }) },
  'recovery.create': {
    input: z.object({ replace: z.boolean().default(false) }),
    output: z.object({ recoveryKey: z.string().describe('shown this once'), fingerprint: z.string() }),
  },
  'recovery.show': {
    input: none,
    output: z.object({ fingerprint: z.string().nullable(), createdAt: z.iso.datetime().nullable() }),
  },
  'blacklist.create': {
    input: z.object({ company: companyName, name: z.string(), description: z.string().optional() }),
    output: blacklistView,
  },
  'blacklist.list': { input: z.object({ company: companyName }), output: z.array(blacklistView) },
  'blacklist.update': {
    input: z.object({ company: companyName, id: z.number().int(), active: z.boolean() }),
    output: blacklistView,
  },
  'blacklist.import': {
    input: z.object({
      company: companyName,
      bundle: z.uuid().describe('of a bundle that was handed in'),
      into: z.number().int().positive().optional(),
    }),
    output: importResult,
  },
  'blacklist.drop': {
    input: z.object({ company: companyName, bundle: z.uuid() }),
    output: z.object({ dropped: z.boolean() }),
  },
  'blacklist.imports': { input: z.object({ company: companyName }), output: z.array(importView) },
  'blacklist.undoImport': {
    input: z.object({ company: companyName, id: z.number().int() }),
    output: undoResult,
  },
  'site.show': { input: none, output: siteView },
  'site.name': { input: z.object({ name: siteName }), output: siteView },
  'site.trust': {
    input: z.object({
      company: companyName,
      card: siteCard,
      name: siteName.optional().describe('what it is called here; default: what it calls itself'),
      fingerprint: z.string().describe('as the other site reads it out'),
    }),
    output: trustedSiteView,
  },
  'site.list': { input: z.object({ company: companyName }), output: z.array(trustedSiteView) },
  'site.distrust': {
    input: z.object({ company: companyName, name: siteName }),
    output: z.object({ distrusted: z.boolean() }),
  },
  'flow.create': {
    input: z.object({ company: companyName, name: z.string(), settings: flowSettings.prefault({}) }),
    output: flow,
  },
  'flow.list': { input: z.object({ company: companyName }), output: z.array(flow) },
  'erase.find': {
    input: z.object({
      company: companyName,
      name: z.string().trim().min(2).optional(),
      photo: z.base64().optional().describe('a JPEG or PNG'),
    }),
    output: z.array(erasureCandidate),
  },
  'erase.plan': { input: z.object({ company: companyName, choice: erasureChoice }), output: erasurePlan },
  'erase.run': {
    input: z.object({
      company: companyName,
      choice: erasureChoice,
      code: z.string().describe('of the plan'),
      copies: z.enum(COPY_FATES),
    }),
    output: z.object({
      id: z.uuid(),
      signed: signedReceipt.nullable().describe('null: it cannot be finished at this moment'),
    }),
  },
  'erase.list': { input: z.object({ company: companyName }), output: z.array(erasureSummary) },
  'erase.receipt': { input: z.object({ company: companyName, id: z.uuid() }), output: signedReceipt },
  'erase.verify': { input: signedReceipt, output: z.object({ ours: z.boolean() }) },
  'erase.again': {
    input: signedReceipt,
    output: z.object({ id: z.uuid().nullable().describe('null: nothing of it is here') }),
  },
  'retention.show': { input: z.object({ company: companyName }), output: retentionPreview },
  'retention.preview': {
    input: z.object({ company: companyName, rules: retentionRules }),
    output: retentionPreview,
  },
  'retention.set': {
    input: z.object({ company: companyName, rules: retentionRules, code: z.string() }),
    output: retentionPreview,
  },
  'retention.run': {
    input: z.object({ company: companyName }),
    output: z.object({ erased: z.number().int() }),
  },
  'calibration.begin': { input: z.object({ company: companyName }), output: z.object({ run: z.string() }) },
  'calibration.add': {
    input: calibrationPhoto.extend({ company: companyName, run: z.string() }),
    output: z.object({ refused: z.string().nullable() }),
  },
  'calibration.report': {
    input: z.object({ company: companyName, run: z.string() }),
    output: calibrationReport,
  },
  'calibration.apply': {
    input: z.object({ company: companyName, run: z.string() }),
    output: appliedCalibration,
  },
  'calibration.show': { input: z.object({ company: companyName }), output: appliedCalibration },
  'calibration.reset': { input: z.object({ company: companyName }), output: appliedCalibration },
  'pipeline.list': { input: none, output: pipelineList },
  'pipeline.status': {
    input: z.object({ company: companyName.optional() }),
    output: z.array(companyPipeline),
  },
  'pipeline.use': {
    input: z.object({ name: pipelineName, company: companyName.optional().describe('default: all') }),
    output: z.array(companyPipeline),
  },
  'pipeline.pause': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.resume': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.retry': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.cancel': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.leave': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.refused': {
    input: z.object({
      company: companyName,
      after: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(1000),
    }),
    output: z.array(refusedFace),
  },
  'pipeline.discard': {
    input: z.object({ company: companyName, pipeline: z.string().min(1).max(200) }),
    output: z.object({ templates: z.number().int() }),
  },
  'queue.pause': { input: none, output: z.object({ paused: z.boolean() }) },
  'queue.resume': { input: none, output: z.object({ paused: z.boolean() }) },
  'gallery.memory': {
    /** null: all exact vectors stay in memory; absent: nothing changes. */
    input: z.object({ galleryMemoryMiB: siteSettings.shape.galleryMemoryMiB.unwrap().optional() }),
    output: z.object({ galleryMemoryMiB: z.number().nullable() }),
  },
  search: {
    input: z.object({
      company: companyName,
      image: z.base64().describe('JPEG or PNG'),
      limit: z.number().int().min(1).max(100).default(10),
    }),
    output: z.object({
      refused: z.string().nullable(),
      faces: z.array(z.object({ box, quality: z.number(), candidates: z.array(candidate) })),
    }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

/** `POST /blacklist-export?…` on the owner's door: answers the bundle itself. */
export const ownersExport = z.object({
  company: companyName,
  list: z.coerce.number().int(),
  /** Of the trusted site. */
  site: siteName,
  photos: z.stringbool(),
});
/** `POST /blacklist-bundle?…` with a bundle as its body: what importing it would change. */
export const ownersBundle = z.object({ company: companyName, into: z.coerce.number().int().optional() });

/** Of the answer that is a backup: the key of that bundle, hex. */
export const CONTENT_KEY_HEADER = 'vouch-content-key';

export type AdminCommand = keyof typeof ADMIN_COMMANDS;
export type AdminInput<C extends AdminCommand> = z.input<(typeof ADMIN_COMMANDS)[C]['input']>;
export type AdminRequest<C extends AdminCommand> = z.output<(typeof ADMIN_COMMANDS)[C]['input']>;
export type AdminOutput<C extends AdminCommand> = z.output<(typeof ADMIN_COMMANDS)[C]['output']>;

/** What the terminal calls, whether the service answers through the door or in the same process. */
export type Administrate = <C extends AdminCommand>(
  command: C,
  input: AdminInput<C>,
) => Promise<AdminOutput<C>>;
