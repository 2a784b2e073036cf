import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { ITEM_STATUS, type ItemStatus, type UploadKind } from '../../contracts/codes.ts';
import {
  foundFaces,
  type FailureQuery,
  type RunQuery,
  type RunSource,
  type SeveralFaces,
  type unfixableChange,
} from '../../contracts/dashboard/enrolmentRuns.ts';
import { ERASED_NAME } from '../../contracts/erasure.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { BlacklistId, CompanyId, PersonId, RunId, UploadId, UploadItemId } from '../../contracts/ids.ts';
import type { Actor, AuditContext } from '../../domain/ports/auditContext.ts';
import type { PhotoReference } from '../../domain/ports/auditEntry.ts';
import { isoTime } from '../../domain/values/time.ts';
import { cellsOf } from '../engine/cells.ts';
import { send, writing, type Database } from '../engine/database.ts';
import { hasWords } from '../engine/nameSearch.ts';
import { openListing } from '../enrolment/itemAnswers.ts';
import { toTarget } from '../enrolment/uploads.ts';
import { HAS_FACES } from '../persons/personRows.ts';
import { AuditedRows, countOf, rowsWith, changeRows } from '../engine/rows.ts';

const { Enrolled, Failed, Pending } = ITEM_STATUS;

/** The uploads of a run. */
const OF_RUN = sql`upload.company_id = enrolment_run.company_id and upload.run_id = enrolment_run.id`;
/** Of a failed photo: a later photo for it that is enrolled or waits. */
const IS_FIXED = sql`exists (
  select 1 from upload_item as fixed
  where fixed.fixes = upload_item.id and fixed.status in (${Pending}, ${Enrolled}))`;
/** The failed photos of an upload without a corrected one. A photo that was sent for a failed one is not among them. */
const NOT_FIXED = sql`upload_item.upload_id = upload.id and upload_item.status = ${Failed}
  and upload_item.file_name <> ${ERASED_NAME} and upload_item.fixes is null and not ${IS_FIXED}`;
/** A photo that was sent for no failed one, and is no face of a failed sheet. */
const IS_FIRST = sql`upload_item.fixes is null and coalesce(upload.fix_faces, 0) = 0`;
/** Of these, the photos that no operator marked as not fixable. */
export const OPEN_FAILURES = sql`${NOT_FIXED} and upload_item.unfixable_at is null`;

interface Period {
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}
interface RunFilter extends Period, Pick<RunQuery, 'show'> {}
export interface FailureFilter extends Period, Pick<FailureQuery, 'run' | 'reason' | 'text' | 'state'> {
  /** Null: duplicate detection. */
  blacklist?: BlacklistId | null | undefined;
}

export type EnrolmentRun = NonNullable<Awaited<ReturnType<EnrolmentRuns['find']>>>;
export type ListedFailure = Awaited<ReturnType<EnrolmentRuns['failures']>>[number];
export type FailedPhoto = NonNullable<Awaited<ReturnType<EnrolmentRuns['failure']>>>;

/** The dashboard's enrolment runs and failed photos. Every query names the company. */
export class EnrolmentRuns extends AuditedRows {
  /** Of the runs of source `demo`, without erased photos. */
  readonly demoRecords = readDemoRecords.bind(undefined, this.db);

  /** Newest first; `after` is the last one of the page before. */
  async list(
    company: CompanyId,
    filter: RunFilter,
    { after, limit }: { after?: { startedAt: Date; id: RunId } | undefined; limit: number },
  ) {
    let rows = this.#runs(company).where(runsThat(filter));
    if (after !== undefined)
      rows = rows.where(
        sql<boolean>`(enrolment_run.started_at, enrolment_run.id) < (${after.startedAt.getTime()}, ${after.id})`,
      );
    const found = await rows
      .orderBy('enrolment_run.started_at', 'desc')
      .orderBy('enrolment_run.id', 'desc')
      .limit(limit)
      .execute();
    return found.map(toRun);
  }

  async count(company: CompanyId, filter: RunFilter): Promise<number> {
    return countOf(rowsWith(this.db, 'enrolment_run', { company_id: company }).where(runsThat(filter)));
  }

