import type { Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import { flowSettings, type FlowSettings } from '../../contracts/flows.ts';
import type { CompanyId, TrustFlowId } from '../../contracts/ids.ts';
import type { FlowSeen, FlowVersion, TrustFlow, TrustFlows } from '../../domain/ports/screening.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { SqlAuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';

const storedNames = z.record(z.string(), z.string());
type NewVersion = Omit<FlowVersion, 'id' | 'number'>;

export class SqlTrustFlows implements TrustFlows {
  readonly #db: Database;
  readonly #audit: SqlAuditLog;

  constructor(db: Database, audit: SqlAuditLog) {
    this.#db = db;
    this.#audit = audit;
  }

  async create(
    company: CompanyId,
    flow: { name: string; version: NewVersion },
    act: AuditContext,
  ): Promise<TrustFlow> {
    return writing(this.#db, company, async (trx) => {
      const row = await trx
        .insertInto('trust_flow')
        .values({ company_id: company, name: flow.name, system: 0, created_at: act.at.getTime() })
        .returningAll()
        .executeTakeFirstOrThrow();
      const version = await insertVersion(trx, company, row.id, 1, flow.version, act.at);
      this.#record(trx, act, 'flow.created', company, row.id);
      return toFlow(row, version);
    });
  }

  async find(company: CompanyId, id: TrustFlowId): Promise<TrustFlow | undefined> {
    const row = await this.#db
      .selectFrom('trust_flow')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toFlow(row, await latestVersion(this.#db, company, id));
  }

  async list(company: CompanyId): Promise<TrustFlow[]> {
    const rows = await this.#db
      .selectFrom('trust_flow')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id')
      .execute();
    return Promise.all(rows.map(async (row) => toFlow(row, await latestVersion(this.#db, company, row.id))));
  }

  async rename(company: CompanyId, id: TrustFlowId, name: string, act: AuditContext): Promise<void> {
    await writing(this.#db, company, async (trx) => {
      await trx
        .updateTable('trust_flow')
        .set({ name })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute();
      this.#record(trx, act, 'flow.renamed', company, id);
    });
  }

  async setDraft(
    company: CompanyId,
    seen: FlowSeen,
    draft: FlowSettings | null,
    act: AuditContext,
  ): Promise<boolean> {
    return writing(this.#db, company, async (trx) => {
      const changed = await change(trx, company, seen, {
        draft: draft === null ? null : JSON.stringify(draft),
      });
      if (changed) this.#record(trx, act, 'flow.draft', company, seen.id, { dropped: draft === null });
      return changed;
    });
  }

  async saveVersion(
    company: CompanyId,
    seen: FlowSeen,
    version: NewVersion,
    act: AuditContext,
  ): Promise<FlowVersion | undefined> {
    return writing(this.#db, company, async (trx) => {
      const removed = { draft: null, updated_at: act.at.getTime() };
      if (!(await change(trx, company, seen, removed))) return undefined;
      const number = ((await latestVersion(trx, company, seen.id))?.number ?? 0) + 1;
      this.#record(trx, act, 'flow.saved', company, seen.id, { version: number });
      return insertVersion(trx, company, seen.id, number, version, act.at);
    });
  }

  #record(
    trx: Transaction,
    act: AuditContext,
    action: AuditAction,
    company: CompanyId,
    id: TrustFlowId,
    details: NewAuditEntry['details'] = {},
  ): void {
    this.#audit.append(trx, act, { company, action, object: `flow:${id}`, details });
  }
}

/** @returns false: the flow has another revision than the one that was seen, and nothing was changed */
async function change(
  trx: Transaction,
  company: CompanyId,
  { id, revision }: FlowSeen,
  columns: Pick<Updateable<Schema['trust_flow']>, 'draft' | 'updated_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('trust_flow')
    .set({ ...columns, revision: revision + 1 })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function insertVersion(
  trx: Transaction,
  company: CompanyId,
  flow: TrustFlowId,
  number: number,
  version: NewVersion,
  at: Date,
): Promise<FlowVersion> {
  const row = await trx
    .insertInto('trust_flow_version')
    .values({
      company_id: company,
      trust_flow_id: flow,
      number,
      settings: JSON.stringify(version.settings),
      blacklist_names: JSON.stringify(version.blacklistNames),
      created_at: at.getTime(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toVersion(row);
}

async function latestVersion(
  db: Database,
  company: CompanyId,
  flow: TrustFlowId,
): Promise<FlowVersion | null> {
  const row = await db
    .selectFrom('trust_flow_version')
    .selectAll()
    .where('company_id', '=', company)
    .where('trust_flow_id', '=', flow)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toVersion(row);
}

/** A version as it was saved; settings that came later take their defaults. */
export function toVersion(row: Selectable<Schema['trust_flow_version']>): FlowVersion {
  return {
    id: row.id,
    number: row.number,
    settings: flowSettings.parse(JSON.parse(row.settings)),
    blacklistNames: storedNames.parse(JSON.parse(row.blacklist_names)),
  };
}

function toFlow(row: Selectable<Schema['trust_flow']>, version: FlowVersion | null): TrustFlow {
  return {
    id: row.id,
    name: row.name,
    system: row.system === 1,
    draft: row.draft === null ? null : flowSettings.parse(JSON.parse(row.draft)),
    revision: row.revision,
    version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at ?? row.created_at),
  };
}
