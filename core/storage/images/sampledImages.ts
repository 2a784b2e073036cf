import { randomUUID } from 'node:crypto';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';

/**
 * Images of a company: those that follow places drawn at random among the ids. An index finds each place, so it costs the
 * same with a million images. A company with few images has all of them drawn.
 */
export async function* sampledImages(
  db: Database,
  company: CompanyId,
  { places, atEach }: { places: number; atEach: number },
): AsyncIterable<ImageId> {
  const images = db.selectFrom('image').where('company_id', '=', company);
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
