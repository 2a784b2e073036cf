import type { Selectable } from 'kysely';
import type { BlacklistEdit, BlacklistFields } from '../../contracts/blacklists.ts';
import {
  BLACKLIST_STATUS,
  ITEM_STATUS,
  type BlacklistStatus,
  type ItemStatus,
} from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, FaceId, ImageId, UploadItemId } from '../../contracts/ids.ts';
import type { Removed } from '../../domain/ports/screening.ts';
import { isoTime } from '../../domain/values/time.ts';
import { nameKey, nameOf } from '../../contracts/displayName.ts';
import { CodedError, InvalidInput, problem } from '../../contracts/errors/problem.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode, recoded, uncount } from '../engine/codedRows.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listedTexts } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';
import { completeFinished } from '../enrolment/itemAnswers.ts';
import { recordKeysOfFaces, recordKeysOfImages } from '../erasure/erasedKeys.ts';
import { deleteFaceRows, toListing, LISTING_COLUMNS } from '../faces/faces.ts';
import { AuditedRows, countOf, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';
import { photosExaminedWith } from '../persons/examinations.ts';

export type Blacklist = ReturnType<typeof toBlacklist>;
/** A photo of a blacklist as its operator sees it. */
export type BlacklistPhoto = Awaited<ReturnType<Blacklists['photos']>>[number];

export class Blacklists extends AuditedRows {
  /** @throws {InvalidInput} another blacklist of the company has the name, in whichever case and spelling of the same letters */
  async create(company: CompanyId, fields: BlacklistFields, act: AuditContext): Promise<Blacklist> {
    return writing(this.db, company, async (trx) => {
      await requireFreeName(trx, company, fields.name);
      const row = await insertBlacklist(trx, this.audit, company, fields, act);
      return toBlacklist(trx, { ...row, enrolled: 0, expired: 0 });
    });
  }

  /**
   * @param fields absent ones keep the value that they have then, also where another operator changed it meanwhile
   * @throws {InvalidInput} another list has the name @throws {CodedError} NOT_FOUND
   */
  async update(
    company: CompanyId,
    id: BlacklistId,
    fields: BlacklistEdit,
    act: AuditContext,
  ): Promise<Blacklist> {
    return writing(this.db, company, async (trx) => {
      const { name } = fields;
      if (name !== undefined) await requireFreeName(trx, company, name, id);
      const named = name !== undefined && { name_key: nameKey(name) };
      const changed = await change(trx, company, id, { ...fields, ...named, updated_at: act.at.getTime() });
      if (changed === undefined) throw new CodedError('NOT_FOUND');
      this.#record(trx, act, 'blacklist.changed', company, id);
      return changed;
    });
  }

  /** Inactive: takes no new photos, is not screened against, cannot be chosen; its faces stay. */
  async setStatus(
    company: CompanyId,
    id: BlacklistId,
    status: BlacklistStatus,
    act: AuditContext,
  ): Promise<Blacklist | undefined> {
    return writing(this.db, company, async (trx) => {
      const changed = await change(trx, company, id, { status, updated_at: act.at.getTime() });
      const action = status === BLACKLIST_STATUS.Active ? 'blacklist.activated' : 'blacklist.deactivated';
      if (changed !== undefined) this.#record(trx, act, action, company, id);
      return changed;
    });
  }

  async find(company: CompanyId, id: BlacklistId): Promise<Blacklist | undefined> {
    const row = await withCounts(this.db, company).where('blacklist.id', '=', id).executeTakeFirst();
    return row && toBlacklist(this.db, row);
  }

  /** @param key the name as it is compared */
  async named(company: CompanyId, key: string): Promise<Blacklist | undefined> {
    const row = await withCounts(this.db, company).where('blacklist.name_key', '=', key).executeTakeFirst();
    return row && toBlacklist(this.db, row);
  }

  /** Oldest first. */
  async list(
    company: CompanyId,
    options: { status?: BlacklistStatus | undefined; offset: number; limit?: number },
  ): Promise<{ rows: Blacklist[]; total: number }> {
    const { status } = options;
    const total = await countOf(
      rowsWith(this.db, 'blacklist', { company_id: company }).$if(status !== undefined, (query) =>
        query.where('status', '=', status!),
      ),
    );
    const rows = await withCounts(this.db, company)
      .$if(status !== undefined, (query) => query.where('blacklist.status', '=', status!))
      .orderBy('blacklist.id')
      // SQLite takes no offset without a limit, PostgreSQL no negative limit.
      .limit(options.limit ?? Number.MAX_SAFE_INTEGER)
      .offset(options.offset)
      .execute();
    return { rows: rows.map((row) => toBlacklist(this.db, row)), total };
  }

  /** Every list of the company without its counts, oldest first. */
  async all(company: CompanyId): Promise<Pick<Blacklist, 'id' | 'name' | 'status'>[]> {
    const rows = await rowsWith(this.db, 'blacklist', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    const cells = cellsOf(this.db);
    return rows.map((row) => cells.checked('blacklist', row));
  }

  /**
   * One transaction: the list, its faces, templates and the keys of its images are gone, its waiting photos end as
   * CANCELLED. @returns undefined when there is no such list
   */
  async delete(company: CompanyId, id: BlacklistId, act: AuditContext): Promise<Removed | undefined> {
    return writing(this.db, company, async (trx) => {
      if (!(await deleteList(trx, company, id))) return undefined;
      const waiting = await cancelWaiting(trx, this.audit, company, id, act.at);
      const { faces, images } = await deleteFaces(trx, company, id);
      this.#record(trx, act, 'blacklist.erased', company, id, {
        faces: faces.length,
        waiting: waiting.length,
      });
      return { faces, images: [...waiting, ...images] };
    });
  }

  /** The same for one face. @returns undefined when there is no such face in this list */
  async deleteFace(
    company: CompanyId,
    id: BlacklistId,
    face: FaceId,
    act: AuditContext,
  ): Promise<Removed | undefined> {
    return writing(this.db, company, async (trx) => {
      const removed = await deleteFaces(trx, company, id, face);
      if (removed.faces.length === 0) return undefined;
      this.#record(trx, act, 'face.erased', company, id, { face });
      return removed;
    });
  }

  /** How many {@link photos} a list has. */
  countPhotos(company: CompanyId, id: BlacklistId): Promise<number> {
    return countOf(
      rowsWith(this.db, 'upload_item', { company_id: company }).where(
        'id',
        'in',
        photosOfList(this.db, company, id),
      ),
    );
  }

  /** Waiting, enrolled and failed, newest first; `before` is the last one of the page before. Deleted faces are gone. */
  async photos(
    company: CompanyId,
    id: BlacklistId,
    page: { status?: ItemStatus | undefined; before?: UploadItemId | undefined; limit: number },
  ) {
    const { status, before } = page;
    const rows = await this.db
      .selectFrom('upload_item')
      .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
      .leftJoin('face', 'face.id', 'upload_item.face_id')
      .selectAll('upload_item')
      .select([
        'upload.created_at',
        'face.id as living_face',
        'face.name as living_name',
        ...LISTING_COLUMNS.map((column) => `face.${column}` as const),
      ])
      .where('upload.company_id', '=', company)
      .where('upload_item.id', 'in', photosOfList(this.db, company, id))
      .$if(status !== undefined, (query) => query.where('upload_item.status', '=', status!))
      .$if(before !== undefined, (query) => query.where('upload_item.id', '<', before!))
      .orderBy('upload_item.id', 'desc')
      .limit(page.limit)
      .execute();
    const cells = cellsOf(this.db);
    return rows.map((row) => ({
      id: row.id,
      name: row.living_name ?? nameOf(row.file_name),
      status: row.status,
      faceId: row.living_face,
      failureCode: row.failure_code,
      addedAt: isoTime(row.created_at),
      /** Null: it is no face yet. */
      listing: toListing(cells, { ...row, id: row.living_face! }),
    }));
  }

  #record(
    trx: Transaction,
    act: AuditContext,
    action: AuditAction,
    company: CompanyId,
    id: BlacklistId,
    details: NewAuditEntry['details'] = {},
  ): void {
    this.audit.append(trx, act, { company, action, object: `blacklist:${id}`, details });
  }
}

