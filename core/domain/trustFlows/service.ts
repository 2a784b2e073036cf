import { problem, problemOfIssue, type FieldProblems } from '../../contracts/errors/problem.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { flowName, flowSettings, type FlowSettings } from '../../contracts/flows.ts';
import { trusted, type CompanyId, type TrustFlowId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import { fieldErrors } from '../../contracts/errors/fieldErrors.ts';
import type { Clock } from '../ports/machine.ts';
import type { Blacklists, TrustFlow, TrustFlows } from '../ports/screening.ts';

export type FlowOutcome =
  | { kind: 'done'; flow: TrustFlow }
  | { kind: 'invalid'; errors: FieldProblems }
  /** No such flow, or the internal one, which cannot be edited. */
  | { kind: 'unknown' };

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

  async create(company: CompanyId, name: unknown, settings: unknown, by: Actor): Promise<FlowOutcome> {
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
    return this.#edit(company, id, (flow) =>
      this.#ports.flows.rename(company, flow.id, named.data, this.#act(by)),
    );
  }

  /** Saves the tool's settings; nothing is screened by them until the flow is saved too. */
  async saveTool(company: CompanyId, id: TrustFlowId, settings: unknown, by: Actor): Promise<FlowOutcome> {
    const checked = await this.#check(company, settings);
    if (checked.kind === 'invalid') return checked;
    return this.#edit(company, id, (flow) =>
      this.#ports.flows.setDraft(company, flow.id, checked.settings, this.#act(by)),
    );
  }

  async dropDraft(company: CompanyId, id: TrustFlowId, by: Actor): Promise<FlowOutcome> {
    return this.#edit(company, id, (flow) =>
      this.#ports.flows.setDraft(company, flow.id, null, this.#act(by)),
    );
  }

  /** The draft becomes the version that validations created from now on use. Without a draft nothing changes. */
  async save(company: CompanyId, id: TrustFlowId, by: Actor): Promise<FlowOutcome> {
    const flow = await this.#ports.flows.find(company, id);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    if (flow.draft === null) return { kind: 'done', flow };
    // A list may have been deactivated since the tool was saved: what is saved now must hold now.
    const checked = await this.#check(company, flow.draft);
    if (checked.kind === 'invalid') return checked;
    const act = this.#act(by);
    const saved = await this.#ports.flows.saveVersion(company, id, checked, act);
    // Another operator changed or saved the draft meanwhile.
    if (saved === undefined) return this.save(company, id, by);
    return { kind: 'done', flow: { ...flow, draft: null, version: saved, updatedAt: act.at } };
  }

  #act(by: Actor): AuditContext {
    return { by, at: this.#ports.clock.now() };
  }

  async #edit(
    company: CompanyId,
    id: TrustFlowId,
    change: (flow: TrustFlow) => Promise<unknown>,
  ): Promise<FlowOutcome> {
    const flow = await this.#ports.flows.find(company, id);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    await change(flow);
    const changed = await this.#ports.flows.find(company, id);
    return changed === undefined ? { kind: 'unknown' } : { kind: 'done', flow: changed };
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

function invalid(key: string, issues: readonly Parameters<typeof problemOfIssue>[0][]): FlowOutcome {
  return { kind: 'invalid', errors: { [key]: issues.map(problemOfIssue) } };
}
