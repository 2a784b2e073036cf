import { blacklistViewOf } from '../contracts/blacklists.ts';
import { problem, type FieldProblems, CodedError, inputInvalid } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { trusted } from '../contracts/ids.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { Companies } from '../domain/ports/companies.ts';
import type { BlacklistService } from '../domain/blacklists/service.ts';
import type { TrustFlowService } from '../domain/trustFlows/service.ts';
import type { Blacklists, TrustFlow, TrustFlows } from '../domain/ports/screening.ts';

export interface ScreeningCommandPorts {
  companies: Companies;
  blacklists: Blacklists;
  flows: TrustFlows;
  blacklistService: BlacklistService;
  flowService: TrustFlowService;
}

/** The handlers of `vouch blacklist create|list|update` and `vouch flow …`. */
export function screeningCommands(
  ports: ScreeningCommandPorts,
): Pick<
  AdminCommandHandlers,
  'blacklist.create' | 'blacklist.list' | 'blacklist.update' | 'flow.create' | 'flow.list'
> {
  const { companies, blacklists, flows, blacklistService: lists, flowService } = ports;
  return {
    async 'blacklist.create'({ company, ...fields }) {
      const { id } = await companyNamed(companies, company);
      const outcome = await lists.create(id, fields, 'local-admin');
      if (outcome.kind !== 'done') throw refusal(outcome);
      return blacklistViewOf(outcome.blacklist);
    },
    async 'blacklist.list'({ company }) {
      const { id } = await companyNamed(companies, company);
      const { rows } = await blacklists.list(id, { offset: 0 });
      return rows.map(blacklistViewOf);
    },
    async 'blacklist.update'({ company, id, active }) {
      const owner = await companyNamed(companies, company);
      const changed = await lists.setActive(owner.id, trusted.blacklist(id), active, 'local-admin');
      if (changed === undefined)
        throw new CodedError(problem('BLACKLIST_UNKNOWN_IN', { blacklist: id, company }));
      return blacklistViewOf(changed);
    },
    async 'flow.create'({ company, name, settings }) {
      const { id } = await companyNamed(companies, company);
      const outcome = await flowService.create(id, name, settings, 'local-admin');
      if (outcome.kind !== 'done') throw refusal(outcome);
      return flowView(outcome.flow);
    },
    async 'flow.list'({ company }) {
      const { id } = await companyNamed(companies, company);
      return (await flows.list(id)).map(flowView);
    },
  };
}

function refusal(outcome: { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' }): CodedError {
  if (outcome.kind === 'unknown') return new CodedError(problem('NOT_IN_COMPANY'));
  return inputInvalid(outcome.errors);
}

function flowView({ id, name, system, version }: TrustFlow): AdminOutput<'flow.create'> {
  return { id, name, system, version: version?.number ?? null };
}
