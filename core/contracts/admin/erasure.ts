/** The administrator's commands for erasure and retention. */
import { z } from 'zod';
import {
  COPY_POLICIES,
  erasureCandidate,
  erasureChoice,
  erasurePlan,
  erasureSummary,
  signedReceipt,
} from '../erasure.ts';
import { retentionPreview, retentionRules } from '../retention.ts';
import { companyName, type AdminCommandShapes } from './shapes.ts';

export const ERASURE_COMMANDS = {
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
      copies: z.enum(COPY_POLICIES),
    }),
    output: z.object({
      id: z.uuid(),
      signed: signedReceipt.nullable().describe('null: it cannot be finished at this moment'),
    }),
  },
  'erase.list': { input: z.object({ company: companyName }), output: z.array(erasureSummary) },
  'erase.receipt': { input: z.object({ company: companyName, id: z.uuid() }), output: signedReceipt },
  'erase.verify': { input: signedReceipt, output: z.object({ ours: z.boolean() }) },
  'erase.replay': {
    input: signedReceipt,
    output: z.object({ id: z.uuid().nullable().describe('null: no record of this erasure exists here') }),
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
    output: z.object({ erased: z.number().int(), unerased: z.number().int() }),
  },
} as const satisfies AdminCommandShapes;
