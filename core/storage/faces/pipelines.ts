import type { Box } from '../../contracts/faces.ts';
import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { ExtractionResult, MigrationCounts, PipelineFacts } from '../../domain/ports/pipelines.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import { newCode, uncount } from '../engine/codedRows.ts';
import { sharedStateOf, writing, type Database, type Transaction } from '../engine/database.ts';
import { toWatchlist } from './faces.ts';
import { registerPipelines, writeTemplates } from './templates.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../engine/schema.ts';
import { countOf, AuditedRows, rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

export type TemplateMigrationState = Awaited<ReturnType<PipelineStore['migrations']>>[number];
export type FacePendingExtraction = Awaited<ReturnType<PipelineStore['pendingExtraction']>>[number];

export class PipelineStore extends AuditedRows {
  readonly #listeners = new Set<(company: CompanyId, pipeline: PipelineId) => void>();

  constructor(db: Database, audit: AuditLog) {
    super(db, audit);
    sharedStateOf(db)?.follow(async () => {
      for (const { company, pipeline } of await this.active()) this.#report(company, pipeline);
    });
  }

  /** Notes how long the templates of the installed pipelines are: templates of another length are refused from now on. */
  async register(pipelines: readonly Pick<PipelineFacts, 'id' | 'dimensions'>[]): Promise<void> {
    await writing(this.db, 'installation', (trx) => registerPipelines(trx, pipelines));
  }

  /** Companies that have a pipeline: those that have, or had, a face. */
  async active() {
    const rows = await this.db.selectFrom('active_pipeline').selectAll().execute();
    const cells = cellsOf(this.db);
    return rows.map((row) => ({
      company: cells.checked('active_pipeline', row).company_id,
      pipeline: row.pipeline_id,
      /** The installation's setting does not change it. */
      chosenForCompany: row.chosen_for_company === 1,
    }));
  }

  #report(company: CompanyId, pipeline: PipelineId): void {
    for (const listener of this.#listeners) listener(company, pipeline);
  }

  /**
   * Calls the listener after each committed change of a company's pipeline, before {@link switchTo} returns. Changes of other
   * services are reported as those of settings are.
   */
  onSwitch(listener: (company: CompanyId, pipeline: PipelineId) => void): void {
    this.#listeners.add(listener);
  }

  /** Companies whose faces are being described by another pipeline than the one that serves them. */
  async migrations() {
    const rows = await this.db
      .selectFrom('template_migration')
      .selectAll()
      .orderBy('started_at')
      .orderBy('company_id')
      .execute();
    return rows.map((row) => ({
      company: row.company_id,
      target: row.pipeline_id,
      state: row.state,
      /** Faces that the target refuses may be left behind: see `docs/guides/change-pipeline.md`. */
      withoutFailed: row.without_failed === 1,
      /** The target was chosen for this company; otherwise it follows the setting of the installation. */
      chosenForCompany: row.chosen_for_company === 1,
      startedAt: new Date(row.started_at),
    }));
  }

  /** Begins a migration in place of one that is under way; the templates that exist are kept. */
  async begin(
    company: CompanyId,
    target: PipelineId,
    { chosen }: { chosen: boolean },
    act: AuditContext,
  ): Promise<void> {
    await writing(this.db, company, async (trx) => {
      const migration = {
        pipeline_id: target,
        state: 'running',
        without_failed: 0,
        chosen_for_company: chosen ? 1 : 0,
        started_at: act.at.getTime(),
      } as const;
      await trx
        .insertInto('template_migration')
        .values({ company_id: company, ...migration })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(migration))
        .execute();
      this.#record(trx, act, 'pipeline.chosen', company, target);
    });
  }

  /** @returns false when no migration is under way */
  async change(
    company: CompanyId,
    { state, withoutFailed }: { state?: TemplateMigrationState['state']; withoutFailed?: boolean },
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.db, company, async (trx) => {
      const row = await changeRows(trx, 'template_migration', { company_id: company })
        .set({
          ...(state !== undefined && { state }),
          ...(withoutFailed !== undefined && { without_failed: withoutFailed ? 1 : 0 }),
        })
        .returning('pipeline_id')
        .executeTakeFirst();
      if (row === undefined) return false;
      const facts = {
        ...(state !== undefined && { paused: state === 'paused' }),
        ...(withoutFailed !== undefined && { withoutFailed }),
      };
      this.#record(trx, act, 'pipeline.changed', company, row.pipeline_id, facts);
      return true;
    });
  }

  async cancel(company: CompanyId, act: AuditContext): Promise<boolean> {
    return writing(this.db, company, async (trx) => {
      const row = await deleteRows(trx, 'template_migration', { company_id: company })
        .returning('pipeline_id')
        .executeTakeFirst();
      if (row === undefined) return false;
      this.#record(trx, act, 'pipeline.cancelled', company, row.pipeline_id);
      return true;
    });
  }

  /** The next faces without a template of the pipeline and without a refusal, by rising ids. */
  async pendingExtraction(company: CompanyId, pipeline: PipelineId, page: { after: FaceId; limit: number }) {
    const rows = await facesPendingExtraction(this.db, company, pipeline, { refusedToo: false })
      .select(['face.id', 'face.image_id', 'face.geometry'])
      .where('face.id', '>', page.after)
      .orderBy('face.id')
      .limit(page.limit)
      .execute();
    return rows.map((row) => ({
      faceId: row.id,
      imageId: row.image_id,
      /** Where its face was found, pixels of the upright image. */
      place: (JSON.parse(row.geometry) as { box: Box }).box,
    }));
  }

  /** One transaction; faces that are gone meanwhile are left out. */
  async keep(
    company: CompanyId,
    pipeline: PipelineId,
    descriptions: readonly ExtractionResult[],
  ): Promise<void> {
    if (descriptions.length === 0) return;
    await writing(this.db, company, async (trx) => {
      const ids = descriptions.map(({ faceId }) => faceId);
      const rows = await rowsWith(trx, 'face', { company_id: company })
        .select('id')
        .where('id', 'in', ids)
        .execute();
      const here = new Set(rows.map(({ id }) => id));
      for (const each of descriptions.filter(({ faceId }) => here.has(faceId)))
        await storeExtraction(trx, company, pipeline, each);
    });
  }

  async counts(company: CompanyId, pipeline: PipelineId): Promise<MigrationCounts> {
    const total = await countOf(rowsWith(this.db, 'face', { company_id: company }));
    const undone = await countOf(facesPendingExtraction(this.db, company, pipeline, { refusedToo: true }));
    const refused = await countOf(
      rowsWith(this.db, 'extraction_failure', { company_id: company, pipeline_id: pipeline }),
    );
    return { total, extracted: total - undone, refused };
  }

  async failures(company: CompanyId, pipeline: PipelineId, page: { after: FaceId; limit: number }) {
    const rows = await this.db
      .selectFrom('extraction_failure')
      .innerJoin('face', 'face.id', 'extraction_failure.face_id')
      .select(['face.id', 'face.name', 'face.blacklist_id', 'extraction_failure.failure_code'])
      .where('extraction_failure.company_id', '=', company)
      .where('extraction_failure.pipeline_id', '=', pipeline)
      .where('extraction_failure.face_id', '>', page.after)
      .orderBy('extraction_failure.face_id')
      .limit(page.limit)
      .execute();
    return rows.map((row) => ({
      faceId: row.id,
      name: row.name,
      watchlist: toWatchlist(row),
      code: row.failure_code,
    }));
  }

  /** Forgets refusals, so that those faces are tried again. */
  async clearFailures(company: CompanyId, pipeline: PipelineId): Promise<void> {
    await writing(this.db, company, (trx) =>
      deleteRows(trx, 'extraction_failure', { company_id: company, pipeline_id: pipeline }).execute(),
    );
  }

  /**
   * One transaction: from here on the target serves the company, and the migration is over.
   * @returns false, and nothing happens, while a face has no template and is not refused, or is refused and not skipped
   */
  async switchTo(company: CompanyId, target: PipelineId, act: AuditContext): Promise<boolean> {
    const switched = await writing(this.db, company, async (trx) => {
      const migration = await trx
        .deleteFrom('template_migration')
        .where((eb) => eb.and({ company_id: company, pipeline_id: target, state: 'running' }))
        .returning(['without_failed', 'chosen_for_company'])
        .executeTakeFirst();
      if (migration === undefined) return false;
      const missing = await facesPendingExtraction(trx, company, target, {
        refusedToo: migration.without_failed === 0,
      })
        .select('face.id')
        .limit(1)
        .executeTakeFirst();
      if (missing !== undefined) throw new NotComplete();
      const { chosen_for_company } = migration;
      const before = await rowsWith(trx, 'active_pipeline', { company_id: company })
        .select(['company_id', 'code'])
        .execute();
      uncount(trx, 'active_pipeline', before);
      const active = { company_id: company, pipeline_id: target };
      const row = { ...active, chosen_for_company, code: newCode(trx, 'active_pipeline', active) };
      await trx
        .insertInto('active_pipeline')
        .values(row)
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute();
      this.#record(trx, act, 'pipeline.switched', company, target);
      return true;
    }).catch((error: unknown) => {
      if (error instanceof NotComplete) return false;
      throw error;
    });
    if (switched) this.#report(company, target);
    return switched;
  }

  /** Which pipelines a company has templates of. */
  async stored(company: CompanyId): Promise<{ pipeline: PipelineId; templates: number }[]> {
    const rows = await rowsWith(this.db, 'template', { company_id: company })
      .select(['pipeline_id'])
      .select((eb) => eb.fn.countAll<number>().as('templates'))
      .groupBy('pipeline_id')
      .execute();
    return rows.map((row) => ({ pipeline: row.pipeline_id, templates: row.templates }));
  }

  /** Erases the templates of a pipeline that neither serves nor is migrated to. @returns how many; undefined: it is in use */
  async discard(company: CompanyId, pipeline: PipelineId, act: AuditContext): Promise<number | undefined> {
    return writing(this.db, company, async (trx) => {
      for (const table of ['active_pipeline', 'template_migration'] as const) {
        const user = await trx
          .selectFrom(table)
          .select('company_id')
          .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline }))
          .executeTakeFirst();
        if (user !== undefined) return undefined;
      }
      const { numDeletedRows } = await trx
        .deleteFrom('template')
        .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline }))
        .executeTakeFirst();
      await deleteRows(trx, 'extraction_failure', { company_id: company, pipeline_id: pipeline }).execute();
      const templates = Number(numDeletedRows);
      this.#record(trx, act, 'pipeline.purged', company, pipeline, { templates });
      return templates;
    });
  }

  #record(
    trx: Transaction,
    act: AuditContext,
    action:
      | 'pipeline.chosen'
      | 'pipeline.changed'
      | 'pipeline.cancelled'
      | 'pipeline.switched'
      | 'pipeline.purged',
    company: CompanyId,
    pipeline: PipelineId,
    details: NonNullable<NewAuditEntry['details']> = {},
  ): void {
    this.audit.append(trx, act, { company, action, object: `pipeline:${pipeline}`, details });
  }
}

