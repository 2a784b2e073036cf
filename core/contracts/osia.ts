/**
 * The shapes of the ABIS interface of OSIA 7.1 (interface 1.6.0), as far as the appliance serves it: one face in each encounter.
 * docs/guides/osia.md says what is not served.
 */
import { z } from 'zod';
import { SCORE_BANDS, type Scope } from './codes.ts';
import { PERSON_LIMITS } from './dashboard/persons.ts';
import { displayLine } from './displayLine.ts';
import { recordFactsSchema } from './faceRecords.ts';
import { READ_KINDS } from './pictureKinds.ts';

/** Where its routes begin; OSIA's own paths follow, such as `/v1/persons`. */
export const OSIA = '/api/osia/abis';
/** The gallery of the faces that are enrolled for duplicate detection. That of a blacklist is named by its id. */
export const MAIN_GALLERY = 'MAIN';
/** All galleries together, in a search. */
export const EVERY_GALLERY = 'ALL';

export const OSIA_LIMITS = {
  /** Candidates of a search. */
  candidates: 100,
  /** Rows of one page of a gallery. */
  page: 1_000,
  /** Characters of what an encounter keeps beside its photo, as JSON. */
  details: 16_384,
} as const;

/** Names that the service gives to what has no name from outside. A caller cannot give them. */
const OWN_NAME = /^(person|validation|face)-\d+$/;
/** Whether an id has the form of such a name: what is known by it then is not known by an external id. */
export function isOwnName(id: string): boolean {
  return OWN_NAME.test(id);
}
export const OWN_NAMES = { person: /^person-([1-9]\d{0,14})$/, face: /^face-([1-9]\d{0,14})$/ } as const;

/** An id in a path. */
const pathText = z.string().min(1).max(PERSON_LIMITS.externalId);
/** An id that a caller gives: it is shown as it is kept. */
export const givenId = pathText
  .refine((id) => displayLine(PERSON_LIMITS.externalId).parse(id) === id, {
    message: 'must be one line without invisible characters, and must not begin or end with a blank.',
  })
  .refine((id) => !isOwnName(id), {
    message: 'must not have the form of an id that the service gives, such as person-1.',
  });

/** The ids under which an encounter is created. */
export const givenIds = z.object({ personId: givenId, encounterId: givenId.optional() });

const paths = {
  person: z.object({ personId: pathText }),
  encounter: z.object({ personId: pathText, encounterId: pathText }),
  merge: z.object({ personIdTarget: pathText, personIdSource: pathText }),
  move: z.object({ personIdTarget: pathText, personIdSource: pathText, encounterId: pathText }),
  gallery: z.object({ galleryId: pathText }),
  galleryPerson: z.object({ galleryId: pathText, personId: pathText }),
  galleryEncounter: z.object({ galleryId: pathText, personId: pathText, encounterId: pathText }),
  task: z.object({ taskId: pathText }),
};

/** The answer is always the result itself, so that `callback`, `priority` and `algorithm` have no effect. */
const common = {
  transactionId: z.string().min(1).max(200),
  callback: z.string().max(2_000).optional(),
  priority: z.coerce.number().int().min(0).max(9).optional(),
};
const searching = {
  ...common,
  threshold: z.coerce.number().min(0).max(100).optional(),
  accuracyLevel: z.string().max(200).optional(),
};
export const plainQuery = z.object(common);
const queries = {
  writing: z.object({ ...common, algorithm: z.string().max(200).optional() }),
  status: z.object({ ...common, status: z.enum(['ACTIVE', 'INACTIVE']) }),
  verify: z.object(searching),
  identify: z.object({
    ...searching,
    maxNbCand: z.coerce.number().int().min(1).max(OSIA_LIMITS.candidates).default(OSIA_LIMITS.candidates),
  }),
  page: z.object({
    ...common,
    offset: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(OSIA_LIMITS.page).default(OSIA_LIMITS.page),
  }),
  templates: z.object({
    ...common,
    biometricType: z.string().max(40).optional(),
    biometricSubType: z.string().max(40).optional(),
    instance: z.string().max(200).optional(),
    templateFormat: z.string().max(200).optional(),
    qualityFormat: z.string().max(200).optional(),
  }),
};

const freeObject = z.record(z.string(), z.unknown());
/** The fields of a face that an encounter keeps as they were sent. */
const faceFacts = z.object({
  biometricSubType: z.enum(['UNKNOWN', 'PORTRAIT']).optional(),
  instance: z.string().max(200).optional(),
  captureDate: z.iso.datetime({ offset: true }).optional(),
  captureDevice: z.string().max(200).optional(),
  metadata: z.string().optional(),
  comment: z.string().optional(),
});
/** A photo of one face. */
const sentFace = faceFacts
  .extend({
    biometricType: z.literal('FACE', { error: 'must be FACE: the service compares no other biometrics.' }),
    image: z.string().min(1),
    width: z.number().int().optional(),
    height: z.number().int().optional(),
    bitdepth: z.number().int().optional(),
    mimeType: z.string().max(100).optional(),
    resolution: z.number().int().optional(),
    compression: z.enum(['NONE', 'JPEG', 'JPEG2000', 'PNG']).optional(),
    encounterId: z.string().optional(),
  })
  .strict();
