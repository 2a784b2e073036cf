/** Persons: enrolled faces that operators decided to be of one human being. */
import { z } from 'zod';
import { displayLine } from '../displayLine.ts';
import { pathId } from '../ids.ts';
import { listedFace } from './duplicates.ts';
import { faceImage, reading } from './faceImages.ts';
import { patch, poll, post } from './operation.ts';

export const PERSON_LIMITS = { name: 100, note: 1_000, externalId: 100 } as const;
/** Characters of a cursor in a list of persons: a name whose characters are all escaped (6 bytes), in base64, and an id. */
export const LONGEST_PERSON_CURSOR = 1_000;

const count = z.number().int();

export const personRow = z.object({
  id: count,
  /** Rises with every change; a change names the version that the operator saw. */
  version: count,
  name: z.string(),
  /** Given by the company's own records; unique in the company. */
  externalId: z.string().nullable(),
  note: z.string().nullable(),
  /** The photo that stands for the person. */
  cover: faceImage,
  faces: count,
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
});
export type PersonRow = z.infer<typeof personRow>;

/** `GET /persons`. Text: part of the name, or the external id. By name, or the newest first. */
export const personQuery = z.object({
  text: z.string().max(200).optional(),
  order: z.enum(['name', 'newest']).default('newest'),
  cursor: z.string().max(LONGEST_PERSON_CURSOR).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});
export type PersonQuery = z.infer<typeof personQuery>;
export const personPage = z.object({
  items: z.array(personRow),
  nextCursor: z.string().nullable(),
  total: count,
});

export const PERSON_EVENTS = [
  'created',
  'accepted',
  'different',
  'unsure',
  'named',
  'changed',
  'merged',
  'split',
  'moved',
  'deleted',
  'erased',
  'undone',
] as const;

const event = z.object({
  kind: z.enum(PERSON_EVENTS),
  at: z.iso.datetime(),
  /** An account, as the audit log writes it, and its name today. */
  by: z.string(),
  byName: z.string().nullable(),
  /** How many faces it concerned; of a merge, a split or a move those that changed their person. */
  faces: count,
  /** The other person of a merge, a split or a move, while it exists. */
  other: z.object({ id: count, name: z.string() }).nullable(),
  reason: z.string().nullable(),
  /** Undoes it by `POST /duplicates/decisions/{id}/undo`; null: it cannot be undone, or it was. */
  decisionId: count.nullable(),
  undoneAt: z.iso.datetime().nullable(),
  /** It has no effect until a second operator confirms it. */
  awaitsConfirmation: z.boolean(),
});
export type PersonEvent = z.infer<typeof event>;

/** `GET /persons/{id}`. */
export const personDetail = personRow.extend({
  faces: z.array(listedFace),
  /** Newest first. */
  history: z.array(event),
  /** Open groups with a face of this person. */
  openGroups: z.array(count),
});
export type PersonDetail = z.infer<typeof personDetail>;

/** `GET /persons/{id}/alike`: the persons with the faces most similar to those of this one, the most similar first. */
export const alikePersons = z.object({
  items: z.array(
    z.object({
      person: personRow,
      /** Of the most similar pair of their faces. */
      reading,
    }),
  ),
});
/** Persons in that answer, at most. */
export const ALIKE_LISTED = 8;

/** `PATCH /persons/{id}`; 409 PERSON_CHANGED when the version is not the current one. Absent fields stay. */
export const personChange = z.object({
  version: count,
  name: displayLine(PERSON_LIMITS.name).min(1).optional(),
  note: displayLine(PERSON_LIMITS.note).nullable().optional(),
  externalId: displayLine(PERSON_LIMITS.externalId).min(1).nullable().optional(),
  /** A face of the person. */
  cover: pathId.face.optional(),
});
export type PersonChange = z.input<typeof personChange>;

const reason = displayLine(1_000).nullable().default(null);

/** `POST /persons/{id}/merge/{source}`: the faces of the source come to this person, who keeps name, note and cover. */
export const personMerge = z.object({ version: count, sourceVersion: count, reason });
export type PersonMerge = z.input<typeof personMerge>;
/** `POST /persons/{id}/split`: these faces become a person of their own. */
export const personSplit = z.object({
  version: count,
  faces: z.array(pathId.face).min(1).max(500),
  name: displayLine(PERSON_LIMITS.name).min(1),
  reason,
});
export type PersonSplit = z.input<typeof personSplit>;
/** `POST /persons/{id}/move`: faces of this person come to another one, or to no person. */
export const personMove = z.object({
  version: count,
  faces: z.array(pathId.face).min(1).max(500),
  to: z.object({ id: pathId.person, version: count }).nullable(),
  reason,
});
export type PersonMove = z.input<typeof personMove>;

/** After a merge, a split or a move. */
export const personsAnswer = z.object({
  /** Undoes it. */
  decisionId: count,
  /** The persons that it concerned, as they are now: the one of the address first. */
  persons: z.array(personRow),
});
export type PersonsAnswer = z.infer<typeof personsAnswer>;

const byId = z.object({ id: pathId.person });
/** The dashboard's operations. */
export const personApi = {
  list: poll('/persons', 'persons:read', { query: personQuery, answer: personPage }),
  read: poll('/persons/:id', 'persons:read', { params: byId, answer: personDetail }),
  alike: poll('/persons/:id/alike', 'persons:read', { params: byId, answer: alikePersons }),
  change: patch('/persons/:id', 'persons:write', { params: byId, body: personChange, answer: personRow }),
  merge: post('/persons/:id/merge/:source', 'persons:write', {
    params: z.object({ id: pathId.person, source: pathId.person }),
    body: personMerge,
    answer: personsAnswer,
  }),
  split: post('/persons/:id/split', 'persons:write', {
    params: byId,
    body: personSplit,
    answer: personsAnswer,
  }),
  move: post('/persons/:id/move', 'persons:write', {
    params: byId,
    body: personMove,
    answer: personsAnswer,
  }),
};
