/** Deletes the rows of a person, in one transaction of the caller. */
import { ITEM_STATUS } from '../../contracts/codes.ts';
import { ERASED_NAME, type ErasureReceipt } from '../../contracts/erasure.ts';
import { ofTexts } from '../../contracts/faceListing.ts';
import type { CompanyId, FaceId, TrustValidationId, UploadId } from '../../contracts/ids.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Transaction } from '../engine/database.ts';
import { listedTexts } from '../engine/dialect.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { completeFinished, openListing, sealListing } from '../enrolment/itemAnswers.ts';
import { hashOfImage, type PersonRecords } from './personRecords.ts';
import { deleteFaceRows, textColumns } from '../faces/faces.ts';
import { countOf, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

type Erased = ErasureReceipt['erased'];

/** Deletes the rows and takes the names out of what others keep. @returns what went, for the receipt */
export async function deletePerson(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  rows: PersonRecords,
  at: Date,
): Promise<Erased> {
  const validations = rows.validations.map(({ id }) => id);
  const faces = [...rows.faces.map(({ id }) => id), ...rows.goneFaces];
  const templates = await countTemplates(trx, company, faces);
  const snapshots = await countRows(trx, company, 'gallery_snapshot');
  const decisions = await countRows(trx, company, 'person_decision');
  const own = await deleteValidationParts(trx, company, validations);
  const named = await changeRows(trx, 'screening_match', { company_id: company })
    .set({
      full_name: ERASED_NAME,
      ...textColumns(
        ofTexts(() => null),
        () => null,
      ),
    })
    .where('full_name', '!=', ERASED_NAME)
    .where((eb) => eb.or([eb('face_id', 'in', faces), eb('matched_trust_validation_id', 'in', validations)]))
    .executeTakeFirst();
  await clearPhotos(trx, audit, company, rows, at);
  // They name candidates by their references.
  await deleteRows(trx, 'mosip_answer', { company_id: company, names_persons: 1 }).execute();
  await deleteFaceRows(trx, company, faces);
  const images = rows.images.map(({ id }) => id);
  await deleteRows(trx, 'image', { company_id: company }).where('id', 'in', images).execute();
  await deleteRows(trx, 'trust_validation', { company_id: company }).where('id', 'in', validations).execute();
  await deleteRows(trx, 'comparison', { company_id: company })
    .where(
      'id',
      'in',
      rows.comparisons.map(({ id }) => id),
    )
    .execute();
  return {
    validations: rows.validations.map(({ id, created_at }) => ({ id, createdAt: created_at })),
    faces: rows.faces.map(({ id, image_id }) => ({ id, image: hashOfImage(image_id) })),
    goneFaces: rows.goneFaces,
    photos: rows.photos.map(({ upload_id, position }) => ({ uploadId: upload_id, index: position })),
    comparisons: rows.comparisons.map(({ id, compared_at }) => ({ id, at: compared_at })),
    persons: rows.persons.filter(({ left }) => left === 0).length,
    decisions: decisions - (await countRows(trx, company, 'person_decision')),
    examinations: rows.examinations.length,
    caseEntries: rows.caseEntries.length,
    specimens: rows.specimens.length,
    images: images.map(hashOfImage),
    templates,
    thumbnails: rows.faces.length,
    ...own,
    gallerySnapshots: snapshots - (await countRows(trx, company, 'gallery_snapshot')),
    namesInEntries: Number(named.numUpdatedRows),
  };
}

async function deleteValidationParts(
  trx: Transaction,
  company: CompanyId,
  validations: readonly TrustValidationId[],
): Promise<Pick<Erased, 'screenings' | 'entries' | 'historyLines'>> {
  const deleted = async (table: 'screening' | 'screening_match' | 'validation_history'): Promise<number> => {
    const { numDeletedRows } = await trx
      .deleteFrom(table)
      .where('company_id', '=', company)
      .where('trust_validation_id', 'in', validations)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  const screenings = await deleted('screening');
  const entries = await deleted('screening_match');
  const historyLines = await deleted('validation_history');
  return { screenings, entries, historyLines };
}

/** Anonymises polled photos: the status remains and the identity is removed. Waiting photos are cancelled. */
async function clearPhotos(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  { photos }: PersonRecords,
  at: Date,
): Promise<void> {
  const ids = photos.map(({ id }) => id);
  await changeRows(trx, 'upload_item', { company_id: company, status: ITEM_STATUS.Pending })
    .set({ status: ITEM_STATUS.Failed, failure_code: 'CANCELLED', processed_at: at.getTime() })
    .where('id', 'in', ids)
    .execute();
  await changeRows(trx, 'upload_item', { company_id: company })
    .set({
      file_name: ERASED_NAME,
      ...keyOf('upload_item', { file_name: ERASED_NAME }),
      person_name: null,
      person_external_id: null,
      named_by: null,
      image_id: null,
      trust_validation_id: null,
      found: null,
      unfixable_note: null,
    })
    .where('id', 'in', ids)
    .execute();
  const sentIn = [...new Set(photos.map((photo) => photo.upload_id))];
  // The texts were entered for these photos too: the photos that still wait are enrolled without them.
  for (const upload of sentIn) await removeTexts(trx, company, upload);
  await clearRunNames(trx, company, sentIn);
  const waited = photos.filter(({ status }) => status === ITEM_STATUS.Pending);
  const uploads = new Set(waited.map((photo) => photo.upload_id));
  await completeFinished(trx, audit, company, [...uploads], at);
}

/** A folder is often called after its one person: a run without another photo loses its name. */
async function clearRunNames(
  trx: Transaction,
  company: CompanyId,
  uploads: readonly UploadId[],
): Promise<void> {
  await changeRows(trx, 'enrolment_run', { company_id: company })
    .set({ name: null })
    .where('name', 'is not', null)
    .where(
      'id',
      'in',
      rowsWith(trx, 'upload', { company_id: company })
        .select('run_id')
        .where('id', 'in', listedTexts(uploads)),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('upload')
            .innerJoin('upload_item', 'upload_item.upload_id', 'upload.id')
            .select('upload_item.id')
            .where('upload.company_id', '=', company)
            .whereRef('upload.run_id', '=', 'enrolment_run.id')
            .where('upload_item.file_name', '!=', ERASED_NAME),
        ),
      ),
    )
    .execute();
}

async function removeTexts(trx: Transaction, company: CompanyId, upload: UploadId): Promise<void> {
  const row = await rowsWith(trx, 'upload', { company_id: company, id: upload })
    .select(['company_id', 'id', 'listing'])
    .executeTakeFirst();
  // A damaged one opens for nobody, and stays.
  if (
    !row?.listing ||
    cellsOf(trx).opened('upload', 'listing', { ...row, listing: row.listing }) === undefined
  )
    return;
  const listing = openListing(trx, row);
  await changeRows(trx, 'upload', { company_id: company, id: upload })
    .set({ listing: sealListing(trx, row, listing && { ...listing, ...ofTexts(() => null) }) })
    .execute();
}

async function countTemplates(
  trx: Transaction,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Erased['templates']> {
  const rows = await rowsWith(trx, 'template', { company_id: company })
    .select('pipeline_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('face_id', 'in', faces)
    .groupBy('pipeline_id')
    .execute();
  return rows.map(({ pipeline_id, count }) => ({ pipeline: pipeline_id, count }));
}

async function countRows(
  trx: Transaction,
  company: CompanyId,
  table: 'gallery_snapshot' | 'person_decision',
): Promise<number> {
  return countOf(trx.selectFrom(table).where('company_id', '=', company));
}
