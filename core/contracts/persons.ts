/** Persons as programs read and change them. The words and the split of operations are those of OSIA's population registry. */
import { get, poll, post, remove } from './dashboard/operation.ts';
import { pathId } from './ids.ts';
import { z } from 'zod';
import {
  LONGEST_PERSON_CURSOR,
  PERSON_LIMITS,
  personChange,
  personMerge,
  personSplit,
} from './dashboard/persons.ts';
import { displayLine } from './displayLine.ts';
import { pageLinks, timestamp } from './uploads.ts';
import { KNOWN_SIGNATURE_LIMITS } from './knownSignatures.ts';

// Signature specimens of a person: known signatures that are stored for later comparisons.

/** A person has at most as many as one comparison takes. */
export const SPECIMEN_LIMITS = {
  most: KNOWN_SIGNATURE_LIMITS.most,
  bytes: KNOWN_SIGNATURE_LIMITS.bytes,
} as const;

export const signatureSpecimen = z.object({
  id: z.number().int(),
  /** Lowercase hex SHA-256 of the file. */
  sha256: z.string(),
  format: z.enum(['jpeg', 'png']),
  bytes: z.number().int(),
  addedAt: z.iso.datetime(),
  /** The actor that added the specimen, as in the audit log, e.g. `operator:3`. */
  addedBy: z.string(),
});
export type SignatureSpecimenBody = z.infer<typeof signatureSpecimen>;

/** The specimens of a person, the oldest first. */
export const personSpecimens = z.object({
  /** Whether the company stores specimens. */
  stored: z.boolean(),
  items: z.array(signatureSpecimen),
});

/** The body that adds one. */
export const newSpecimen = z.object({
  /** JPEG or PNG as a data URI. */
  image: z.string(),
});

/** All specimens of a person with their images, for a comparison. */
export const loadedSpecimens = z.object({
  items: z.array(signatureSpecimen.extend({ image: z.string() })),
});

const id = z.number().int();
const version = z.number().int().min(0);
const reason = displayLine(1_000)
  .nullable()
  .default(null)
  .describe('kept in the history of the person, at most 1000 characters');

const UNDO = 'undoes the change: POST /api/v3/duplicate-detection/decisions/{decisionId}/undo';

export const cursorMeta = z.object({
  path: z.string(),
  per_page: id,
  total: id.describe('rows that the filters leave'),
  next_cursor: z.string().nullable().describe('`cursor` of the next page'),
});

/** One page of a list whose next page begins behind a row. */
export function cursorPage<T extends z.ZodType>(row: T) {
  return z.object({
    success: z.literal(true),
    message: z.string(),
    data: z.array(row),
    links: pageLinks.describe('`last` and `prev` are null: follow `next` until it is null.'),
    meta: cursorMeta,
  });
}

/** The cursor and the length of a page. */
export const cursorQuery = {
  cursor: z.string().max(LONGEST_PERSON_CURSOR).optional().describe('`next_cursor` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

export const personView = z.object({
  personId: id,
  version: id.describe('rises with every change; a change names the version that its program has read'),
  name: z.string(),
  externalId: z.string().nullable().describe('id in the records of the company, unique in the company'),
  note: z.string().nullable(),
  coverFaceId: id.nullable().describe('the photo that stands for the person'),
  numberOfFaces: id,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type PersonView = z.infer<typeof personView>;

/** An enrolled face with where it is from. */
export const personFaceView = z.object({
  faceId: id,
  name: z.string(),
  blacklistId: id.nullable().describe('null: enrolled for duplicate detection'),
  trustValidationId: id.nullable(),
  personId: id.nullable(),
  enrolledAt: timestamp,
});
export type PersonFaceView = z.infer<typeof personFaceView>;

export const personsQuery = z.object({
  text: z.string().max(200).optional().describe('part of the name, or the external id'),
  externalId: z.string().min(1).max(PERSON_LIMITS.externalId).optional().describe('exactly this external id'),
  ...cursorQuery,
});
export const personsPage = cursorPage(personView);

const faceIds = z.array(pathId.face).min(1).max(500);

/** `POST /api/v3/persons`. */
export const personCreation = z.object({
  name: displayLine(PERSON_LIMITS.name).min(1),
  externalId: displayLine(PERSON_LIMITS.externalId).min(1).nullable().default(null),
  note: displayLine(PERSON_LIMITS.note).nullable().default(null),
  faces: faceIds.describe('ids of enrolled faces that belong to no person'),
});

/** `PATCH /api/v3/persons/{personId}`. */
export const personUpdate = personChange
  .omit({ cover: true })
  .extend({ coverFaceId: pathId.face.optional().describe('a face of the person') });

/** `POST /api/v3/persons/{personId}/faces`. */
export const personFacesAddition = z.object({
  version,
  faces: faceIds.describe('ids of enrolled faces that belong to no person'),
  reason,
});

/** `POST /api/v3/persons/{personId}/split`. */
export const personSplitRequest = personSplit;

/** `POST /api/v3/persons/{targetPersonId}/merge/{sourcePersonId}`, and `…/move/{sourcePersonId}/faces/{faceId}`. */
export const personPairRequest = personMerge;

/** The query of a deletion. */
export const versionQuery = z.object({ version: z.coerce.number().int().min(0) });

/** After a deletion. */
export const personDeleted = z.object({ decisionId: id.describe(UNDO) });

/** After a change of persons. */
export const personsChanged = z.object({
  decisionId: id.describe(UNDO),
  persons: z.array(personView).describe('the persons that it concerned, as they are now'),
});

const byId = z.object({ id: pathId.person });
const specimenOf = z.object({ id: pathId.person }).extend({ specimen: pathId.signatureSpecimen });
/** The operations of the dashboard on the signature specimens of a person. */
export const specimenApi = {
  list: poll('/persons/:id/specimens', 'images:read', { params: byId, answer: personSpecimens }),
  image: get('/persons/:id/specimens/:specimen/image', 'images:read', { params: specimenOf }),
  use: post('/persons/:id/specimens/use', 'signatures:compare', {
    params: byId,
    answer: loadedSpecimens,
  }),
  erase: remove('/persons/:id/specimens/:specimen', 'persons:write', { params: specimenOf }),
  add: post('/persons/:id/specimens', 'persons:write', {
    params: byId,
    body: newSpecimen,
    answer: signatureSpecimen,
  }),
};
