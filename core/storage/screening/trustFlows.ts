import type { Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import type { AuditAction } from '../../contracts/audit.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { CodedError, InvalidInput, problem, checked } from '../../contracts/errors/problem.ts';
import { flowName, flowSettings, type FlowSettings, type FlowRow } from '../../contracts/flows.ts';
import type { BlacklistId, CompanyId, TrustFlowId } from '../../contracts/ids.ts';
import type { Actor, AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { FlowVersion } from '../../domain/ports/screening.ts';
import { cellsOf } from '../engine/cells.ts';
import { encode } from '../engine/codedRows.ts';
import { together, writing, type Database, type Transaction } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { AuditedRowsWith, rowsWith, addRows, changeRows } from '../engine/rows.ts';
import { isoTime } from '../../domain/values/time.ts';

const storedNames = z.record(z.string(), z.string());

/** A flow with the draft and the version that an operator saw. */
type FlowSeen = Pick<FlowRow, 'revision'> & { id: TrustFlowId };

type StoredFlow = FlowRow & { id: TrustFlowId };
type Columns = Selectable<Schema['trust_flow']>;

export type TrustFlow = NonNullable<Awaited<ReturnType<TrustFlows['find']>>>;

/**
 * Trust Flows and their two steps of saving: the tool's settings go into a draft; saving the flow makes the draft a new
 * version. A validation keeps the version that was saved before it was created.
 */
export class TrustFlows extends AuditedRowsWith<{ clock: Clock }> {
  /**
   * @param asDraft the settings are a draft: the flow has no version, and no verification can use it until it is saved
   * @throws {InvalidInput} the name or the settings
   */
  async create(
    company: CompanyId,
    name: unknown,
    settings: unknown,
    by: Actor,
    asDraft = false,
  ): Promise<StoredFlow> {
    const named = checked(flowName, name, 'name');
    const wanted = checked(flowSettings, settings);
    return this.#changing(company, by, async (trx, { at }) => {
      const draft = asDraft ? JSON.stringify(wanted) : null;
      if (asDraft) await namesOfLists(trx, company, wanted);
      const { id } = await trx
        .insertInto('trust_flow')
        .values({ company_id: company, name: named, system: 0, draft, created_at: at.getTime() })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (!asDraft) await insertVersion(trx, company, id, { number: 1, settings: wanted, at });
      return { id, action: 'flow.created' };
    });
  }

  /** @throws {InvalidInput} the name @throws {CodedError} NOT_FOUND */
  async rename(company: CompanyId, id: TrustFlowId, name: unknown, by: Actor): Promise<StoredFlow> {
    const named = checked(flowName, name, 'name');
    return this.#changing(company, by, async (trx) => {
      await editable(trx, company, id);
      await changeRows(trx, 'trust_flow', { company_id: company, id }).set({ name: named }).execute();
      return { id, action: 'flow.renamed' };
    });
  }

  /**
   * Saves the tool's settings; nothing is screened by them until the flow is saved too.
   * @param seen as the operator saw the flow
   * @param settings null: discards the draft, where the flow has a version
   * @throws {InvalidInput} the settings @throws {CodedError} NOT_FOUND, FLOW_CHANGED
   */
  async setDraft(company: CompanyId, seen: FlowSeen, settings: unknown, by: Actor): Promise<StoredFlow> {
    const wanted = settings === null ? null : checked(flowSettings, settings);
    return this.#changing(company, by, async (trx) => {
      if (wanted !== null) await namesOfLists(trx, company, wanted);
      await editable(trx, company, seen.id);
      if (wanted === null && (await latestVersion(trx, company, seen.id)) === null)
        throw new InvalidInput({ settings: [problem('FLOW_NEVER_PUBLISHED')] });
      await change(trx, company, seen, { draft: wanted === null ? null : JSON.stringify(wanted) });
      return { id: seen.id, action: 'flow.draft', details: { dropped: wanted === null } };
    });
  }

  /**
   * The draft becomes the version that validations created from now on use. Without a draft nothing changes.
   * @throws {InvalidInput} a list of the draft has become inactive meanwhile @throws {CodedError} NOT_FOUND, FLOW_CHANGED
   */
  async save(company: CompanyId, seen: FlowSeen, by: Actor): Promise<StoredFlow> {
    return this.#changing(company, by, async (trx, { at }) => {
      const { revision, draft } = await editable(trx, company, seen.id);
      if (revision !== seen.revision) throw new CodedError('FLOW_CHANGED');
      if (draft === null) return { id: seen.id };
      const number = ((await latestVersion(trx, company, seen.id))?.number ?? 0) + 1;
      await change(trx, company, seen, { draft: null, updated_at: at.getTime() });
      const settings = flowSettings.parse(JSON.parse(draft));
      await insertVersion(trx, company, seen.id, { number, settings, at });
      return { id: seen.id, action: 'flow.saved', details: { version: number } };
    });
  }

  /** The settings of a flow that a screening uses. */
  async find(company: CompanyId, id: TrustFlowId) {
    const [[row], [version]] = await together(
      this.db,
      rowsWith(this.db, 'trust_flow', { company_id: company, id }).selectAll(),
      versionsOf(this.db, company, id),
    );
    if (row === undefined) return undefined;
    return {
      id,
      name: row.name,
      /** The internal flow of bulk enrolment: not editable, not usable for verifications. */
      system: row.system === 1,
      /** The version that new validations use; null only for the system flow. */
      version: toLatest(this.db, version),
      createdAt: isoTime(row.created_at),
      updatedAt: changedAt(row),
    };
  }

  /** How many verifications of each flow were created since a moment and are finished; flows without any are left out. */
  verificationsSince(company: CompanyId, since: Date): Promise<{ flow: TrustFlowId; number: number }[]> {
    return rowsWith(this.db, 'trust_validation', { company_id: company, source: 'verification' })
      .select((eb) => ['trust_flow_id as flow', eb.fn.countAll<number>().as('number')])
      .where('created_at', '>=', since.getTime())
      .where('finalized_at', 'is not', null)
      .groupBy('trust_flow_id')
      .orderBy('trust_flow_id')
      .execute();
  }

  /** By rising ids. */
  async list(company: CompanyId): Promise<StoredFlow[]> {
    const flows = await rowsWith(this.db, 'trust_flow', { company_id: company })
      .selectAll()
      .orderBy('id')
      .execute();
    return Promise.all(flows.map((flow) => rowOf(this.db, company, flow)));
  }

  /** One transaction with its audit entry. @param work returns the flow, and the action unless it changed nothing */
  async #changing(
    company: CompanyId,
    by: Actor,
    work: (
      trx: Transaction,
      act: AuditContext,
    ) => Promise<{ id: TrustFlowId; action?: AuditAction; details?: NewAuditEntry['details'] }>,
  ): Promise<StoredFlow> {
    return writing(this.db, company, async (trx) => {
      const act = { by, at: this.parts.clock.now() };
      const { id, action, details = {} } = await work(trx, act);
      if (action !== undefined)
        this.audit.append(trx, act, { company, action, object: `flow:${id}`, details });
      const flow = await flowOf(trx, company, id);
      if (flow === undefined) throw new CodedError('NOT_FOUND');
      return rowOf(trx, company, flow);
    });
  }
}

