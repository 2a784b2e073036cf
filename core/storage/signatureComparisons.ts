import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../contracts/ids.ts';
import { SIGNATURE_REASONS } from '../contracts/signatures.ts';
import type {
  NewSignatureComparison,
  SignatureComparisonRecord,
  SignatureComparisons,
} from '../domain/ports.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { writing, type Database } from './database.ts';
import type { Schema } from './schema.ts';

const reason = z.enum(SIGNATURE_REASONS).optional();
const storedReasons = z.object({ image1: reason, image2: reason });

export class SqliteSignatureComparisons implements SignatureComparisons {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  constructor(db: Database, audit: SqliteAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async record(company: CompanyId, comparison: NewSignatureComparison): Promise<void> {
    const { credential, at } = comparison;
    await writing(this.#db, async (trx) => {
      const { id } = await trx
        .insertInto('signature_comparison')
        .values({
          company_id: company,
          template_id: comparison.templateId,
          verification_id: comparison.verificationId,
          credential,
          compared_at: at.getTime(),
          similarity: comparison.similarity,
          verdict: comparison.verdict,
          reasons: JSON.stringify(comparison.reasons),
          match_from: comparison.thresholds.match,
          possible_match_from: comparison.thresholds.possibleMatch,
          model_version: comparison.modelVersion,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.#audit.append(
        trx,
        { by: credential, at },
        { company, action: 'signature.compared', object: `signatureComparison:${id}` },
      );
    });
  }

  async list(
    company: CompanyId,
    page: { after?: number; limit: number },
  ): Promise<SignatureComparisonRecord[]> {
    const { after } = page;
    const rows = await this.#db
      .selectFrom('signature_comparison')
      .selectAll()
      .where('company_id', '=', company)
      .$if(after !== undefined, (query) => query.where('id', '<', after!))
      .orderBy('id', 'desc')
      .limit(page.limit)
      .execute();
    return rows.map(toRecord);
  }
}

function toRecord(row: Selectable<Schema['signature_comparison']>): SignatureComparisonRecord {
  const { image1, image2 } = storedReasons.parse(JSON.parse(row.reasons));
  return {
    id: row.id,
    templateId: row.template_id,
    verificationId: row.verification_id,
    credential: row.credential,
    at: new Date(row.compared_at),
    similarity: row.similarity,
    verdict: row.verdict,
    reasons: { ...(image1 && { image1 }), ...(image2 && { image2 }) },
    thresholds: { match: row.match_from, possibleMatch: row.possible_match_from },
    modelVersion: row.model_version,
  };
}
