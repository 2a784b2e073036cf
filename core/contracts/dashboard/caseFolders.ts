/** Case folders: the records, notes and files of one investigation, with one chain of custody. */
import { z } from 'zod';
import { displayLine } from '../displayLine.ts';
import { pathId } from '../ids.ts';
import { get, post, remove } from './operation.ts';
import { REPORT_LANGUAGES } from './search.ts';

/** The kinds of entries in the chain of custody. */
export const CASE_ENTRY_KINDS = [
  'opened',
  'viewed',
  'probe',
  'candidate',
  'examination',
  'note',
  'file',
  'fileRead',
  'removed',
  'closed',
  'reopened',
  'reported',
  'exported',
] as const;
export type CaseEntryKind = (typeof CASE_ENTRY_KINDS)[number];

/** Those by which something is in the folder; they can be removed again. */
export const CASE_ITEM_KINDS = ['probe', 'candidate', 'examination', 'note', 'file'] as const;

export const CASE_FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'text/plain'] as const;
export type CaseFileType = (typeof CASE_FILE_TYPES)[number];

const text = displayLine(4000);
/** The texts of an entry, as the store seals them. */
export const caseContent = z.object({
  /** Random, so that the digest of a short text cannot be guessed after it was erased. */
  salt: z.string(),
  text: z.string().default(''),
  /** Of a case folder that is opened. */
  reference: z.string().optional(),
  title: z.string().optional(),
  file: z
    .object({ name: z.string(), type: z.enum(CASE_FILE_TYPES), bytes: z.number().int(), sha256: z.string() })
    .optional(),
});
export type CaseContent = z.infer<typeof caseContent>;

/** `erased`: with the person, without a later entry. `changed`: it is not what the chain has the hash of. */
export const CASE_CONTENT_STATES = ['kept', 'removed', 'erased', 'changed'] as const;
export type CaseContentState = (typeof CASE_CONTENT_STATES)[number];

export const CASE_STATES = ['open', 'closed'] as const;

const row = z.object({
  id: z.number().int(),
  reference: z.string(),
  title: z.string(),
  state: z.enum(CASE_STATES),
  openedAt: z.iso.datetime(),
  /** Probes, candidates, examinations, notes and files. */
  items: z.number().int(),
});
export type CaseFolderRow = z.infer<typeof row>;

const position = z.number().int().min(1);
export const caseEntry = z.object({
  position,
  kind: z.enum(CASE_ENTRY_KINDS),
  at: z.iso.datetime(),
  byName: z.string(),
  /** The entry that was removed or read. */
  target: position.nullable(),
  /** The entry whose person this note or file is erased with. */
  about: position.nullable(),
  /** Lowercase hex SHA-256 of what was put in: photo, examination, text or file. */
  digest: z.string().nullable(),
  /** Null: the entry has no content. */
  state: z.enum(CASE_CONTENT_STATES).nullable(),
  text: z.string(),
  file: caseContent.shape.file.unwrap().pick({ name: true, type: true, bytes: true }).nullable(),
  face: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  examination: z.number().int().nullable(),
});
export type CaseEntry = z.infer<typeof caseEntry>;

export const caseFolder = row.extend({
  /** Oldest first. */
  entries: z.array(caseEntry),
  /** The first entry that is not as it was written, or that is missing; null: the chain is whole. */
  firstBad: position.nullable(),
  /** Of the chain: it covers all entries. Lowercase hex. */
  newestHash: z.string(),
  /** Bytes of a file that the company allows; 0: none. */
  maxFileBytes: z.number().int(),
});
export type CaseFolder = z.infer<typeof caseFolder>;
export const caseFolderList = z.object({ items: z.array(row) });

const about = position.nullable().default(null);
/** A face is an enrolled one, an examination is done, a file is a data URI without a media type. */
export const newCaseItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['probe', 'candidate']), face: pathId.face }),
  z.object({ kind: z.literal('examination'), examination: pathId.examination }),
  z.object({ kind: z.literal('note'), text: text.min(1), about }),
  z.object({ kind: z.literal('file'), name: displayLine(255).min(1), content: z.string(), about }),
]);
export type NewCaseItem = z.input<typeof newCaseItem>;

const byId = z.object({ id: pathId.caseFolder });
const ofFolder = { params: byId, answer: caseFolder };

/** The dashboard's operations. Each refuses with CASE_FOLDER_REFUSED what the state of the folder forbids. */
export const caseFolderApi = {
  list: get('/case-folders', 'faces:examine', { answer: caseFolderList }),
  open: post('/case-folders', 'faces:examine', {
    body: z.object({ reference: displayLine(60), title: displayLine(200).min(1), note: text.default('') }),
    answer: z.object({ id: z.number().int() }),
  }),
  /** The first view of an operator within an hour is an entry of the chain. */
  read: get('/case-folders/:id', 'faces:examine', ofFolder),
  add: post('/case-folders/:id/entries', 'faces:examine', { ...ofFolder, body: newCaseItem }),
  /** The bytes of a file. @throws CASE_FILE_CHANGED */
  file: post('/case-folders/:id/file', 'faces:examine', { params: byId, body: z.object({ position }) }),
  /** Deletes the content of an entry; its hash stays in the chain. */
  remove: post('/case-folders/:id/removal', 'faces:examine', {
    ...ofFolder,
    body: z.object({ position, reason: text.min(1) }),
  }),
  setState: post('/case-folders/:id/state', 'faces:examine', {
    ...ofFolder,
    body: z.object({ state: z.enum(CASE_STATES), reason: text.default('') }),
  }),
  /** A PDF; an entry of the chain states it. */
  report: post('/case-folders/:id/report', 'exports:create', {
    params: byId,
    body: z.object({ language: z.enum(REPORT_LANGUAGES).default('en') }),
  }),
  /** The folder, encrypted for an installation that the company trusts; an entry of the chain states it. */
  export: post('/case-folders/:id/export', 'exports:create', {
    params: byId,
    body: z.object({ installation: z.number().int() }),
  }),
  /** Opens a sealed folder of another installation: checks all of it and answers with its report. Nothing of it is stored. */
  receive: post('/case-folders/sealed', 'exports:create', {
    query: z.object({ language: z.enum(REPORT_LANGUAGES).default('en') }),
  }),
  /** Deletes a closed folder with its chain. The faces and the examinations stay. */
  delete: remove('/case-folders/:id', 'persons:erase', { params: byId }),
};
