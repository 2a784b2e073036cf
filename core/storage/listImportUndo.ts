import { TRUST_VALIDATION_STATUS } from '../contracts/codes.ts';
import type { UndoResult } from '../contracts/exchange.ts';
import type { BlacklistId, CompanyId, FaceId, ImageId } from '../contracts/ids.ts';
import type { Act } from '../domain/actor.ts';
import { MOST_NAMES } from '../domain/exchange/limits.ts';
import type { Removed } from '../domain/screening/ports.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { deleteImages } from './blacklists.ts';
import type { Database } from './database.ts';

/** Values in one IN list. */
const AT_ONCE = 500;

/** A face that the import holds. */
interface Held {
  id: FaceId;
  name: string;
  image_id: ImageId;
  name_before: string | null;
  name_after: string | null;
  /** How many other imports that were not taken back hold it too. */
  others: number;
  /** The first of them that came later. */
  later: number | null;
  /** An open case names it. */
  open: number;
}

/** Takes an import back, inside the caller's transaction. */
export async function undoImport(
  trx: Database,
  audit: SqliteAuditLog,
  company: CompanyId,
  { id, listInUse }: { id: number; listInUse: (list: BlacklistId) => boolean },
  act: Act,
): Promise<{ result: UndoResult; removed: Removed } | 'undone' | undefined> {
  const made = await trx
    .selectFrom('list_import')
    .select(['blacklist_id', 'undone_at'])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  if (made === undefined) return undefined;
  const held = await heldBy(trx, company, id);
  if (made.undone_at !== null && held.length === 0) return 'undone';
  const inReview = held.filter((face) => face.others === 0 && face.open > 0);
  const gone = held.filter((face) => face.others === 0 && face.open === 0);
  const others = held.filter((face) => face.others > 0);
  const renamedBack = await renameBack(trx, company, [...inReview, ...others]);
  const removed = await deleteFaces(trx, company, gone);
  await letGo(trx, company, id, others);
  await trx
    .updateTable('list_import')
    .set({ undone_at: act.at.getTime() })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute();
  const list = await endList(trx, audit, company, { id: made.blacklist_id, listInUse }, act);
  await audit.append(trx, act, {
    company,
    action: 'blacklist.importUndone',
    object: `blacklist:${made.blacklist_id}`,
    facts: { import: id, removed: gone.length, kept: inReview.length + others.length },
  });
  const result: UndoResult = {
    removed: gone.length,
    renamedBack,
    heldByOthers: others.length,
    inReview: { count: inReview.length, names: inReview.slice(0, MOST_NAMES).map(({ name }) => name) },
    list,
  };
  return { result, removed };
}

async function heldBy(trx: Database, company: CompanyId, id: number): Promise<Held[]> {
  const rows = await trx
    .selectFrom('list_import_face as held')
    .innerJoin('face', 'face.id', 'held.face_id')
    .select(['face.id', 'face.name', 'face.image_id', 'held.name_before', 'held.name_after'])
    .select((eb) => [
      eb
        .selectFrom('list_import_face as other')
        .innerJoin('list_import', 'list_import.id', 'other.import_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('other.company_id', '=', company)
        .whereRef('other.face_id', '=', 'held.face_id')
        .where('other.import_id', '!=', id)
        .where('list_import.undone_at', 'is', null)
        .as('others'),
      eb
        .selectFrom('list_import_face as other')
        .innerJoin('list_import', 'list_import.id', 'other.import_id')
        .select((count) => count.fn.min('other.import_id').as('later'))
        .where('other.company_id', '=', company)
        .whereRef('other.face_id', '=', 'held.face_id')
        .where('other.import_id', '>', id)
        .where('list_import.undone_at', 'is', null)
        .as('later'),
      eb
        .selectFrom('screening_match')
        .innerJoin('trust_validation', 'trust_validation.id', 'screening_match.trust_validation_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('screening_match.face_id', '=', 'held.face_id')
        .where('screening_match.company_id', '=', company)
        .where('trust_validation.status', '=', TRUST_VALIDATION_STATUS.ReviewNeeded)
        .as('open'),
    ])
    .where('held.company_id', '=', company)
    .where('held.import_id', '=', id)
    .orderBy('face.id')
    .execute();
  return rows.map((row) => ({ ...row, others: row.others ?? 0, open: row.open ?? 0 }));
}

/**
 * A face that stays gets back the name that it had, unless somebody named it since. Where a later import has it under
 * the new name, that import remembers the old one from here on. @returns how many are what they were
 */
async function renameBack(trx: Database, company: CompanyId, faces: readonly Held[]): Promise<number> {
  let renamed = 0;
  for (const { id, name, name_before, name_after, later } of faces) {
    if (name_before === null || name !== name_after) continue;
    if (later === null) {
      renamed += 1;
      await trx
        .updateTable('face')
        .set({ name: name_before })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute();
    } else
      await trx
        .updateTable('list_import_face')
        .set({ name_before, name_after })
        .where('company_id', '=', company)
        .where('import_id', '=', later)
        .where('face_id', '=', id)
        .where('name_before', 'is', null)
        .execute();
  }
  return renamed;
}

async function deleteFaces(trx: Database, company: CompanyId, gone: readonly Held[]): Promise<Removed> {
  for (let from = 0; from < gone.length; from += AT_ONCE)
    await trx
      .deleteFrom('face')
      .where('company_id', '=', company)
      .where(
        'id',
        'in',
        gone.slice(from, from + AT_ONCE).map(({ id }) => id),
      )
      .execute();
  const images = gone.map(({ image_id }) => image_id);
  await deleteImages(trx, company, images);
  return { faces: gone.map(({ id }) => id), images };
}

/** From here on only the other imports hold these. */
async function letGo(trx: Database, company: CompanyId, id: number, faces: readonly Held[]): Promise<void> {
  for (let from = 0; from < faces.length; from += AT_ONCE)
    await trx
      .deleteFrom('list_import_face')
      .where('company_id', '=', company)
      .where('import_id', '=', id)
      .where(
        'face_id',
        'in',
        faces.slice(from, from + AT_ONCE).map((face) => face.id),
      )
      .execute();
}

/** A list that imports made goes with the last face, unless somebody counts on it. */
async function endList(
  trx: Database,
  audit: SqliteAuditLog,
  company: CompanyId,
  { id, listInUse }: { id: BlacklistId; listInUse: (list: BlacklistId) => boolean },
  act: Act,
): Promise<UndoResult['list']> {
  const madeHere = await trx
    .selectFrom('list_import')
    .innerJoin('blacklist', 'blacklist.id', 'list_import.blacklist_id')
    .select('list_import.id')
    .where('list_import.company_id', '=', company)
    .where('list_import.blacklist_id', '=', id)
    .where('made_list', '=', 1)
    .executeTakeFirst();
  if (madeHere === undefined) return 'stays';
  const face = await trx
    .selectFrom('face')
    .select('id')
    .where('company_id', '=', company)
    .where('kind', '=', 'blacklist')
    .where('blacklist_id', '=', id)
    .executeTakeFirst();
  const waiting = await trx
    .selectFrom('upload')
    .select('id')
    .where('company_id', '=', company)
    .where('blacklist_id', '=', id)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  if (face !== undefined || waiting !== undefined) return 'not empty';
  if (listInUse(id)) return 'in use';
  await trx.deleteFrom('blacklist').where('company_id', '=', company).where('id', '=', id).execute();
  await audit.append(trx, act, {
    company,
    action: 'blacklist.erased',
    object: `blacklist:${id}`,
    facts: { faces: 0, waiting: 0 },
  });
  return 'deleted';
}
