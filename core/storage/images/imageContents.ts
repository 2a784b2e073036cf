import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { SampledImages } from '../../domain/ports/diagnostics.ts';
import { ImageDamaged, type ImageFiles } from '../../domain/ports/images.ts';
import type { Database } from '../engine/database.ts';
import { randomUUID } from 'node:crypto';
import { rowsWith } from '../engine/rows.ts';

/** Images are drawn from this many places among a company's, and so many at each: a damaged stretch is as likely hit as one file. */
const PLACES = 16;
const AT_EACH = 4;
/** No more is read once so many bytes were. */
const MAX_BYTES = 64 * 2 ** 20;

/** Reads images of a company that are drawn at random. */
export class ImageContents {
  readonly #db: Database;
  readonly #images: Pick<ImageFiles, 'read'>;

  constructor(db: Database, images: Pick<ImageFiles, 'read'>) {
    this.#db = db;
    this.#images = images;
  }

  /** Images whose file is missing are not counted: that is another check. */
  async sample(company: CompanyId): Promise<SampledImages> {
    const found: SampledImages = { sampled: 0, damaged: [] };
    let bytes = 0;
    for await (const image of sampledImages(this.#db, company, { places: PLACES, atEach: AT_EACH })) {
      if (bytes > MAX_BYTES) break;
      try {
        const read = await this.#images.read(company, image);
        if (read === undefined) continue;
        bytes += read.content.length;
        found.sampled += 1;
      } catch (error) {
        if (hasSystemCode(error, 'ENOENT')) continue;
        if (!(error instanceof ImageDamaged)) throw error;
        found.sampled += 1;
        found.damaged.push(await faceOf(this.#db, company, image));
      }
    }
    return found;
  }
}

/** The face that an image is of, as it is erased; null: it is of none, or of none yet. */
export async function faceOf(
  db: Database,
  company: CompanyId,
  image: ImageId,
): Promise<{ face: number | null; validation: number | null }> {
  const row = await rowsWith(db, 'face', { company_id: company, image_id: image })
    .select(['id', 'trust_validation_id'])
    .executeTakeFirst();
  return { face: row?.id ?? null, validation: row?.trust_validation_id ?? null };
}

/**
 * Images of a company: those that follow places drawn at random among the ids. An index finds each place, so it costs the
 * same with a million images. A company with few images has all of them drawn.
 */
export async function* sampledImages(
  db: Database,
  company: CompanyId,
  { places, atEach }: { places: number; atEach: number },
): AsyncIterable<ImageId> {
  const images = rowsWith(db, 'image', { company_id: company });
  const drawn = new Set<ImageId>();
  for (let place = 0; place < places; place += 1) {
    const from = (place === 0 ? '' : randomUUID()) as ImageId;
    const found = await images.select('id').where('id', '>=', from).orderBy('id').limit(atEach).execute();
    for (const { id } of found) {
      if (drawn.has(id)) continue;
      drawn.add(id);
      yield id;
    }
  }
}