function flowOf(db: Database, company: CompanyId, id: TrustFlowId): Promise<Columns | undefined> {
  return rowsWith(db, 'trust_flow', { company_id: company, id }).selectAll().executeTakeFirst();
}

/** @throws {CodedError} NOT_FOUND: no such flow, or the internal one, which cannot be edited */
async function editable(db: Database, company: CompanyId, id: TrustFlowId): Promise<Columns> {
  const flow = await flowOf(db, company, id);
  if (flow === undefined || flow.system === 1) throw new CodedError('NOT_FOUND');
  return flow;
}

/** @throws {CodedError} FLOW_CHANGED: the flow has another revision than the one that was seen */
async function change(
  trx: Transaction,
  company: CompanyId,
  { id, revision }: FlowSeen,
  columns: Pick<Updateable<Schema['trust_flow']>, 'draft' | 'updated_at'>,
): Promise<void> {
  const { numUpdatedRows } = await changeRows(trx, 'trust_flow', { company_id: company, id, revision })
    .set({ ...columns, revision: revision + 1 })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new CodedError('FLOW_CHANGED');
}

async function insertVersion(
  trx: Transaction,
  company: CompanyId,
  flow: TrustFlowId,
  { number, settings, at }: { number: number; settings: FlowSettings; at: Date },
): Promise<void> {
  const which = { company_id: company, trust_flow_id: flow, number };
  await addRows(trx, 'trust_flow_version', {
    ...which,
    settings: JSON.stringify(settings),
    blacklist_names: JSON.stringify(await namesOfLists(trx, company, settings)),
    created_at: at.getTime(),
  });
  await encode(trx, 'trust_flow_version', which);
}

