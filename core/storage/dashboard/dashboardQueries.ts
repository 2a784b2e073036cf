import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import type { CompanyId, FaceId, TrustValidationId, UploadId } from '../../contracts/ids.ts';
import type {
  DashboardQueries,
  SearchHitKind,
  SearchHits,
  MatchView,
  OverviewCounts,
  FaceImageView,
  UploadFilter,
  UploadView,
  ValidationFilter,
  ValidationRowView,
} from '../../domain/ports/dashboard.ts';
import type { Database } from '../engine/database.ts';
import { findEverywhere } from './paletteSearch.ts';
import { isNamed } from './nameSearch.ts';
import { countOverview, uploadsThat } from './overviewCounts.ts';
import type { Schema } from '../engine/schema.ts';

const point = z.object({ x: z.number(), y: z.number() });
const geometry = z.object({
  box: point.extend({ width: z.number(), height: z.number() }),
  eyes: z.tuple([point, point]),
});

/** The dashboard's reading queries. Every one names the company. */
export class SqliteDashboardQueries implements DashboardQueries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async validations(
    company: CompanyId,
    filter: ValidationFilter,
    page: { order: 'newest' | 'oldest'; after?: TrustValidationId; limit: number },
  ): Promise<ValidationRowView[]> {
    const newest = page.order === 'newest';
    let rows = filtered(this.#db, company, filter)
      .innerJoin('trust_flow', 'trust_flow.id', 'trust_validation.trust_flow_id')
      .leftJoin('face', (join) =>
        join.onRef('face.trust_validation_id', '=', 'trust_validation.id').on('face.superseded', '=', 0),
      )
      .selectAll('trust_validation')
      .select(['trust_flow.name as flow_name', 'face.id as face_id']);
    if (page.after !== undefined) rows = rows.where('trust_validation.id', newest ? '<' : '>', page.after);
    const found = await rows
      .orderBy('trust_validation.id', newest ? 'desc' : 'asc')
      .limit(page.limit)
      .execute();
    return found.map((row) => ({
      id: row.id,
      status: row.status,
      trustFlowId: row.trust_flow_id,
      trustFlowName: row.flow_name,
      name: row.name,
      faceId: row.face_id,
      duplicateDetected: row.duplicate_detected === 1,
      blacklistDetected: row.blacklist_detected === 1,
      incompleteReason: row.status === TRUST_VALIDATION_STATUS.Incomplete ? row.incomplete_reason : null,
      createdAt: new Date(row.created_at),
      finalizedAt: row.finalized_at === null ? null : new Date(row.finalized_at),
    }));
  }

  async countValidations(
    company: CompanyId,
    filter: ValidationFilter,
  ): Promise<{ total: number; needReview: number }> {
    // Grouped by the index on the status, all rows would be walked to count the few that are named so: `+` keeps it out.
    const group =
      (filter.text ?? '').trim() === '' ? sql`trust_validation.status` : sql`+trust_validation.status`;
    const rows = await filtered(this.#db, company, filter)
      .select((eb) => ['trust_validation.status', eb.fn.countAll<number>().as('count')])
      .groupBy(group)
      .execute();
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    const needReview = rows.find(({ status }) => status === TRUST_VALIDATION_STATUS.ReviewNeeded)?.count ?? 0;
    return { total, needReview };
  }

  async matches(company: CompanyId, validation: TrustValidationId): Promise<MatchView[]> {
    const rows = await this.#db
      .selectFrom('screening_match')
      .selectAll()
      .where('company_id', '=', company)
      .where('trust_validation_id', '=', validation)
      .orderBy('distance')
      .execute();
    return rows.map((row) => ({
      kind: row.kind,
      blacklistId: row.blacklist_id,
      blacklistName: row.blacklist_name,
      faceId: row.face_id,
      probeFaceId: row.probe_face_id,
      trustValidationId: row.matched_trust_validation_id,
      name: row.full_name,
      distance: row.distance,
      score: row.score,
      band: row.band,
      severity: row.severity,
      reason: row.reason,
    }));
  }

  async portraits(company: CompanyId, faces: readonly FaceId[]): Promise<FaceImageView[]> {
    if (faces.length === 0) return [];
    const rows = await this.#faces(company).where('face.id', 'in', faces).execute();
    return rows.map(toPortrait);
  }

  async portraitOf(company: CompanyId, validation: TrustValidationId): Promise<FaceImageView | undefined> {
    const row = await this.#faces(company)
      .where('face.trust_validation_id', '=', validation)
      .where('face.superseded', '=', 0)
      .executeTakeFirst();
    return row && toPortrait(row);
  }

  async chip(company: CompanyId, face: FaceId): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom('face_thumbnail')
      .select('jpeg')
      .where('company_id', '=', company)
      .where('face_id', '=', face)
      .executeTakeFirst();
    return row?.jpeg;
  }

  async uploads(
    company: CompanyId,
    filter: UploadFilter,
    { after, limit }: { after?: { createdAt: Date; id: UploadId }; limit: number },
  ): Promise<UploadView[]> {
    let rows = this.#uploads(company).where(uploadsThat(filter));
    if (after !== undefined)
      rows = rows.where(
        sql<boolean>`(upload.created_at, upload.id) < (${after.createdAt.getTime()}, ${after.id})`,
      );
    const found = await rows
      .orderBy('upload.created_at', 'desc')
      .orderBy('upload.id', 'desc')
      .limit(limit)
      .execute();
    return found.map(toUpload);
  }

  async countUploads(company: CompanyId, filter: UploadFilter): Promise<number> {
    const { count } = await this.#db
      .selectFrom('upload')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('upload.company_id', '=', company)
      .where(uploadsThat(filter))
      .executeTakeFirstOrThrow();
    return count;
  }

  overview(company: CompanyId, since: Date): Promise<OverviewCounts> {
    return countOverview(this.#db, company, since);
  }

  async upload(company: CompanyId, id: UploadId): ReturnType<DashboardQueries['upload']> {
    const row = await this.#uploads(company).where('upload.id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const items = await this.#db
      .selectFrom('upload_item')
      .selectAll()
      .where('company_id', '=', company)
      .where('upload_id', '=', id)
      .orderBy('position')
      .execute();
    const images = items.map((item) => ({
      index: item.position,
      fileName: item.file_name,
      status: item.status,
      trustValidationId: item.trust_validation_id,
      faceId: item.face_id,
      failureCode: item.failure_code,
    }));
    return { upload: toUpload(row), images };
  }

  find(company: CompanyId, text: string, kinds: ReadonlySet<SearchHitKind>): Promise<SearchHits> {
    return findEverywhere(this.#db, company, text, kinds);
  }

  #faces(company: CompanyId) {
    return (
      this.#db
        .selectFrom('face')
        .innerJoin('image', 'image.id', 'face.image_id')
        .leftJoin('active_pipeline', 'active_pipeline.company_id', 'face.company_id')
        // Of the templates that a face may have, the one that it is found by.
        .leftJoin('template', (join) =>
          join
            .onRef('template.face_id', '=', 'face.id')
            .onRef('template.pipeline_id', '=', 'active_pipeline.pipeline_id'),
        )
        .selectAll('face')
        .select(['image.sha256', 'image.format', 'image.width', 'image.height', 'template.pipeline_id'])
        .where('face.company_id', '=', company)
    );
  }

  #uploads(company: CompanyId) {
    const answered = (status: number) =>
      sql<number>`(select count(*) from upload_item where upload_item.upload_id = upload.id and upload_item.status = ${status})`;
    return this.#db
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

function filtered(db: Database, company: CompanyId, filter: ValidationFilter) {
  let rows = db.selectFrom('trust_validation').where('trust_validation.company_id', '=', company);
  if (filter.status !== undefined) rows = rows.where('trust_validation.status', '=', filter.status);
  if (filter.flow !== undefined) rows = rows.where('trust_validation.trust_flow_id', '=', filter.flow);
  if (filter.from !== undefined)
    rows = rows.where('trust_validation.created_at', '>=', filter.from.getTime());
  if (filter.until !== undefined)
    rows = rows.where('trust_validation.created_at', '<', filter.until.getTime());
  if (filter.hit === 'duplicate') rows = rows.where('trust_validation.duplicate_detected', '=', 1);
  if (filter.hit === 'blacklist') rows = rows.where('trust_validation.blacklist_detected', '=', 1);
  if (filter.hit === 'none')
    rows = rows
      .where('trust_validation.duplicate_detected', '=', 0)
      .where('trust_validation.blacklist_detected', '=', 0);
  const text = filter.text?.trim() ?? '';
  if (text === '') return rows;
  return rows.where(isNamed(text, /^\d{1,15}$/.test(text) ? Number(text) : undefined));
}

type FaceRow = Selectable<Schema['face']> &
  Pick<Selectable<Schema['image']>, 'sha256' | 'format' | 'width' | 'height'> & {
    pipeline_id: FaceImageView['pipelineId'];
  };

function toPortrait(row: FaceRow): FaceImageView {
  const { box, eyes } = geometry.parse(JSON.parse(row.geometry));
  // A face was measured in a decoded image, so its size is known.
  if (row.width === null || row.height === null) throw new Error(`Face ${row.id} has an image without size.`);
  return {
    faceId: row.id,
    name: row.name,
    imageId: row.image_id,
    format: row.format,
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    box,
    eyes,
    quality: row.quality_score,
    pipelineId: row.pipeline_id,
    enrolledAt: new Date(row.enrolled_at),
  };
}

function toUpload(
  row: Selectable<Schema['upload']> & { blacklist_name: string | null; succeeded: number; failed: number },
): UploadView {
  return {
    id: row.id,
    kind: row.kind,
    blacklistName: row.blacklist_name,
    numberOfImages: row.image_count,
    succeeded: row.succeeded,
    failed: row.failed,
    createdAt: new Date(row.created_at),
    completedAt: row.completed_at === null ? null : new Date(row.completed_at),
  };
}
