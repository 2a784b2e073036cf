/** The company itself in the dashboard: its features and where its images are stored. */
import { z } from 'zod';
import { displayLine } from '../displayLine.ts';
import { get, patch } from './operation.ts';
import { limitState, limitPatch } from '../limits/limitShapes.ts';

/** The features of a company: bulk enrolment, and internal blacklists with their screening. */
export const companyFeatures = z.object({ registration: z.boolean(), blacklists: z.boolean() });

/** `GET /company`, and the answer of `PATCH /company`. */
export const companyProfile = z.object({
  name: z.string(),
  createdAt: z.iso.datetime(),
  features: companyFeatures,
  /** An accepted group of duplicates needs the confirmation of a second operator. */
  secondOperator: z.boolean(),
  /** Signature specimens of persons may be stored, and how many are. */
  signatureSpecimens: z.object({ stored: z.boolean(), count: z.number().int() }),
  /** The ABIS interface of OSIA is on. */
  osia: z.boolean(),
  /** Null: storage is not configured. */
  storageFolder: z.string().nullable(),
});
export type CompanyProfile = z.infer<typeof companyProfile>;

/** `PATCH /company`: only what changes. */
export const companyPatch = z.object({
  name: displayLine(100).min(1).optional(),
  features: companyFeatures.partial().default({}),
  secondOperator: z.boolean().optional(),
  osia: z.boolean().optional(),
  signatureSpecimens: z.boolean().optional(),
  /** With `signatureSpecimens: false`: how many specimens the caller knows will be erased. */
  eraseSpecimens: z.number().int().min(0).default(0),
});
export type CompanyPatch = z.input<typeof companyPatch>;

/** The client programs that come with an installation, as `GET /clients/<file>` hands them out. */
export const CLIENT_FILES = {
  shell: 'vouch-client.sh',
  Node: 'vouch-client.mjs',
  Python: 'vouch_client.py',
} as const;

/** The dashboard's operations. */
export const settingsApi = {
  limits: get('/settings', 'settings:read', { answer: limitState }),
  changeLimits: patch('/settings', 'settings:write', { body: limitPatch, answer: limitState }),
  company: get('/company', 'settings:read', { answer: companyProfile }),
  changeCompany: patch('/company', 'settings:write', { body: companyPatch, answer: companyProfile }),
  installation: get('/local/settings', 'session', { answer: limitState.shape.installation }),
  changeInstallation: patch('/local/settings', 'session', {
    body: limitPatch,
    answer: limitState.shape.installation,
  }),
};
