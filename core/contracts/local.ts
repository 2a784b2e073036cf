/**
 * The routes of the local administrator alone, under `/api/dashboard/local`, which only the local socket serves. All other
 * operations of the terminal are routes of the dashboard, with the shapes of the dashboard.
 */
import { z } from 'zod';
import { auditAnchor, auditQuery, auditPage, auditVerdict, externalAnchorFile } from './audit.ts';
import { HMAC_PROFILES, SCORE_BANDS, SCOPES } from './codes.ts';
import { credentialRow } from './dashboard/credentials.ts';
import { searchedWatchlist } from './dashboard/search.ts';
import { searchView } from './dashboard/searchView.ts';
import { personMatch } from './validations.ts';
import { displayLine } from './displayLine.ts';
import { nodeState } from './nodes.ts';
import { networkAccessRequest, networkCertificate, networkAccessState } from './network.ts';
import { get, post, put, remove } from './dashboard/operation.ts';

/** The header that names the company of a request on the local socket, percent-encoded; absent: the only company. */
export const COMPANY_HEADER = 'vouch-company';
/** The header of a backup's response: the content key of that backup, hex. */
export const CONTENT_KEY_HEADER = 'vouch-content-key';

/** The body of a refused request on the local socket: a message, and its code where the catalogue has it. */
export const localRefusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
});

/** `GET /local/operations`: every route that the local socket serves. */
export const localOperations = z.array(z.object({ method: z.string(), path: z.string() }));

const count = z.number().int();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `GET /local/status`. */
export const installationStatus = z.object({
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
  workers: count,
  paused: z.boolean(),
  waiting: count,
  inProgress: count,
  auditEntries: count.describe('number of the newest entry of the audit log'),
  auditHead: z.string().nullable().describe('its SHA-256, lowercase hex; null: no entry yet'),
});
export type InstallationStatus = z.infer<typeof installationStatus>;

/** `GET /local/cluster`. */
export const clusterStatus = z.object({
  own: z.string().nullable().describe('name of the answering service; null: SQLite has one service'),
  nodes: z.array(nodeState).describe('services of the PostgreSQL database that have reported within a day'),
});

/** `GET /local/companies`, and one of them as the answer of `POST /local/companies`. */
export const localCompany = z.object({
  id: count,
  name: z.string(),
  storageFolder: z.string().nullable(),
  registrationEnabled: z.boolean(),
  blacklistsEnabled: z.boolean(),
  secondOperator: z.boolean(),
  signatureSpecimens: z.boolean(),
  osia: z.boolean(),
});
export const localCompanies = z.array(localCompany);
export const newCompany = z.object({
  name: displayLine(100).min(1),
  storageFolder: z.string().optional().describe('absolute; default: in the data directory'),
});
/** `PUT /local/company/storage`. */
export const storageChange = z.object({ storageFolder: z.string() });

const userId = z.string().regex(/^[\w.@-]{1,100}$/);
const expiresAt = z.iso.datetime().optional();
/** `POST /local/credentials/check`: refuses a credential before its secret is shown. */
export const credentialCheck = z.object({ expiresAt, userId: userId.optional() });
const common = { name: displayLine(100).min(1), scopes: z.array(z.enum(SCOPES)).min(1), expiresAt };
/** `POST /local/credentials`: the terminal has made the secret. The answer is the row without it. */
export const madeElsewhere = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('token'),
    ...common,
    hash: sha256.describe('of the token, which its maker alone knows'),
    forOneRun: z
      .boolean()
      .optional()
      .describe('a command makes it for its own run: once revoked it is not listed'),
  }),
  z.object({
    kind: z.literal('key'),
    ...common,
    userId: userId.describe('what the program sends as X-USER-ID'),
    secret: z.string().regex(/^vouch_key_[\w-]{43}$/),
    profile: z.enum(HMAC_PROFILES).default('v1'),
  }),
]);
export const storedCredential = credentialRow.pick({ id: true, name: true }).extend({ companyId: count });
/** `PUT /local/recovery-code`. */
export const recoveryCodeHash = z.object({
  hash: sha256.describe('of the code, which only the terminal that created it knows'),
});

/** `PUT /local/backup-key`, and `GET /local/backup-key`. */
export const newBackupKey = z.object({
  replace: z.boolean().default(false),
  publicKey: sha256.describe('X25519, of the key that the terminal created'),
});
export const backupKeyState = z.object({
  fingerprint: z.string().nullable(),
  createdAt: z.iso.datetime().nullable(),
});

/** `POST /local/audit/verify`. */
export const auditVerification = z.object({
  anchors: z.array(auditAnchor).default([]).describe('kept outside the data directory'),
});
export const anchored = z.object({ anchor: auditAnchor });
/** `POST /local/audit/accept`. */
export const acceptedLog = anchored.extend({
  kept: z.string().describe('the file of the anchors that contradicted the log'),
});
/** `GET /local/audit/rows` and `POST /local/audit/rows/accept`: what differs from what Vouch wrote. */
export const changedRows = z.object({
  rows: z.array(z.string()).describe('a table, and in brackets its company and what differs'),
});
/** `PUT /local/audit/anchor-file`. */
export const anchorFileChange = z.object({
  folder: z.string().min(1).max(32_768).nullable().describe('absolute; null: no external anchor file'),
});