  async find(company: CompanyId, id: RunId) {
    const row = await this.#runs(company).where('enrolment_run.id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  /** Newest first; `before` is the id of the last one of the page before. */
  async failures(
    company: CompanyId,
    filter: FailureFilter,
    { before, limit }: { before?: UploadItemId | undefined; limit: number },
  ) {
    let rows = this.#failures(company, filter)
      .innerJoin('enrolment_run', (join) =>
        join
          .onRef('enrolment_run.company_id', '=', 'upload.company_id')
          .onRef('enrolment_run.id', '=', 'upload.run_id'),
      )
      .leftJoin('blacklist', 'blacklist.id', 'upload.blacklist_id')
      .leftJoin('person', (join) =>
        join
          .onRef('person.company_id', '=', 'upload_item.company_id')
          .onRef('person.external_id', '=', 'upload_item.person_external_id')
          .on(HAS_FACES),
      )
      .selectAll('upload_item')
      .select(['person.id as person_id', 'person.name as known_name'])
      .select([
        'upload.run_id',
        'upload.kind',
        'enrolment_run.name as run_name',
        'blacklist.name as blacklist_name',
      ]);
    if (before !== undefined) rows = rows.where('upload_item.id', '<', before);
    const found = await rows.orderBy('upload_item.id', 'desc').limit(limit).execute();
    const cells = cellsOf(this.db);
    const fixes = await this.#fixes(
      company,
      found.map(({ id }) => id),
    );
    return found.map((row) => ({
      id: row.id,
      uploadId: row.upload_id,
      index: row.position,
      runId: row.run_id,
      runName: row.run_name,
      kind: row.kind,
      blacklistName: row.blacklist_name,
      fileName: row.file_name,
      failureCode: codeOf(row),
      at: isoTime(row.processed_at ?? 0),
      /** Null: no face was found. */
      found: row.found === null ? null : foundFaces.parse(JSON.parse(row.found)),
      /** The latest corrected photo. */
      fix: fixes.get(row.id) ?? null,
      /** Of the face of that, else the one that has the external id which the photo was sent with. */
      person: fixes.get(row.id)?.person ?? personOf(row.person_id, row.known_name),
      /** An operator marked the photo as not fixable. */
      unfixable:
        row.unfixable_by === null || row.unfixable_at === null
          ? null
          : {
              by: row.unfixable_by,
              at: isoTime(row.unfixable_at),
              note: cells.shownText('upload_item', 'unfixable_note', row),
            },
    }));
  }

  /** How many photos failed for each reason; the reason of the filter is left aside. */
  async countFailures(company: CompanyId, filter: FailureFilter): Promise<Map<FailureCode, number>> {
    const { reason: _, ...rest } = filter;
    const rows = await this.#failures(company, rest)
      .select((eb) => ['upload_item.failure_code', eb.fn.countAll<number>().as('count')])
      .groupBy('upload_item.failure_code')
      .orderBy('count', 'desc')
      .execute();
    return new Map(rows.map((row) => [codeOf(row), row.count]));
  }

  /** @returns the fields that a corrected photo takes over from the failed one; undefined: there is no failed photo of this id */
  async failure(company: CompanyId, id: UploadItemId) {
    const row = await this.#failures(company, {})
      .select(['upload_item.file_name', 'upload.company_id', 'upload.id', 'upload.run_id'])
      .select(['upload.trust_flow_id', 'upload.blacklist_id', 'upload.listing'])
      .where('upload_item.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const listing = openListing(this.db, row);
    return { fileName: row.file_name, target: toTarget(row), runId: row.run_id, listing };
  }

  /**
   * Marks failed photos as not fixable, or removes the mark.
   * @throws {CodedError} the company has no failed photo of one of the ids; nothing is changed
   */
  async setUnfixable(
    company: CompanyId,
    { ids, unfixable, note }: z.output<typeof unfixableChange>,
    { by, at }: AuditContext,
  ): Promise<void> {
    await writing(this.db, company, async (trx) => {
      const wanted = [...new Set(ids)];
      const photos = await this.#failures(company, {}, trx)
        .select(['upload_item.company_id', 'upload_item.id', 'upload_item.unfixable_note'])
        .select(['upload_item.upload_id', 'upload_item.position'])
        .where('upload_item.id', 'in', wanted)
        .orderBy('upload_item.id')
        .execute();
      if (photos.length < wanted.length) throw new CodedError(problem('NOT_FOUND'));
      await changeRows(trx, 'upload_item', { company_id: company })
        .set(
          unfixable
            ? { unfixable_by: by, unfixable_at: at.getTime() }
            : { unfixable_by: null, unfixable_at: null },
        )
        .where('id', 'in', wanted)
        .execute();
      for (const photo of photos) {
        const text = unfixable ? note : null;
        const sealed = cellsOf(trx).replaceText('upload_item', 'unfixable_note', photo, text);
        if (sealed !== null)
          await send(
            trx,
            changeRows(trx, 'upload_item', { company_id: company, id: photo.id }).set({
              unfixable_note: sealed,
            }),
          );
      }
      this.audit.append(
        trx,
        { by, at },
        {
          company,
          action: 'photo.unfixable',
          object: null,
          details: {
            marked: unfixable,
            photos: photos.map(({ upload_id, position }): PhotoReference => `${upload_id}:${position}`),
          },
        },
      );
    });
  }

  #failures(company: CompanyId, filter: FailureFilter, db: Database = this.db) {
    return db
      .selectFrom('upload_item')
      .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
      .where((eb) => eb.and({ 'upload_item.company_id': company, 'upload_item.status': sql.lit(Failed) }))
      .where('upload_item.file_name', '!=', ERASED_NAME)
      .where('upload_item.fixes', 'is', null)
      .where(failuresThat(filter));
  }

