/** The rows of a person, found from what was chosen. */
import { createHash } from 'node:crypto';
import type { ItemStatus, TrustValidationStatus, UploadKind } from '../../contracts/codes.ts';
import { ERASED_NAME, type ErasureChoice } from '../../contracts/erasure.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';
import { affectedPersons, specimensOfFaces, type AffectedPerson } from './personsOfFaces.ts';

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
    person_name: string | null;
    person_external_id: string | null;
    status: ItemStatus;
    image_id: ImageId | null;
  }[];
  comparisons: { id: number; compared_at: number }[];
  persons: AffectedPerson[];
  /** Images of the signature specimens that go with the last face of their person; they are in `images` too. */
  specimens: ImageId[];
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
    .select([
      'id',
      'upload_id',
      'position',
      'file_name',
      'person_name',
      'person_external_id',
      'status',
      'image_id',
    ])
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
  const specimens = await specimensOfFaces(
    db,
    company,
    faces.map(({ id }) => id),
  );
  const images = await db
    .selectFrom('image')
    .select(['id', 'key', 'bytes', 'sha256', 'created_at'])
    .where('company_id', '=', company)
    .where('id', 'in', [
      ...faces.map((face) => face.image_id),
      ...photos.flatMap((photo) => photo.image_id ?? []),
      ...specimens,
    ])
    .orderBy('id')
    .execute();
  const persons = await affectedPersons(
    db,
    company,
    faces.map(({ id }) => id),
  );
  return { validations, faces, goneFaces, photos, comparisons, persons, specimens, images };
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
