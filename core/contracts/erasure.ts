/** Erasing a person: what is chosen, what would go, and the receipt of what went. */
import { z } from 'zod';
import { namesOf } from './namesOf.ts';
import { SCORE_BANDS } from './codes.ts';
import { uploadId, companyId } from './ids.ts';
import { retentionRules, retentionPreview } from './retention.ts';
import { REPORT_LANGUAGES } from './dashboard/search.ts';
import { get, post, put } from './dashboard/operation.ts';

/** More than one person ever has; a run of retention takes fewer at a time. */
const MAX_RECORDS = 500;

const id = z.number().int().min(1);
const validation = id.brand<'TrustValidationId'>();
const face = id.brand<'FaceId'>();
/** One photo of an upload, as a poll names it. */
const photo = z.object({ uploadId, index: z.number().int().min(0) });

/** The records that the operator selected. Only data that belongs to a selected record is added. */
export const erasureChoice = z
  .object({
    validations: z.array(validation).max(MAX_RECORDS).default([]),
    /** Blacklist Face Upload IDs, also of faces that were deleted before and left their name behind. */
    faces: z.array(face).max(MAX_RECORDS).default([]),
    photos: z.array(photo).max(MAX_RECORDS).default([]),
    /** Numbers of comparisons of faces or signatures. */
    comparisons: z.array(id).max(MAX_RECORDS).default([]),
  })
  .refine((choice) => Object.values(choice).some((some) => some.length > 0), {
    message: 'Choose at least one Trust Validation, face, photo or comparison.',
  });
export type ErasureChoice = z.infer<typeof erasureChoice>;

/** How many records a choice names. */
export function recordsIn(choice: ErasureChoice): number {
  return Object.values(choice).reduce((sum, some) => sum + some.length, 0);
}
type Input = z.input<typeof erasureChoice>;
/** The same selection before the service has read it: ids as the dashboard received them. */
export type ErasureSelection = { [Part in keyof Input]-?: NonNullable<Input[Part]> };

/** Something that may be of the same person: a person decides. */
export const erasureCandidate = z.object({
  kind: z.enum(['validation', 'face', 'photo', 'comparison']),
  /** Number; of a photo `uploadId:index`. */
  id: z.string(),
  name: z.string(),
  /** Why it is shown. `score`: 0 to 100, of faces alone. */
  why: z.enum(['name', 'same-person', 'same-file', 'similar-face']),
  score: z.number().nullable(),
  /** Of the score; null where there is none. */
  band: z.enum(SCORE_BANDS).nullable(),
  /** The face that shows the person; null: there is none (any more). */
  face: z.number().int().nullable(),
  at: z.iso.datetime(),
});
export type ErasureCandidate = z.infer<typeof erasureCandidate>;

/** A copy of the database in the home, from before an update or a restore. */
export const keptCopy = z.object({
  /** Its name in the home. */
  name: z.string(),
  at: z.iso.datetime(),
});
export type KeptCopy = z.infer<typeof keptCopy>;

const recordEntry = z.object({ sequence: z.number().int(), at: z.iso.datetime() });

export const erasurePlan = z.object({
  /** Confirms this very plan; another one has another code. */
  code: z.string(),
  validations: z.array(
    z.object({
      id,
      name: z.string(),
      status: z.number().int(),
      createdAt: z.iso.datetime(),
      notes: z.number().int(),
      entries: z.number().int(),
    }),
  ),
  faces: z.array(
    z.object({
      id,
      name: z.string(),
      watchlist: z.enum(['duplicate', 'blacklist']),
      blacklistId: z.number().int().nullable(),
      trustValidationId: z.number().int().nullable(),
      enrolledAt: z.iso.datetime(),
      templates: z.number().int(),
    }),
  ),
  photos: z.array(photo.extend({ fileName: z.string(), status: z.number().int() })),
  comparisons: z.array(z.object({ id, at: z.iso.datetime() })),
  /** Examinations of two faces of which one is erased, or of the signatures of an erased comparison. */
  examinations: z.array(z.object({ id, at: z.iso.datetime() })),
  /** Case folders with an entry about one of the faces. The entries lose what they hold; other notes and files are to be checked by a person. */
  caseFolders: z.array(id),
  /** Persons that lose photos; without one that stays, the person is erased with name, note and external ID. */
  persons: z.array(z.object({ id, name: z.string(), photosLeft: z.number().int() })),
  images: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** Faces that are gone already; what still bears their name is cleaned. */
  goneFaces: z.array(id),
  /** Other people's validations whose entries name this person: the name goes, the entry stays. */
  namedIn: z.array(id),
  /** Validations of others in whose notes or metadata one of the names stands: to be looked at by a person. */
  mentionedIn: z.array(id),
  candidates: z.array(erasureCandidate),
  copies: z.array(keptCopy),
  /** Backups that were taken since the person was first here. */
  backups: z.array(recordEntry),
  /** Files and prints that left the installation since then. */
  exports: z.array(recordEntry),
  /** Lists of other installations that an imported face of the person came from. The next package of such a list brings the face again. */
  sources: z.array(z.object({ installation: z.string(), list: z.string() })),
});
export type ErasurePlan = z.infer<typeof erasurePlan>;

