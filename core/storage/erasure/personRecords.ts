/** The rows of a person: found from what was chosen, and deleted, in one transaction of the caller. */
import { createHash } from 'node:crypto';
import {
  ITEM_STATUS,
  type ItemStatus,
  type TrustValidationStatus,
  type UploadKind,
} from '../../contracts/codes.ts';
import { ERASED_NAME, type ErasureChoice, type ErasureReceipt } from '../../contracts/erasure.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../contracts/ids.ts';
import type { SqliteAuditLog } from '../audit/auditLog.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { affectedPersons, type AffectedPerson } from './personsOfFaces.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import { completeIfFinished } from '../enrolment/workQueue.ts';

/** Everything that a choice means, by its rows. */
export interface PersonRecords {
  validations: {
    id: TrustValidationId;
    name: string;
    metadata: string | null;
    status: TrustValidationStatus;
    created_at: number;
  }[];
  faces: {
    id: FaceId;
    name: string;
    kind: UploadKind;
    blacklist_id: BlacklistId | null;
    trust_validation_id: TrustValidationId | null;
    image_id: ImageId;
    enrolled_at: number;
    reason: string | null;
  }[];
  /** Faces without a row that left their name behind. */
  goneFaces: FaceId[];
  photos: {
    id: UploadItemId;
    upload_id: UploadId;
    position: number;
    file_name: string;
    status: ItemStatus;
    image_id: ImageId | null;
  }[];
  comparisons: { id: number; compared_at: number }[];
  persons: AffectedPerson[];
  images: { id: ImageId; key: Uint8Array; bytes: number; sha256: string; created_at: number }[];
}

/** @returns the ids that the company has none of, when there is any */
export async function personRecords(
  db: Database,
  company: CompanyId,
  choice: ErasureChoice,
): Promise<PersonRecords | { unknown: string[] }> {
  const unknown: string[] = [];
  const chosen = await chosenPhotos(db, company, choice, unknown);
  const seedFaces = [...choice.faces, ...chosen.flatMap((item) => item.face_id ?? [])];
  const owners = await db
    .selectFrom('face')
    .select('trust_validation_id')
    .where('company_id', '=', company)
    .where('id', 'in', seedFaces)
    .where('trust_validation_id', 'is not', null)
    .execute();
  const validations = await db
    .selectFrom('trust_validation')
    .select(['id', 'name', 'metadata', 'status', 'created_at'])
    .where('company_id', '=', company)
    .where('id', 'in', [
      ...choice.validations,
      ...chosen.flatMap((item) => item.trust_validation_id ?? []),
      ...owners.flatMap((face) => face.trust_validation_id ?? []),
    ])
    .orderBy('id')
    .execute();
  const ids = validations.map(({ id }) => id);
  for (const id of choice.validations) if (!ids.includes(id)) unknown.push(`Trust Validation ${id}`);
  const faces = await db
    .selectFrom('face')
    .select([
      'id',
      'name',
      'kind',
      'blacklist_id',
      'trust_validation_id',
      'image_id',
      'enrolled_at',
      'reason',
    ])
    .where('company_id', '=', company)
    .where((eb) => eb.or([eb('id', 'in', seedFaces), eb('trust_validation_id', 'in', ids)]))
    .orderBy('id')
    .execute();
  const goneFaces = await relatedFaces(
    db,
    company,
    [...new Set(seedFaces)].filter((id) => !faces.some((face) => face.id === id)),
  );
  for (const id of choice.faces)
    if (!faces.some((face) => face.id === id) && !goneFaces.includes(id)) unknown.push(`face ${id}`);
  const comparisons = await db
    .selectFrom('comparison')
    .select(['id', 'compared_at'])
    .where('company_id', '=', company)
    .where('id', 'in', choice.comparisons)
    .execute();
  for (const id of choice.comparisons)
    if (!comparisons.some((one) => one.id === id)) unknown.push(`signature comparison ${id}`);
  if (unknown.length > 0) return { unknown };
  const facesAndGone = [...faces.map(({ id }) => id), ...goneFaces];
  const photos = await db
    .selectFrom('upload_item')
    .select(['id', 'upload_id', 'position', 'file_name', 'status', 'image_id'])
    .where('company_id', '=', company)
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          chosen.map(({ id }) => id),
        ),
        eb('trust_validation_id', 'in', ids),
        eb('face_id', 'in', facesAndGone),
        // The failed photo that a corrected one replaced has the same name.
        eb(
          'id',
          'in',
          eb
            .selectFrom('upload_item as fixed')
            .select('fixed.fixes')
            .where('fixed.company_id', '=', company)
            .where('fixed.fixes', 'is not', null)
            .where((fix) =>
              fix.or([fix('fixed.trust_validation_id', 'in', ids), fix('fixed.face_id', 'in', facesAndGone)]),
            )
            .$castTo<{ fixes: UploadItemId }>(),
        ),
        eb(
          'image_id',
          'in',
          faces.map((face) => face.image_id),
        ),
      ]),
    )
    .orderBy('id')
    .execute();
  const images = await db
    .selectFrom('image')
    .select(['id', 'key', 'bytes', 'sha256', 'created_at'])
    .where('company_id', '=', company)
    .where('id', 'in', [
      ...faces.map((face) => face.image_id),
      ...photos.flatMap((photo) => photo.image_id ?? []),
    ])
    .orderBy('id')
    .execute();
  const persons = await affectedPersons(
    db,
    company,
    faces.map(({ id }) => id),
  );
  return { validations, faces, goneFaces, photos, comparisons, persons, images };
}