  /** The latest corrected photo of each of these failed ones. */
  async #fixes(company: CompanyId, items: readonly UploadItemId[]) {
    const rows = await this.db
      .selectFrom('upload')
      .innerJoin('upload_item', 'upload_item.upload_id', 'upload.id')
      .leftJoin('person_face', 'person_face.face_id', 'upload_item.face_id')
      .leftJoin('person', 'person.id', 'person_face.person_id')
      .select(['person.id as person_id', 'person.name as person_name'])
      .select(['upload.id', 'upload_item.fixes', 'upload.fix_face', 'upload.fix_faces', 'upload.fixed_by'])
      .select(['upload.created_at', 'upload_item.status', 'upload_item.failure_code'])
      .where('upload_item.company_id', '=', company)
      .where('upload_item.fixes', 'in', items)
      .orderBy('upload_item.id')
      .execute();
    return new Map(rows.flatMap((row) => (row.fixes === null ? [] : [[row.fixes, toFix(row)] as const])));
  }

  #runs(company: CompanyId) {
    const sum = (what: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
      sql<number | null>`(select ${what} from ${from} where ${OF_RUN})`;
    const items = sql`upload join upload_item on upload_item.upload_id = upload.id`;
    const failures = sql`upload join upload_item on ${NOT_FIXED}`;
    const erased = sql`upload join upload_item on upload_item.upload_id = upload.id
      and upload_item.status = ${Failed} and upload_item.file_name = ${ERASED_NAME} and upload_item.fixes is null`;
    const waiting = sql`upload join upload_item on upload.completed_at is null
      and upload_item.upload_id = upload.id and upload_item.status = ${Pending}`;
    return this.db
      .selectFrom('enrolment_run')
      .leftJoin('blacklist', 'blacklist.id', 'enrolment_run.blacklist_id')
      .selectAll('enrolment_run')
      .select([
        'blacklist.name as blacklist_name',
        sum(sql`sum(image_count)`, sql`upload`).as('sent'),
        sum(sql`count(upload_item.fixes)`, items).as('fixes'),
        sum(sql`count(*)`, failures).as('failed'),
        sum(sql`count(*)`, erased).as('erased'),
        sum(sql`count(*)`, waiting).as('waiting'),
        // Corrections come later, at any time: they are no part of the run's duration.
        sum(sql`count(*) filter (where ${IS_FIRST})`, waiting).as('open'),
        sum(sql`max(upload.completed_at) filter (where ${IS_FIRST})`, items).as('last'),
      ])
      .where('enrolment_run.company_id', '=', company);
  }
}

/** The condition on `enrolment_run` that a filter is. */
function runsThat({ show, from, until }: RunFilter): RawBuilder<boolean> {
  return allOf([
    from && sql`enrolment_run.started_at >= ${from.getTime()}`,
    until && sql`enrolment_run.started_at < ${until.getTime()}`,
    show === 'running' && sql`exists (select 1 from upload where ${OF_RUN} and upload.completed_at is null)`,
    show === 'failed' &&
      sql`exists (select 1 from upload join upload_item on ${OPEN_FAILURES}
        where ${OF_RUN})`,
  ]);
}

