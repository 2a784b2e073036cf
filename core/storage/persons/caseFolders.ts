import { randomBytes } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import {
  CASE_ITEM_KINDS,
  caseContent,
  type CaseContent,
  type CaseContentState,
  type CaseEntryKind,
  type CaseFolderRow,
} from '../../contracts/dashboard/caseFolders.ts';
import { examinationContent } from '../../contracts/dashboard/examinations.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import {
  trusted,
  type CaseFolderId,
  type CompanyId,
  type ExaminationId,
  type FaceId,
} from '../../contracts/ids.ts';
import { chainMessage, firstBadEntry, hashOfEntry, NO_ENTRY } from '../../domain/examinations/caseChain.ts';
import { stateOf } from '../../domain/examinations/examination.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { CaseEvidence, ChainedEntry } from '../../domain/ports/casePackages.ts';
import { isoTime } from '../../domain/values/time.ts';
import { ed25519Verifies } from '../../encryption/keys.ts';
import { CRYPTO } from '../../platform/platform.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { recordDeletedKeys } from '../engine/deletedKeys.ts';
import { isPostgres, listed, newIds } from '../engine/dialect.ts';
import type { Leaf } from '../engine/erasableKeys.ts';
import { AuditedRows, rowsWith, addRows, deleteRows, changeRows } from '../engine/rows.ts';
import type { Schema } from '../engine/schema.ts';

/** The first view of an operator within this time is an entry. */
const VIEW_MS = 60 * 60 * 1000;

/** A file that is put into a folder. */
export interface CaseFile {
  type: NonNullable<CaseContent['file']>['type'];
  name: string;
  bytes: Uint8Array;
}

/** The content of a new entry, by its kind. */
export type NewCaseEntry =
  | { kind: 'probe' | 'candidate'; face: FaceId }
  | { kind: 'examination'; examination: ExaminationId }
  | { kind: 'note'; text: string; about: number | null }
  | { kind: 'file'; file: CaseFile; about: number | null }
  | { kind: 'removed'; target: number; text: string }
  | { kind: 'closed' | 'reopened'; text: string };

export interface StoredCaseEntry extends ChainedEntry {
  face: FaceId | null;
  examination: ExaminationId | null;
  content: CaseContent | null;
  /** Null: the entry has no content. */
  state: CaseContentState | null;
}

export interface StoredCaseFolder extends Pick<CaseFolderRow, 'reference' | 'title' | 'items'> {
  id: CaseFolderId;
  openedAt: number;
  isOpen: boolean;
  entries: StoredCaseEntry[];
  /** See {@link firstBadEntry}. */
  firstBad: number | null;
  newestHash: string;
}

/** Case folders. A folder is the chain of its entries; what an entry holds is erased with its person, and its hash stays. */
export class CaseFolders extends AuditedRows {
  /** Newest first. A folder whose first entry was changed without the key has no title. */
  async list(company: CompanyId, limit: number): Promise<CaseFolderRow[]> {
    const folders = await rowsWith(this.db, 'case_folder', { company_id: company })
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    const entries = await this.db
      .selectFrom('case_entry')
      .select(['company_id', 'id', 'folder_id', 'position', 'kind', 'target'])
      // The title stands in the first entry; the texts of the others can be long.
      .select((eb) =>
        eb.case().when('kind', '=', 'opened').then(eb.ref('content')).else(null).end().as('content'),
      )
      .where('company_id', '=', company)
      .where('folder_id', 'in', listed(folders.map(({ id }) => id)))
      .where('kind', 'not in', ['viewed', 'fileRead', 'reported', 'exported'])
      .orderBy('position')
      .execute();
    const byFolder = Map.groupBy(entries, (entry) => entry.folder_id);
    return folders.map(({ id, opened_at }) => {
      const own = byFolder.get(id) ?? [];
      const opened = own.find(({ kind }) => kind === 'opened');
      return {
        id,
        ...titleOf(opened === undefined ? null : contentOf(this.db, opened)),
        state: isOpen(own) ? 'open' : 'closed',
        openedAt: isoTime(opened_at),
        items: itemsOf(own).length,
      };
    });
  }