/** The treatment of copies of the database in the home. */
export const COPY_POLICIES = ['remove', 'keep'] as const;
export type CopyPolicy = (typeof COPY_POLICIES)[number];

export const UNREACHED = {
  images:
    'image files still on disk, unreadable because their keys are destroyed: the next start removes them',
  copy: 'an earlier copy of the data directory, with its key: delete it when it is no longer needed',
  backup: 'an earlier backup that still contains the person: destroy it after making a new one',
  export: 'an earlier export or print: find it by its audit entry',
  journal:
    'a resume journal of vouch enroll or vouch watch that was in use or not writable: stop that command, then run vouch erase replay',
  originals: 'the original photo outside Vouch: delete it there',
  source:
    'a list of another installation that the face came from: its next package brings the face again, so ask that installation to erase it',
  mention: 'a note or metadata of another validation that contains the name: a person must check it',
  caseFolder: 'other notes and files of a case folder that the person was in: a person must check them',
  pages:
    'traces in unused space of the database: the search was not completed, and the next start repeats it',
  server:
    'unused space, log, standbys and backups of the PostgreSQL server: names, notes, metadata and names of files may remain there until the server reuses or removes them; templates, thumbnails and keys of photos remain only as ciphertext whose keys are destroyed',
} as const;
export type Unreached = keyof typeof UNREACHED;

/** The findings of the search through the database's pages. */
const erasureProof = z.object({
  pages: z.number().int(),
  /** Pieces of templates, faces, keys and names that were searched for. */
  sought: z.number().int(),
  /** Of these, found after all was done. */
  found: z.number().int(),
  /** Values that rows of other persons have too, a name or the same photo, so that their bytes cannot be attributed. */
  shared: z.number().int(),
  /** Whether the database was rebuilt because something was found at first. */
  rebuilt: z.boolean(),
});
export type ErasureProof = z.infer<typeof erasureProof>;

/** Numbers, times and hashes only: a receipt may be kept, and shown to the person who asked to be erased. */
export const erasureReceipt = z.object({
  kind: z.literal('vouch erasure receipt 1'),
  id: z.uuid(),
  company: companyId,
  reason: z.enum(['request', 'retention']),
  by: z.string(),
  at: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  erased: z.object({
    validations: z.array(z.object({ id: validation, createdAt: z.number().int() })),
    /** `image`: SHA-256 of the random id of its image. */
    faces: z.array(z.object({ id: face, image: z.string() })),
    goneFaces: z.array(face),
    photos: z.array(photo),
    comparisons: z.array(z.object({ id, at: z.number().int() })),
    /** Persons without a photo, with their names, and decisions about who is shown. */
    persons: z.number().int(),
    decisions: z.number().int(),
    /** Examinations of a pair with one of the faces, or of the comparisons. */
    examinations: z.number().int(),
    /** Entries of case folders that lost their content; their hashes stay. */
    caseEntries: z.number().int(),
    /** Signature specimens; their images are among `images`. */
    specimens: z.number().int(),
    /** SHA-256 of the random id of every image. */
    images: z.array(z.string()),
    templates: z.array(z.object({ pipeline: z.string(), count: z.number().int() })),
    thumbnails: z.number().int(),
    screenings: z.number().int(),
    entries: z.number().int(),
    historyLines: z.number().int(),
    /** Snapshots of the gallery that held a face; they are rebuilt without it. */
    gallerySnapshots: z.number().int(),
    /** Names in entries of other validations. */
    namesInEntries: z.number().int(),
  }),
  /** Files that were removed, by place. */
  files: z.object({
    images: z.number().int(),
    /** The bucket and prefix from which the images were deleted; null: they were in a folder. */
    bucket: z.string().nullable(),
    /** Keys of faces and photos that were destroyed, so that no copy of the PostgreSQL database opens these; 0 on SQLite. */
    keys: z.number().int(),
    journalLines: z.number().int(),
    copies: z.array(z.string()),
  }),
  proof: erasureProof.nullable(),
  unreached: z.array(z.object({ what: z.enum(namesOf(UNREACHED)), which: z.string() })),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

/** A receipt as a file: the signature is over {@link receiptMessage}. */
export const signedReceipt = z.object({
  receipt: erasureReceipt,
  /** Ed25519, hex. */
  signature: z.string(),
  /** SPKI DER, hex: the key of the installation's audit log. */
  publicKey: z.string(),
});
export type SignedReceipt = z.infer<typeof signedReceipt>;

/** The signed part. */
export function receiptMessage(receipt: ErasureReceipt): string {
  return `vouch erasure receipt ${JSON.stringify(receipt)}`;
}

export const erasureSummary = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  reason: z.enum(['request', 'retention']),
  /** Who: as the audit log calls them. */
  by: z.string(),
  finished: z.boolean(),
  validations: z.number().int(),
  faces: z.number().int(),
  photos: z.number().int(),
  comparisons: z.number().int(),
  /** Traces found by the last search of the database; null: it was not searched. */
  found: z.number().int().nullable(),
  /** Things that the erasure did not reach, backups above all. */
  unreached: z.number().int(),
  /** The signature fits what the receipt says; null: it has none yet. */
  verified: z.boolean().nullable(),
});
export type ErasureSummary = z.infer<typeof erasureSummary>;

