/** The rows that the answer to a waiting image writes. */
import { sql, type Selectable } from 'kysely';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS, type ItemStatus } from '../../contracts/codes.ts';
import { faceListing, hasExpired, newListing, type FaceListing } from '../../contracts/faceListing.ts';
import type { FoundFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { CompanyId, ImageId, TrustValidationId, UploadId, FaceId } from '../../contracts/ids.ts';
import { nameOf } from '../../contracts/displayName.ts';
import {
  watchlistOf,
  type EnrolledFace,
  type ItemAnswer,
  type LeasedItem,
} from '../../domain/ports/uploads.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Place } from '../engine/cellTables.ts';
import { send, sendAll, type Database, type Transaction } from '../engine/database.ts';
import { recordDeletedKeys } from '../engine/deletedKeys.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import type { Schema } from '../engine/schema.ts';
import { tableOf } from '../engine/dialect.ts';
import { keyOf, renewKey } from '../engine/searchKeys.ts';
import { insertFaces } from '../faces/faces.ts';
import { recordHistories } from '../history/validationHistory.ts';
import type { PhotoPerson } from '../../contracts/uploads.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { SIDE } from '../../domain/ports/persons.ts';
import { recordDecision } from '../persons/recordDecision.ts';
import { requireFree } from '../persons/requirements.ts';
import { rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

/** Where faces were found; an operator who corrects the photo chooses one of them. */
function foundText(found: FoundFaces | undefined): string | null {
  return found === undefined ? null : JSON.stringify(found);
}

type Enrolled = Extract<ItemAnswer, { enrolled: object }>;

/** Writes the faces of images of a company that were marked as enrolled. @returns them in their order */
export async function enrolAll(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  answers: readonly Enrolled[],
  at: Date,
): Promise<EnrolledFace[]> {
  if (answers.length === 0) return [];
  const listingOf = await listingsOf(trx, company, answers);
  const validationOf = await insertTrustValidations(
    trx,
    answers.map(({ item }) => item),
    at,
  );
  const entries = answers.map(({ item, enrolled }) => {
    const listing = listingOf(item);
    return {
      watchlist: watchlistOf(item.target),
      trustValidationId: validationOf.get(item) ?? null,
      name: nameOf(item.fileName),
      imageId: item.imageId,
      face: enrolled.face,
      enrolledAt: at,
      matchable: listing === null || !hasExpired(listing, at),
      listing,
    };
  });
  const ids = await insertFaces(trx, company, entries);
  const faces = entries.map(({ trustValidationId, matchable }, index) => ({
    faceId: ids[index]!,
    trustValidationId,
    matchable,
  }));
  await recordHistories(
    trx,
    company,
    faces.flatMap(({ trustValidationId }) => trustValidationId ?? []),
    {
      at,
      actor: 'bulk enrolment',
      action: 'enrolled',
      from: null,
      to: TRUST_VALIDATION_STATUS.Verified,
      note: null,
    },
  );
  await recordHistories(
    trx,
    company,
    faces.flatMap(({ trustValidationId }, index) =>
      answers[index]?.enrolled.found?.onePerson === true ? (trustValidationId ?? []) : [],
    ),
    {
      at,
      actor: 'bulk enrolment',
      action: 'one-person',
      from: TRUST_VALIDATION_STATUS.Verified,
      to: TRUST_VALIDATION_STATUS.Verified,
      note: null,
    },
  );
  await linkItems(trx, company, answers, faces);
  for (const [index, { item }] of answers.entries()) {
    if (item.named === null) continue;
    const { by, ...person } = item.named;
    await nameAtEnrolment(trx, audit, company, { face: ids[index]!, person }, { by, at });
    await forgetPersons(trx, item);
  }
  return faces;
}

/** The items name their faces, and the images have their sizes: one statement each for all of them. */
async function linkItems(
  trx: Transaction,
  company: CompanyId,
  answers: readonly Enrolled[],
  faces: readonly EnrolledFace[],
): Promise<void> {
  const sizes = answers.map(({ item, enrolled }) => [item.id, enrolled.image.width, enrolled.image.height]);
  const sizeImages = sql`update image set width = sized.width, height = sized.height
    from ${tableOf({ item: 'bigint', width: 'bigint', height: 'bigint' }, sizes)} as sized
    join upload_item on upload_item.id = sized.item
    where image.company_id = ${company} and upload_item.company_id = ${company}
      and image.id = upload_item.image_id`;
  await send(trx, sizeImages.compile(trx));
  const links = faces.map(({ faceId, trustValidationId }, index) => [
    answers[index]!.item.id,
    faceId,
    trustValidationId,
  ]);
  const linkFaces = sql`update upload_item set face_id = linked.face, trust_validation_id = linked.validation
    from ${tableOf({ item: 'bigint', face: 'bigint', validation: 'bigint' }, links)} as linked
    where upload_item.company_id = ${company} and upload_item.id = linked.item`;
  await send(trx, linkFaces.compile(trx));
}

/** The person has its name now: it leaves the item, and the failed ones that the photo was sent for. */
async function forgetPersons(trx: Transaction, { id, companyId, fixes }: LeasedItem): Promise<void> {
  await changeRows(trx, 'upload_item', { company_id: companyId })
    .set({ person_name: null, person_external_id: null, named_by: null })
    .where((eb) =>
      eb.or([eb('id', '=', id), ...(fixes === null ? [] : [eb('id', '=', fixes), eb('fixes', '=', fixes)])]),
    )
    .execute();
}

/** Those of items for duplicate detection. */
async function insertTrustValidations(
  trx: Transaction,
  items: readonly LeasedItem[],
  at: Date,
): Promise<ReadonlyMap<LeasedItem, TrustValidationId>> {
  const validated = items.flatMap((item) =>
    item.target.kind === 'duplicate' ? [{ item, trustFlowId: item.target.trustFlowId }] : [],
  );
  const inserted = await sendAll(
    trx,
    validated.map(({ item, trustFlowId }) => {
      const name = nameOf(item.fileName);
      return trx
        .insertInto('trust_validation')
        .values({
          company_id: item.companyId,
          trust_flow_id: trustFlowId,
          status: TRUST_VALIDATION_STATUS.Verified,
          name,
          ...keyOf('trust_validation', { name, metadata: null }),
          created_at: at.getTime(),
          finalized_at: at.getTime(),
        })
        .returning('id');
    }),
  );
  return new Map(validated.map(({ item }, index) => [item, inserted[index]!.rows[0]!.id]));
}

/**
 * Answers items, each once.
 * @returns the answers whose items were not answered, cancelled or leased by another process meanwhile
 */
export async function markProcessed(
  trx: Transaction,
  node: string,
  answers: readonly ItemAnswer[],
  at: Date,
): Promise<ItemAnswer[]> {
  const marked = await sendAll(
    trx,
    answers.map((answer) => {
      const { item } = answer;
      const { found } = 'enrolled' in answer ? answer.enrolled : answer.failed;
      return trx
        .updateTable('upload_item')
        .set({
          status: 'enrolled' in answer ? ITEM_STATUS.Enrolled : ITEM_STATUS.Failed,
          ...('failed' in answer && { failure_code: answer.failed.code, image_id: null }),
          found: foundText(found),
          processed_at: at.getTime(),
          leased_by: null,
          leased_until: null,
        })
        .where((eb) =>
          eb.and({
            company_id: item.companyId,
            id: item.id,
            status: ITEM_STATUS.Pending,
            leased_by: node,
            attempts: item.attempts,
          }),
        );
    }),
  );
  return answers.filter((_, index) => marked[index]?.changed === 1);
}

export function sealListing(
  trx: Transaction,
  upload: Place<'upload'>,
  listing: FaceListing | null,
): Sealed | null {
  return cellsOf(trx).sealText('upload', 'listing', upload, listing && JSON.stringify(listing));
}

/** The listing of an upload. @throws {RowDamaged} its severity is unknown, so that no face can be listed by it */
export function openListing(
  db: Database | Transaction,
  { listing, ...upload }: Place<'upload'> & { listing: Sealed | null },
): FaceListing | null {
  if (listing === null) return null;
  const content = cellsOf(db).open('upload', 'listing', { ...upload, listing });
  return faceListing.parse(JSON.parse(Buffer.from(content).toString()));
}

/** An upload is complete when none of its images waits; that it is, and with what, is in the audit log. */
export async function completeFinished(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  uploads: readonly UploadId[],
  at: Date,
): Promise<void> {
  const updated = await sendAll(
    trx,
    uploads.map((upload) =>
      changeRows(trx, 'upload', { company_id: company, id: upload })
        .set({ completed_at: at.getTime() })
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
        ),
    ),
  );
  const finished = uploads.filter((_, index) => updated[index]?.changed === 1);
  for (const upload of finished) await noteCompleted(trx, audit, company, upload, at);
}

async function noteCompleted(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  upload: UploadId,
  at: Date,
): Promise<void> {
  const counts = await trx
    .selectFrom('upload_item')
    .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
    .select(['upload.company_id', 'upload.id', 'upload.listing', 'upload_item.status'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.and({ 'upload_item.company_id': company, upload_id: upload }))
    .groupBy(['upload.company_id', 'upload.id', 'upload.listing', 'upload_item.status'])
    .execute();
  const countOf = (status: ItemStatus) => counts.find((row) => row.status === status)?.count ?? 0;
  // A failed photo that is corrected later is listed as the others of its upload.
  if (countOf(ITEM_STATUS.Failed) === 0 && counts[0]) await deleteListing(trx, counts[0]);
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

async function deleteListing(
  trx: Transaction,
  upload: Pick<Selectable<Schema['upload']>, 'company_id' | 'id' | 'listing'>,
) {
  if (upload.listing === null) return;
  await recordDeletedKeys(trx, cellsOf(trx).leavesOf('upload', upload));
  await changeRows(trx, 'upload', { company_id: upload.company_id, id: upload.id })
    .set({ listing: null })
    .execute();
}

/** The listings of the faces of uploads to blacklists; null: the upload is for duplicate detection. */
async function listingsOf(
  trx: Transaction,
  company: CompanyId,
  answers: readonly Enrolled[],
): Promise<(item: LeasedItem) => FaceListing | null> {
  const uploads = new Set(
    answers.flatMap(({ item }) => (item.target.kind === 'duplicate' ? [] : [item.uploadId])),
  );
  const rows =
    uploads.size === 0
      ? []
      : await rowsWith(trx, 'upload', { company_id: company })
          .select(['company_id', 'id', 'listing'])
          .where('id', 'in', [...uploads])
          .execute();
  const listings = new Map(rows.map((row) => [row.id, openListing(trx, row)]));
  return ({ target, uploadId }) =>
    target.kind === 'duplicate' ? null : (listings.get(uploadId) ?? newListing());
}

/** Deletes the rows of images that failed. */
export async function deleteImageRows(
  trx: Transaction,
  company: CompanyId,
  images: readonly ImageId[],
): Promise<void> {
  if (images.length > 0)
    await send(trx, deleteRows(trx, 'image', { company_id: company }).where('id', 'in', images));
}

// The person that the sender of a photo names, inside the transaction that commits the face.

/**
 * The face joins the person that has the external id; without one it becomes a person of its own. A name alone joins nothing:
 * two people can have one name.
 * @param face enrolled in this transaction, without a person
 */
export async function nameAtEnrolment(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  { face, person: { name, externalId } }: { face: FaceId; person: PhotoPerson },
  act: AuditContext,
): Promise<void> {
  const known = externalId === null ? undefined : await faceOf(trx, company, externalId);
  if (known === undefined && externalId !== null) await requireFree(trx, company, externalId);
  const faces = known === undefined ? [face] : [known, face];
  const decision = {
    kind: 'named' as const,
    faces: faces.map((named) => ({ face: named, side: SIDE.stays })),
    reason: null,
    person: { externalId, ...(name !== null && { name }) },
    // The account that names persons at enrolment may edit them, and so needs no second operator.
    awaitsSecond: false,
    confirms: null,
  };
  await recordDecision(trx, audit, company, decision, act);
  if (known !== undefined && name !== null) await replaceFileName(trx, company, face, name);
}

/** A name that was given replaces one from a file name, whichever photo of the person is finished first. */
async function replaceFileName(
  trx: Transaction,
  company: CompanyId,
  face: FaceId,
  name: string,
): Promise<void> {
  const person = await trx
    .selectFrom('person')
    .innerJoin('person_face', 'person_face.person_id', 'person.id')
    .select('person.id')
    .where((eb) => eb.and({ 'person.company_id': company, 'person_face.face_id': face }))
    .where('person.name', 'in', (eb) =>
      eb
        .selectFrom('person_face as its')
        .innerJoin('face', 'face.id', 'its.face_id')
        .select('face.name')
        .where('face.company_id', '=', company)
        .whereRef('its.person_id', '=', 'person.id'),
    )
    .executeTakeFirst();
  if (person === undefined) return;
  await changeRows(trx, 'person', { company_id: company, id: person.id }).set({ name }).execute();
  await renewKey(trx, 'person', company, person.id);
}

/**
 * The oldest face that stands for an external id. Of a person that was merged it is one that the person had, so that the photo
 * comes to the person that remains, and returns with the others if the merge is undone.
 */
async function faceOf(trx: Transaction, company: CompanyId, externalId: string): Promise<FaceId | undefined> {
  const present = await trx
    .selectFrom('person')
    .innerJoin('person_face', 'person_face.person_id', 'person.id')
    .select('person_face.face_id')
    .where((eb) => eb.and({ 'person.company_id': company, 'person.external_id': externalId }))
    .orderBy('person_face.face_id')
    .limit(1)
    .executeTakeFirst();
  if (present !== undefined) return present.face_id;
  const former = await trx
    .selectFrom('person')
    .innerJoin('person_former_face', 'person_former_face.person_id', 'person.id')
    .innerJoin('person_face', 'person_face.face_id', 'person_former_face.face_id')
    .select(['person_face.face_id', 'person_face.person_id'])
    .where((eb) => eb.and({ 'person.company_id': company, 'person.external_id': externalId }))
    .orderBy('person_face.face_id')
    .execute();
  // Its photos belong to several persons now, so none of them is the person of the external id.
  return new Set(former.map(({ person_id: person }) => person)).size === 1 ? former[0]?.face_id : undefined;
}
