/** Connections of companies to MOSIP, and the answers that it has been given. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { CLOCK_SLACK } from '../../domain/values/time.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { mosipConnection, type MosipConnection } from '../../contracts/mosip.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { AuditedRows, Rows, rowsWith, addRows, deleteRows } from '../engine/rows.ts';

/** How long an answer is kept, milliseconds: brokers deliver again what was not acknowledged, long before. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const storedAnswer = z.string().nullable();

export class MosipConnections extends AuditedRows {
  /** Of each company that has one, with its secrets. */
  async all(): Promise<{ company: CompanyId; connection: MosipConnection }[]> {
    const rows = await this.db.selectFrom('mosip_connection').selectAll().orderBy('company_id').execute();
    return rows.map((row) => ({ company: row.company_id, connection: this.#opened(row) }));
  }

  /** With its secrets. */
  async find(company: CompanyId): Promise<MosipConnection | undefined> {
    const row = await rowsWith(this.db, 'mosip_connection', { company_id: company })
      .selectAll()
      .executeTakeFirst();
    return row && this.#opened(row);
  }

  #opened(row: Selectable<Schema['mosip_connection']>): MosipConnection {
    const settings = cellsOf(this.db).open('mosip_connection', 'settings', row);
    return mosipConnection.parse(JSON.parse(Buffer.from(settings).toString()));
  }

  /** @param connection null: none any more */
  async keep(company: CompanyId, connection: MosipConnection | null, act: AuditContext): Promise<void> {
    await writing(this.db, company, async (trx) => {
      await deleteRows(trx, 'mosip_connection', { company_id: company }).execute();
      if (connection !== null) {
        const place = { company_id: company };
        const content = Buffer.from(JSON.stringify(connection));
        const settings = cellsOf(trx).seal('mosip_connection', 'settings', place, content);
        await addRows(trx, 'mosip_connection', { ...place, settings });
      }
      const details = { mosip: connection !== null };
      this.audit.append(trx, act, {
        company,
        action: 'company.changed',
        object: `company:${company}`,
        details,
      });
    });
  }
}

export class MosipAnswers extends Rows {
  /**
   * The answer to a request of the last 24 hours; null: a deletion that has begun.
   * @param digest SHA-256 of the request, lowercase hex
   */
  async find(company: CompanyId, digest: string, now: Date): Promise<string | null | undefined> {
    const row = await rowsWith(this.db, 'mosip_answer', { company_id: company, digest })
      .selectAll()
      .where('at', '>', now.getTime() - KEPT_MS)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const content = Buffer.from(cellsOf(this.db).open('mosip_answer', 'answer', row)).toString();
    return storedAnswer.parse(JSON.parse(content));
  }

  /** Keeps an answer, and forgets those of earlier days. A later answer to the same request takes its place. */
  async keep(
    company: CompanyId,
    digest: string,
    kept: { answer: string | null; namesPersons: boolean },
    at: Date,
  ): Promise<void> {
    const { answer, namesPersons } = kept;
    await writing(this.db, company, async (trx) => {
      const now = at.getTime();
      await deleteRows(trx, 'mosip_answer', { company_id: company })
        .where((eb) =>
          eb.or([eb('digest', '=', digest), eb('at', '<=', now - KEPT_MS), eb('at', '>', now + CLOCK_SLACK)]),
        )
        .execute();
      const place = { company_id: company, digest };
      const content = Buffer.from(JSON.stringify(answer));
      const sealed = cellsOf(trx).seal('mosip_answer', 'answer', place, content);
      await addRows(trx, 'mosip_answer', {
        ...place,
        answer: sealed,
        names_persons: namesPersons ? 1 : 0,
        at: now,
      });
    });
  }
}
