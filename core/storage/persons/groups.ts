import { textOf } from '../engine/cells.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { GROUP_STATES, type GroupState, type GroupOrder } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateGroupId, DuplicateRunId, FaceId } from '../../contracts/ids.ts';
import type { GroupFilter, FoundGroup, GroupPosition } from '../../domain/ports/persons.ts';
import { together, writing } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { hasWords } from '../engine/nameSearch.ts';
import { replaceGroups } from './replaceGroups.ts';
import { toGroup, SOURCE_OF_FACE, type DuplicateGroup } from './personRows.ts';
import type { DuplicateRun } from '../duplicates/runs.ts';
import { Rows, countOf, rowsWith } from '../engine/rows.ts';

/** Faces of changed groups that are grouped together. */
const GROUPING_BATCH_SIZE = 2_000;
const storedBox = z.object({
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});

/** A face with what can keep it from a group. */
export type GroupingFacts = Awaited<ReturnType<DuplicateGroups['facts']>>[number];

export class DuplicateGroups extends Rows {
  /** The run whose near pairs the groups were made of; undefined: there are none yet. */
  async groupedRun(company: CompanyId): Promise<DuplicateRunId | undefined> {
    const row = await rowsWith(this.db, 'duplicate_grouping', { company_id: company })
      .select('run_id')
      .executeTakeFirst();
    return row?.run_id ?? undefined;
  }

