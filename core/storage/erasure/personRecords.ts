/** The rows of a person, found from what was chosen. */
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
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
import type { Schema } from '../engine/schema.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { affectedPersons, examinationsOf, specimensOfFaces, type AffectedPerson } from './personsOfFaces.ts';
import { TEXT_COLUMNS, type TextColumns } from '../faces/faces.ts';
import { entriesAbout } from '../persons/caseFolders.ts';
import { photosExaminedWith } from '../persons/examinations.ts';
import { rowsWith } from '../engine/rows.ts';

/** Everything that a choice means, by its rows. */
export interface PersonRecords {
  validations: {
    id: TrustValidationId;
    name: string;
    metadata: string | null;
    status: TrustValidationStatus;
    created_at: number;
  }[];
  faces: (TextColumns & {
    company_id: CompanyId;
    id: FaceId;
    name: string;
    kind: UploadKind;
    blacklist_id: BlacklistId | null;
    trust_validation_id: TrustValidationId | null;
    image_id: ImageId;
    enrolled_at: number;
  })[];
  /** Faces without a row that left their name behind. */
  goneFaces: FaceId[];
  photos: {
    company_id: CompanyId;
    id: UploadItemId;
    upload_id: UploadId;
    position: number;
    file_name: string;
    person_name: string | null;
    person_external_id: string | null;
    unfixable_note: Sealed | null;
    status: ItemStatus;
    image_id: ImageId | null;
  }[];
  comparisons: { company_id: CompanyId; id: number; compared_at: number; content: Sealed }[];
  /** They go with either of their faces, or with their comparison. */
  examinations: Selectable<Schema['examination']>[];
  /** Entries of case folders: they lose what they hold, and stay. */
  caseEntries: Awaited<ReturnType<typeof entriesAbout>>;
  persons: AffectedPerson[];
  /** Images of the signature specimens that go with the last face of their person; they are in `images` too. */
  specimens: ImageId[];
  images: {
    company_id: CompanyId;
    id: ImageId;
    key: Sealed;
    original: Sealed | null;
    bytes: number;
    sha256: Sealed;
    created_at: number;
  }[];
}

/** @returns the ids that the company has none of, when there is any */
export async function personRecords(
  db: Database,
  company: CompanyId,
  choice: ErasureChoice,
): Promise<PersonRecords | { unknown: string[] }> {
  const store = { db, company };
  const { chosen, missing } = await chosenPhotos(store, choice);
  const seedFaces = [...choice.faces, ...chosen.flatMap((item) => item.face_id ?? [])];
  const validations = await chosenValidations(store, choice, chosen, seedFaces);
  const validationIds = idsOf(validations);
  const own = await facesOf(store, seedFaces, validationIds);
  const examined = await photosExaminedWith(db, company, idsOf(own));
  const faces =
    examined.length === 0 ? own : await facesOf(store, [...seedFaces, ...idsOf(examined)], validationIds);
  const faceIds = idsOf(faces);
  const goneFaces = await relatedFaces(
    store,
    [...new Set(seedFaces)].filter((id) => !faceIds.includes(id)),
  );
  const comparisons = await chosenComparisons(store, choice);
  const unknown = [
    ...missing,
    ...choice.validations.filter(isMissingIn(validationIds)).map((id) => `Trust Validation ${id}`),
    ...choice.faces.filter(isMissingIn([...faceIds, ...goneFaces])).map((id) => `face ${id}`),
    ...choice.comparisons.filter(isMissingIn(idsOf(comparisons))).map((id) => `comparison ${id}`),
  ];
  if (unknown.length > 0) return { unknown };
  const photos = await photosOf(store, {
    items: idsOf(chosen),
    validations: validationIds,
    faces: [...faceIds, ...goneFaces],
    images: faces.map((face) => face.image_id),
  });
  const specimens = await specimensOfFaces(db, company, faceIds);
  const examinations = await examinationsOf(db, company, faceIds, idsOf(comparisons));
  const images = await imageRecords(store, [
    ...examinations.flatMap(({ first_image: one, second_image: other }) =>
      one && other ? [one, other] : [],
    ),
    ...faces.map((face) => face.image_id),
    ...photos.flatMap((photo) => photo.image_id ?? []),
    ...specimens,
  ]);
  const persons = await affectedPersons(db, company, faceIds);
  const caseEntries = await entriesAbout(db, company, faceIds, idsOf(examinations));
  return {
    ...{ validations, faces, goneFaces, photos, comparisons, examinations, caseEntries },
    ...{ persons, specimens, images },
  };
}

function idsOf<Id>(rows: readonly { id: Id }[]): Id[] {
  return rows.map(({ id }) => id);
}

function isMissingIn(known: readonly number[]): (id: number) => boolean {
  return (id) => !known.includes(id);
}

