/** A store with faces for the gallery to read. */
import type { Kysely } from 'kysely';
import type { Database } from '../../core/storage/engine/database.ts';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { Faces } from '../../core/storage/faces/faces.ts';
import { GallerySnapshots } from '../../core/storage/faces/gallerySnapshots.ts';
import { COMPANY, PIPELINE } from './subject.ts';

export function storesOf(db: Database) {
  return { faces: new Faces(db), gallerySnapshots: new GallerySnapshots(db) };
}

/** Faces without images: only what the gallery reads. */
export async function fillDatabase(
  db: Kysely<Schema>,
  rows: Float32Array,
  dimensions: number,
): Promise<void> {
  const size = rows.length / dimensions;
  await db
    .insertInto('company')
    .values({ name: 'bench', storage_folder: null, settings: '{}', created_at: 0 })
    .execute();
  const image = {
    id: 'none',
    company_id: COMPANY,
    key: new Uint8Array(),
    bytes: 0,
    sha256: new Uint8Array(32),
    format: 'jpeg',
  };
  await db
    .insertInto('image')
    .values({ ...image, created_at: 0 } as never)
    .execute();
  const face = { company_id: COMPANY, kind: 'duplicate', image_id: 'none', name: 'face', geometry: '{}' };
  const rest = { quality_score: 50, quality_measures: '{}', enrolled_at: 0 };
  const PAGE = 500;
  const PAGES_A_TRANSACTION = 40;
  for (let first = 0; first < size; first += PAGE * PAGES_A_TRANSACTION)
    await db.transaction().execute(async (trx) => {
      for (let from = first; from < Math.min(size, first + PAGE * PAGES_A_TRANSACTION); from += PAGE) {
        const ids = Array.from({ length: Math.min(PAGE, size - from) }, (_, i) => from + i + 1);
        await trx
          .insertInto('face')
          .values(ids.map((id) => ({ id, ...face, ...rest })) as never)
          .execute();
        await trx
          .insertInto('template')
          .values(
            ids.map((id) => {
              const vector = rows.slice((id - 1) * dimensions, id * dimensions);
              const bytes = new Uint8Array(vector.buffer);
              return { face_id: id, company_id: COMPANY, pipeline_id: PIPELINE, vector: bytes };
            }) as never,
          )
          .execute();
      }
    });
}
