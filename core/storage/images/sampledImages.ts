import { sql } from 'kysely';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';

/**
 * Images of a company: its first ones, and those that follow places drawn at random. An index finds each place, so it costs
 * the same with a million images; a company with few has all of them drawn.
 */
export async function* sampledImages(
  db: Database,
  company: CompanyId,
  { places, atEach }: { places: number; atEach: number },
): AsyncIterable<ImageId> {
  const images = db.selectFrom('image').where('company_id', '=', company);
  const row = sql<number>`image.rowid`;
  const { first, last } = await images
    .select((eb) => [eb.fn.min(row).as('first'), eb.fn.max(row).as('last')])
    .executeTakeFirstOrThrow();
  const drawn = new Set<ImageId>();
  for (let place = 0; place < places; place += 1) {
    const from = place === 0 ? first : first + Math.floor(Math.random() * (last - first + 1));
    const found = await images.select('id').where(row, '>=', from).orderBy(row).limit(atEach).execute();
    for (const { id } of found) {
      if (drawn.has(id)) continue;
      drawn.add(id);
      yield id;
    }
  }
}
