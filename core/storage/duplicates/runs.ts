import { sql } from 'kysely';
import { trusted, type CompanyId, type DuplicateRunId, type FaceId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { DuplicateRun, DuplicateRuns, NearPair } from '../../domain/ports/duplicates.ts';
import type { SqlAuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { addPairs, countCompared, facesAfter, markCompared, pendingFaces } from './compared.ts';
import { blacklistsColumn, toRun } from './rows.ts';

/** Runs whose rows are in use: the last finished run of mode `all` of each company, and those that have not ended. */
const IN_USE = sql<DuplicateRunId>`(
  select max(id) from duplicate_run where mode = 'all' and state = 'done' group by company_id
  union all select id from duplicate_run where mode = 'all' and state in ('running', 'paused'))`;

export class SqlDuplicateRuns implements DuplicateRuns {
  readonly #db: Database;
  readonly #audit: SqlAuditLog;

  constructor(db: Database, audit: SqlAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async begin(
    ...[company, choice, { pipeline, total }, act]: Parameters<DuplicateRuns['begin']>
  ): ReturnType<DuplicateRuns['begin']> {
    return writing(this.#db, company, async (trx): ReturnType<DuplicateRuns['begin']> => {
      if ((await unfinishedRun(trx, company)) !== undefined) return { kind: 'unfinished' };
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
        blacklists: choice.blacklists.length,
        oneIn: choice.oneIn,
      });
      return { kind: 'done', run };
    });
  }

  base(...[company, choice, pipeline]: Parameters<DuplicateRuns['base']>): Promise<DuplicateRun | undefined> {
    return baseRun(this.#db, company, choice, pipeline);
  }

  async running(): Promise<DuplicateRun[]> {
    const rows = await this.#db
      .selectFrom('duplicate_run')
      .selectAll()
      .where('state', '=', 'running')
      .orderBy('id')
      .execute();
    return rows.map(toRun);
  }

  async find(company: CompanyId, id: DuplicateRunId): Promise<DuplicateRun | undefined> {
    const row = await runsOf(this.#db, company).where('id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  async count(company: CompanyId): Promise<number> {
    const { count } = await this.#db
      .selectFrom('duplicate_run')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('company_id', '=', company)
      .executeTakeFirstOrThrow();
    return count;
  }

  async list(
    company: CompanyId,
    { before, limit }: Parameters<DuplicateRuns['list']>[1],
  ): Promise<DuplicateRun[]> {
    const rows = await runsOf(this.#db, company)
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toRun);
  }

  unfinished(company: CompanyId): Promise<DuplicateRun | undefined> {
    return unfinishedRun(this.#db, company);
  }

  async latest(company: CompanyId): Promise<DuplicateRun | undefined> {
    const row = await runsOf(this.#db, company)
      .where('state', '=', 'done')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toRun(row);
  }

  async change(
    company: CompanyId,
    id: DuplicateRunId,
    { from, to }: Parameters<DuplicateRuns['change']>[2],
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.#db, company, async (trx) => {
      const row = await trx
        .updateTable('duplicate_run')
        .set({ state: to, ...(to === 'cancelled' && { ended_at: act.at.getTime() }) })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('state', 'in', from)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return false;
      this.#record(trx, toRun(row), act, 'duplicates.changed', { state: to });
      return true;
    });
  }

  async choose(run: DuplicateRun, tail: DuplicateRun['tail'], maxDistance: number): Promise<void> {
    await writing(this.#db, run.company, (trx) =>
      trx
        .updateTable('duplicate_run')
        .set({ tail: JSON.stringify(tail), max_distance: maxDistance })
        .where('company_id', '=', run.company)
        .where('id', '=', run.id)
        .execute(),
    );
  }

  comparedFaces(...asked: Parameters<DuplicateRuns['comparedFaces']>): Promise<number> {
    return countCompared(this.#db, ...asked);
  }

  facesAfter(...asked: Parameters<DuplicateRuns['facesAfter']>): Promise<FaceId[]> {
    return facesAfter(this.#db, ...asked);
  }

  pending(...asked: Parameters<DuplicateRuns['pending']>): ReturnType<DuplicateRuns['pending']> {
    return pendingFaces(this.#db, ...asked);
  }

  async highestCompared(run: DuplicateRun): Promise<FaceId> {
    const row = await this.#db
      .selectFrom('compared_face')
      .select('face_id')
      .where('run_id', '=', run.base)
      .where('company_id', '=', run.company)
      .orderBy('face_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.face_id ?? trusted.face(0);
  }

  async store(...[run, found, upTo]: Parameters<DuplicateRuns['store']>): Promise<NearPair[] | undefined> {
    return writing(this.#db, run.company, async (trx) => {
      const here = await trx
        .updateTable('duplicate_run')
        .set({ last_face: upTo })
        .where('company_id', '=', run.company)
        .where('id', '=', run.id)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      if (here === undefined) return undefined;
      const compared = await markCompared(trx, run, found.compared);
      const added = await addPairs(trx, run, found.pairs);
      const identical = added.filter((pair) => pair.identical).length;
      await trx
        .updateTable('duplicate_run')
        .set((eb) => ({
          compared: eb('compared', '+', compared),
          pairs: eb('pairs', '+', added.length),
          identical: eb('identical', '+', identical),
          truncated: eb('truncated', '+', found.truncated.length),
        }))
        .where('company_id', '=', run.company)
        .where('id', '=', run.id)
        .execute();
      return added;
    });
  }

  async finish(...[run, end, act]: Parameters<DuplicateRuns['finish']>): Promise<boolean> {
    const problem = end.state === 'failed' ? end.problem : null;
    return writing(this.#db, run.company, async (trx) => {
      const row = await trx
        .updateTable('duplicate_run')
        .set({ state: end.state, problem, ended_at: act.at.getTime() })
        .where('company_id', '=', run.company)
        .where('id', '=', run.id)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return false;
      const { state, pairs, identical, compared, truncated } = toRun(row);
      const details = { state, faces: compared, pairs, identical, truncated };
      this.#record(trx, run, act, 'duplicates.ended', details);
      return true;
    });
  }

  async removeReplaced(most: number): Promise<boolean> {
    return writing(this.#db, 'installation', async (trx) => {
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

  async pairs(
    company: CompanyId,
    { after, limit }: Parameters<DuplicateRuns['pairs']>[1],
  ): Promise<NearPair[]> {
    const rows = await (
      await this.#pairs(company)
    )
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(first_face, second_face) > (${after!.first}, ${after!.second})`),
      )
      .orderBy('first_face')
      .orderBy('second_face')
      .limit(limit)
      .execute();
    return rows.map(toPair);
  }

  async pairsOf(company: CompanyId, faces: readonly FaceId[]): Promise<NearPair[]> {
    const chosen = listed(faces);
    const rows = await (
      await this.#pairs(company)
    )
      .where((eb) => eb.or([eb('first_face', 'in', chosen), eb('second_face', 'in', chosen)]))
      .orderBy('first_face')
      .orderBy('second_face')
      .execute();
    return rows.map(toPair);
  }

  async #pairs(company: CompanyId) {
    const base = (await this.latest(company))?.base ?? null;
    return this.#db
      .selectFrom('near_pair')
      .select(['first_face', 'second_face', 'distance', 'identical'])
      .where('company_id', '=', company)
      .where('run_id', '=', base);
  }

  #record(
    trx: Transaction,
    { id, company }: DuplicateRun,
    act: AuditContext,
    action: 'duplicates.started' | 'duplicates.changed' | 'duplicates.ended',
    details: NonNullable<NewAuditEntry['details']>,
  ): void {
    this.#audit.append(trx, act, { company, action, object: `duplicate-run:${id}`, details });
  }
}

function runsOf(db: Database, company: CompanyId) {
  return db.selectFrom('duplicate_run').selectAll().where('company_id', '=', company);
}

async function unfinishedRun(db: Database, company: CompanyId): Promise<DuplicateRun | undefined> {
  const row = await runsOf(db, company).where('state', 'in', ['running', 'paused']).executeTakeFirst();
  return row && toRun(row);
}

async function baseRun(
  db: Database,
  ...[company, { blacklists, oneIn }, pipeline]: Parameters<DuplicateRuns['base']>
): Promise<DuplicateRun | undefined> {
  const row = await runsOf(db, company)
    .where('mode', '=', 'all')
    .where('state', '=', 'done')
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