  async markGrouped(company: CompanyId, run: DuplicateRunId): Promise<void> {
    await writing(this.db, company, (trx) =>
      trx
        .insertInto('duplicate_grouping')
        .values({ company_id: company, run_id: run })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ run_id: run }))
        .execute(),
    );
  }

  /**
   * Some faces whose groups must be worked out once more, by rising ids; none: all groups are up to date. And the number of the
   * last change that names or named such faces; 0: there was none.
   */
  async changes(company: CompanyId): Promise<{ faces: FaceId[]; hasMore: boolean; until: number }> {
    const waiting = rowsWith(this.db, 'face_to_group', { company_id: company });
    const [faces, [last], [grouped]] = await together(
      this.db,
      waiting.select('face_id').distinct().orderBy('face_id').limit(GROUPING_BATCH_SIZE),
      waiting.select((eb) => eb.fn.max('id').as('last')),
      rowsWith(this.db, 'duplicate_grouping', { company_id: company }).select('last_change'),
    );
    return {
      faces: faces.map(({ face_id: face }) => face),
      hasMore: faces.length === GROUPING_BATCH_SIZE,
      until: Math.max(last?.last ?? 0, grouped?.last_change ?? 0),
    };
  }

  /** Makes {@link changes} return the faces of all groups. */
  async regroupAll(company: CompanyId): Promise<void> {
    await writing(this.db, company, (trx) =>
      trx
        .insertInto('face_to_group')
        .columns(['face_id', 'company_id'])
        .expression((eb) =>
          eb
            .selectFrom('duplicate_group_face')
            .select(['face_id', 'company_id'])
            .where('company_id', '=', company)
            .distinct(),
        )
        .execute(),
    );
  }

  /** The facts of these faces that grouping needs, of those that a run compares. */
  async facts(company: CompanyId, run: DuplicateRunId, faces: readonly FaceId[]) {
    const rows = await this.db
      .selectFrom('face')
      .innerJoin('compared_face', 'compared_face.face_id', 'face.id')
      .innerJoin('image', 'image.id', 'face.image_id')
      .leftJoin('person_face', 'person_face.face_id', 'face.id')
      .leftJoin('person', 'person.id', 'person_face.person_id')
      .select(['face.id', 'face.geometry', 'image.sha256', 'person.id as person_id', 'person.external_id'])
      .where((eb) => eb.and({ 'face.company_id': company, 'compared_face.run_id': run }))
      .where('face.id', 'in', listed(faces))
      .orderBy('face.id')
      .execute();
    return rows.map((row) => {
      const { box } = storedBox.parse(JSON.parse(row.geometry));
      return {
        face: row.id,
        person: row.person_id,
        externalId: row.external_id,
        /** Equal for photos of the same bytes. */
        file: textOf(row.sha256),
        /** Centre and width of the face in its photo, pixels. */
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        width: box.width,
      };
    });
  }

  /** The faces of the persons of these faces. */
  async samePersons(company: CompanyId, faces: readonly FaceId[]): Promise<FaceId[]> {
    const rows = await rowsWith(this.db, 'person_face', { company_id: company })
      .select('face_id')
      .where('person_id', 'in', (eb) =>
        eb
          .selectFrom('person_face as known')
          .select('known.person_id')
          .where('known.company_id', '=', company)
          .where('known.face_id', 'in', listed(faces)),
      )
      .execute();
    return rows.map(({ face_id: face }) => face);
  }

  /**
   * Puts groups in place of all present ones that have one of these faces, in one transaction. A group keeps its id while its
   * oldest face stays.
   * @param until the last change before anything was read that the groups were made of
   * @param rejected whether a decision bars two of these faces
   * @returns false: something has changed since, so nothing was replaced
   */
  replace(
    company: CompanyId,
    faces: readonly FaceId[],
    groups: readonly FoundGroup[],
    context: { until: number; rejected: (faces: readonly FaceId[]) => boolean; at: Date },
  ): Promise<boolean> {
    return writing(this.db, company, (trx) => replaceGroups(trx, company, { faces, groups, ...context }));
  }

  async find(company: CompanyId, id: DuplicateGroupId): Promise<DuplicateGroup | undefined> {
    const row = await rowsWith(this.db, 'duplicate_group', { company_id: company, id })
      .selectAll()
      .executeTakeFirst();
    return row && toGroup(row);
  }

  /** By rising ids. @param limit default: all */
  async facesOf(company: CompanyId, id: DuplicateGroupId, limit?: number): Promise<FaceId[]> {
    const rows = await rowsWith(this.db, 'duplicate_group_face', { company_id: company, group_id: id })
      .select('face_id')
      .orderBy('face_id')
      .$if(limit !== undefined, (query) => query.limit(limit!))
      .execute();
    return rows.map(({ face_id: face }) => face);
  }

  /** The groups that hold a face now, by face; rejected and superseded ones are left out. */
  async groupsOf(
    company: CompanyId,
    faces: readonly FaceId[],
  ): Promise<Map<FaceId, { id: DuplicateGroupId; version: number; state: GroupState }>> {
    const rows = await this.db
      .selectFrom('duplicate_group_face')
      .innerJoin('duplicate_group', 'duplicate_group.id', 'duplicate_group_face.group_id')
      .select([
        'duplicate_group_face.face_id',
        'duplicate_group.id',
        'duplicate_group.version',
        'duplicate_group.state',
      ])
      .where('duplicate_group.company_id', '=', company)
      .where('duplicate_group_face.face_id', 'in', listed(faces))
      .where('duplicate_group.state', 'not in', ['rejected', 'superseded'])
      .execute();
    return new Map(rows.map(({ face_id: face, ...group }) => [face, group]));
  }

  async list(
    company: CompanyId,
    filter: GroupFilter,
    page: { order: GroupOrder; after?: GroupPosition | undefined; limit: number },
  ): Promise<DuplicateGroup[]> {
    const { order, after, limit } = page;
    let rows = this.#filtered(company, filter).selectAll('duplicate_group');
    if (order === 'certainty')
      rows = rows
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(link, -size, id) > (${after!.value}, ${-after!.size}, ${after!.id})`),
        )
        .orderBy('link')
        .orderBy(sql`-size`)
        .orderBy('id');
    else if (order === 'size')
      rows = rows
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(-size, id) > (${-after!.size}, ${after!.id})`),
        )
        .orderBy(sql`-size`)
        .orderBy('id');
    else
      rows = rows
        .$if(after !== undefined, (query) => query.where('id', '<', after!.id))
        .orderBy('id', 'desc');
    return (await rows.limit(limit).execute()).map(toGroup);
  }

  async count(company: CompanyId, filter: GroupFilter): Promise<number> {
    return countOf(this.#filtered(company, filter));
  }

  /** Near pairs of different photos of a run, in equal steps up to its distance. */
  async distances(
    company: CompanyId,
    { base, maxDistance }: Pick<DuplicateRun, 'base' | 'maxDistance'>,
    steps: number,
  ): Promise<number[]> {
    const width = (maxDistance ?? 2) / steps;
    const { rows } = await sql<{ step: number; count: number }>`
      select floor(distance / ${width}) as step, count(*) as count from near_pair
      where company_id = ${company} and run_id = ${base} and identical = 0 group by 1`.execute(this.db);
    const counts = new Array<number>(steps).fill(0);
    for (const { step, count } of rows) counts[Math.min(step, steps - 1)]! += count;
    return counts;
  }

  async countStates(company: CompanyId): Promise<Record<GroupState, number>> {
    const rows = await rowsWith(this.db, 'duplicate_group', { company_id: company })
      .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
    const counts = Object.fromEntries(GROUP_STATES.map((state) => [state, 0])) as Record<GroupState, number>;
    for (const { state, count } of rows) counts[state] = count;
    return counts;
  }

  #filtered(company: CompanyId, filter: GroupFilter) {
    const { states, list, source, from, until, link, identical, text } = filter;
    let rows = rowsWith(this.db, 'duplicate_group', { company_id: company }).where(
      'duplicate_group.state',
      'in',
      states,
    );
    if (link !== undefined) rows = rows.where('duplicate_group.link', '<=', link);
    if (identical !== undefined) rows = rows.where('duplicate_group.identical', '=', identical ? 1 : 0);
    const conditions = [
      list === 'main' && sql`face.kind = 'duplicate'`,
      typeof list === 'number' && sql`face.blacklist_id = ${list}`,
      source !== undefined && sql`${sql.raw(SOURCE_OF_FACE)} = ${source}`,
      from !== undefined && sql`face.enrolled_at >= ${from.getTime()}`,
      until !== undefined && sql`face.enrolled_at < ${until.getTime()}`,
      text !== undefined && text.trim() !== '' && hasWords('face', text),
    ].filter((condition) => condition !== false);
    if (conditions.length > 0)
      rows = rows.where(
        sql<boolean>`exists (select 1 from duplicate_group_face as member join face on face.id = member.face_id
          where member.group_id = duplicate_group.id and ${sql.join(conditions, sql` and `)})`,
      );
    return rows;
  }
}
