import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { SIGNATURE_REASONS, type SignatureReason } from '../../contracts/signatures.ts';
import { FAILURE_CODES, type FailureCode } from '../../contracts/errors/failures.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type {
  ComparisonFilter,
  ComparisonRecord,
  Comparisons,
  ComparisonSubject,
  NewComparison,
} from '../../domain/ports/comparisons.ts';
import type { SqliteAuditLog } from '../audit/auditLog.ts';
import { writing, type Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';

/** What tells the records of one subject from those of the other. */
interface Kept<Reason extends string> {
  subject: ComparisonSubject;
  action: AuditAction;
  /** The audit log's name of such a record. */
  object: string;
  reasons: readonly Reason[];
}
export const SIGNATURE_COMPARISONS: Kept<SignatureReason> = {
  subject: 'signature',
  action: 'signature.compared',
  object: 'signatureComparison',
  reasons: SIGNATURE_REASONS,
};
export const FACE_COMPARISONS: Kept<FailureCode> = {
  subject: 'face',
  action: 'face.compared',
  object: 'faceComparison',
  reasons: FAILURE_CODES,
};

/** The records of the comparisons of one subject; a record of the other subject does not exist here. */
export class SqliteComparisons<Reason extends string> implements Comparisons<Reason> {
  readonly #db: Database;
  readonly #audit: SqliteAuditLog;

  readonly #kept: Kept<Reason>;

  constructor(db: Database, audit: SqliteAuditLog, kept: Kept<Reason>) {
    this.#kept = kept;
    this.#db = db;
    this.#audit = audit;
  }

  async record(company: CompanyId, comparison: NewComparison<Reason>): Promise<number> {
    const { at, credential, sha256 } = comparison;
    const { subject, action, object } = this.#kept;
    return writing(this.#db, company, async (trx) => {
      const { id } = await trx
        .insertInto('comparison')
        .values({
          company_id: company,
          subject,
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
      this.#audit.append(trx, { by: credential, at }, { company, action, object: `${object}:${id}` });
      return id;
    });
  }

  async find(company: CompanyId, id: number): Promise<ComparisonRecord<Reason> | undefined> {
    const row = await this.#db
      .selectFrom('comparison')
      .selectAll()
      .where('company_id', '=', company)
      .where('subject', '=', this.#kept.subject)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && this.#toRecord(row);
  }

  async list(
    company: CompanyId,
    page: { after?: number; limit: number; filter?: ComparisonFilter },
  ): Promise<ComparisonRecord<Reason>[]> {
    const { after } = page;
    const rows = await filtered(this.#db, { company, subject: this.#kept.subject }, page.filter ?? {})
      .selectAll()
      .$if(after !== undefined, (query) => query.where('id', '<', after!))
      .orderBy('id', 'desc')
      .limit(page.limit)
      .execute();
    return rows.map((row) => this.#toRecord(row));
  }

  async count(company: CompanyId, filter: ComparisonFilter): Promise<number> {
    const { count } = await filtered(this.#db, { company, subject: this.#kept.subject }, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  #toRecord(row: Selectable<Schema['comparison']>): ComparisonRecord<Reason> {
    const reason = z.enum(this.#kept.reasons).optional();
    const { image1, image2 } = z.object({ image1: reason, image2: reason }).parse(JSON.parse(row.reasons));
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
}

function filtered(
  db: Database,
  of: { company: CompanyId; subject: ComparisonSubject },
  filter: ComparisonFilter,
) {
  const { templateId, verificationId, verdict, from, until } = filter;
  let rows = db
    .selectFrom('comparison')
    .where('company_id', '=', of.company)
    .where('subject', '=', of.subject);
  if (templateId !== undefined) rows = rows.where('template_id', '=', templateId);
  if (verificationId !== undefined) rows = rows.where('verification_id', '=', verificationId);
  if (verdict !== undefined) rows = rows.where('verdict', '=', verdict);
  if (from !== undefined) rows = rows.where('compared_at', '>=', from.getTime());
  if (until !== undefined) rows = rows.where('compared_at', '<', until.getTime());
  return rows;
}