const oneFace = z.tuple([sentFace], { error: 'must have one item, a FACE with its image.' });

const details = z.object({
  encounterType: z.string().min(1).max(200),
  clientData: z.base64().optional(),
  contextualData: freeObject.optional(),
  biographicData: freeObject.optional(),
});
const inMain = z.tuple([z.literal(MAIN_GALLERY)], { error: `must be ["${MAIN_GALLERY}"].` });
const sentEncounter = details
  .extend({
    encounterId: z.string().optional(),
    status: z.enum(['ACTIVE', 'INACTIVE']),
    galleries: inMain.optional(),
    biometricData: oneFace,
  })
  .strict();
export type SentEncounter = z.infer<typeof sentEncounter>;

/** The fields of an encounter in the metadata of its Trust Validation. */
export const keptEncounter = z.object({
  encounter: details.extend({
    /** As the caller named it; absent: by the number of its validation. */
    id: z.string().optional(),
    face: faceFacts.optional(),
    /** The file before its conversion; absent: it is kept as it was sent. */
    original: z.object({ kind: z.enum(READ_KINDS), record: recordFactsSchema.nullable() }).optional(),
    /** SHA-256 of MOSIP's request, lowercase hex. */
    request: z.string().optional(),
  }),
});
export type KeptEncounter = z.infer<typeof keptEncounter>;

const filter = z.strictObject({}, { error: 'must be {}: the service filters by gallery only.' });
const bodies = {
  encounter: sentEncounter,
  identify: z.strictObject({ filter, biometricData: oneFace }),
  filter,
  verify: z.strictObject({ biometricData: oneFace }),
  verifyPair: z.strictObject({ biometricData1: oneFace, biometricData2: oneFace }),
};

const personIds = z.object({ personId: z.string(), encounterId: z.string() });
const faceType = { biometricType: z.literal('FACE') };
const faceName = { ...faceType, encounterId: z.string() };
/** 0 to 100: 70 is one false match in 10,000 comparisons, 85 one in a million. */
const score = z.number();
const others = z.object({
  band: z.enum(SCORE_BANDS),
  falseMatchRate: z.number(),
});
const scoreDetail = z.object({ score, ...faceName, others });
const answers = {
  personIds,
  encounter: details.extend({
    encounterId: z.string(),
    status: z.enum(['ACTIVE', 'INACTIVE']),
    galleries: z.array(z.string()).min(1),
    biometricData: z.array(
      faceFacts.extend({
        ...faceName,
        image: z.string(),
        mimeType: z.string(),
        compression: z.enum(['JPEG', 'PNG']),
        quality: z.number().int(),
        qualityFormat: z.string(),
        vendor: z.string(),
      }),
    ),
  }),
  templates: z.array(
    z.object({
      ...faceType,
      template: z.string(),
      templateFormat: z.string(),
      quality: z.number().int(),
      qualityFormat: z.string(),
      vendor: z.string(),
      algorithm: z.string(),
    }),
  ),
  candidates: z.array(
    z.object({ personId: z.string(), rank: z.number().int(), score, scores: z.array(scoreDetail) }),
  ),
  verified: z.object({ decision: z.boolean(), scores: z.array(scoreDetail) }),
  pairVerified: z.object({ decision: z.boolean(), scores: z.array(scoreDetail.omit({ encounterId: true })) }),
  galleries: z.array(z.string()),
  page: z.array(personIds),
};

export type OsiaEncounter = z.infer<typeof answers.encounter>;
export type OsiaCandidates = z.infer<typeof answers.candidates>;

interface Shapes<P, Q, B, A> {
  params?: P;
  /** {@link plainQuery} unless given. */
  query?: Q;
  body?: B;
  /** Absent: the answer is empty. */
  answer?: A;
  /** When it succeeds; 200 with an answer, and 204 without one, unless given. */
  status?: 201;
  /** OSIA describes no 404 of it, so an unknown encounter is one that may not be changed. */
  hides404?: true;
}

/** An operation of the interface: its scope, and its schemas. */
export interface OsiaOperation<P, Q, B, A> extends Shapes<P, Q, B, A> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** After {@link OSIA}. */
  path: `/v1/${string}`;
  scope: Extract<Scope, `abis:${string}`>;
}

