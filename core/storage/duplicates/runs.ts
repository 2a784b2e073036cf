import { sql, type Selectable } from 'kysely';
import {
  trusted,
  type CompanyId,
  type DuplicateRunId,
  type FaceId,
  type PipelineId,
  blacklistId,
} from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { NearPair, DuplicateRunChoice, DuplicateRunProblem } from '../../domain/ports/duplicates.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { addPairs, countCompared, facesAfter, markCompared, pendingFaces } from './compared.ts';
import type { DuplicateRunState } from '../../contracts/dashboard/duplicates.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { FacePairs } from '../../domain/ports/gallery.ts';
import { z } from 'zod';
import type { Schema } from '../engine/schema.ts';
import { AuditedRows, countOf, rowsWith, changeRows } from '../engine/rows.ts';
import { isoTime } from '../../domain/values/time.ts';

// A duplicate run as a row.

const storedBlacklists = z.array(blacklistId);
const storedTail = z.object({
  faces: z.number(),
  pairs: z.number(),
  strong: z.number(),
  measuredTo: z.number(),
  law: z.object({ at: z.number(), level: z.number(), slope: z.number() }),
  error: z.object({ level: z.number(), slope: z.number(), both: z.number() }),
});
const storedProblem = z.enum(['PIPELINE_CHANGED']).nullable();

export type DuplicateRun = ReturnType<typeof toRun>;

function toRun(row: Selectable<Schema['duplicate_run']>) {
  return {
    id: row.id,
    company: row.company_id,
    mode: row.mode,
    state: row.state,
    /** The run of mode `all` whose compared faces and pairs this run adds to; its own id in that mode. */
    base: row.base_id ?? row.id,
    pipeline: row.pipeline_id,
    blacklists: storedBlacklists.parse(JSON.parse(row.blacklists)),
    oneIn: row.one_in,
    /** Null: not measured yet. */
    tail: row.tail === null ? null : storedTail.parse(JSON.parse(row.tail)),
    /** Pairs at most this far apart are near pairs: Euclidean, 0 to 2. Null: not chosen yet. */
    maxDistance: row.max_distance,
    /** The last face that was compared in the present pass over the ids; 0 at the start of a pass. */
    lastFace: trusted.face(row.last_face),
    /** Faces of its lists when it started, those that it had to compare, and those that it has compared. */
    total: row.total,
    faces: row.faces,
    compared: row.compared,
    /** Near pairs found, and those of identical photos among them. */
    pairs: row.pairs,
    identical: row.identical,
    /** Faces with more near pairs than are kept of one face. */
    truncated: row.truncated,
    startedBy: row.started_by,
    startedAt: isoTime(row.started_at),
    endedAt: isoTime(row.ended_at),
    problem: storedProblem.parse(row.problem),
  };
}

/** The blacklists of a run as its column, the same for every order in which they were named. */
function blacklistsColumn(blacklists: DuplicateRunChoice['blacklists']): string {
  return JSON.stringify([...new Set(blacklists)].sort((a, b) => a - b));
}

/** Runs whose rows are in use: the last finished run of mode `all` of each company, and those that have not ended. */
const IN_USE = sql<DuplicateRunId>`(
  select max(id) from duplicate_run where mode = 'all' and state = 'done' group by company_id
  union all select id from duplicate_run where mode = 'all' and state in ('running', 'paused'))`;

/**
 * A run of mode `all` is the base of later runs of mode `new`. Its near pairs are all pairs of two faces that it or they have
 * compared. The store keeps that true: a face that can no longer be matched leaves the compared faces with its pairs.
 */
export class DuplicateRuns extends AuditedRows {
  /** The company's last finished run of mode `all`, if it has this pipeline, these lists and this rate. */
  readonly base = baseRun.bind(undefined, this.db);
  /** The run in state `running` or `paused`. */
  readonly unfinished = unfinishedRun.bind(undefined, this.db);
  /** How many faces a base and the runs that add to it have compared; those that can no longer be matched are left out. */
  readonly comparedFaces = countCompared.bind(undefined, this.db);
  /** Ids of the first faces above `after`, by rising ids. */
  readonly facesAfter = facesAfter.bind(undefined, this.db);
  /** Faces above `after` that the base has not compared: the first `most` of a bounded stretch of ids. */
  readonly pending = pendingFaces.bind(undefined, this.db);

