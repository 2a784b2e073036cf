/** The rows that the answer to a waiting image writes. */
import { sql, type RawBuilder } from 'kysely';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS, type ItemStatus } from '../../contracts/codes.ts';
import { hasExpired, newListing, type FaceListing } from '../../contracts/faceListing.ts';
import type { FoundFaces } from '../../contracts/enrolmentRuns.ts';
import type { CompanyId, ImageId, TrustValidationId, UploadId } from '../../contracts/ids.ts';
import { nameOf } from '../../domain/enrolment/naming.ts';
import {
  watchlistOf,
  type EnrolledFace,
  type ItemAnswer,
  type LeasedItem,
} from '../../domain/ports/uploads.ts';
import type { SqlAuditLog } from '../audit/auditLog.ts';
import type { Transaction } from '../engine/database.ts';
import { insertFace } from '../faces/faces.ts';
import { recordHistory } from '../history/validationHistory.ts';
import { nameAtEnrolment } from '../persons/nameAtEnrolment.ts';

/** Where faces were found; an operator who corrects the photo chooses one of them. */
function foundText(found: FoundFaces | undefined): string | null {
  return found === undefined ? null : JSON.stringify(found);
}

/** Writes the face of an image that was marked as enrolled. */
export async function enrol(
  trx: Transaction,
  audit: SqlAuditLog,
  { item, enrolled: { image, face } }: Extract<ItemAnswer, { enrolled: object }>,
  at: Date,
): Promise<EnrolledFace> {
  const listing = await listingOf(trx, item);
  const matchable = listing === null || !hasExpired(listing, at);
  await trx
    .updateTable('image')
    .set({ width: image.width, height: image.height })
    .where('company_id', '=', item.companyId)
    .where('id', '=', item.imageId)
    .execute();
  const trustValidationId = await insertTrustValidation(trx, item, at);
  const faceId = await insertFace(trx, item.companyId, {
    watchlist: watchlistOf(item.target),
    trustValidationId,
    name: nameOf(item.fileName),
    imageId: item.imageId,
    face,
    enrolledAt: at,
    matchable,
    listing,
  });
  await trx
    .updateTable('upload_item')
    .set({ trust_validation_id: trustValidationId, face_id: faceId })
    .where('company_id', '=', item.companyId)
    .where('id', '=', item.id)
    .execute();
  if (item.named !== null) {
    const { by, ...person } = item.named;
    await nameAtEnrolment(trx, audit, item.companyId, { face: faceId, person }, { by, at });
    await forgetPersons(trx, item);
  }
  return { faceId, trustValidationId, matchable };
}

/** The person has its name now: it leaves the item, and the failed ones that the photo was sent for. */
async function forgetPersons(trx: Transaction, { id, companyId, fixes }: LeasedItem): Promise<void> {
  await trx
    .updateTable('upload_item')
    .set({ person_name: null, person_external_id: null, named_by: null })
    .where('company_id', '=', companyId)
    .where((eb) =>
      eb.or([eb('id', '=', id), ...(fixes === null ? [] : [eb('id', '=', fixes), eb('fixes', '=', fixes)])]),
    )
    .execute();
}

async function insertTrustValidation(
  trx: Transaction,
  item: LeasedItem,
  at: Date,
): Promise<TrustValidationId | null> {
  if (item.target.kind !== 'duplicate') return null;
  const { id } = await trx
    .insertInto('trust_validation')
    .values({
      company_id: item.companyId,
      trust_flow_id: item.target.trustFlowId,
      status: TRUST_VALIDATION_STATUS.Verified,
      name: nameOf(item.fileName),
      created_at: at.getTime(),
      finalized_at: at.getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(trx, item.companyId, id, {
    at,
    actor: 'bulk enrolment',
    action: 'enrolled',
    from: null,
    to: TRUST_VALIDATION_STATUS.Verified,
    note: null,
  });
  return id;
}

/** Answers an item, once. @returns false: it was answered, cancelled or leased by another process meanwhile */
export async function markProcessed(
  trx: Transaction,
  node: string,
  answer: ItemAnswer,
  at: Date,
): Promise<boolean> {
  const { item } = answer;
  const { found } = 'enrolled' in answer ? answer.enrolled : answer.failed;
  const { numUpdatedRows } = await trx
    .updateTable('upload_item')
    .set({
      status: 'enrolled' in answer ? ITEM_STATUS.Enrolled : ITEM_STATUS.Failed,
      ...('failed' in answer && { failure_code: answer.failed.code, image_id: null }),
      found: foundText(found),
      processed_at: at.getTime(),
      leased_by: null,
      leased_until: null,
    })
    .where('company_id', '=', item.companyId)
    .where('id', '=', item.id)
    .where('status', '=', ITEM_STATUS.Pending)
    .where('leased_by', '=', node)
    .where('attempts', '=', item.attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The listing of an upload while one of its photos is not enrolled, else null. */
function listingOfFailed(upload: UploadId): RawBuilder<string | null> {
  return sql`case when exists (
    select 1 from upload_item where upload_id = ${upload} and status = ${ITEM_STATUS.Failed}) then listing end`;
}

/** An upload is complete when none of its images waits; that it is, and with what, is in the audit log. */
export async function completeIfFinished(
  trx: Transaction,
  audit: SqlAuditLog,
  company: CompanyId,
  upload: UploadId,
  at: Date,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('upload')
    // A failed photo that is corrected later is listed as the others of its upload.
    .set({ completed_at: at.getTime(), listing: listingOfFailed(upload) })
    .where('company_id', '=', company)
    .where('id', '=', upload)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('upload_item')
            .select('id')
            .where('company_id', '=', company)
            .where('upload_id', '=', upload)
            .where('status', '=', ITEM_STATUS.Pending),
        ),
      ),
    )
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return;
  const counts = await trx
    .selectFrom('upload_item')
    .select('status')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .where('upload_id', '=', upload)
    .groupBy('status')
    .execute();
  const countOf = (status: ItemStatus) => counts.find((row) => row.status === status)?.count ?? 0;
  audit.append(
    trx,
    { by: 'service', at },
    {
      company,
      action: 'upload.completed',
      object: `upload:${upload}`,
      details: { enrolled: countOf(ITEM_STATUS.Enrolled), failed: countOf(ITEM_STATUS.Failed) },
    },
  );
}

/** The listing of the faces of an upload to a blacklist; null: the upload is for duplicate detection. */
async function listingOf(trx: Transaction, item: LeasedItem): Promise<FaceListing | null> {
  if (item.target.kind === 'duplicate') return null;
  const { listing } = await trx
    .selectFrom('upload')
    .select('listing')
    .where('company_id', '=', item.companyId)
    .where('id', '=', item.uploadId)
    .executeTakeFirstOrThrow();
  return listing === null ? newListing() : (JSON.parse(listing) as FaceListing);
}

/** Deletes the rows of images that failed. */
export async function deleteImageRows(
  trx: Transaction,
  company: CompanyId,
  images: readonly ImageId[],
): Promise<void> {
  if (images.length > 0)
    await trx.deleteFrom('image').where('company_id', '=', company).where('id', 'in', images).execute();
}