function operation<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = typeof plainQuery,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodVoid,
>(
  method: OsiaOperation<P, Q, B, A>['method'],
  path: OsiaOperation<P, Q, B, A>['path'],
  scope: OsiaOperation<P, Q, B, A>['scope'],
  shapes: Shapes<P, Q, B, A>,
): OsiaOperation<P, Q, B, A> {
  return { method, path, scope, ...shapes };
}

const PERSONS = '/v1/persons';
const ENCOUNTERS = `${PERSONS}/:personId/encounters` as const;
const ENCOUNTER = `${ENCOUNTERS}/:encounterId` as const;
const IDENTIFY = '/v1/identify/:galleryId';

/** By their names in OSIA. */
export const osiaApi = {
  createEncounterNoIds: operation('POST', PERSONS, 'abis:write', {
    query: queries.writing,
    body: bodies.encounter,
    answer: answers.personIds,
  }),
  createEncounterNoId: operation('POST', ENCOUNTERS, 'abis:write', {
    params: paths.person,
    query: queries.writing,
    body: bodies.encounter,
    answer: answers.personIds,
  }),
  createEncounter: operation('POST', ENCOUNTER, 'abis:write', {
    params: paths.encounter,
    query: queries.writing,
    body: bodies.encounter,
    status: 201,
  }),
  readAllEncounters: operation('GET', ENCOUNTERS, 'abis:read', {
    params: paths.person,
    answer: z.array(answers.encounter),
  }),
  readEncounter: operation('GET', ENCOUNTER, 'abis:read', {
    params: paths.encounter,
    answer: answers.encounter,
  }),
  updateEncounter: operation('PUT', ENCOUNTER, 'abis:write', {
    params: paths.encounter,
    query: queries.writing,
    body: bodies.encounter,
  }),
  deleteEncounter: operation('DELETE', ENCOUNTER, 'abis:write', {
    params: paths.encounter,
  }),
  deleteAll: operation('DELETE', `${PERSONS}/:personId`, 'abis:write', {
    params: paths.person,
  }),
  mergeEncounter: operation('POST', `${PERSONS}/:personIdTarget/merge/:personIdSource`, 'abis:write', {
    params: paths.merge,
  }),
  moveEncounter: operation(
    'POST',
    `${PERSONS}/:personIdTarget/move/:personIdSource/encounters/:encounterId`,
    'abis:write',
    {
      params: paths.move,
    },
  ),
  updateEncounterStatus: operation('PUT', `${ENCOUNTER}/status`, 'abis:write', {
    params: paths.encounter,
    hides404: true,
    query: queries.status,
  }),
  updateEncounterGalleries: operation('PUT', `${ENCOUNTER}/galleries`, 'abis:write', {
    params: paths.encounter,
    hides404: true,
    body: inMain,
  }),
  readTemplate: operation('GET', `${ENCOUNTER}/templates`, 'abis:read', {
    params: paths.encounter,
    query: queries.templates,
    answer: answers.templates,
  }),
  identify: operation('POST', IDENTIFY, 'abis:search', {
    params: paths.gallery,
    query: queries.identify,
    body: bodies.identify,
    answer: answers.candidates,
  }),
  identifyFromId: operation('POST', `${IDENTIFY}/:personId`, 'abis:search', {
    params: paths.galleryPerson,
    query: queries.identify,
    body: bodies.filter,
    answer: answers.candidates,
  }),
  identifyFromEncounterId: operation('POST', `${IDENTIFY}/:personId/encounters/:encounterId`, 'abis:search', {
    params: paths.galleryEncounter,
    query: queries.identify,
    body: bodies.filter,
    answer: answers.candidates,
  }),
  verifyFromId: operation('POST', '/v1/verify/:galleryId/:personId', 'abis:search', {
    params: paths.galleryPerson,
    query: queries.verify,
    body: bodies.verify,
    answer: answers.verified,
  }),
  verifyFromBio: operation('POST', '/v1/verify', 'abis:search', {
    query: queries.verify,
    body: bodies.verifyPair,
    answer: answers.pairVerified,
  }),
  readGalleries: operation('GET', '/v1/galleries', 'abis:read', {
    answer: answers.galleries,
  }),
  readGalleryContent: operation('GET', '/v1/galleries/:galleryId', 'abis:read', {
    params: paths.gallery,
    query: queries.page,
    answer: answers.page,
  }),
  readTaskStatus: operation('GET', '/v1/tasks/:taskId/status', 'abis:read', {
    params: paths.task,
    query: z.object({}),
  }),
  redeliverTaskResult: operation('POST', '/v1/tasks/:taskId/redeliver', 'abis:write', {
    params: paths.task,
    query: z.object({}),
  }),
};