function failuresThat(filter: FailureFilter): RawBuilder<boolean> {
  const { run, blacklist, reason, state, from, until } = filter;
  const text = filter.text?.trim() ?? '';
  return allOf([
    run !== undefined && sql`upload.run_id = ${run}`,
    blacklist !== undefined && sql`upload.blacklist_id is not distinct from ${blacklist}`,
    reason !== undefined && sql`upload_item.failure_code = ${reason}`,
    text !== '' && hasWords('upload_item', text),
    state === 'open' && sql`not ${IS_FIXED} and upload_item.unfixable_at is null`,
    state === 'unfixable' && sql`not ${IS_FIXED} and upload_item.unfixable_at is not null`,
    state === 'fixed' && IS_FIXED,
    from && sql`upload_item.processed_at >= ${from.getTime()}`,
    until && sql`upload_item.processed_at < ${until.getTime()}`,
  ]);
}

function allOf(parts: readonly (RawBuilder<unknown> | false | undefined)[]): RawBuilder<boolean> {
  const set = parts.filter((part) => part !== false && part !== undefined);
  return set.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(set, sql` and `)}`;
}

function toRun(row: {
  id: RunId;
  name: string | null;
  source: RunSource;
  kind: UploadKind;
  blacklist_name: string | null;
  several_faces: SeveralFaces;
  started_by: Actor;
  started_at: number;
  photos: number | null;
  sent: number | null;
  fixes: number | null;
  failed: number | null;
  erased: number | null;
  waiting: number | null;
  open: number | null;
  last: number | null;
}) {
  const images = (row.sent ?? 0) - (row.fixes ?? 0);
  const [failed, waiting] = [row.failed ?? 0, row.waiting ?? 0];
  return {
    runId: row.id,
    name: row.name,
    source: row.source,
    kind: row.kind,
    blacklistName: row.blacklist_name,
    severalFaces: row.several_faces,
    startedBy: row.started_by,
    startedAt: isoTime(row.started_at),
    /** When its last photo was processed, corrections left out; null while any waits. */
    endedAt: (row.open ?? 0) > 0 ? null : isoTime(row.last),
    planned: row.photos,
    /** Photos that the service has accepted; a corrected photo counts as the one that it replaces. */
    images,
    enrolled: images - failed - waiting - (row.erased ?? 0),
    failed,
    waiting,
  };
}

const STATES = { [Pending]: 'processing', [Enrolled]: 'enrolled', [Failed]: 'failed' } as const;

function toFix(row: {
  id: UploadId;
  fix_face: number | null;
  fix_faces: number | null;
  fixed_by: Actor | null;
  created_at: number;
  status: ItemStatus;
  failure_code: FailureCode | null;
  person_id: PersonId | null;
  person_name: string | null;
}) {
  return {
    state: STATES[row.status],
    person: personOf(row.person_id, row.person_name),
    uploadId: row.id,
    by: row.fixed_by ?? 'service',
    at: isoTime(row.created_at),
    face: row.fix_face,
    faces: row.fix_faces ?? 0,
    failureCode: row.failure_code,
  };
}

const personOf = (id: PersonId | null, name: string | null) =>
  id === null || name === null ? null : { id, name };

function codeOf({ failure_code }: { failure_code: FailureCode | null }): FailureCode {
  if (failure_code === null) throw new Error('A failed photo has no reason.');
  return failure_code;
}

/**
 * The photos of the demo runs of a company that are not erased, the validations that they became, and the verifications
 * whose request has the id of a demo run.
 */
async function readDemoRecords(db: Database, company: CompanyId) {
  const items = await db
    .selectFrom('enrolment_run')
    .innerJoin('upload', (join) =>
      join
        .onRef('upload.run_id', '=', 'enrolment_run.id')
        .onRef('upload.company_id', '=', 'enrolment_run.company_id'),
    )
    .innerJoin('upload_item', 'upload_item.upload_id', 'upload.id')
    .select(['upload_item.upload_id', 'upload_item.position', 'upload_item.trust_validation_id'])
    .where((eb) => eb.and({ 'enrolment_run.company_id': company, 'enrolment_run.source': 'demo' }))
    .where('upload_item.file_name', '<>', ERASED_NAME)
    .execute();
  const verifications = await db
    .selectFrom('enrolment_run')
    .innerJoin('trust_validation', (join) =>
      join
        .onRef('trust_validation.request_id', '=', 'enrolment_run.id')
        .onRef('trust_validation.company_id', '=', 'enrolment_run.company_id'),
    )
    .select('trust_validation.id')
    .where((eb) => eb.and({ 'enrolment_run.company_id': company, 'enrolment_run.source': 'demo' }))
    .execute();
  return {
    photos: items.map(({ upload_id: uploadId, position: index }) => ({ uploadId, index })),
    validations: [
      ...items.flatMap(({ trust_validation_id: id }) => id ?? []),
      ...verifications.map(({ id }) => id),
    ],
  };
}