/** `PUT /local/network`: a certificate of the organisation's own authority. */
export const networkWithCertificate = networkAccessRequest.extend({ given: networkCertificate });

/** `GET /local/metrics`, and the answer of `DELETE /local/metrics`. */
export const metricsState = z.object({ enabled: z.boolean() });
/** `POST /local/metrics`. */
export const metricsToken = z.object({
  token: z.string().describe('bearer token of GET /metrics; shown once'),
});

/** `POST /local/folders`, of the desktop window: a folder for the operator whose session it is. */
export const folderOffer = z.object({
  session: z.string().min(1).max(1000),
  path: z.string().min(1).max(32_768),
});
export const offeredFolder = z.object({ grantId: z.uuid() });

/** `POST /local/retention/run`. */
export const retentionRun = z.object({ erased: count, unerased: count });

/** `POST /local/search` with a JPEG or PNG as the body. */
export const localSearchQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  /** One false alarm in so many searches of unknown people; absent: the threshold is the default rate of one comparison. */
  oneIn: searchView.shape.oneIn.unwrap().optional(),
});
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export const localSearch = z.object({
  refused: z.string().nullable(),
  searchedFaces: count,
  watchlists: z.array(searchedWatchlist),
  /** Of the band "possible"; null: the photo was refused. */
  threshold: z
    .object({
      similarityScore: z.number(),
      falsePositiveIdentificationRate: z.number().describe('share of searches of unknown people'),
      falseMatchRate: z.number().describe('of one comparison'),
    })
    .nullable(),
  faces: z.array(
    z.object({
      box,
      quality: z.number(),
      candidates: z.array(
        z.object({
          faceId: count,
          name: z.string(),
          watchlist: z.enum(['duplicate', 'blacklist']),
          /** null: of duplicate detection. */
          blacklistName: z.string().nullable(),
          trustValidationId: count.nullable(),
          person: personMatch,
          distance: z.number().describe('of the person'),
          similarityScore: z.number(),
          band: z.enum(SCORE_BANDS),
          enrolledAt: z.iso.datetime(),
        }),
      ),
    }),
  ),
});

/** A request to the routes of the local administrator, through the socket or in the process that has the home open. */
export interface LocalRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}
export interface LocalResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  body: AsyncIterable<Uint8Array>;
}
export type SendLocally = (request: LocalRequest) => Promise<LocalResponse>;

/** The operations of the local administrator alone. */
export const localApi = {
  checkCredential: post('/local/credentials/check', 'session', { body: credentialCheck }),
  storeCredential: post('/local/credentials', 'session', { body: madeElsewhere, answer: storedCredential }),
  setRecoveryCode: put('/local/recovery-code', 'session', { body: recoveryCodeHash }),
  setStorage: put('/local/company/storage', 'session', { body: storageChange }),
  runRetention: post('/local/retention/run', 'session', { answer: retentionRun }),
  search: post('/local/search', 'session', { query: localSearchQuery, answer: localSearch }),
  operations: get('/local/operations', 'session', { answer: localOperations }),
  status: get('/local/status', 'session', { answer: installationStatus }),
  cluster: get('/local/cluster', 'session', { answer: clusterStatus }),
  companies: get('/local/companies', 'session', { answer: localCompanies }),
  createCompany: post('/local/companies', 'session', { body: newCompany, answer: localCompany }),
  audit: get('/local/audit', 'session', {
    query: auditQuery.extend({ company: newCompany.shape.name.optional() }),
    answer: auditPage,
  }),
  verifyAudit: post('/local/audit/verify', 'session', { body: auditVerification, answer: auditVerdict }),
  anchorAudit: post('/local/audit/anchor', 'session', { answer: anchored }),
  acceptAudit: post('/local/audit/accept', 'session', { answer: acceptedLog }),
  changedRows: get('/local/audit/rows', 'session', { answer: changedRows }),
  acceptRows: post('/local/audit/rows/accept', 'session', { answer: changedRows }),
  setAnchorFile: put('/local/audit/anchor-file', 'session', {
    body: anchorFileChange,
    answer: externalAnchorFile,
  }),
  backup: post('/local/backup', 'session'),
  backupKey: get('/local/backup-key', 'session', { answer: backupKeyState }),
  setBackupKey: put('/local/backup-key', 'session', { body: newBackupKey, answer: backupKeyState }),
  setNetworkWith: put('/local/network', 'session', {
    body: networkWithCertificate,
    answer: networkAccessState,
  }),
  metrics: get('/local/metrics', 'session', { answer: metricsState }),
  enableMetrics: post('/local/metrics', 'session', { answer: metricsToken }),
  disableMetrics: remove('/local/metrics', 'session', { answer: metricsState }),
  offerFolder: post('/local/folders', 'session', { body: folderOffer, answer: offeredFolder }),
};