  open(
    company: CompanyId,
    { note, ...titled }: { reference: string; title: string; note: string },
    act: AuditContext,
  ): Promise<CaseFolderId> {
    return writing(this.db, company, async (trx) => {
      const id = trusted.caseFolder((await newIds(trx, 'case_folder', 1))[0]!);
      const opened_at = act.at.getTime();
      await addRows(trx, 'case_folder', { id, company_id: company, opened_at });
      await this.#append(trx, { company, id }, 'opened', act, { texts: { ...titled, text: note } });
      return id;
    });
  }

  /** The folder, with its chain checked. The files are checked when they are read. @throws {CodedError} NOT_FOUND */
  async view(company: CompanyId, id: CaseFolderId, act: AuditContext): Promise<StoredCaseFolder> {
    await writing(this.db, company, async (trx) => {
      const seen = await trx
        .selectFrom('case_entry')
        .select('id')
        .where((eb) => eb.and({ company_id: company, folder_id: id, kind: 'viewed', actor: act.by }))
        .where('at', '>', act.at.getTime() - VIEW_MS)
        .executeTakeFirst();
      if (seen === undefined) await this.#append(trx, { company, id }, 'viewed', act, {});
    });
    return this.read(company, id);
  }

  /** The same without an entry. */
  async read(company: CompanyId, id: CaseFolderId): Promise<StoredCaseFolder> {
    const folder = await folderOf(this.db, company, id);
    const rows = await entriesOf(this.db, company, id);
    const newest = await newestOf(this.db, company, id);
    const publicKey = await this.audit.publicKey();
    const firstBad = firstBadEntry(CRYPTO, { company, id }, rows, newest?.hash, (message, signature) =>
      ed25519Verifies(publicKey, Buffer.from(message), signature),
    );
    const photos = await digestsOfPhotos(
      this.db,
      company,
      rows.flatMap(({ face_id }) => face_id ?? []),
    );
    const entries = [];
    for (const row of rows) entries.push(await storedEntry(this.db, row, rows, photos));
    const title = titleOf(entries[0]?.content ?? null);
    const items = itemsOf(rows).length;
    const newestHash = rows.at(-1)?.hash ?? NO_ENTRY;
    const openedAt = folder.opened_at;
    return { id, ...title, items, openedAt, isOpen: isOpen(rows), entries, firstBad, newestHash };
  }

  /** @throws {CodedError} NOT_FOUND; CASE_FOLDER_REFUSED: the state of the folder or of the examination forbids it */
  add(company: CompanyId, id: CaseFolderId, entry: NewCaseEntry, act: AuditContext): Promise<void> {
    return writing(this.db, company, async (trx) => {
      const place = { company, id };
      await folderOf(trx, company, id);
      const rows = await entriesOf(trx, company, id);
      if (isOpen(rows) === (entry.kind === 'reopened')) throw new CodedError('CASE_FOLDER_REFUSED');
      await this.#append(trx, place, entry.kind, act, await partsOf(trx, company, rows, entry));
      if (entry.kind === 'removed')
        await clear(
          trx,
          company,
          rows.filter(({ position }) => position === entry.target),
        );
    });
  }

  /** Records the reading of a file. @throws {CodedError} NOT_FOUND; CASE_FILE_CHANGED: it has another SHA-256 than the chain */
  file(company: CompanyId, id: CaseFolderId, position: number, act: AuditContext): Promise<CaseFile> {
    return writing(this.db, company, async (trx) => {
      const row = await rowsWith(trx, 'case_entry', { company_id: company, folder_id: id, position })
        .selectAll()
        .executeTakeFirst();
      if (row?.file == null) throw new CodedError('NOT_FOUND');
      const bytes = cellsOf(trx).opened('case_entry', 'file', { ...row, file: row.file });
      const file = contentOf(trx, row)?.file;
      if (bytes === undefined || file === undefined || digestOf(bytes) !== row.digest)
        throw new CodedError('CASE_FILE_CHANGED');
      await this.#append(trx, { company, id }, 'fileRead', act, { target: position });
      return { type: file.type, name: file.name, bytes };
    });
  }