/** The records of one company. */
interface CompanyStore {
  db: Database;
  company: CompanyId;
}

interface ChosenPhoto {
  id: UploadItemId;
  face_id: FaceId | null;
  trust_validation_id: TrustValidationId | null;
}

/** The upload items that the choice names, and the photos of the choice that the company does not have. */
async function chosenPhotos(
  { db, company }: CompanyStore,
  choice: ErasureChoice,
): Promise<{ chosen: ChosenPhoto[]; missing: string[] }> {
  const [chosen, missing]: [ChosenPhoto[], string[]] = [[], []];
  for (const { uploadId, index } of choice.photos) {
    const item = await db
      .selectFrom('upload_item')
      .select(['id', 'face_id', 'trust_validation_id'])
      .where((eb) => eb.and({ company_id: company, upload_id: uploadId, position: index }))
      .executeTakeFirst();
    if (item === undefined) missing.push(`photo ${uploadId}:${index}`);
    else chosen.push(item);
  }
  return { chosen, missing };
}

/** The validations that the choice names, and those that own a chosen photo or face. */
async function chosenValidations(
  { db, company }: CompanyStore,
  choice: ErasureChoice,
  chosen: readonly ChosenPhoto[],
  seedFaces: readonly FaceId[],
): Promise<PersonRecords['validations']> {
  const owners = await rowsWith(db, 'face', { company_id: company })
    .select('trust_validation_id')
    .where('id', 'in', seedFaces)
    .where('trust_validation_id', 'is not', null)
    .execute();
  return rowsWith(db, 'trust_validation', { company_id: company })
    .select(['id', 'name', 'metadata', 'status', 'created_at'])
    .where('id', 'in', [
      ...choice.validations,
      ...[...chosen, ...owners].flatMap((row) => row.trust_validation_id ?? []),
    ])
    .orderBy('id')
    .execute();
}

function facesOf(
  { db, company }: CompanyStore,
  seedFaces: readonly FaceId[],
  validations: readonly TrustValidationId[],
): Promise<PersonRecords['faces']> {
  return rowsWith(db, 'face', { company_id: company })
    .select([
      'company_id',
      'id',
      'name',
      'kind',
      'blacklist_id',
      'trust_validation_id',
      'image_id',
      'enrolled_at',
      ...TEXT_COLUMNS,
    ])
    .where((eb) => eb.or([eb('id', 'in', seedFaces), eb('trust_validation_id', 'in', validations)]))
    .orderBy('id')
    .execute();
}

function chosenComparisons(
  { db, company }: CompanyStore,
  choice: ErasureChoice,
): Promise<PersonRecords['comparisons']> {
  return rowsWith(db, 'comparison', { company_id: company })
    .select(['company_id', 'id', 'compared_at', 'content'])
    .where('id', 'in', choice.comparisons)
    .execute();
}

/** The chosen upload items, those of the validations, faces and images, and the failed photos that these corrected. */
function photosOf(
  { db, company }: CompanyStore,
  by: {
    items: readonly UploadItemId[];
    validations: readonly TrustValidationId[];
    faces: readonly FaceId[];
    images: readonly ImageId[];
  },
): Promise<PersonRecords['photos']> {
  return db
    .selectFrom('upload_item')
    .select([
      'company_id',
      'id',
      'upload_id',
      'position',
      'file_name',
      'person_name',
      'person_external_id',
      'unfixable_note',
      'status',
      'image_id',
    ])
    .where('company_id', '=', company)
    .where((eb) =>
      eb.or([
        eb('id', 'in', by.items),
        eb('trust_validation_id', 'in', by.validations),
        eb('face_id', 'in', by.faces),
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
              fix.or([
                fix('fixed.trust_validation_id', 'in', by.validations),
                fix('fixed.face_id', 'in', by.faces),
              ]),
            )
            .$castTo<{ fixes: UploadItemId }>(),
        ),
        eb('image_id', 'in', by.images),
      ]),
    )
    .orderBy('id')
    .execute();
}

function imageRecords(
  { db, company }: CompanyStore,
  images: readonly ImageId[],
): Promise<PersonRecords['images']> {
  return rowsWith(db, 'image', { company_id: company })
    .select(['company_id', 'id', 'key', 'original', 'bytes', 'sha256', 'created_at'])
    .where('id', 'in', images)
    .orderBy('id')
    .execute();
}

/** Those of these removed faces that a screening match or an upload item still names. */
async function relatedFaces({ db, company }: CompanyStore, faces: readonly FaceId[]): Promise<FaceId[]> {
  const items = await rowsWith(db, 'upload_item', { company_id: company })
    .select('face_id')
    .where('face_id', 'in', faces)
    .where('file_name', '!=', ERASED_NAME)
    .execute();
  const entries = await rowsWith(db, 'screening_match', { company_id: company })
    .select('face_id')
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
