/** The state of the installation for the System status screen. */
import { z } from 'zod';
import { nodeState } from '../nodes.ts';
import { backupSummary } from './backups.ts';
import { get, poll, post, put, remove } from './operation.ts';
import { healthReport } from '../diagnostics.ts';
import { networkAccessState, networkAccessRequest } from '../network.ts';

const workers = z.object({
  /** The work of these processes. */
  work: z.enum(['faces', 'signatures']),
  /** At most so many run: they start when work arrives, and end after five minutes without. */
  max: z.number().int(),
  alive: z.number().int(),
  /** Since the service started. */
  restarts: z.number().int(),
  /** Names nets, weights and calibration: what was compared under one is comparable. */
  version: z.string(),
});

const model = z.object({
  name: z.string(),
  file: z.string(),
  /** Null: the file is missing. */
  bytes: z.number().int().nullable(),
  sha256: z.string(),
  licence: z.string(),
  /** npm package and version that it was converted from. */
  source: z.string(),
  origin: z.string(),
});

export const systemState = z.object({
  version: z.string(),
  startedAt: z.iso.datetime(),
  queue: z.object({
    paused: z.boolean(),
    waiting: z.number().int(),
    inProgress: z.number().int(),
    /** Images answered in a minute, over the last five; null while none was. */
    perMinute: z.number().nullable(),
    /** When the upload of the longest-waiting image was accepted. */
    oldest: z.iso.datetime().nullable(),
  }),
  workers: z.array(workers),
  storage: z.object({
    /** The company's; null: not configured. */
    folder: z.string().nullable(),
    images: z.number().int(),
    imageBytes: z.number().int(),
    /** Null: the folder cannot be read, and the health checks say why. */
    freeBytes: z.number().nullable(),
    databaseBytes: z.number().int(),
    /** Below this much free space uploads are refused. */
    minFreeBytes: z.number().int(),
  }),
  backup: backupSummary,
  models: z.array(model),
  /** The services of a PostgreSQL database; null: SQLite, which has one service. */
  nodes: z.object({ own: z.string(), all: z.array(nodeState) }).nullable(),
});
export type SystemState = z.infer<typeof systemState>;

export const healthQuery = z.object({
  /** `1`: look again now; otherwise what was found within the last ten minutes will do. */
  fresh: z.literal('1').optional(),
});

/** The dashboard's operations. */
export const systemApi = {
  state: poll('/system', 'system:read', { answer: systemState }),
  health: poll('/system/health', 'system:read', { query: healthQuery, answer: healthReport }),
  network: poll('/system/network', 'system:read', { answer: networkAccessState }),
  setNetwork: put('/system/network', 'network:write', {
    body: networkAccessRequest,
    answer: networkAccessState,
  }),
  renewCertificate: post('/system/network/renew', 'network:write', { answer: networkAccessState }),
  endNetwork: remove('/system/network', 'network:write', { answer: networkAccessState }),
  diagnose: get('/local/health', 'session', { answer: healthReport }),
};
