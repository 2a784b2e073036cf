/** Which faces a run has yet to compare, and what it keeps of those it compared. */
import { sql } from 'kysely';
import { trusted, type CompanyId, type DuplicateRunId, type FaceId } from '../../contracts/ids.ts';
import type { FaceScope, NearPair, PendingFaces } from '../../domain/ports/duplicates.ts';
import type { DuplicateRun } from './runs.ts';
import type { FacePairs } from '../../domain/ports/gallery.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { listed, tableOf } from '../engine/dialect.ts';
import { joinedFaces } from '../faces/gallerySnapshots.ts';
import { countOf, rowsWith } from '../engine/rows.ts';

/** Ids that one query goes through: it keeps other queries waiting for some tens of milliseconds. */
const STRETCH = 20_000;
/** Pairs that one statement inserts. */
const TOGETHER = 10_000;

/** The faces of a run's lists that can be matched. */
function facesOf(db: Database, company: CompanyId, { pipeline, blacklists }: FaceScope) {
  return joinedFaces(db, company, pipeline).where((eb) =>
    eb.or([eb('face.kind', '=', 'duplicate'), eb('face.blacklist_id', 'in', blacklists)]),
  );
}

/** Of these those that the base has not compared. */
function pendingOf(db: Database, company: CompanyId, scope: FaceScope & { base: DuplicateRunId }) {
  return facesOf(db, company, scope).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('compared_face')
          .select('compared_face.face_id')
          .whereRef('compared_face.face_id', '=', 'face.id')
          .where('compared_face.run_id', '=', scope.base)
          .where('compared_face.company_id', '=', company),
      ),
    ),
  );
}

/** Reads one small row for each compared face: about 40 ms for a million on SQLite. */
export async function countCompared(db: Database, company: CompanyId, base: DuplicateRunId): Promise<number> {
  return countOf(rowsWith(db, 'compared_face', { run_id: base, company_id: company }));
}

export async function facesAfter(
  db: Database,
  company: CompanyId,
  scope: FaceScope,
  after: FaceId,
  limit: number,
): Promise<FaceId[]> {
  const rows = await facesOf(db, company, scope)
    .select('face.id')
    .where('face.id', '>', after)
    .orderBy('face.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function pendingFaces(
  db: Database,
  run: DuplicateRun,
  after: FaceId,
  most: number,
): Promise<PendingFaces> {
  const highest = await rowsWith(db, 'face', { company_id: run.company })
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const end = trusted.face(after + STRETCH);
  const rows = await pendingOf(db, run.company, run)
    .select('face.id')
    .where('face.id', '>', after)
    .where('face.id', '<=', end)
    .orderBy('face.id')
    .limit(most)
    .execute();
  const faces = rows.map(({ id }) => id);
  if (faces.length === most) return { faces, upTo: faces.at(-1) };
  return { faces, upTo: highest === undefined || end >= highest.id ? undefined : end };
}

/** Marks faces as compared, except those that were erased or can no longer be matched. @returns how many */
export async function markCompared(
  trx: Transaction,
  run: DuplicateRun,
  faces: readonly FaceId[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into compared_face (face_id, run_id, company_id)
    select face.id, ${run.base}, face.company_id from face
    where face.company_id = ${run.company} and face.id in ${listed(faces)} and face.matchable = 1
    order by face.id on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Adds near pairs whose faces can still be matched. @returns those that are new */
export async function addPairs(
  trx: Transaction,
  run: DuplicateRun,
  pairs: FacePairs['pairs'],
): Promise<NearPair[]> {
  const added: NearPair[] = [];
  for (let start = 0; start < pairs.length; start += TOGETHER) {
    const some = pairs.slice(start, start + TOGETHER);
    const columns = some.map(({ first, second, distance }) => [first, second, distance]);
    const { rows } = await sql<{ first: FaceId; second: FaceId; distance: number; identical: number }>`
      insert into near_pair (first_face, second_face, run_id, company_id, distance, identical)
      select one.id, other.id, ${run.base}, one.company_id, chosen.distance,
        case when (select sha256 from image where id = one.image_id)
          = (select sha256 from image where id = other.image_id) then 1 else 0 end
      from ${tableOf({ first: 'bigint', second: 'bigint', distance: 'double precision' }, columns)} as chosen
      join face as one on one.id = chosen.first
      join face as other on other.id = chosen.second
      where one.company_id = ${run.company} and other.company_id = ${run.company}
        and one.matchable = 1 and other.matchable = 1
      on conflict do nothing
      returning first_face as first, second_face as second, distance, identical`.execute(trx);
    for (const row of rows) added.push({ ...row, identical: row.identical === 1 });
  }
  return added;
}
