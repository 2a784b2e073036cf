import type { Selectable } from 'kysely';
import { z } from 'zod';
import { measuredCalibration } from '../../contracts/calibration.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import { newCode, uncount } from '../engine/codedRows.ts';
import { sharedStateOf, writing, type Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import type { CompanyCalibration } from '../../domain/ports/recognition.ts';
import { AuditedRows, rowsWith, addRows, deleteRows } from '../engine/rows.ts';

const storedPoints = z.array(z.object({ fmr: z.number(), distance: z.number() }));

/** At most one per company and pipeline; it counts while that pipeline serves. */
export class CompanyCalibrations extends AuditedRows {
  readonly #listeners = new Set<(company: CompanyId, calibrations: readonly CompanyCalibration[]) => void>();

  constructor(db: Database, audit: AuditLog) {
    super(db, audit);
    sharedStateOf(db)?.follow(async () => {
      const stored = Map.groupBy(await this.list(), ({ company }) => company);
      // A company of which another service removed the last calibration is reported too.
      for (const { id } of await db.selectFrom('company').select('id').execute())
        for (const listener of this.#listeners) listener(id, stored.get(id) ?? []);
    });
  }

  async list(): Promise<CompanyCalibration[]> {
    const rows = await this.db.selectFrom('company_calibration').selectAll().execute();
    return rows.map((row) => toCalibration(this.db, row));
  }

  async of(company: CompanyId, pipeline: PipelineId): Promise<CompanyCalibration | undefined> {
    const row = await this.db
      .selectFrom('company_calibration')
      .selectAll()
      .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline }))
      .executeTakeFirst();
    return row && toCalibration(this.db, row);
  }

  /** The pipelines that a company's own photos were measured with; what was found for one means nothing for another. */
  async measured(company: CompanyId): Promise<PipelineId[]> {
    const rows = await rowsWith(this.db, 'company_calibration', { company_id: company })
      .select('pipeline_id')
      .orderBy('applied_at')
      .execute();
    return rows.map(({ pipeline_id }) => pipeline_id);
  }

  async apply(made: CompanyCalibration, act: AuditContext): Promise<void> {
    const { company, pipeline, people, photos, nonMatedPairs } = made;
    const row = {
      company_id: company,
      pipeline_id: pipeline,
      points: JSON.stringify(made.calibration.points),
    };
    await writing(this.db, made.company, async (trx) => {
      const before = await trx
        .deleteFrom('company_calibration')
        .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline }))
        .returning(['company_id', 'code'])
        .execute();
      uncount(trx, 'company_calibration', before);
      await addRows(trx, 'company_calibration', {
        ...row,
        code: newCode(trx, 'company_calibration', row),
        people,
        photos,
        non_mated_pairs: nonMatedPairs,
        measured: JSON.stringify(made.measured),
        applied_at: act.at.getTime(),
      });
      this.audit.append(trx, act, {
        company,
        action: 'calibration.applied',
        object: `pipeline:${pipeline}`,
        details: { people, photos },
      });
    });
    await this.#report(company);
  }

  /** Removes all of the company. @returns whether there was one */
  async reset(company: CompanyId, act: AuditContext): Promise<boolean> {
    const was = await writing(this.db, company, async (trx) => {
      const before = await deleteRows(trx, 'company_calibration', { company_id: company })
        .returning(['company_id', 'code'])
        .execute();
      if (before.length === 0) return false;
      uncount(trx, 'company_calibration', before);
      this.audit.append(trx, act, {
        company,
        action: 'calibration.reset',
        object: `company:${company}`,
      });
      return true;
    });
    await this.#report(company);
    return was;
  }

  /**
   * Calls the listener with all calibrations of a company after each committed change of one, before it returns. Changes of
   * other services are reported as those of settings are.
   */
  follow(listener: (company: CompanyId, calibrations: readonly CompanyCalibration[]) => void): void {
    this.#listeners.add(listener);
  }

  /** Reads what was committed: of two changes at once the later report never holds less than the earlier one. */
  async #report(company: CompanyId): Promise<void> {
    const rows = await rowsWith(this.db, 'company_calibration', { company_id: company })
      .selectAll()
      .execute();
    const calibrations = rows.map((row) => toCalibration(this.db, row));
    for (const listener of this.#listeners) listener(company, calibrations);
  }
}

/** @throws {RowDamaged} it was changed without the key */
function toCalibration(db: Database, row: Selectable<Schema['company_calibration']>): CompanyCalibration {
  cellsOf(db).checked('company_calibration', row);
  return {
    company: row.company_id,
    pipeline: row.pipeline_id,
    calibration: { points: storedPoints.parse(JSON.parse(row.points)) },
    people: row.people,
    photos: row.photos,
    nonMatedPairs: row.non_mated_pairs,
    measured: measuredCalibration.parse(JSON.parse(row.measured)),
    appliedAt: new Date(row.applied_at),
  };
}
