import { shownDigest, originalOf } from '../images/imageFiles.ts';
import { listed } from '../engine/dialect.ts';
import { personMatchOf } from '../screening/validationRows.ts';
import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import type {
  CompanyId,
  FaceId,
  PersonDecisionId,
  PersonId,
  PipelineId,
  TrustValidationId,
  UploadId,
} from '../../contracts/ids.ts';
import type { Overview } from '../../contracts/dashboard/overview.ts';
import { isoTime } from '../../domain/values/time.ts';
import { cellsOf, type Cells } from '../engine/cells.ts';
import type { Database } from '../engine/database.ts';
import { findEverywhere } from './paletteSearch.ts';
import { readAuditObjects } from './auditObjects.ts';
import { countDay, firstSteps, newestHits } from './overviewActivity.ts';
import { countMatches, countValidations, readValidations } from './validationList.ts';
import type { Schema } from '../engine/schema.ts';
import { bySeverity } from '../../contracts/faceListing.ts';
import { OPEN_FAILURES } from './enrolmentRuns.ts';
import { toListing, textsOf } from '../faces/faces.ts';
import { type NewHits, MAX_HITS, type NewHit } from '../../contracts/dashboard/validations.ts';
import { Rows, rowsWith } from '../engine/rows.ts';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** Reads indexes only, but for the validations of the day. */
async function countOverview(db: Database, company: CompanyId, since: Date) {
  const from = since.getTime();
  const { rows } = await sql<Overview['waiting'] & Omit<Overview['today'], 'signatures'>>`
    with day as (
      select status, source, duplicate_detected, blacklist_detected
      from trust_validation where company_id = ${company} and created_at >= ${from}
    ), failed as (
      select upload.run_id from enrolment_run
      join upload on upload.company_id = enrolment_run.company_id and upload.run_id = enrolment_run.id
      join upload_item on ${OPEN_FAILURES}
      where enrolment_run.company_id = ${company} and enrolment_run.started_at >= ${from}
    )
    select
      (select count(*) from trust_validation
        where company_id = ${company} and status = ${ReviewNeeded}) as review,
      (select count(distinct run_id) from upload
        where company_id = ${company} and completed_at is null) as "runningUploads",
      (select count(*) from upload_item
        where company_id = ${company} and status = ${ITEM_STATUS.Pending}) as "waitingImages",
      (select count(distinct run_id) from failed) as "failedUploads",
      (select count(*) from failed) as "failedImages",
      (select count(*) from trust_flow
        where company_id = ${company} and system = 0 and draft is not null) as "draftFlows",
      (select count(*) from enrolment_run
        where company_id = ${company} and started_at >= ${from}) as uploads,
      (select count(*) from day) as validations,
      (select count(*) from day where status = ${Verified} and source = 'verification') as verified,
      (select count(*) from day where status = ${Rejected}) as rejected,
      (select count(*) from day where duplicate_detected = 1) as duplicates,
      (select count(*) from day where blacklist_detected = 1) as blacklisted`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A query without a table answered no row.');
  return counts;
}

const point = z.object({ x: z.number(), y: z.number() });
const geometry = z.object({
  box: point.extend({ width: z.number(), height: z.number() }),
  eyes: z.tuple([point, point]),
});

/** The dashboard's reading queries. Every one names the company. */
export class DashboardQueries extends Rows {
  /** The objects that a text means in the filter of the audit log, such as `face:7`; none: there is no such object. */
  readonly auditObjects = readAuditObjects.bind(undefined, this.db);
  readonly recordNames = readRecordNames.bind(undefined, this.db);
  readonly validations = readValidations.bind(undefined, this.db);
  /** All rows that the filter leaves, and how many of them need review. */
  readonly countValidations = countValidations.bind(undefined, this.db);
  readonly countMatches = countMatches.bind(undefined, this.db);
  /** @param since when the reader's day began */
  readonly overview = countOverview.bind(undefined, this.db);
  /** Blacklist hits after those of an earlier answer. @param after its `last`; undefined: none is new */
  readonly newHits = readNewHits.bind(undefined, this.db);
  readonly newestHits = newestHits.bind(undefined, this.db);
  readonly firstSteps = firstSteps.bind(undefined, this.db);
  /** The validations of one day. @param until not included */
  readonly countDay = countDay.bind(undefined, this.db);
  /** A few of each of these kinds that a text may mean. */
  readonly find = findEverywhere.bind(undefined, this.db);

