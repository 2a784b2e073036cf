/** The parts of the overview beyond its numbers: the newest hits, the first steps, and the days of the chart. */
import { sql } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { Database } from '../engine/database.ts';
import { rowsWith } from '../engine/rows.ts';

/**
 * Validations in which a face was found again; their best match may have been erased since. Reads an index of the hits
 * alone, so that a million validations without a hit cost nothing.
 */
export async function newestHits(db: Database, company: CompanyId, limit: number) {
  const rows = await db
    .selectFrom('trust_validation')
    .leftJoin('face', (join) =>
      join.onRef('face.trust_validation_id', '=', 'trust_validation.id').on('face.superseded', '=', 0),
    )
    .leftJoin('screening_match as best', (join) => join.on(isBestMatch))
    .leftJoin('face as best_face', 'best_face.id', 'best.face_id')
    .select([
      'trust_validation.id',
      'trust_validation.status',
      'trust_validation.name',
      'trust_validation.created_at',
      'face.id as face_id',
      'best.full_name',
      'best.blacklist_name',
      'best.severity',
      'best.score',
      'best.band',
      'best_face.id as best_face_id',
    ])
    .where('trust_validation.company_id', '=', company)
    .where(sql<boolean>`(trust_validation.duplicate_detected = 1 or trust_validation.blacklist_detected = 1)`)
    .orderBy('trust_validation.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    name: row.name,
    faceId: row.face_id,
    createdAt: isoTime(row.created_at),
    match:
      row.full_name === null || row.score === null || row.band === null
        ? null
        : {
            name: row.full_name,
            faceId: row.best_face_id,
            blacklistName: row.blacklist_name,
            severity: row.severity,
            score: row.score,
            band: row.band,
          },
  }));
}

/** A blacklist match comes before a duplicate, then the higher score. */
const isBestMatch = sql<boolean>`best.id = (
  select id from screening_match
  where screening_match.trust_validation_id = trust_validation.id
    and screening_match.company_id = trust_validation.company_id
  order by kind, score desc, photo_distance, id limit 1)`;

/** Each of these ends at the first row of an index. */
export async function firstSteps(db: Database, company: CompanyId) {
  const { rows } = await sql<Record<'enrolled' | 'blacklisted' | 'flowPublished' | 'verified', 0 | 1>>`
    select
      exists (select 1 from face where company_id = ${company} and kind = 'duplicate') as enrolled,
      exists (select 1 from face where company_id = ${company} and kind = 'blacklist') as blacklisted,
      exists (select 1 from trust_flow_version join trust_flow on trust_flow.id = trust_flow_version.trust_flow_id
        where trust_flow.company_id = ${company} and trust_flow.system = 0) as "flowPublished",
      exists (select 1 from trust_validation
        where company_id = ${company} and source = 'verification') as verified`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('A query without a table answered no row.');
  return {
    enrolled: row.enrolled === 1,
    blacklisted: row.blacklisted === 1,
    flowPublished: row.flowPublished === 1,
    verified: row.verified === 1,
  };
}

/** Counts in an index that holds all of its columns. @param until not included */
export async function countDay(db: Database, company: CompanyId, from: Date, until: Date) {
  return rowsWith(db, 'trust_validation', { company_id: company })
    .select((eb) => [
      eb.fn.countAll<number>().as('validations'),
      sql<number>`coalesce(sum(duplicate_detected), 0)`.as('duplicates'),
      sql<number>`coalesce(sum(blacklist_detected), 0)`.as('blacklisted'),
    ])
    .where('created_at', '>=', from.getTime())
    .where('created_at', '<', until.getTime())
    .executeTakeFirstOrThrow();
}
