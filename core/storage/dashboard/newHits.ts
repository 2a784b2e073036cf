import { MAX_HITS, type NewHit, type NewHits } from '../../contracts/dashboard/alerts.ts';
import { bySeverity } from '../../contracts/faceListing.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';

/**
 * Blacklist hits of a company that were written after an earlier answer.
 * @param after `last` of that answer; undefined: none is new
 */
export async function readNewHits(
  db: Database,
  company: CompanyId,
  after: number | undefined,
): Promise<NewHits> {
  const newest = await db
    .selectFrom('screening_match')
    .select('id')
    .where('company_id', '=', company)
    .where('kind', '=', 'blacklist')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const last = newest?.id ?? 0;
  if (after === undefined || after >= last) return { last, hits: [] };
  const rows = await db
    .selectFrom('screening_match')
    .select(['trust_validation_id', 'blacklist_name', 'severity'])
    .where('company_id', '=', company)
    .where('kind', '=', 'blacklist')
    .where('id', '>', after)
    .where('id', '<=', last)
    .orderBy('id', 'desc')
    .limit(MAX_HITS)
    .execute();
  const hits = new Map<number, NewHit>();
  for (const { trust_validation_id: validation, blacklist_name, severity } of rows.toReversed()) {
    if (blacklist_name === null || severity === null) continue;
    const known = hits.get(validation);
    if (known === undefined || bySeverity(severity, known.severity) < 0)
      hits.set(validation, { validation, blacklistName: blacklist_name, severity });
  }
  return { last, hits: [...hits.values()] };
}