  /** Records that the folder leaves, as a report or sealed. @throws {CodedError} NOT_FOUND */
  left(
    company: CompanyId,
    id: CaseFolderId,
    kind: 'reported' | 'exported',
    act: AuditContext,
  ): Promise<void> {
    return writing(this.db, company, (trx) => this.#append(trx, { company, id }, kind, act, {}));
  }

  /**
   * The proof of the folder for another installation. The photos of faces are not in it.
   * @param length entries of the folder as it was read: others may have come since
   */
  async evidence(company: CompanyId, id: CaseFolderId, length: number): Promise<CaseEvidence> {
    const chain = (await entriesOf(this.db, company, id)).slice(0, length);
    const contents = new Map<string, Uint8Array>();
    for (const row of chain) {
      const bytes = await heldBytes(this.db, row);
      if (bytes !== undefined) contents.set(digestOf(bytes), bytes);
    }
    return { chain, contents, auditKey: await this.audit.publicKey() };
  }

  /** Deletes a closed folder. @throws {CodedError} NOT_FOUND; CASE_FOLDER_REFUSED: it is open */
  delete(company: CompanyId, id: CaseFolderId, act: AuditContext): Promise<void> {
    return writing(this.db, company, async (trx) => {
      await folderOf(trx, company, id);
      const rows = await entriesOf(trx, company, id);
      if (isOpen(rows)) throw new CodedError('CASE_FOLDER_REFUSED');
      await recordDeletedKeys(trx, await leavesOfEntries(trx, rows));
      await deleteRows(trx, 'case_entry', { company_id: company, folder_id: id }).execute();
      await deleteRows(trx, 'case_folder', { company_id: company, id }).execute();
      this.audit.append(trx, act, {
        company,
        action: 'caseFolder.deleted',
        object: objectOf(id),
        details: { entries: rows.length },
      });
    });
  }

  async #append(
    trx: Transaction,
    folder: { company: CompanyId; id: CaseFolderId },
    kind: CaseEntryKind,
    act: AuditContext,
    { texts, target = null, digest, face = null, examination = null, file }: EntryParts,
  ): Promise<void> {
    const { company, id: folderId } = folder;
    await folderOf(trx, company, folderId);
    // By the audit log: entries that were cut off stay missing when another one follows.
    const last = await newestOf(trx, company, folderId);
    const content = texts && JSON.stringify({ salt: randomBytes(16).toString('hex'), ...texts });
    const chained: ChainedEntry = {
      position: (last?.position ?? 0) + 1,
      kind,
      at: act.at.getTime(),
      actor: act.by,
      target,
      digest: digest ?? (content === undefined ? null : digestOf(content)),
    };
    const hash = hashOfEntry(CRYPTO, folder, last?.hash ?? NO_ENTRY, chained);
    const signature = Buffer.from(await this.audit.sign(trx, chainMessage(hash))).toString('hex');
    const place = { id: (await newIds(trx, 'case_entry', 1))[0]!, company_id: company };
    const cells = cellsOf(trx);
    await addRows(trx, 'case_entry', {
      ...place,
      company_id: company,
      ...chained,
      actor: act.by,
      folder_id: folderId,
      hash,
      signature,
      face_id: face,
      examination_id: examination,
      content: cells.sealText('case_entry', 'content', place, content ?? null),
      file: file === undefined ? null : cells.seal('case_entry', 'file', place, file),
    });
    this.audit.append(trx, act, {
      company,
      action: 'caseFolder.entry',
      object: objectOf(folderId),
      details: { entry: kind, position: chained.position, hash: `sha256:${hash}` },
    });
  }
}

interface EntryParts {
  texts?: Omit<CaseContent, 'salt'>;
  target?: number | null;
  /** Of what is not in the entry itself, and of a file. */
  digest?: string;
  face?: FaceId | null;
  examination?: ExaminationId | null;
  file?: Uint8Array;
}

/** Everything of an entry but its file, which can be large. */
type Row = Omit<Selectable<Schema['case_entry']>, 'file'>;

const objectOf = (id: CaseFolderId) => `caseFolder:${id}` as const;
const digestOf = (content: string | Uint8Array) => Buffer.from(CRYPTO.sha256(content)).toString('hex');

const titleOf = (content: CaseContent | null) => ({
  reference: content?.reference ?? '',
  title: content?.title ?? '',
});

function isOpen(entries: readonly Pick<Row, 'kind'>[]): boolean {
  return entries.findLast(({ kind }) => kind === 'closed' || kind === 'reopened')?.kind !== 'closed';
}

/** The entries by which something is in the folder, erased ones included. */
function itemsOf<T extends Pick<Row, 'kind' | 'position' | 'target'>>(entries: readonly T[]): T[] {
  const removed = new Set(entries.flatMap(({ kind, target }) => (kind === 'removed' ? target : [])));
  return entries.filter(({ kind, position }) => isItem(kind) && !removed.has(position));
}

