import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../contracts/ids.ts';
import { SIGNATURE_REASONS } from '../contracts/signatures.ts';
import type {
  ComparisonFilter,
  NewSignatureComparison,
  SignatureComparisonRecord,
  SignatureComparisons,
} from '../domain/ports/signatures.ts';
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

  async record(company: CompanyId, comparison: NewSignatureComparison): Promise<number> {
    const { at, credential, sha256 } = comparison;
    return writing(this.#db, async (trx) => {
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
          image1_sha256: sha256.image1,
          image2_sha256: sha256.image2,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.#audit.append(
        trx,
        { by: credential, at },
        { company, action: 'signature.compared', object: `signatureComparison:${id}` },
      );
      return id;
    });
  }

  async find(company: CompanyId, id: number): Promise<SignatureComparisonRecord | undefined> {
    const row = await this.#db
      .selectFrom('signature_comparison')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async list(
    company: CompanyId,
    page: { after?: number; limit: number; filter?: ComparisonFilter },
  ): Promise<SignatureComparisonRecord[]> {
    const { after } = page;
    const rows = await filtered(this.#db, company, page.filter ?? {})
      .selectAll()
      .$if(after !== undefined, (query) => query.where('id', '<', after!))
      .orderBy('id', 'desc')
      .limit(page.limit)
      .execute();
    return rows.map(toRecord);
  }

  async count(company: CompanyId, filter: ComparisonFilter): Promise<number> {
    const { count } = await filtered(this.#db, company, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }
}

function filtered(db: Database, company: CompanyId, filter: ComparisonFilter) {
  const { templateId, verificationId, verdict, from, until } = filter;
  let rows = db.selectFrom('signature_comparison').where('company_id', '=', company);
  if (templateId !== undefined) rows = rows.where('template_id', '=', templateId);
  if (verificationId !== undefined) rows = rows.where('verification_id', '=', verificationId);
  if (verdict !== undefined) rows = rows.where('verdict', '=', verdict);
  if (from !== undefined) rows = rows.where('compared_at', '>=', from.getTime());
  if (until !== undefined) rows = rows.where('compared_at', '<', until.getTime());
  return rows;
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
    sha256: { image1: row.image1_sha256, image2: row.image2_sha256 },
  };
}