  /**
   * Starts a run in state `running`. A run of mode `new` for which {@link base} finds no run becomes one of mode `all`.
   * @param gallery its pipeline, and how many faces of the lists can be matched in it
   * @throws {CodedError} DUPLICATE_SEARCH_UNFINISHED
   */
  async begin(
    company: CompanyId,
    choice: DuplicateRunChoice,
    { pipeline, total }: { pipeline: PipelineId; total: number },
    act: AuditContext,
  ): Promise<DuplicateRun> {
    return writing(this.db, company, async (trx) => {
      if ((await unfinishedRun(trx, company)) !== undefined)
        throw new CodedError('DUPLICATE_SEARCH_UNFINISHED');
      const base = choice.mode === 'new' ? await baseRun(trx, company, choice, pipeline) : undefined;
      // Every compared face can be matched: triggers remove those that cannot be.
      const compared = base === undefined ? 0 : await countCompared(trx, company, base.id);
      const pending = Math.max(0, total - compared);
      const row = await trx
        .insertInto('duplicate_run')
        .values({
          company_id: company,
          mode: base === undefined ? 'all' : 'new',
          state: 'running',
          base_id: base?.id ?? null,
          pipeline_id: pipeline,
          blacklists: blacklistsColumn(choice.blacklists),
          one_in: choice.oneIn,
          max_distance: base?.maxDistance ?? null,
          tail: null,
          total,
          faces: pending,
          started_by: act.by,
          started_at: act.at.getTime(),
          ended_at: null,
          problem: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const run = toRun(row);
      const { mode } = run;
      this.#record(trx, run, act, 'duplicates.started', {
        mode,
        faces: pending,
        oneIn: choice.oneIn,
      });
      return run;
    });
  }

  /** The runs in state `running`, of all companies, oldest first. */
  async running(): Promise<DuplicateRun[]> {
    const rows = await rowsWith(this.db, 'duplicate_run', { state: 'running' })
      .selectAll()
      .orderBy('id')
      .execute();
    return rows.map(toRun);
  }

  async find(company: CompanyId, id: DuplicateRunId): Promise<DuplicateRun | undefined> {
    const row = await runsOf(this.db, company).where('id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  async count(company: CompanyId): Promise<number> {
    return countOf(rowsWith(this.db, 'duplicate_run', { company_id: company }));
  }

  /** Newest first. @param before only runs with lower ids */
  async list(
    company: CompanyId,
    { before, limit }: { before?: DuplicateRunId | undefined; limit: number },
  ): Promise<DuplicateRun[]> {
    const rows = await runsOf(this.db, company)
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toRun);
  }

  /** The last finished run, whose near pairs are the company's. */
  async latest(company: CompanyId): Promise<DuplicateRun | undefined> {
    const row = await runsOf(this.db, company)
      .where('state', '=', 'done')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toRun(row);
  }