const isItem = (kind: CaseEntryKind) => (CASE_ITEM_KINDS as readonly CaseEntryKind[]).includes(kind);

/** The place of the newest entry, as the audit log has it. */
const recordedEntry = z.object({
  position: z.number().int(),
  hash: z.templateLiteral(['sha256:', z.string()]),
});

async function newestOf(db: Database, company: CompanyId, id: CaseFolderId) {
  const row = await db
    .selectFrom('audit_entry')
    .select('details')
    .where((eb) => eb.and({ company_id: company, object: objectOf(id) }))
    // As the index has it.
    .where(sql<boolean>`action = 'caseFolder.entry'`)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { position, hash } = recordedEntry.parse(JSON.parse(row.details));
  return { position, hash: hash.slice('sha256:'.length) };
}

async function folderOf(db: Database, company: CompanyId, id: CaseFolderId) {
  const row = await rowsWith(db, 'case_folder', { company_id: company, id }).selectAll().executeTakeFirst();
  if (row === undefined) throw new CodedError('NOT_FOUND');
  return row;
}

function entriesOf(db: Database, company: CompanyId, id: CaseFolderId): Promise<Row[]> {
  return rowsWith(db, 'case_entry', { company_id: company, folder_id: id })
    .select([
      ...(['id', 'company_id', 'folder_id', 'position', 'kind', 'at', 'actor', 'target', 'digest'] as const),
      ...(['hash', 'signature', 'face_id', 'examination_id', 'content'] as const),
    ])
    .orderBy('position')
    .execute();
}

async function partsOf(
  trx: Transaction,
  company: CompanyId,
  rows: readonly Row[],
  entry: NewCaseEntry,
): Promise<EntryParts> {
  const kept = (position: number): Row => {
    const row = itemsOf(rows).find((each) => each.position === position);
    if (row === undefined) throw new CodedError('CASE_FOLDER_REFUSED');
    return row;
  };
  /** The erasure of a person takes a note about this person with it. */
  const about = (position: number | null) => {
    const row = position === null ? null : kept(position);
    if (row?.face_id === null && row.examination_id === null) throw new CodedError('CASE_FOLDER_REFUSED');
    return { face: row?.face_id ?? null, examination: row?.examination_id ?? null };
  };
  switch (entry.kind) {
    case 'probe':
    case 'candidate': {
      const digest = (await digestsOfPhotos(trx, company, [entry.face])).get(entry.face);
      if (digest === undefined) throw new CodedError('NOT_FOUND');
      return { face: entry.face, digest };
    }
    case 'examination': {
      const content = await examinationBytes(trx, company, entry.examination);
      if (content === undefined) throw new CodedError('NOT_FOUND');
      const examined = examinationContent.parse(JSON.parse(Buffer.from(content).toString()));
      if (stateOf(examined) !== 'done') throw new CodedError('CASE_FOLDER_REFUSED');
      return { examination: entry.examination, digest: digestOf(content) };
    }
    case 'note':
      return { texts: { text: entry.text }, ...about(entry.about) };
    case 'file': {
      const { name, type, bytes } = entry.file;
      const sha256 = digestOf(bytes);
      const file = { name, type, bytes: bytes.length, sha256 };
      return { texts: { text: '', file }, digest: sha256, file: bytes, ...about(entry.about) };
    }
    case 'removed':
      kept(entry.target);
      return { texts: { text: entry.text }, target: entry.target };
    case 'closed':
    case 'reopened':
      return { texts: { text: entry.text } };
  }
}