async function chosenPhotos(
  db: Database,
  company: CompanyId,
  choice: ErasureChoice,
  unknown: string[],
): Promise<{ id: UploadItemId; face_id: FaceId | null; trust_validation_id: TrustValidationId | null }[]> {
  const found = [];
  for (const { uploadId, index } of choice.photos) {
    const item = await db
      .selectFrom('upload_item')
      .select(['id', 'face_id', 'trust_validation_id'])
      .where('company_id', '=', company)
      .where('upload_id', '=', uploadId)
      .where('position', '=', index)
      .executeTakeFirst();
    if (item === undefined) unknown.push(`photo ${uploadId}:${index}`);
    else found.push(item);
  }
  return found;
}

/** Which of these faces, that are gone, still stand in an entry or an upload under a name. */
async function relatedFaces(db: Database, company: CompanyId, faces: readonly FaceId[]): Promise<FaceId[]> {
  const items = await db
    .selectFrom('upload_item')
    .select('face_id')
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .where('file_name', '!=', ERASED_NAME)
    .execute();
  const entries = await db
    .selectFrom('screening_match')
    .select('face_id')
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .where('full_name', '!=', ERASED_NAME)
    .execute();
  const left = new Set([...items, ...entries].flatMap(({ face_id }) => face_id ?? []));
  return faces.filter((id) => left.has(id));
}

export function isEmptySelection({
  validations,
  faces,
  goneFaces,
  photos,
  comparisons,
}: PersonRecords): boolean {
  return [validations, faces, goneFaces, photos, comparisons].every((rows) => rows.length === 0);
}

export function hashOfImage(id: ImageId): string {
  return createHash('sha256').update(id).digest('hex');
}

type Erased = ErasureReceipt['erased'];

/** Deletes the rows and takes the names out of what others keep. @returns what went, for the receipt */
export async function deletePerson(
  trx: Transaction,
  audit: SqliteAuditLog,
  company: CompanyId,
  rows: PersonRecords,
  at: Date,
): Promise<Erased> {
  const validations = rows.validations.map(({ id }) => id);
  const faces = [...rows.faces.map(({ id }) => id), ...rows.goneFaces];
  const templates = await countTemplates(trx, company, faces);
  const snapshots = await countRows(trx, company, 'gallery_snapshot');
  const decisions = await countRows(trx, company, 'identity_decision');
  const own = await deleteValidationParts(trx, company, validations);
  const named = await trx
    .updateTable('screening_match')
    .set({ full_name: ERASED_NAME, reason: null })
    .where('company_id', '=', company)
    .where('full_name', '!=', ERASED_NAME)
    .where((eb) => eb.or([eb('face_id', 'in', faces), eb('matched_trust_validation_id', 'in', validations)]))
    .executeTakeFirst();
  await clearPhotos(trx, audit, company, rows, at);
  await trx.deleteFrom('face').where('company_id', '=', company).where('id', 'in', faces).execute();
  const images = rows.images.map(({ id }) => id);
  await trx.deleteFrom('image').where('company_id', '=', company).where('id', 'in', images).execute();
  await trx
    .deleteFrom('trust_validation')
    .where('company_id', '=', company)
    .where('id', 'in', validations)
    .execute();
  await trx
    .deleteFrom('comparison')
    .where('company_id', '=', company)
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
    decisions: decisions - (await countRows(trx, company, 'identity_decision')),
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

/** What a poll still shows of a photo: that it was answered, and nothing of whom. Waiting ones are cancelled. */
async function clearPhotos(
  trx: Transaction,
  audit: SqliteAuditLog,
  company: CompanyId,
  { photos }: PersonRecords,
  at: Date,
): Promise<void> {
  const ids = photos.map(({ id }) => id);
  await trx
    .updateTable('upload_item')
    .set({ status: ITEM_STATUS.Failed, failure_code: 'CANCELLED', processed_at: at.getTime() })
    .where('company_id', '=', company)
    .where('id', 'in', ids)
    .where('status', '=', ITEM_STATUS.Pending)
    .execute();
  await trx
    .updateTable('upload_item')
    .set({ file_name: ERASED_NAME, image_id: null, trust_validation_id: null, found: null })
    .where('company_id', '=', company)
    .where('id', 'in', ids)
    .execute();
  // The reason was entered for these photos too: the photos that still wait are enrolled without it.
  for (const upload of new Set(photos.map((photo) => photo.upload_id)))
    await removeReason(trx, company, upload);
  const waited = photos.filter(({ status }) => status === ITEM_STATUS.Pending);
  for (const upload of new Set(waited.map((photo) => photo.upload_id)))
    await completeIfFinished(trx, audit, company, upload, at);
}

async function removeReason(trx: Transaction, company: CompanyId, upload: UploadId): Promise<void> {
  const row = await trx
    .selectFrom('upload')
    .select('listing')
    .where('company_id', '=', company)
    .where('id', '=', upload)
    .executeTakeFirst();
  if (row?.listing == null) return;
  const listing = { ...(JSON.parse(row.listing) as FaceListing), reason: null };
  await trx
    .updateTable('upload')
    .set({ listing: JSON.stringify(listing) })
    .where('company_id', '=', company)
    .where('id', '=', upload)
    .execute();
}

async function countTemplates(
  trx: Transaction,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Erased['templates']> {
  const rows = await trx
    .selectFrom('template')
    .select('pipeline_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .groupBy('pipeline_id')
    .execute();
  return rows.map(({ pipeline_id, count }) => ({ pipeline: pipeline_id, count }));
}

async function countRows(
  trx: Transaction,
  company: CompanyId,
  table: 'gallery_snapshot' | 'identity_decision',
): Promise<number> {
  const { count } = await trx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow();
  return count;
}