  /** Every written match of a validation, nearest first. */
  async matches(company: CompanyId, validation: TrustValidationId): Promise<StoredMatch[]> {
    return (await this.matchesOfEach(company, [validation])).get(validation) ?? [];
  }

  /** The same of several validations; those without a match are left out. */
  async matchesOfEach(
    company: CompanyId,
    validations: readonly TrustValidationId[],
  ): Promise<ReadonlyMap<TrustValidationId, StoredMatch[]>> {
    const rows = await rowsWith(this.db, 'screening_match', { company_id: company })
      .selectAll()
      .where('trust_validation_id', 'in', validations)
      .orderBy('distance')
      .orderBy('photo_distance')
      .execute();
    const cells = cellsOf(this.db);
    const found = Map.groupBy(rows, (row) => row.trust_validation_id);
    return new Map([...found].map(([id, matches]) => [id, matches.map((row) => toMatch(cells, row))]));
  }

  /** Faces that still exist, in no particular order. */
  async faceImages(company: CompanyId, faces: readonly FaceId[]): Promise<StoredFace[]> {
    if (faces.length === 0) return [];
    const rows = await this.#faces(company).where('face.id', 'in', listed(faces)).execute();
    return rows.map((row) => toFaceImage(this.db, row));
  }

  async faceImageOf(company: CompanyId, validation: TrustValidationId): Promise<StoredFace | undefined> {
    const row = await this.#faces(company)
      .where((eb) => eb.and({ 'face.trust_validation_id': validation, 'face.superseded': 0 }))
      .executeTakeFirst();
    return row && toFaceImage(this.db, row);
  }

  /** JPEG of the aligned face. */
  async thumbnail(company: CompanyId, face: FaceId): Promise<Uint8Array | undefined> {
    const row = await rowsWith(this.db, 'face_thumbnail', { company_id: company, face_id: face })
      .selectAll()
      .executeTakeFirst();
    return row && cellsOf(this.db).opened('face_thumbnail', 'jpeg', row);
  }

  async upload(company: CompanyId, id: UploadId) {
    const row = await this.#uploads(company).where('upload.id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const items = await rowsWith(this.db, 'upload_item', { company_id: company, upload_id: id })
      .selectAll()
      .orderBy('position')
      .execute();
    const images = items.map((item) => ({
      index: item.position,
      itemId: item.id,
      fileName: item.file_name,
      status: item.status,
      trustValidationId: item.trust_validation_id,
      faceId: item.face_id,
      failureCode: item.failure_code,
    }));
    return {
      uploadId: row.id,
      runId: row.run_id,
      kind: row.kind,
      blacklistName: row.blacklist_name,
      numberOfImages: row.image_count,
      succeededCount: row.succeeded,
      failedCount: row.failed,
      createdAt: isoTime(row.created_at),
      completedAt: isoTime(row.completed_at),
      images,
    };
  }

  #faces(company: CompanyId) {
    return (
      this.db
        .selectFrom('face')
        .innerJoin('image', 'image.id', 'face.image_id')
        .leftJoin('active_pipeline', 'active_pipeline.company_id', 'face.company_id')
        // Of the templates that a face may have, the one that it is found by.
        .leftJoin('template', (join) =>
          join
            .onRef('template.face_id', '=', 'face.id')
            .onRef('template.pipeline_id', '=', 'active_pipeline.pipeline_id'),
        )
        .leftJoin('person_face', (join) =>
          join
            .onRef('person_face.face_id', '=', 'face.id')
            .onRef('person_face.company_id', '=', 'face.company_id'),
        )
        .leftJoin('person', (join) =>
          join
            .onRef('person.id', '=', 'person_face.person_id')
            .onRef('person.company_id', '=', 'face.company_id'),
        )
        .selectAll('face')
        .select(['image.sha256', 'image.original', 'image.format', 'image.width', 'image.height'])
        .select('template.pipeline_id')
        .select(['person.id as person_id', 'person.name as person_name'])
        .where('face.company_id', '=', company)
    );
  }

  #uploads(company: CompanyId) {
    const answered = (status: number) =>
      sql<number>`(select count(*) from upload_item where upload_item.upload_id = upload.id and upload_item.status = ${status})`;
    return this.db
      .selectFrom('upload')
      .leftJoin('blacklist', 'blacklist.id', 'upload.blacklist_id')
      .selectAll('upload')
      .select([
        'blacklist.name as blacklist_name',
        answered(ITEM_STATUS.Enrolled).as('succeeded'),
        answered(ITEM_STATUS.Failed).as('failed'),
      ])
      .where('upload.company_id', '=', company);
  }
}

