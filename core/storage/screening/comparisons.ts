import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { knownSetRecord } from '../../contracts/knownSignatures.ts';
import { SIGNATURE_REASONS } from '../../contracts/signatures.ts';
import { FAILURE_CODES, type FailureCode } from '../../contracts/errors/failures.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type {
  ComparisonFacts,
  ComparisonFilter,
  ComparisonSubject,
  NewComparison,
  Recorded,
} from '../../domain/ports/comparisons.ts';
import type { NewKnownSetComparison, NewSignatureComparison } from '../../domain/ports/signatures.ts';
import { cellsOf } from '../engine/cells.ts';
import { send, writing, type Database } from '../engine/database.ts';
import { newIds } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';
import { countOf, AuditedRowsWith, rowsWith } from '../engine/rows.ts';

/** The condition and the columns by which records of signatures and of faces differ. */
interface Kept<New extends ComparisonFacts> {
  subject: ComparisonSubject;
  /** The audit log's name of such a record. */
  object: string;
  entryOf: (comparison: New) => { action: AuditAction; details?: { known: number } };
  /** The part that is stored as JSON beside the facts that both have. */
  contentOf: (comparison: New) => object;
  read: (content: unknown, facts: Recorded<ComparisonFacts>) => Recorded<New>;
}
type ComparisonRow = Selectable<Schema['comparison']>;

const digests = z.object({ image1: z.string(), image2: z.string() });
const signatureReason = z.enum(SIGNATURE_REASONS);
const signatureContent = z.union([
  z.object({ known: knownSetRecord }),
  z.object({ reasons: reasonsOf(signatureReason), sha256: digests }),
]);
const facePair = z.object({ reasons: reasonsOf(z.enum(FAILURE_CODES)), sha256: digests });

export const SIGNATURE_COMPARISONS: Kept<NewSignatureComparison | NewKnownSetComparison> = {
  subject: 'signature',
  object: 'signatureComparison',
  entryOf: (comparison) =>
    'known' in comparison
      ? { action: 'signature.known-compared', details: { known: comparison.known.sha256.known.length } }
      : { action: 'signature.compared' },
  contentOf: (comparison) => ('known' in comparison ? { known: comparison.known } : pairContent(comparison)),
  read: (content, facts) => ({ ...facts, ...signatureContent.parse(content) }),
};
export const FACE_COMPARISONS: Kept<NewComparison<FailureCode>> = {
  subject: 'face',
  object: 'faceComparison',
  entryOf: () => ({ action: 'face.compared' }),
  contentOf: pairContent,
  read: (content, facts) => ({ ...facts, ...facePair.parse(content) }),
};

function pairContent({ reasons, sha256 }: NewComparison<string>) {
  return { reasons, sha256 };
}

function reasonsOf<Reason extends z.ZodType>(reason: Reason) {
  return z.object({ image1: reason.exactOptional(), image2: reason.exactOptional() });
}

/** The records of the comparisons of one subject; a record of the other subject does not exist here. */
export class Comparisons<New extends ComparisonFacts> extends AuditedRowsWith<Kept<New>> {
  /** One transaction with its entry in the audit log. @param began when the comparison began @returns the record's id */
  async record(company: CompanyId, comparison: New, began = comparison.at): Promise<number> {
    const { at, credential } = comparison;
    const { subject, object, contentOf, entryOf } = this.parts;
    return writing(this.db, company, async (trx) => {
      const [id = 0] = await newIds(trx, 'comparison', 1);
      const content = Buffer.from(JSON.stringify(contentOf(comparison)));
      const insert = trx.insertInto('comparison').values({
        id,
        company_id: company,
        subject,
        template_id: comparison.templateId,
        verification_id: comparison.verificationId,
        credential,
        compared_at: at.getTime(),
        similarity: comparison.similarity,
        verdict: comparison.verdict,
        match_from: comparison.thresholds.match,
        possible_match_from: comparison.thresholds.possibleMatch,
        model_version: comparison.modelVersion,
        content: cellsOf(trx).seal('comparison', 'content', { company_id: company, id }, content),
      });
      await send(trx, insert);
      const { action, details } = entryOf(comparison);
      const took = at.getTime() - began.getTime();
      this.audit.append(
        trx,
        { by: credential, at },
        {
          company,
          action,
          object: `${object}:${id}`,
          details: { ...details, verdict: comparison.verdict, took },
        },
      );
      return id;
    });
  }

  async find(company: CompanyId, id: number): Promise<Recorded<New> | undefined> {
    const row = await this.db
      .selectFrom('comparison')
      .selectAll()
      .where((eb) => eb.and({ company_id: company, subject: this.parts.subject, id }))
      .executeTakeFirst();
    return row && this.#toRecord(row, cellsOf(this.db).open('comparison', 'content', row));
  }

  /**
   * Newest first; `after` is the last one of the page before. A record that was changed without the key is left out, so that the
   * others can be read; it is logged, and the diagnosis names it.
   */
  async list(
    company: CompanyId,
    page: { after?: number | undefined; limit: number; filter?: ComparisonFilter },
  ): Promise<Recorded<New>[]> {
    const records: Recorded<New>[] = [];
    for (let { after } = page, more = true; more;) {
      const limit = page.limit - records.length;
      const rows = await filtered(this.db, { company, subject: this.parts.subject }, page.filter ?? {})
        .selectAll()
        .$if(after !== undefined, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      for (const row of rows) {
        const content = cellsOf(this.db).shown('comparison', 'content', row);
        if (content !== undefined) records.push(this.#toRecord(row, content));
      }
      after = rows.at(-1)?.id;
      more = rows.length === limit && records.length < page.limit;
    }
    return records;
  }

  async count(company: CompanyId, filter: ComparisonFilter): Promise<number> {
    return countOf(filtered(this.db, { company, subject: this.parts.subject }, filter));
  }

  /** @returns every operator and program with a record, in no particular order */
  async credentials(company: CompanyId): Promise<string[]> {
    const rows = await filtered(this.db, { company, subject: this.parts.subject }, {})
      .select('credential')
      .distinct()
      .execute();
    return rows.map(({ credential }) => credential);
  }

  #toRecord(row: ComparisonRow, content: Uint8Array): Recorded<New> {
    return this.parts.read(JSON.parse(Buffer.from(content).toString()), {
      id: row.id,
      templateId: row.template_id,
      verificationId: row.verification_id,
      credential: row.credential,
      at: new Date(row.compared_at),
      similarity: row.similarity,
      verdict: row.verdict,
      thresholds: { match: row.match_from, possibleMatch: row.possible_match_from },
      modelVersion: row.model_version,
    });
  }
}

function filtered(
  db: Database,
  of: { company: CompanyId; subject: ComparisonSubject },
  filter: ComparisonFilter,
) {
  const { templateId, verificationId, verdict, credential, from, until } = filter;
  let rows = rowsWith(db, 'comparison', { company_id: of.company, subject: of.subject });
  if (templateId !== undefined) rows = rows.where('template_id', '=', templateId);
  if (verificationId !== undefined) rows = rows.where('verification_id', '=', verificationId);
  if (verdict !== undefined) rows = rows.where('verdict', '=', verdict);
  if (credential !== undefined) rows = rows.where('credential', '=', credential);
  if (from !== undefined) rows = rows.where('compared_at', '>=', from.getTime());
  if (until !== undefined) rows = rows.where('compared_at', '<', until.getTime());
  return rows;
}