/** SHA-256 of the photos of faces, lowercase hex. Those that the company has not enrolled are left out. */
async function digestsOfPhotos(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Map<FaceId, string>> {
  const rows = await db
    .selectFrom('face')
    .innerJoin('image', 'image.id', 'face.image_id')
    .select(['face.id', 'image.company_id', 'image.sha256'])
    .where('face.company_id', '=', company)
    .where('face.id', 'in', listed(faces))
    .where((eb) => eb.or([eb('trust_validation_id', 'is not', null), eb('kind', '=', 'blacklist')]))
    .execute();
  return new Map(
    rows.flatMap(({ id, ...image }): [FaceId, string][] => {
      const sha256 = cellsOf(db).foundIf('image', 'sha256', image);
      return sha256 ? [[id, Buffer.from(sha256).toString('hex')]] : [];
    }),
  );
}

/** Undefined: the company has no such examination, or it was changed without the key. */
async function examinationBytes(db: Database, company: CompanyId, id: ExaminationId) {
  const row = await rowsWith(db, 'examination', { company_id: company, id }).selectAll().executeTakeFirst();
  return row && cellsOf(db).shown('examination', 'content', row);
}

/** The bytes that the digest of an entry is of; undefined: there are none here, or they were changed without the key. */
async function heldBytes(db: Database, row: Row): Promise<Uint8Array | undefined> {
  const { company_id, content, examination_id, id, kind } = row;
  if (kind === 'examination')
    return examination_id === null ? undefined : examinationBytes(db, company_id, examination_id);
  if (kind !== 'file')
    return content === null ? undefined : cellsOf(db).opened('case_entry', 'content', { ...row, content });
  const { file } = await rowsWith(db, 'case_entry', { company_id, id })
    .select('file')
    .executeTakeFirstOrThrow();
  return file === null ? undefined : cellsOf(db).opened('case_entry', 'file', { ...row, file });
}

/** Null: the entry has no text any more, or it was changed without the key. */
function contentOf(
  db: Database,
  row: Pick<Row, 'company_id' | 'id' | 'content'>,
): (CaseContent & { digest: string }) | null {
  const bytes = row.content && cellsOf(db).shown('case_entry', 'content', { ...row, content: row.content });
  if (!bytes) return null;
  const parsed = caseContent.safeParse(JSON.parse(Buffer.from(bytes).toString()));
  return parsed.success ? { ...parsed.data, digest: digestOf(bytes) } : null;
}

async function storedEntry(
  db: Database,
  row: Row,
  rows: readonly Row[],
  photos: ReadonlyMap<FaceId, string>,
): Promise<StoredCaseEntry> {
  const { position, kind, at, actor, target, digest, company_id, face_id: face, examination_id } = row;
  const content = contentOf(db, row);
  const isKept = async (): Promise<boolean | null> => {
    if (kind === 'probe' || kind === 'candidate') return face === null ? null : photos.get(face) === digest;
    if (kind === 'examination') {
      if (examination_id === null) return null;
      const bytes = await examinationBytes(db, company_id, examination_id);
      return bytes !== undefined && digestOf(bytes) === digest;
    }
    if (row.content === null) return null;
    return (content?.file?.sha256 ?? content?.digest) === digest;
  };
  const state = async (): Promise<CaseContentState | null> => {
    if (digest === null) return null;
    const kept = await isKept();
    if (kept !== null) return kept ? 'kept' : 'changed';
    return rows.some((each) => each.kind === 'removed' && each.target === position) ? 'removed' : 'erased';
  };
  return {
    ...{ position, kind, at, actor, target, digest, face, examination: examination_id, content },
    state: await state(),
  };
}

/** Deletes what an entry holds. */
async function clear(trx: Transaction, company: CompanyId, rows: readonly Row[]): Promise<void> {
  await recordDeletedKeys(trx, await leavesOfEntries(trx, rows));
  await changeRows(trx, 'case_entry', { company_id: company })
    .set({ content: null, file: null, face_id: null, examination_id: null })
    .where('id', 'in', listed(rows.map(({ id }) => id)))
    .execute();
}

/** The keys of entries; SQLite has none, so that nothing is read there. */
export async function leavesOfEntries(trx: Transaction, rows: readonly Pick<Row, 'id' | 'company_id'>[]) {
  const leaves: Leaf[] = [];
  if (!isPostgres(trx)) return leaves;
  // One after the other: files can be large.
  for (const { id, company_id } of rows) {
    const row = await rowsWith(trx, 'case_entry', { company_id, id }).selectAll().executeTakeFirstOrThrow();
    leaves.push(...cellsOf(trx).leavesOf('case_entry', row));
  }
  return leaves;
}

/** The entries that hold these faces or examinations: they lose what they hold with either. */
export function entriesAbout(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
  examinations: readonly ExaminationId[],
) {
  return rowsWith(db, 'case_entry', { company_id: company })
    .select(['company_id', 'id', 'folder_id', 'content'])
    .where((eb) =>
      eb.or([eb('face_id', 'in', listed(faces)), eb('examination_id', 'in', listed(examinations))]),
    )
    .orderBy('id')
    .execute();
}
