/** The administrator's commands for blacklists, Trust Flows, and other installations. */
import { z } from 'zod';
import { blacklistView } from '../blacklists.ts';
import {
  importResult,
  importView,
  installationCertificate,
  installationName,
  installationView,
  trustedInstallationView,
  undoResult,
} from '../blacklistTransfer.ts';
import { flowSettings } from '../flows.ts';
import { companyName, none, type AdminCommandShapes } from './shapes.ts';

const flow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The internal flow of bulk enrolment, which accepts no verification. */
  system: z.boolean(),
  version: z.number().int().nullable(),
});

export const LIST_COMMANDS = {
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
      packageId: z.uuid().describe('of a package that was received'),
      into: z.number().int().positive().optional(),
    }),
    output: importResult,
  },
  'blacklist.discard-package': {
    input: z.object({ company: companyName, packageId: z.uuid() }),
    output: z.object({ dropped: z.boolean() }),
  },
  'blacklist.list-imports': { input: z.object({ company: companyName }), output: z.array(importView) },
  'blacklist.revert-import': {
    input: z.object({ company: companyName, id: z.number().int() }),
    output: undoResult,
  },
  'installation.show': { input: none, output: installationView },
  'installation.rename': { input: z.object({ name: installationName }), output: installationView },
  'installation.trust': {
    input: z.object({
      company: companyName,
      certificate: installationCertificate,
      name: installationName.optional().describe('local name; default: the name in the certificate'),
      fingerprint: z.string().describe('as a person at the other installation read it out'),
    }),
    output: trustedInstallationView,
  },
  'installation.list': {
    input: z.object({ company: companyName }),
    output: z.array(trustedInstallationView),
  },
  'installation.revoke': {
    input: z.object({ company: companyName, name: installationName }),
    output: z.object({ distrusted: z.boolean() }),
  },
  'flow.create': {
    input: z.object({ company: companyName, name: z.string(), settings: flowSettings.prefault({}) }),
    output: flow,
  },
  'flow.list': { input: z.object({ company: companyName }), output: z.array(flow) },
} as const satisfies AdminCommandShapes;