export const ERASED_NAME = 'erased';

// Erasing a person, and rules of how long things are kept, as the dashboard asks for them.

/** `POST /erasures/plan`: answers a plan; changes nothing. */
export const erasurePlanRequest = z.object({ choice: erasureChoice });

/** `POST /erasures`: 409 when the plan of this code is another one by now. */
export const erasureRequest = z.object({
  choice: erasureChoice,
  code: z.string().max(40),
  copies: z.enum(COPY_POLICIES),
});
/** As the dashboard sends it. */
export type ErasureRequest = Omit<z.input<typeof erasureRequest>, 'choice'> & { choice: ErasureSelection };

/** `signed` is null while something keeps the erasure from being finished: a backup that is being made, say. */
export const erasureAnswer = z.object({ id: z.uuid(), signed: signedReceipt.nullable() });
export type ErasureAnswer = z.infer<typeof erasureAnswer>;

/** `byName`: who that is today; null for a program, the administrator, the service, and a removed operator. */
export const erasureRow = erasureSummary.extend({ byName: z.string().nullable() });
export type ErasureRow = z.infer<typeof erasureRow>;
/** `GET /erasures`, newest first. */
export const erasureList = z.object({ items: z.array(erasureRow) });
/** `POST /erasures/verify`: whether this installation signed a receipt, and it says what it said then. */
export const receiptVerdict = z.object({ ours: z.boolean() });
/** `POST /erasures/{id}/report`: the receipt as a PDF. */
export const receiptReportRequest = z.object({ language: z.enum(REPORT_LANGUAGES).default('en') });

/** `POST /retention/preview`, and with the preview's code `PUT /retention`. */
export const retentionPreviewRequest = z.object({ rules: retentionRules });
export const retentionRequest = z.object({ rules: retentionRules, code: z.string().max(40) });

/** `GET /local/erasures/find`. */
export const erasureSearch = z.object({ name: z.string().trim().min(2) });

/** `POST /local/erasures/replay`. */
export const replayed = z.object({
  id: z.uuid().nullable().describe('null: no record of this erasure exists here'),
});

const byId = z.object({ id: z.uuid() });
/** The dashboard's operations. */
export const erasureApi = {
  plan: post('/erasures/plan', 'persons:erase', { body: erasurePlanRequest, answer: erasurePlan }),
  erase: post('/erasures', 'persons:erase', { body: erasureRequest, answer: erasureAnswer }),
  list: get('/erasures', 'audit:read', { answer: erasureList }),
  receipt: get('/erasures/:id', 'audit:read', { params: byId, answer: signedReceipt }),
  verify: post('/erasures/verify', 'audit:read', { body: signedReceipt, answer: receiptVerdict }),
  report: post('/erasures/:id/report', 'audit:read', { params: byId, body: receiptReportRequest }),
  retention: get('/retention', 'settings:read', { answer: retentionPreview }),
  previewRetention: post('/retention/preview', 'settings:write', {
    body: retentionPreviewRequest,
    answer: retentionPreview,
  }),
  setRetention: put('/retention', 'settings:write', { body: retentionRequest, answer: retentionPreview }),
  find: get('/local/erasures/find', 'session', { query: erasureSearch, answer: z.array(erasureCandidate) }),
  findByPhoto: post('/local/erasures/find', 'session', { answer: z.array(erasureCandidate) }),
  replay: post('/local/erasures/replay', 'session', { body: signedReceipt, answer: replayed }),
};