/**
 * The names of the chosen blacklists by id.
 * @throws {InvalidInput} one of them is no Active blacklist of the company
 */
async function namesOfLists(
  db: Database,
  company: CompanyId,
  { blacklistDetection: { blacklistIds } }: FlowSettings,
): Promise<Record<string, string>> {
  const lists = await listsOf(db, company, blacklistIds);
  const unusable = blacklistIds.findIndex(
    (wanted) => lists.find(({ id }) => id === wanted)?.status !== BLACKLIST_STATUS.Active,
  );
  if (unusable >= 0)
    throw new InvalidInput({
      [`blacklistDetection.blacklistIds.${unusable}`]: [problem('BLACKLIST_NOT_ACTIVE')],
    });
  return Object.fromEntries(lists.map(({ id, name }) => [id, name]));
}

/** In the order of the ids; lists that are gone are left out. */
async function listsOf(db: Database, company: CompanyId, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await rowsWith(db, 'blacklist', { company_id: company })
    .selectAll()
    .where('id', 'in', ids as BlacklistId[])
    .orderBy('id')
    .execute();
  const cells = cellsOf(db);
  return rows.map((row) => cells.checked('blacklist', row));
}

async function latestVersion(
  db: Database,
  company: CompanyId,
  flow: TrustFlowId,
): Promise<FlowVersion | null> {
  return toLatest(db, await versionsOf(db, company, flow).executeTakeFirst());
}

/** The version of a flow that was saved last. */
function versionsOf(db: Database, company: CompanyId, flow: TrustFlowId) {
  return rowsWith(db, 'trust_flow_version', { company_id: company, trust_flow_id: flow })
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1);
}

function toLatest(db: Database, row: Selectable<Schema['trust_flow_version']> | undefined) {
  return row === undefined ? null : toVersion(cellsOf(db).checked('trust_flow_version', row));
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

/** When a version was saved last. */
function changedAt({ updated_at: saved, created_at: created }: Columns): string {
  return isoTime(saved ?? created);
}

async function rowOf(db: Database, company: CompanyId, flow: Columns): Promise<StoredFlow> {
  const version = await latestVersion(db, company, flow.id);
  const draft = flow.draft === null ? null : flowSettings.parse(JSON.parse(flow.draft));
  const drafted = await listsOf(db, company, draft?.blacklistDetection.blacklistIds ?? []);
  return {
    id: flow.id,
    name: flow.name,
    system: flow.system === 1,
    saved: version?.settings ?? null,
    version: version?.number ?? null,
    savedAt: changedAt(flow),
    draft,
    revision: flow.revision,
    blacklistNames: {
      ...version?.blacklistNames,
      ...Object.fromEntries(drafted.map(({ id, name }) => [id, name])),
    },
  };
}
