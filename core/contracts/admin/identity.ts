/** The administrator's commands for groups of possible duplicates, and for persons. */
import { z } from 'zod';
import { PERSON_DECISIONS, GROUP_STATES } from '../dashboard/duplicates.ts';
import { PERSON_LIMITS } from '../dashboard/persons.ts';
import { pathId } from '../ids.ts';
import { signatureSpecimen } from '../specimens.ts';
import { companyName, type AdminCommandShapes } from './shapes.ts';

const count = z.number().int();
const company = companyName;
const limit = count.min(1).max(500).default(50);

const face = z.object({
  id: count,
  name: z.string(),
  blacklist: z.string().nullable().describe('null: duplicate detection'),
  enrolledAt: z.iso.datetime(),
  person: count.nullable(),
});
const group = z.object({
  id: count,
  version: count,
  state: z.enum(GROUP_STATES),
  identical: z.boolean(),
  certainty: z.number(),
  size: count,
  faces: z.array(face),
});
export type TerminalGroup = z.infer<typeof group>;

const person = z.object({
  id: count,
  name: z.string(),
  externalId: z.string().nullable(),
  note: z.string().nullable(),
  faces: count,
  changedAt: z.iso.datetime(),
});
const changed = z.object({ decision: count.describe('undo it in the dashboard'), person: count.nullable() });

export const IDENTITY_COMMANDS = {
  'duplicates.list': {
    input: z.object({
      company,
      state: z.enum(GROUP_STATES).optional().describe('absent: the open groups'),
      after: z.object({ value: z.number(), size: count, id: pathId.duplicateGroup }).optional(),
      limit,
      export: z.boolean().default(false).describe('the groups are saved as a file, so the export is logged'),
    }),
    output: z.object({
      groups: z.array(group),
      next: z.object({ value: z.number(), size: count, id: count }).nullable(),
    }),
  },
  'duplicates.decide': {
    input: z.object({
      company,
      group: pathId.duplicateGroup,
      version: count.describe('that the list shows'),
      decision: z.enum(PERSON_DECISIONS),
      reason: z.string().max(1000).nullable(),
    }),
    output: changed.extend({
      awaitsConfirmation: z.boolean().describe('a different operator must confirm the decision'),
    }),
  },
  'person.list': {
    input: z.object({ company, text: z.string().optional(), limit }),
    output: z.array(person),
  },
  'person.show': {
    input: z.object({ company, id: pathId.person }),
    output: person.extend({ photos: z.array(face) }),
  },
  'person.merge': {
    input: z.object({ company, target: pathId.person, source: pathId.person }),
    output: changed,
  },
  'person.split': {
    input: z.object({
      company,
      id: pathId.person,
      faces: z.array(pathId.face).min(1).max(500),
      name: z.string().trim().min(1).max(PERSON_LIMITS.name),
    }),
    output: changed,
  },
  'person.move': {
    input: z.object({ company, id: pathId.person, face: pathId.face, to: pathId.person.nullable() }),
    output: changed,
  },
  'person.specimens': {
    input: z.object({ company, id: pathId.person }),
    output: z.array(signatureSpecimen),
  },
  'person.specimen-add': {
    input: z.object({ company, id: pathId.person, image: z.string().describe('base64 of a JPEG or PNG') }),
    output: signatureSpecimen,
  },
  'person.specimen-remove': {
    input: z.object({ company, id: pathId.person, specimen: pathId.signatureSpecimen }),
    output: z.object({ erased: z.literal(true) }),
  },
  'person.specimens-use': {
    input: z.object({ company, id: pathId.person }),
    output: z.array(signatureSpecimen.extend({ image: z.string().describe('base64') })),
  },
} as const satisfies AdminCommandShapes;