/** Rolls a switch back: a face was stored that has no template of the target. */
class NotComplete extends Error {
  override name = 'NotComplete';
}

// Which faces have a template of a pipeline, and how its results are stored.

type ExpressionOfFaces = ExpressionBuilder<Schema, 'face'>;

/** @param refusedToo faces that the pipeline refused count as faces without a template */
function facesPendingExtraction(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
  { refusedToo }: { refusedToo: boolean },
) {
  const without = (table: 'template' | 'extraction_failure') => (eb: ExpressionOfFaces) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom(table)
          .select(`${table}.face_id`)
          .whereRef(`${table}.face_id`, '=', 'face.id')
          .where(`${table}.pipeline_id`, '=', pipeline),
      ),
    );
  return rowsWith(db, 'face', { company_id: company })
    .where(without('template'))
    .$if(!refusedToo, (query) => query.where(without('extraction_failure')));
}

/** A template, or why there is none; what is there already stays. */
async function storeExtraction(
  trx: Transaction,
  company: CompanyId,
  pipeline: PipelineId,
  description: ExtractionResult,
): Promise<void> {
  const { faceId, vector } = description;
  if (vector === undefined) {
    const { code } = description;
    await trx
      .insertInto('extraction_failure')
      .values({ face_id: faceId, pipeline_id: pipeline, company_id: company, failure_code: code })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await trx
    .deleteFrom('extraction_failure')
    .where((eb) => eb.and({ company_id: company, face_id: faceId, pipeline_id: pipeline }))
    .execute();
  await writeTemplates(trx, company, pipeline, [{ faceId, vector }]);
}
