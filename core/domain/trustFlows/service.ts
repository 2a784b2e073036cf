import { problem, problemOfIssue, type FieldProblems } from '../../contracts/errors/problem.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { flowName, flowSettings, type FlowSettings } from '../../contracts/flows.ts';
import { trusted, type CompanyId, type TrustFlowId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import { fieldErrors } from '../../contracts/errors/fieldErrors.ts';
import type { Clock } from '../ports/machine.ts';
import type { Blacklists, FlowSeen, TrustFlow, TrustFlows } from '../ports/screening.ts';

export type FlowOutcome =
  | { kind: 'done'; flow: TrustFlow }
  | { kind: 'invalid'; errors: FieldProblems }
  /** No such flow, or the internal one, which cannot be edited. */
  | { kind: 'unknown' }
  /** Another operator has changed the draft or the version since: nothing was changed. */
  | { kind: 'changed' };

interface FlowPorts {
  flows: TrustFlows;
  blacklists: Blacklists;
  clock: Clock;
}

/**
 * Trust Flows and their two steps of saving: the tool's settings go into a draft; saving the flow makes the draft a new
 * version. A validation keeps the version that was saved before it was created.
 */
export class TrustFlowService {
  readonly #ports: FlowPorts;

  constructor(ports: FlowPorts) {
    this.#ports = ports;
  }

  async create(
    company: CompanyId,
    name: unknown,
    settings: unknown,
    by: Actor,
  ): Promise<Exclude<FlowOutcome, { kind: 'changed' }>> {
    const named = flowName.safeParse(name);
    if (!named.success) return invalid('name', named.error.issues);
    const checked = await this.#check(company, settings);
    if (checked.kind === 'invalid') return checked;
    const version = { settings: checked.settings, blacklistNames: checked.blacklistNames };
    const flow = await this.#ports.flows.create(company, { name: named.data, version }, this.#act(by));
    return { kind: 'done', flow };
  }

  async rename(company: CompanyId, id: TrustFlowId, name: unknown, by: Actor): Promise<FlowOutcome> {
    const named = flowName.safeParse(name);
    if (!named.success) return invalid('name', named.error.issues);
    const flow = await this.#ports.flows.find(company, id);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    await this.#ports.flows.rename(company, id, named.data, this.#act(by));
    return this.#found(company, id);
  }

  /**
   * Saves the tool's settings; nothing is screened by them until the flow is saved too.
   * @param seen as the operator saw the flow
   */
  async saveTool(company: CompanyId, seen: FlowSeen, settings: unknown, by: Actor): Promise<FlowOutcome> {
    const checked = await this.#check(company, settings);
    if (checked.kind === 'invalid') return checked;
    return this.#setDraft(company, seen, checked.settings, by);
  }

  async dropDraft(company: CompanyId, seen: FlowSeen, by: Actor): Promise<FlowOutcome> {
    return this.#setDraft(company, seen, null, by);
  }

  /** The draft becomes the version that validations created from now on use. Without a draft nothing changes. */
  async save(company: CompanyId, seen: FlowSeen, by: Actor): Promise<FlowOutcome> {
    const flow = await this.#ports.flows.find(company, seen.id);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    if (flow.revision !== seen.revision) return { kind: 'changed' };
    if (flow.draft === null) return { kind: 'done', flow };
    // A list may have been deactivated since the tool was saved: what is saved now must hold now.
    const checked = await this.#check(company, flow.draft);
    if (checked.kind === 'invalid') return checked;
    const saved = await this.#ports.flows.saveVersion(company, seen, checked, this.#act(by));
    return saved === undefined ? { kind: 'changed' } : this.#found(company, seen.id);
  }

  async #setDraft(
    company: CompanyId,
    seen: FlowSeen,
    draft: FlowSettings | null,
    by: Actor,
  ): Promise<FlowOutcome> {
    const flow = await this.#ports.flows.find(company, seen.id);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    const changed = await this.#ports.flows.setDraft(company, seen, draft, this.#act(by));
    return changed ? this.#found(company, seen.id) : { kind: 'changed' };
  }

  #act(by: Actor): AuditContext {
    return { by, at: this.#ports.clock.now() };
  }

  async #found(company: CompanyId, id: TrustFlowId): Promise<FlowOutcome> {
    const flow = await this.#ports.flows.find(company, id);
    return flow === undefined ? { kind: 'unknown' } : { kind: 'done', flow };
  }

  /** Settings are acceptable when every chosen blacklist is an Active one of the company. */
  async #check(
    company: CompanyId,
    settings: unknown,
  ): Promise<
    | { kind: 'done'; settings: FlowSettings; blacklistNames: Record<string, string> }
    | Extract<FlowOutcome, { kind: 'invalid' }>
  > {
    const parsed = flowSettings.safeParse(settings);
    if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
    const blacklistNames: Record<string, string> = {};
    for (const [index, id] of parsed.data.blacklistDetection.blacklistIds.entries()) {
      const blacklist = await this.#ports.blacklists.find(company, trusted.blacklist(id));
      if (blacklist?.status !== BLACKLIST_STATUS.Active)
        return {
          kind: 'invalid',
          errors: {
            [`blacklistDetection.blacklistIds.${index}`]: [problem('BLACKLIST_NOT_ACTIVE')],
          },
        };
      blacklistNames[String(id)] = blacklist.name;
    }
    return { kind: 'done', settings: parsed.data, blacklistNames };
  }
}

function invalid(
  key: string,
  issues: readonly Parameters<typeof problemOfIssue>[0][],
): Extract<FlowOutcome, { kind: 'invalid' }> {
  return { kind: 'invalid', errors: { [key]: issues.map(problemOfIssue) } };
}
