/** The keys of what is deleted in PostgreSQL: see `keyFile.ts`, which destroys them. SQLite has none. */
import type { CompanyId, FaceId, ImageId } from '../../contracts/ids.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Transaction } from '../engine/database.ts';
import { recordDeletedKeys } from '../engine/deletedKeys.ts';
import { isPostgres, listed, listedTexts, nextId } from '../engine/dialect.ts';
import { leafOfFace, type Leaf } from '../engine/erasableKeys.ts';
import { entriesAbout, leavesOfEntries } from '../persons/caseFolders.ts';
import type { PersonRecords } from './personRecords.ts';
import { affectedPersons, examinationsOf, reasonsAbout } from './personsOfFaces.ts';
import { rowsWith } from '../engine/rows.ts';

/** The persons that are erased: no photo of them is left. */
export const gonePersons = ({ persons }: Pick<PersonRecords, 'persons'>) =>
  persons.filter(({ left }) => left === 0);

/** The keys of a person, before the rows are deleted. */
export async function leavesOf(trx: Transaction, company: CompanyId, rows: PersonRecords): Promise<Leaf[]> {
  if (!isPostgres(trx)) return [];
  const cells = cellsOf(trx);
  const faces = rows.faces.map(({ id }) => id);
  const validations = rows.validations.map(({ id }) => id);
  const histories = await rowsWith(trx, 'validation_history', { company_id: company })
    .selectAll()
    .where('note', 'is not', null)
    .where('trust_validation_id', 'in', listed(validations))
    .execute();
  const matches = await rowsWith(trx, 'screening_match', { company_id: company })
    .selectAll()
    .where('reason', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('trust_validation_id', 'in', validations),
        eb('matched_trust_validation_id', 'in', validations),
        eb('face_id', 'in', [...faces, ...rows.goneFaces]),
      ]),
    )
    .execute();
  const uploads = await rowsWith(trx, 'upload', { company_id: company })
    .selectAll()
    .where('listing', 'is not', null)
    .where('id', 'in', [...new Set(rows.photos.map((photo) => photo.upload_id))])
    .execute();
  return [
    ...(await leavesAround(trx, company, { ...rows, faces })),
    ...histories.flatMap((line) => cells.leavesOf('validation_history', line)),
    ...(await goneForGood(trx, rows.goneFaces)).map(leafOfFace),
    ...matches.flatMap((match) => cells.leavesOf('screening_match', match)),
    ...uploads.flatMap((upload) => cells.leavesOf('upload', upload)),
    ...rows.photos.flatMap((photo) => cells.leavesOf('upload_item', photo)),
    ...rows.images.flatMap((image) => cells.leavesOf('image', image)),
    ...rows.comparisons.flatMap((comparison) => cells.leavesOf('comparison', comparison)),
  ];
}

/** The keys of faces, and of what is deleted with them. */
async function leavesAround(
  trx: Transaction,
  company: CompanyId,
  {
    faces,
    persons,
    examinations,
    caseEntries,
  }: Pick<PersonRecords, 'persons' | 'examinations' | 'caseEntries'> & { faces: FaceId[] },
): Promise<Leaf[]> {
  const cells = cellsOf(trx);
  const snapshots = await rowsWith(trx, 'gallery_snapshot', { company_id: company })
    .selectAll()
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('face')
          .select('face.id')
          .where('face.company_id', '=', company)
          .where('face.id', 'in', listed(faces))
          .whereRef('face.id', '>', 'gallery_snapshot.after_face')
          .whereRef('face.id', '<=', 'gallery_snapshot.up_to_face'),
      ),
    )
    .execute();
  const reasons = await reasonsAbout(trx, company, faces);
  return [
    ...gonePersons({ persons }).flatMap((person) => cells.leavesOf('person', person)),
    ...reasons.flatMap((decision) => cells.leavesOf('person_decision', decision)),
    ...faces.map(leafOfFace),
    ...examinations.flatMap((examination) => cells.leavesOf('examination', examination)),
    ...(await leavesOfEntries(trx, caseEntries)),
    ...snapshots.flatMap((snapshot) => cells.leavesOf('gallery_snapshot', snapshot)),
  ];
}

/**
 * Of faces that rows of the company name and it does not have, those that no company has and that had been given. What was
 * changed on the server must not destroy the key of another face, or use up the numbers: neither can be undone.
 */
async function goneForGood(trx: Transaction, faces: readonly FaceId[]): Promise<FaceId[]> {
  const next = await nextId(trx, 'face');
  const rows = await trx.selectFrom('face').select('id').where('id', 'in', faces).execute();
  const living = new Set(rows.map(({ id }) => id));
  return faces.filter((id) => id < next && !living.has(id));
}

/** Records the keys of faces that the transaction deletes without an erasure, before the rows are deleted. */
export async function recordKeysOfFaces(
  trx: Transaction,
  company: CompanyId,
  faces: FaceId[],
): Promise<void> {
  if (!isPostgres(trx) || faces.length === 0) return;
  const persons = await affectedPersons(trx, company, faces);
  const examinations = await examinationsOf(trx, company, faces);
  const caseEntries = await entriesAbout(
    trx,
    company,
    faces,
    examinations.map(({ id }) => id),
  );
  const around = { faces, persons, examinations, caseEntries };
  await recordDeletedKeys(trx, await leavesAround(trx, company, around));
}

/** The same for photos. */
export async function recordKeysOfImages(
  trx: Transaction,
  company: CompanyId,
  images: readonly ImageId[],
): Promise<void> {
  if (!isPostgres(trx)) return;
  const rows = await rowsWith(trx, 'image', { company_id: company })
    .selectAll()
    .where('id', 'in', listedTexts(images))
    .execute();
  await recordDeletedKeys(
    trx,
    rows.flatMap((image) => cellsOf(trx).leavesOf('image', image)),
  );
}
