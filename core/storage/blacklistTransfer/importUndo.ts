import { TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import type { UndoResult } from '../../contracts/blacklistTransfer.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { BlacklistId, CompanyId, FaceId, ImageId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { Removed } from '../../domain/ports/screening.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { deleteList, removeFaces } from '../screening/blacklists.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { MAX_NAMES } from '../../domain/blacklistTransfer/planning.ts';
import { countOf, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

/** A face that the import holds. */
interface ImportedFace {
  id: FaceId;
  name: string;
  image_id: ImageId;
  name_before: string | null;
  name_after: string | null;
  /** The number of other imports that hold the face and were not reverted. */
  others: number;
  /** The first of them that came later. */
  later: number | null;
  /** An open case names it. */
  open: number;
}

/** Takes an import back, inside the caller's transaction. */
export async function undoImport(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  { id, listInUse }: { id: number; listInUse: (list: BlacklistId) => boolean },
  act: AuditContext,
): Promise<{ result: UndoResult; removed: Removed }> {
  const found = await readImport(trx, company, id);
  const { list: listId, inReview, gone, others } = found;
  const renamedBack = await restoreNames(trx, company, [...inReview, ...others]);
  const removed = await removeFaces(trx, company, gone);
  await unlinkFaces(trx, company, id, others);
  await changeRows(trx, 'blacklist_import', { company_id: company, id })
    .set({ reverted_at: act.at.getTime() })
    .execute();
  const list = await blacklistOutcome(trx, company, { id: listId, listInUse, going: 0 });
  if (list === 'deleted') await eraseList(trx, audit, company, listId, act);
  audit.append(trx, act, {
    company,
    action: 'blacklist.import-reverted',
    object: `blacklist:${listId}`,
    details: { import: id, removed: gone.length, kept: inReview.length + others.length },
  });
  return { result: resultOf(found, renamedBack, list), removed };
}

/** The changes that {@link undoImport} would make now. */
export async function foreseeUndo(
  db: Database,
  company: CompanyId,
  { id, listInUse }: { id: number; listInUse: (list: BlacklistId) => boolean },
): Promise<UndoResult> {
  const found = await readImport(db, company, id);
  const { list, inReview, gone, others } = found;
  const renamedBack = [...inReview, ...others].filter((face) => hasImportedName(face) && face.later === null);
  const fate = await blacklistOutcome(db, company, { id: list, listInUse, going: gone.length });
  return resultOf(found, renamedBack.length, fate);
}

/** The faces of an import, by the change that its undo makes to them. */
interface LookedAt {
  list: BlacklistId;
  /** Stay until their cases are decided. */
  inReview: ImportedFace[];
  gone: ImportedFace[];
  /** Stay because other imports brought them too. */
  others: ImportedFace[];
}

async function readImport(db: Database, company: CompanyId, id: number): Promise<LookedAt> {
  const made = await rowsWith(db, 'blacklist_import', { company_id: company, id })
    .select(['blacklist_id', 'reverted_at'])
    .executeTakeFirst();
  if (made === undefined) throw new CodedError('NOT_FOUND');
  const held = await importedFaces(db, company, id);
  if (made.reverted_at !== null && held.length === 0)
    throw new CodedError(problem('IMPORT_UNDONE', { import: id }));
  return {
    list: made.blacklist_id,
    inReview: held.filter((face) => face.others === 0 && face.open > 0),
    gone: held.filter((face) => face.others === 0 && face.open === 0),
    others: held.filter((face) => face.others > 0),
  };
}

function resultOf(
  { inReview, gone, others }: LookedAt,
  renamedBack: number,
  list: UndoResult['list'],
): UndoResult {
  return {
    removed: gone.length,
    renamedBack,
    heldByOthers: others.length,
    inReview: { count: inReview.length, names: inReview.slice(0, MAX_NAMES).map(({ name }) => name) },
    list,
  };
}

async function importedFaces(db: Database, company: CompanyId, id: number): Promise<ImportedFace[]> {
  const rows = await db
    .selectFrom('import_membership as held')
    .innerJoin('face', 'face.id', 'held.face_id')
    .select(['face.id', 'face.name', 'face.image_id', 'held.name_before', 'held.name_after'])
    .select((eb) => [
      eb
        .selectFrom('import_membership as other')
        .innerJoin('blacklist_import', 'blacklist_import.id', 'other.import_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('other.company_id', '=', company)
        .whereRef('other.face_id', '=', 'held.face_id')
        .where('other.import_id', '!=', id)
        .where('blacklist_import.reverted_at', 'is', null)
        .as('others'),
      eb
        .selectFrom('import_membership as other')
        .innerJoin('blacklist_import', 'blacklist_import.id', 'other.import_id')
        .select((count) => count.fn.min('other.import_id').as('later'))
        .where('other.company_id', '=', company)
        .whereRef('other.face_id', '=', 'held.face_id')
        .where('other.import_id', '>', id)
        .where('blacklist_import.reverted_at', 'is', null)
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
    .where((eb) => eb.and({ 'held.company_id': company, 'held.import_id': id }))
    .orderBy('face.id')
    .execute();
  return rows.map((row) => ({ ...row, others: row.others ?? 0, open: row.open ?? 0 }));
}

/**
 * A face that stays gets back the name that it had, unless an operator renamed it since. Where a later import has it under
 * the new name, that import remembers the old one from here on. @returns how many are what they were
 */
async function restoreNames(
  trx: Transaction,
  company: CompanyId,
  faces: readonly ImportedFace[],
): Promise<number> {
  let renamed = 0;
  for (const face of faces) {
    const { id, name_before, name_after, later } = face;
    if (name_before === null || !hasImportedName(face)) continue;
    if (later === null) {
      renamed += 1;
      await changeRows(trx, 'face', { company_id: company, id })
        .set({ name: name_before, ...keyOf('face', { name: name_before }) })
        .execute();
    } else
      await trx
        .updateTable('import_membership')
        .set({ name_before, name_after })
        .where((eb) => eb.and({ company_id: company, import_id: later, face_id: id, name_before: null }))
        .execute();
  }
  return renamed;
}

/** The face was not renamed since the import. */
function hasImportedName({ name, name_before, name_after }: ImportedFace): boolean {
  return name_before !== null && name === name_after;
}

/** From here on only the other imports hold these. */
async function unlinkFaces(
  trx: Transaction,
  company: CompanyId,
  id: number,
  faces: readonly ImportedFace[],
): Promise<void> {
  const unlinked = listed(faces.map((face) => face.id));
  await deleteRows(trx, 'import_membership', { company_id: company, import_id: id })
    .where('face_id', 'in', unlinked)
    .execute();
}

/**
 * A list that imports made goes with the last face, unless a Trust Flow uses it.
 * @param going faces of it that are there yet and are about to go
 */
async function blacklistOutcome(
  db: Database,
  company: CompanyId,
  { id, listInUse, going }: { id: BlacklistId; listInUse: (list: BlacklistId) => boolean; going: number },
): Promise<UndoResult['list']> {
  const madeHere = await db
    .selectFrom('blacklist_import')
    .innerJoin('blacklist', 'blacklist.id', 'blacklist_import.blacklist_id')
    .select('blacklist_import.id')
    .where('blacklist_import.company_id', '=', company)
    .where('blacklist_import.blacklist_id', '=', id)
    .where('created_blacklist', '=', 1)
    .executeTakeFirst();
  if (madeHere === undefined) return 'stays';
  const faces = await countOf(
    rowsWith(db, 'face', { company_id: company, kind: 'blacklist', blacklist_id: id }),
  );
  const waiting = await db
    .selectFrom('upload')
    .select('id')
    .where((eb) => eb.and({ company_id: company, blacklist_id: id, completed_at: null }))
    .executeTakeFirst();
  if (faces > going || waiting !== undefined) return 'not-empty';
  return listInUse(id) ? 'in-use' : 'deleted';
}

async function eraseList(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  id: BlacklistId,
  act: AuditContext,
): Promise<void> {
  await deleteList(trx, company, id);
  audit.append(trx, act, {
    company,
    action: 'blacklist.erased',
    object: `blacklist:${id}`,
    details: { faces: 0, waiting: 0 },
  });
}
