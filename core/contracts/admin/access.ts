/** The administrator's commands for companies, operators and credentials. */
import { z } from 'zod';
import { HMAC_PROFILES, SCOPES } from '../codes.ts';
import { OPERATOR_ROLES } from '../dashboard/session.ts';
import { limitChange, settableLimit } from '../limits/limitShapes.ts';
import { companyName, none, type AdminCommandShapes } from './shapes.ts';
import { displayLine } from '../displayLine.ts';

const company = z.object({
  id: z.number().int(),
  name: z.string(),
  storageFolder: z.string().nullable(),
  registrationEnabled: z.boolean(),
  blacklistsEnabled: z.boolean(),
  secondOperator: z.boolean(),
  signatureSpecimens: z.boolean(),
});
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
const operatorName = displayLine(100).min(1);
const userId = z.string().regex(/^[\w.@-]{1,100}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const passphrase = z.string().min(1).max(1024);

export const ACCESS_COMMANDS = {
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
      secondOperator: z.boolean().optional(),
      signatureSpecimens: z.boolean().optional(),
      eraseSpecimens: z
        .number()
        .int()
        .min(0)
        .default(0)
        .describe('how many specimens the caller knows will be erased'),
    }),
    output: company,
  },
  'company.limits': {
    input: z.object({
      company: companyName.optional().describe('absent: the only company of the installation'),
      change: limitChange.default({}),
    }),
    output: z.array(settableLimit),
  },
  'installation.limits': {
    input: z.object({ change: limitChange.default({}) }),
    output: z.array(settableLimit),
  },
  /** Checks, before a secret is shown, that it can be stored: rejects for the reasons of the command that stores it. */
  'credential.check': {
    input: z.object({
      company: companyName,
      expiresAt: z.iso.datetime().optional(),
      userId: userId.optional(),
    }),
    output: z.object({}),
  },
  'api-token.create': {
    input: z.object({
      company: companyName,
      name: displayLine(100).min(1),
      scopes: z.array(z.enum(SCOPES)).min(1),
      expiresAt: z.iso.datetime().optional(),
      hash: sha256.describe('of the token, which its maker alone knows'),
      forOneRun: z
        .boolean()
        .optional()
        .describe('a command makes it for its own run: once revoked it is not listed'),
    }),
    output: token,
  },
  'api-token.list': { input: z.object({ company: companyName }), output: z.array(token) },
  'api-token.revoke': {
    input: z.object({ company: companyName, id: z.number().int() }),
    output: z.object({ revoked: z.boolean() }),
  },
  'signing-key.create': {
    input: z.object({
      company: companyName,
      name: displayLine(100).min(1),
      userId: userId.describe('what the program sends as X-USER-ID'),
      secret: z.string().regex(/^vouch_key_[\w-]{43}$/),
      profile: z.enum(HMAC_PROFILES).default('v1'),
      scopes: z.array(z.enum(SCOPES)).min(1),
      expiresAt: z.iso.datetime().optional(),
    }),
    output: signingKey,
  },
  'signing-key.list': { input: z.object({ company: companyName }), output: z.array(signingKey) },
  'signing-key.revoke': {
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
  'operator.reset-passphrase': {
    input: z.object({ company: companyName, name: operatorName, passphrase }),
    output: operator,
  },
  'operator.unlock': { input: z.object({ company: companyName, name: operatorName }), output: operator },
  'operator.recovery-code': {
    input: z.object({
      company: companyName,
      hash: sha256.describe('of the code, which only the terminal that created it knows'),
    }),
    output: z.object({}),
  },
} as const satisfies AdminCommandShapes;