function withCounts(db: Database, company: CompanyId) {
  return rowsWith(db, 'blacklist', { company_id: company })
    .selectAll('blacklist')
    .select((eb) => {
      const faces = (matchable: number) =>
        eb
          .selectFrom('face')
          .select((count) => count.fn.countAll<number>().as('count'))
          .where('face.company_id', '=', company)
          .where('face.kind', '=', 'blacklist')
          .where('face.matchable', '=', matchable)
          .whereRef('face.blacklist_id', '=', 'blacklist.id');
      return [faces(1).as('enrolled'), faces(0).as('expired')];
    });
}

/** Makes a list inside the caller's transaction. */
export async function insertBlacklist(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  fields: BlacklistFields,
  act: AuditContext,
): Promise<Selectable<Schema['blacklist']>> {
  const at = act.at.getTime();
  const row = await trx
    .insertInto('blacklist')
    .values({
      company_id: company,
      ...fields,
      name_key: nameKey(fields.name),
      status: BLACKLIST_STATUS.Active,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await encode(trx, 'blacklist', { company_id: company, id: row.id });
  audit.append(trx, act, { company, action: 'blacklist.created', object: `blacklist:${row.id}` });
  return { ...row, code: cellsOf(trx).code('blacklist', row) };
}

async function requireFreeName(...list: Parameters<typeof nameIsTaken>): Promise<void> {
  if (await nameIsTaken(...list)) throw new InvalidInput({ name: [problem('NAME_TAKEN')] });
}

export async function nameIsTaken(
  trx: Transaction,
  company: CompanyId,
  name: string,
  but?: BlacklistId,
): Promise<boolean> {
  const row = await rowsWith(trx, 'blacklist', { company_id: company, name_key: nameKey(name) })
    .select('id')
    .executeTakeFirst();
  return row !== undefined && row.id !== but;
}

async function change(
  trx: Transaction,
  company: CompanyId,
  id: BlacklistId,
  columns: BlacklistEdit & Partial<{ name_key: string; status: BlacklistStatus; updated_at: number }>,
): Promise<Blacklist | undefined> {
  const before = await rowsWith(trx, 'blacklist', { company_id: company, id }).selectAll().executeTakeFirst();
  if (before === undefined) return undefined;
  await changeRows(trx, 'blacklist', { company_id: company, id })
    .set(recoded(trx, 'blacklist', before, columns))
    .execute();
  const row = await withCounts(trx, company).where('blacklist.id', '=', id).executeTakeFirst();
  return row && toBlacklist(trx, row);
}

/**
 * Ids of the photos of a list: those without a face that were sent to it, and those of its faces, because a face is in the
 * list that it was moved to, whichever list its photo was sent to. Two queries, each with an index: with one condition
 * across both tables every photo of the company is read.
 */
function photosOfList(db: Database, company: CompanyId, id: BlacklistId) {
  return db
    .selectFrom('upload')
    .innerJoin('upload_item', 'upload_item.upload_id', 'upload.id')
    .select('upload_item.id')
    .where('upload.company_id', '=', company)
    .where('upload.blacklist_id', '=', id)
    .where('upload_item.face_id', 'is', null)
    .unionAll(
      db
        .selectFrom('face')
        .innerJoin('upload_item', 'upload_item.face_id', 'face.id')
        .select('upload_item.id')
        .where('face.company_id', '=', company)
        .where('face.kind', '=', 'blacklist')
        .where('face.blacklist_id', '=', id),
    );
}

/** Answers the waiting images of a list that is being deleted, so that its uploads end. @returns the images to erase */
async function cancelWaiting(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  id: BlacklistId,
  at: Date,
): Promise<ImageId[]> {
  const waiting = await trx
    .selectFrom('upload_item')
    .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
    .select(['upload_item.id', 'upload_item.image_id', 'upload_item.upload_id'])
    .where('upload.company_id', '=', company)
    .where('upload.blacklist_id', '=', id)
    .where('upload_item.status', '=', ITEM_STATUS.Pending)
    .execute();
  for (const item of waiting)
    await changeRows(trx, 'upload_item', { company_id: company, id: item.id })
      .set({
        status: ITEM_STATUS.Failed,
        failure_code: 'CANCELLED',
        image_id: null,
        processed_at: at.getTime(),
      })
      .execute();
  const uploads = new Set(waiting.map((item) => item.upload_id));
  await completeFinished(trx, audit, company, [...uploads], at);
  const images = waiting.flatMap((item) => item.image_id ?? []);
  await deleteImages(trx, company, images);
  return images;
}

/** Deletes the row of a list. @returns false: there is none */
export async function deleteList(trx: Transaction, company: CompanyId, id: BlacklistId): Promise<boolean> {
  const rows = await deleteRows(trx, 'blacklist', { company_id: company, id })
    .returning(['company_id', 'code'])
    .execute();
  uncount(trx, 'blacklist', rows);
  return rows.length > 0;
}

async function deleteFaces(
  trx: Transaction,
  company: CompanyId,
  id: BlacklistId,
  face?: FaceId,
): Promise<Removed> {
  const rows = await rowsWith(trx, 'face', { company_id: company, kind: 'blacklist', blacklist_id: id })
    .select(['id', 'image_id'])
    .$if(face !== undefined, (query) => query.where('id', '=', face!))
    .execute();
  return removeFaces(trx, company, rows);
}

/** Deletes faces with their images, and the photos that were stored to be examined with them. @returns these faces, all images */
export async function removeFaces(
  trx: Transaction,
  company: CompanyId,
  rows: readonly { id: FaceId; image_id: ImageId }[],
): Promise<Removed> {
  const faces = rows.map(({ id }) => id);
  const gone = [...rows, ...(await photosExaminedWith(trx, company, faces))];
  const all = gone.map(({ id }) => id);
  await recordKeysOfFaces(trx, company, all);
  await deleteFaceRows(trx, company, all);
  const images = gone.map((row) => row.image_id);
  await deleteImages(trx, company, images);
  return { faces, images };
}

/** The upload's items live on, as what a poll shows; they no longer name an image. */
async function deleteImages(trx: Transaction, company: CompanyId, images: readonly ImageId[]): Promise<void> {
  if (images.length === 0) return;
  const gone = listedTexts(images);
  await recordKeysOfImages(trx, company, images);
  await changeRows(trx, 'upload_item', { company_id: company })
    .set({ image_id: null })
    .where('image_id', 'in', gone)
    .execute();
  await deleteRows(trx, 'image', { company_id: company }).where('id', 'in', gone).execute();
}

/** @throws {RowDamaged} its state was changed without the key */
function toBlacklist(
  db: Database,
  row: Selectable<Schema['blacklist']> & { enrolled: number | null; expired: number | null },
) {
  cellsOf(db).checked('blacklist', row);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    /** Faces that match: the very rows that the gallery holds. */
    enrolledFacesCount: row.enrolled ?? 0,
    /** Enrolled faces that no longer match, because their time in the list is over. */
    expiredFacesCount: row.expired ?? 0,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
