import type { Selectable } from 'kysely';
import { measuredSignatures } from '../../contracts/signatureCalibration.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { SignatureCalibration } from '../../domain/ports/signatures.ts';
import { writing } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { AuditedRows, rowsWith, addRows, deleteRows } from '../engine/rows.ts';

/** At most one per company and version of the matcher; it counts while that version serves. */
export class SignatureCalibrations extends AuditedRows {
  async list(company: CompanyId): Promise<SignatureCalibration[]> {
    const rows = await rowsWith(this.db, 'signature_calibration', { company_id: company })
      .selectAll()
      .orderBy('applied_at')
      .execute();
    return rows.map(toCalibration);
  }

  async of(company: CompanyId, modelVersion: string): Promise<SignatureCalibration | undefined> {
    const row = await this.db
      .selectFrom('signature_calibration')
      .selectAll()
      .where((eb) => eb.and({ company_id: company, model_version: modelVersion }))
      .executeTakeFirst();
    return row && toCalibration(row);
  }

  async apply({ company, ...made }: SignatureCalibration, act: AuditContext): Promise<void> {
    const { writers, signatures, forgeries } = made.measured;
    await writing(this.db, company, async (trx) => {
      await trx
        .deleteFrom('signature_calibration')
        .where((eb) => eb.and({ company_id: company, model_version: made.modelVersion }))
        .execute();
      await addRows(trx, 'signature_calibration', {
        company_id: company,
        model_version: made.modelVersion,
        measured: JSON.stringify(made.measured),
        applied_at: act.at.getTime(),
      });
      this.audit.append(trx, act, {
        company,
        action: 'signatureCalibration.applied',
        object: `company:${company}`,
        details: { writers, signatures, forgeries },
      });
    });
  }

  /** Removes all of the company. @returns whether there was one */
  reset(company: CompanyId, act: AuditContext): Promise<boolean> {
    return writing(this.db, company, async (trx) => {
      const { numDeletedRows } = await deleteRows(trx, 'signature_calibration', {
        company_id: company,
      }).executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      this.audit.append(trx, act, {
        company,
        action: 'signatureCalibration.reset',
        object: `company:${company}`,
      });
      return true;
    });
  }
}

function toCalibration(row: Selectable<Schema['signature_calibration']>): SignatureCalibration {
  return {
    company: row.company_id,
    modelVersion: row.model_version,
    measured: measuredSignatures.parse(JSON.parse(row.measured)),
    appliedAt: new Date(row.applied_at),
  };
}
