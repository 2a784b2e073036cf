import { ERASED_NAME, type ErasureChoice, type ErasureReceipt } from '../../contracts/erasure.ts';
import type { Database } from '../engine/database.ts';
import { hashOfImage } from './personRecords.ts';

/**
 * The data of a receipt that the database has again: recognised by random ids and by the millisecond, never by a number alone, because
 * after a restore the same numbers are given to others.
 */
export async function receiptRecords(
  db: Database,
  { company: number, erased }: ErasureReceipt,
): Promise<ErasureChoice> {
  const company = number;
  const validations = await db
    .selectFrom('trust_validation')
    .select(['id', 'created_at'])
    .where('company_id', '=', company)
    .where(
      'id',
      'in',
      erased.validations.map(({ id }) => id),
    )
    .execute();
  const faces = await db
    .selectFrom('face')
    .select(['id', 'image_id'])
    .where('company_id', '=', company)
    .where(
      'id',
      'in',
      erased.faces.map(({ id }) => id),
    )
    .execute();
  const comparisons = await db
    .selectFrom('comparison')
    .select(['id', 'compared_at'])
    .where('company_id', '=', company)
    .where(
      'id',
      'in',
      erased.comparisons.map(({ id }) => id),
    )
    .execute();
  const photos = [];
  for (const { uploadId, index } of erased.photos) {
    const item = await db
      .selectFrom('upload_item')
      .select('id')
      .where('company_id', '=', company)
      .where('upload_id', '=', uploadId)
      .where('position', '=', index)
      .where('file_name', '!=', ERASED_NAME)
      .executeTakeFirst();
    if (item !== undefined) photos.push({ uploadId, index });
  }
  return {
    validations: validations
      .filter((row) =>
        erased.validations.some(({ id, createdAt }) => id === row.id && createdAt === row.created_at),
      )
      .map(({ id }) => id),
    faces: faces
      .filter((row) =>
        erased.faces.some(({ id, image }) => id === row.id && image === hashOfImage(row.image_id)),
      )
      .map(({ id }) => id),
    photos,
    comparisons: comparisons
      .filter((row) => erased.comparisons.some(({ id, at }) => id === row.id && at === row.compared_at))
      .map(({ id }) => id),
  };
}
