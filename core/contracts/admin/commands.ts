/**
 * The administrator's commands, which the terminal sends to the service through a local socket that only the account of
 * the service can open. This table, composed of one file per topic, defines names, shapes and types for both ends.
 */
import { z } from 'zod';
import { auditAnchor, auditPage, auditQuery, auditVerdict, auditWitness } from '../audit.ts';
import { healthReport } from '../diagnostics.ts';
import { watchReport } from '../dashboard/watchedFolders.ts';
import { installationName } from '../blacklistTransfer.ts';
import { nodeState } from '../nodes.ts';
import { networkCertificate, networkAccessRequest, networkAccessState } from '../network.ts';
import { ACCESS_COMMANDS } from './access.ts';
import { DUPLICATE_COMMANDS } from './duplicates.ts';
import { ERASURE_COMMANDS } from './erasure.ts';
import { IDENTITY_COMMANDS } from './identity.ts';
import { LIST_COMMANDS } from './lists.ts';
import { RECOGNITION_COMMANDS } from './recognition.ts';
import { companyName, none, type AdminCommandShapes } from './shapes.ts';

export const ADMIN_COMMANDS = {
  status: {
    input: none,
    output: z.object({
      version: z.string(),
      address: z.string().nullable(),
      pipelineId: z.string().describe('of companies without a face'),
      companies: z
        .array(
          z.object({
            company: z.string(),
            pipeline: z.string().describe('id of the active pipeline'),
            installed: z.boolean().describe('false: faces of the company cannot be compared'),
          }),
        )
        .describe('companies that have, or had, a face'),
      workers: z.number().int(),
      paused: z.boolean(),
      waiting: z.number().int(),
      inProgress: z.number().int(),
      auditEntries: z.number().int().describe('number of the newest entry of the audit log'),
      auditHead: z.string().nullable().describe('its SHA-256, lowercase hex; null: no entry yet'),
    }),
  },
  doctor: { input: none, output: healthReport },
  'cluster.status': {
    input: none,
    output: z.object({
      own: z.string().nullable().describe('name of the answering service; null: SQLite has one service'),
      nodes: z
        .array(nodeState)
        .describe('services of the PostgreSQL database that have reported within a day'),
    }),
  },
  'audit.list': {
    input: auditQuery.extend({ company: companyName.optional().describe('absent: of the installation') }),
    output: auditPage,
  },
  'audit.verify': {
    input: z.object({
      anchors: z.array(auditAnchor).default([]).describe('kept outside the data directory'),
    }),
    output: auditVerdict,
  },
  'audit.anchor': { input: none, output: z.object({ anchor: auditAnchor }) },
  'audit.accept': {
    input: none,
    output: z.object({
      kept: z.string().describe('the file of the anchors that contradicted the log'),
      anchor: auditAnchor,
    }),
  },
  'audit.witness': {
    input: z.object({
      folder: z.string().min(1).max(32_768).nullable().describe('absolute; null: no witness'),
    }),
    output: auditWitness,
  },
  'backup-key.create': {
    input: z.object({
      replace: z.boolean().default(false),
      publicKey: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('X25519, of the key that the terminal created'),
    }),
    output: z.object({ fingerprint: z.string() }),
  },
  'backup-key.show': {
    input: none,
    output: z.object({ fingerprint: z.string().nullable(), createdAt: z.iso.datetime().nullable() }),
  },
  'network.status': { input: none, output: networkAccessState },
  'network.enable': {
    input: networkAccessRequest.extend({ given: networkCertificate.optional() }),
    output: networkAccessState,
  },
  'network.renew-certificate': { input: none, output: networkAccessState },
  'network.disable': { input: none, output: networkAccessState },
  'metrics.status': { input: none, output: z.object({ enabled: z.boolean() }) },
  'metrics.enable': {
    input: none,
    output: z.object({ token: z.string().describe('bearer token of GET /metrics; shown once') }),
  },
  'metrics.disable': { input: none, output: z.object({ enabled: z.boolean() }) },
  /** Of the desktop window: a folder for the operator of the session. */
  'folder.grant': {
    input: z.object({ session: z.string().min(1).max(1000), path: z.string().min(1).max(32_768) }),
    output: z.object({ grantId: z.uuid() }),
  },
  'watch.report': { input: watchReport.extend({ company: companyName }), output: z.object({}) },
  'queue.pause': { input: none, output: z.object({ paused: z.boolean() }) },
  'queue.resume': { input: none, output: z.object({ paused: z.boolean() }) },
  ...ACCESS_COMMANDS,
  ...LIST_COMMANDS,
  ...ERASURE_COMMANDS,
  ...RECOGNITION_COMMANDS,
  ...DUPLICATE_COMMANDS,
  ...IDENTITY_COMMANDS,
} as const satisfies AdminCommandShapes;

/** `POST /blacklist-export?…` on the admin socket: answers the transfer package. */
export const adminTransferExport = z.object({
  company: companyName,
  list: z.coerce.number().int(),
  /** Local name of the recipient. */
  installation: installationName,
  photos: z.stringbool(),
});
/** `POST /blacklist-package?…` with a transfer package as its body: answers what importing it would change. */
export const adminTransferPackage = z.object({
  company: companyName,
  into: z.coerce.number().int().optional(),
});

/** The header of a backup's response: the content key of that backup, hex. */
export const CONTENT_KEY_HEADER = 'vouch-content-key';

export type AdminCommand = keyof typeof ADMIN_COMMANDS;
export type AdminInput<C extends AdminCommand> = z.input<(typeof ADMIN_COMMANDS)[C]['input']>;
export type AdminRequest<C extends AdminCommand> = z.output<(typeof ADMIN_COMMANDS)[C]['input']>;
export type AdminOutput<C extends AdminCommand> = z.output<(typeof ADMIN_COMMANDS)[C]['output']>;

/** One function per command. Its input has been checked. */
export type AdminCommandHandlers = {
  [C in AdminCommand]: (input: AdminRequest<C>) => Promise<AdminOutput<C>>;
};

/** Runs a command, whether the service answers through the socket or the commands run in this process. */
export type RunAdminCommand = <C extends AdminCommand>(
  command: C,
  input: AdminInput<C>,
) => Promise<AdminOutput<C>>;