type FaceRow = Selectable<Schema['face']> &
  Pick<Selectable<Schema['image']>, 'sha256' | 'original' | 'format' | 'width' | 'height'> & {
    pipeline_id: PipelineId | null;
    person_id: PersonId | null;
    person_name: string | null;
  };

/** A face with its stored image, as the compare view needs it. */
export type StoredFace = ReturnType<typeof toFaceImage>;

function toFaceImage(db: Database, row: FaceRow) {
  const { box, eyes } = geometry.parse(JSON.parse(row.geometry));
  // A face was measured in a decoded image, so its size is known.
  if (row.width === null || row.height === null) throw new Error(`Face ${row.id} has an image without size.`);
  return {
    faceId: row.id,
    name: row.name,
    imageId: row.image_id,
    format: row.format,
    sha256: shownDigest(db, row),
    original: originalOf(db, { ...row, id: row.image_id }),
    width: row.width,
    height: row.height,
    box,
    eyes,
    /** 0 to 100. */
    quality: row.quality_score,
    pipelineId: row.pipeline_id,
    enrolledAt: isoTime(row.enrolled_at),
    /** Null: a face of no blacklist. */
    listing: toListing(cellsOf(db), row),
    person:
      row.person_id === null || row.person_name === null
        ? null
        : { id: row.person_id, name: row.person_name },
  };
}

/** One written match; its face may have been erased since. */
export type StoredMatch = ReturnType<typeof toMatch>;

function toMatch(cells: Cells, row: Selectable<Schema['screening_match']>) {
  return {
    kind: row.kind,
    blacklistId: row.blacklist_id,
    blacklistName: row.blacklist_name,
    faceId: row.face_id,
    /** The selfie that was compared. */
    probeFaceId: row.probe_face_id,
    trustValidationId: row.matched_trust_validation_id,
    name: row.full_name,
    personMatch: personMatchOf(row),
    distance: row.distance,
    score: row.score,
    band: row.band,
    /** Of the face of the blacklist when it matched; null: a duplicate. */
    severity: row.severity,
    ...textsOf((column) => cells.shownText('screening_match', column, row)),
  };
}

/**
 * Blacklist hits of a company that were written after an earlier answer.
 * @param after `last` of that answer; undefined: none is new
 */
async function readNewHits(db: Database, company: CompanyId, after: number | undefined): Promise<NewHits> {
  const newest = await rowsWith(db, 'screening_match', { company_id: company, kind: 'blacklist' })
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const last = newest?.id ?? 0;
  if (after === undefined || after >= last) return { last, hits: [] };
  const rows = await rowsWith(db, 'screening_match', { company_id: company, kind: 'blacklist' })
    .select(['trust_validation_id', 'blacklist_name', 'severity'])
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

export type RecordNames = Awaited<ReturnType<typeof readRecordNames>>;

/**
 * The present names of records of a company, and the blacklist of each face; ids that it does not have are left out. A
 * decision about faces stands once for each person that it is about.
 */
async function readRecordNames(
  db: Database,
  company: CompanyId,
  ids: {
    faces: readonly FaceId[];
    validations: readonly TrustValidationId[];
    persons: readonly PersonId[];
    decisions: readonly PersonDecisionId[];
  },
) {
  return {
    faces: await rowsWith(db, 'face', { company_id: company })
      .select(['id', 'name', 'blacklist_id as blacklistId'])
      .where('id', 'in', ids.faces)
      .execute(),
    validations: await rowsWith(db, 'trust_validation', { company_id: company })
      .select(['id', 'name'])
      .where('id', 'in', ids.validations)
      .execute(),
    persons: await rowsWith(db, 'person', { company_id: company })
      .select(['id', 'name'])
      .where('id', 'in', ids.persons)
      .execute(),
    decisions: await db
      .selectFrom('person_decision_face')
      .innerJoin('person_face', 'person_face.face_id', 'person_decision_face.face_id')
      .innerJoin('person', 'person.id', 'person_face.person_id')
      .select(['person_decision_face.decision_id as id', 'person.name'])
      .where('person.company_id', '=', company)
      .where('person_decision_face.decision_id', 'in', ids.decisions)
      .groupBy(['person_decision_face.decision_id', 'person.id', 'person.name'])
      .orderBy('person.id')
      .execute(),
  };
}
