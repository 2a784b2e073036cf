/** The totals of coded rows, compared with what this service has seen of them. SQLite has none. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import {
  acceptTotals,
  changedTotals,
  exportSeen,
  importSeen,
  putBackTotals,
  type ChangedRows,
} from '../engine/codedRows.ts';
import { writing, type Database } from '../engine/database.ts';
import { isPostgres } from '../engine/dialect.ts';
import { writeDurably } from '../engine/fsync.ts';
import { AuditedRowsWith } from '../engine/rows.ts';
import type { AuditLog } from './auditLog.ts';

/** `file`: keeps outside the database what this service has seen. */
export class RowTotals extends AuditedRowsWith<{ file: string }> {
  /** The content of the file. */
  #kept = '[]';

  /** @throws {Error} the file cannot be read, or another program wrote it */
  static async open(db: Database, audit: AuditLog, file: string): Promise<RowTotals> {
    const opened = new RowTotals(db, audit, { file });
    if (isPostgres(db) && existsSync(file)) {
      opened.#kept = await readFile(file, 'utf8');
      try {
        importSeen(db, opened.#kept);
      } catch (cause) {
        throw new Error(`The file ${file} is damaged. Find out who changed it, delete it, and start again.`, {
          cause,
        });
      }
    }
    return opened;
  }

  /**
   * Looks whether a total went back, and keeps what was seen, which keeps this service from starting with totals that did.
   * @returns tables with their companies
   */
  async lost(): Promise<string[]> {
    if (!isPostgres(this.db)) return [];
    const putBack = await putBackTotals(this.db);
    await this.keep();
    return putBack.map((company) => `row_total (company_id ${company})`);
  }

  /** Writes the file, where something was seen since. */
  async keep(): Promise<void> {
    const seen = exportSeen(this.db);
    if (!isPostgres(this.db) || seen === this.#kept) return;
    await writeDurably(this.parts.file, seen);
    this.#kept = seen;
  }

  /** Takes the totals as they are for the newest, after the whole database was put back and that was accepted. */
  async forget(): Promise<void> {
    importSeen(this.db, '[]');
    await this.keep();
  }

  /** Rows that were deleted or put back on the server, by company. */
  changed(): Promise<ChangedRows[]> {
    return changedTotals(this.db);
  }

  /**
   * Takes the rows that are there for those that Vouch wrote. The audit log of each company states what differed.
   * @throws {CodedError} nothing differs
   */
  async accept(act: AuditContext): Promise<ChangedRows[]> {
    const accepted = await writing(this.db, 'installation', async (trx) => {
      const changed = await changedTotals(trx);
      if (changed.length === 0) throw new CodedError('ROWS_NOT_CHANGED');
      const companies = Map.groupBy(changed, ({ company }) => company);
      await acceptTotals(trx, [...companies.keys()]);
      for (const [company, differing] of companies) {
        const details = Object.fromEntries(differing.map(({ table, counts }) => [table, counts]));
        this.audit.append(trx, act, { company, action: 'audit.rowsAccepted', object: null, details });
      }
      return changed;
    });
    await this.keep();
    return accepted;
  }
}