  /** Pauses, resumes or cancels. @returns false: the run is in another state than `from` */
  async change(
    company: CompanyId,
    id: DuplicateRunId,
    { from, to }: { from: readonly DuplicateRunState[]; to: 'running' | 'paused' | 'cancelled' },
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.db, company, async (trx) => {
      const row = await changeRows(trx, 'duplicate_run', { company_id: company, id })
        .set({ state: to, ...(to === 'cancelled' && { ended_at: act.at.getTime() }) })
        .where('state', 'in', from)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return false;
      this.#record(trx, toRun(row), act, 'duplicates.changed', { state: to });
      return true;
    });
  }

  /** Notes the tail that was measured and the distance that was chosen. */
  async choose(run: DuplicateRun, tail: DuplicateRun['tail'], maxDistance: number): Promise<void> {
    await writing(this.db, run.company, (trx) =>
      changeRows(trx, 'duplicate_run', { company_id: run.company, id: run.id })
        .set({ tail: JSON.stringify(tail), max_distance: maxDistance })
        .execute(),
    );
  }

  /** The highest face that the base has compared; 0: none. */
  async highestCompared(run: DuplicateRun): Promise<FaceId> {
    const row = await rowsWith(this.db, 'compared_face', { run_id: run.base, company_id: run.company })
      .select('face_id')
      .orderBy('face_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.face_id ?? trusted.face(0);
  }

  /**
   * Keeps the near pairs of a portion, its faces as compared, and `upTo`, in one transaction. Faces that were erased or can no
   * longer be matched are left out.
   * @returns the pairs that are new; undefined: the run is not in state `running` any more, and nothing was kept
   */
  async store(run: DuplicateRun, found: FacePairs, upTo: FaceId): Promise<NearPair[] | undefined> {
    return writing(this.db, run.company, async (trx) => {
      const here = await trx
        .updateTable('duplicate_run')
        .set({ last_face: upTo })
        .where((eb) => eb.and({ company_id: run.company, id: run.id, state: 'running' }))
        .returning('id')
        .executeTakeFirst();
      if (here === undefined) return undefined;
      const compared = await markCompared(trx, run, found.compared);
      const added = await addPairs(trx, run, found.pairs);
      const identical = added.filter((pair) => pair.identical).length;
      await changeRows(trx, 'duplicate_run', { company_id: run.company, id: run.id })
        .set((eb) => ({
          compared: eb('compared', '+', compared),
          pairs: eb('pairs', '+', added.length),
          identical: eb('identical', '+', identical),
          truncated: eb('truncated', '+', found.truncated.length),
        }))
        .execute();
      return added;
    });
  }

  /** Ends a running run. @returns false: it is in another state */
  async finish(
    run: DuplicateRun,
    end: { state: 'done' } | { state: 'failed'; problem: DuplicateRunProblem },
    act: AuditContext,
  ): Promise<boolean> {
    const problem = end.state === 'failed' ? end.problem : null;
    return writing(this.db, run.company, async (trx) => {
      const row = await trx
        .updateTable('duplicate_run')
        .set({ state: end.state, problem, ended_at: act.at.getTime() })
        .where((eb) => eb.and({ company_id: run.company, id: run.id, state: 'running' }))
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return false;
      const { state, pairs, identical, compared, truncated } = toRun(row);
      const details = { state, faces: compared, pairs, identical, truncated };
      this.#record(trx, run, act, 'duplicates.ended', details);
      return true;
    });
  }

  /** Removes some rows of runs that newer ones have replaced. @returns whether there may be more */
  async removeReplaced(most: number): Promise<boolean> {
    return writing(this.db, 'installation', async (trx) => {
      const pairs = await sql`
        delete from near_pair where (first_face, second_face, run_id) in (
          select first_face, second_face, run_id from near_pair where run_id not in ${IN_USE} limit ${most})`.execute(
        trx,
      );
      const faces = await sql`
        delete from compared_face where (face_id, run_id) in (
          select face_id, run_id from compared_face where run_id not in ${IN_USE} limit ${most})`.execute(
        trx,
      );
      return [pairs, faces].some(({ numAffectedRows }) => Number(numAffectedRows ?? 0) === most);
    });
  }

  /** Near pairs of the company's latest finished run, by rising first and second face. @param after the last pair of the page before */
  async pairs(
    company: CompanyId,
    { after, limit }: { after?: { first: FaceId; second: FaceId } | undefined; limit: number },
  ): Promise<NearPair[]> {
    const rows = await this.#pairs(company)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(first_face, second_face) > (${after!.first}, ${after!.second})`),
      )
      .orderBy('first_face')
      .orderBy('second_face')
      .limit(limit)
      .execute();
    return rows.map(toPair);
  }

  /** Those of them that hold one of these faces. */
  async pairsOf(company: CompanyId, faces: readonly FaceId[]): Promise<NearPair[]> {
    const chosen = listed(faces);
    const rows = await this.#pairs(company)
      .where((eb) => eb.or([eb('first_face', 'in', chosen), eb('second_face', 'in', chosen)]))
      .orderBy('first_face')
      .orderBy('second_face')
      .execute();
    return rows.map(toPair);
  }

  #pairs(company: CompanyId) {
    return rowsWith(this.db, 'near_pair', { company_id: company })
      .select(['first_face', 'second_face', 'distance', 'identical'])
      .where('run_id', '=', (eb) =>
        eb
          .selectFrom('duplicate_run')
          .select(sql<DuplicateRunId>`coalesce(base_id, id)`.as('base'))
          .where((at) => at.and({ company_id: company, state: 'done' }))
          .orderBy('id', 'desc')
          .limit(1),
      );
  }

  #record(
    trx: Transaction,
    { id, company, blacklists, startedAt }: DuplicateRun,
    act: AuditContext,
    action: 'duplicates.started' | 'duplicates.changed' | 'duplicates.ended',
    details: NonNullable<NewAuditEntry['details']>,
  ): void {
    const took = act.at.getTime() - Date.parse(startedAt);
    const searched = { ...details, watchlists: [null, ...blacklists], took };
    this.audit.append(trx, act, { company, action, object: `duplicate-run:${id}`, details: searched });
  }
}

function runsOf(db: Database, company: CompanyId) {
  return rowsWith(db, 'duplicate_run', { company_id: company }).selectAll();
}

async function unfinishedRun(db: Database, company: CompanyId): Promise<DuplicateRun | undefined> {
  const row = await runsOf(db, company).where('state', 'in', ['running', 'paused']).executeTakeFirst();
  return row && toRun(row);
}

async function baseRun(
  db: Database,
  company: CompanyId,
  { blacklists, oneIn }: Pick<DuplicateRunChoice, 'blacklists' | 'oneIn'>,
  pipeline: PipelineId,
): Promise<DuplicateRun | undefined> {
  const row = await runsOf(db, company)
    .where((eb) => eb.and({ mode: 'all', state: 'done' }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const fits =
    row?.pipeline_id === pipeline && row.one_in === oneIn && row.blacklists === blacklistsColumn(blacklists);
  return fits ? toRun(row) : undefined;
}

function toPair(row: {
  first_face: FaceId;
  second_face: FaceId;
  distance: number;
  identical: number;
}): NearPair {
  const { first_face: first, second_face: second, distance } = row;
  return { first, second, distance, identical: row.identical === 1 };
}
