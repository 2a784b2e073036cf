/** Enrolment runs, the photos of them that failed, and their correction. */
import { z } from 'zod';
import { UPLOAD_KINDS } from '../codes.ts';
import { displayLine } from '../displayLine.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { pathId, runId } from '../ids.ts';
import { poll, post, put } from './operation.ts';

// A run of enrolment: the photos of one folder, which are sent in many uploads.

/** `dashboard`: an operator's browser or desktop window; `program`: the terminal, a watched folder or another program; `demo`: sample photos. */
export const RUN_SOURCES = ['dashboard', 'program', 'import', 'demo'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

/**
 * `refuse`: a photo with several faces fails; `main`: its largest face is enrolled where it is clearly the main one; `each`: a
 * sheet of portraits is split into one photo of each clear face before it is queued.
 */
export const SEVERAL_FACES = ['refuse', 'main', 'each'] as const;
export type SeveralFaces = (typeof SEVERAL_FACES)[number];

/** Characters of the name of a run: that of a folder. */
export const LONGEST_RUN_NAME = 255;
/** Photos of one run. */
const MAX_PHOTOS = 100_000_000;

/** The query of an upload that belongs to a run. The first upload of a run creates it; later ones join it. */
export const runDeclaration = z.object({
  run: runId.optional().describe('UUID that the uploads of one folder share'),
  runName: z.string().trim().min(1).max(LONGEST_RUN_NAME).optional().describe('name of the folder'),
  runPhotos: z.coerce.number().int().min(1).max(MAX_PHOTOS).optional().describe('photos of the whole run'),
  severalFaces: z
    .enum(SEVERAL_FACES)
    .optional()
    .describe(
      'refuse (default): a photo with several faces fails; main: the largest face is enrolled if it is clearly the main one; each: a sheet is split into one photo of each face',
    ),
});
export type RunDeclaration = z.infer<typeof runDeclaration>;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** The faces that were found in a photo; pixels of the upright image. */
export const foundFaces = z.object({
  width: z.number(),
  height: z.number(),
  /** Largest first. */
  boxes: z.array(box),
  /** Heads that are covered or unclear, and of a page the pictures without a face: none of them can be used. Largest first. */
  unclear: z.array(box),
  /** Several faces and heads count, and all of them are of one person. */
  onePerson: z.boolean(),
});
export type FoundFaces = z.infer<typeof foundFaces>;

const number = z.number().int();
const page = {
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
};
const span = { from: z.iso.datetime().optional(), until: z.iso.datetime().optional() };

export const runRow = z.object({
  runId: z.uuid(),
  /** Of the folder; null: the sender declared none. */
  name: z.string().nullable(),
  source: z.enum(RUN_SOURCES),
  kind: z.enum(UPLOAD_KINDS),
  blacklistName: z.string().nullable(),
  severalFaces: z.enum(SEVERAL_FACES),
  /** An account, as the audit log writes it. */
  startedBy: z.string(),
  /** Null: the account is gone, or has no name. */
  startedByName: z.string().nullable(),
  startedAt: z.iso.datetime(),
  /** When the last photo was processed, corrections left out. Null while a photo waits. */
  endedAt: z.iso.datetime().nullable(),
  /** As many photos as the sender planned; null: not declared. */
  planned: number.nullable(),
  images: number,
  enrolled: number,
  failed: number,
  waiting: number,
});
export type RunRow = z.infer<typeof runRow>;

export const RUN_FILTERS = ['running', 'failed'] as const;
/** `GET /runs`, newest first. `cursor` comes from the page before. */
export const runQuery = z.object({
  /** `running`: some photos wait; `failed`: some failed and are not corrected. */
  show: z.enum(RUN_FILTERS).optional(),
  ...span,
  ...page,
});
export type RunQuery = z.infer<typeof runQuery>;
export const runList = z.object({
  items: z.array(runRow),
  nextCursor: z.string().nullable(),
  /** All that the filter leaves. */
  total: number,
});

export const failureRow = z.object({
  id: number,
  uploadId: z.uuid(),
  index: number,
  runId: z.uuid(),
  runName: z.string().nullable(),
  kind: z.enum(UPLOAD_KINDS),
  blacklistName: z.string().nullable(),
  fileName: z.string(),
  failureCode: z.enum(FAILURE_CODES),
  at: z.iso.datetime(),
  /** Where faces were found; null: none was. */
  found: foundFaces.nullable(),
  /** Of the corrected photo, else the one whose external id the photo was sent with; null: none, or the role may not see persons. */
  person: z.object({ id: number, name: z.string() }).nullable(),
  /** Whether the largest face is clearly the main one. */
  hasMainFace: z.boolean(),
  /** The latest corrected photo. */
  fix: z
    .object({
      state: z.enum(['processing', 'enrolled', 'failed']),
      uploadId: z.uuid(),
      byName: z.string().nullable(),
      at: z.iso.datetime(),
      face: number.nullable(),
      faces: number,
      failureCode: z.enum(FAILURE_CODES).nullable(),
    })
    .nullable(),
  /** The mark of an operator that the photo cannot be fixed. */
  unfixable: z
    .object({ byName: z.string().nullable(), at: z.iso.datetime(), note: z.string().nullable() })
    .nullable(),
});
export type FailureRow = z.infer<typeof failureRow>;

export const FAILURE_STATES = ['open', 'fixed', 'unfixable', 'all'] as const;
/** `GET /failures`, newest first. */
export const failureQuery = z.object({
  run: runId.optional(),
  /** The id of a blacklist, or `main` for the main gallery. */
  list: z.union([z.literal('main'), pathId.blacklist]).optional(),
  reason: z.enum(FAILURE_CODES).optional(),
  text: z.string().max(200).optional(),
  /**
   * `fixed`: a corrected photo is enrolled or waits; `unfixable`: none does, and the photo is marked as not fixable; `open`:
   * neither; `all` or absent: every photo.
   */
  state: z.enum(FAILURE_STATES).optional(),
  ...span,
  ...page,
});
export type FailureQuery = z.infer<typeof failureQuery>;
export const failureList = z.object({
  items: z.array(failureRow),
  nextCursor: z.string().nullable(),
  /** All that the filter leaves. */
  total: number,
  /** How many failed for each reason, most first; the reason of the filter is left aside. */
  reasons: z.array(z.object({ code: z.enum(FAILURE_CODES), count: number })),
});
export type FailureList = z.infer<typeof failureList>;

/** `PUT /failures/unfixable`: marks failed photos as not fixable, or removes the mark. */
export const unfixableChange = z.object({
  ids: z.array(pathId.uploadItem).min(1).max(1000),
  unfixable: z.boolean(),
  note: displayLine(1000).nullable().default(null),
});
export type UnfixableChange = z.input<typeof unfixableChange>;

/** `POST /failures/{id}/fixes`: the chosen face, from 1 by rows from the top, and how many were found in the failed photo. */
export const fixQuery = z.object({
  face: z.coerce.number().int().min(1).max(1000).optional(),
  faces: z.coerce.number().int().min(0).max(1000).default(0),
});
export const fixReceipt = z.object({ uploadId: z.uuid() });

/** The query of an upload that sends failed photos once more: for each photo the failed one, 0 for none. */
export const retryDeclaration = z.object({
  fixes: z
    .string()
    .max(20_000)
    .regex(/^\d{1,15}(,\d{1,15})*$/)
    .optional(),
});

/** The dashboard's operations. */
export const runApi = {
  list: poll('/runs', 'uploads:read', { query: runQuery, answer: runList }),
  read: poll('/runs/:id', 'uploads:read', { params: z.object({ id: runId }), answer: runRow }),
  setUnfixable: put('/failures/unfixable', 'uploads:create', { body: unfixableChange }),
  failures: poll('/failures', 'uploads:read', { query: failureQuery, answer: failureList }),
  fix: post('/failures/:id/fixes', 'uploads:create', {
    params: z.object({ id: pathId.uploadItem }),
    query: fixQuery,
    answer: fixReceipt,
    status: 202,
  }),
};
