import { blacklistViewOf } from '../contracts/blacklists.ts';
import { problem, type FieldProblems, CodedError, InvalidInput } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { trusted } from '../contracts/ids.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { BlacklistService } from '../domain/blacklists/service.ts';
import type { TrustFlows } from '../storage/screening/trustFlows.ts';
import type { FlowRow } from '../contracts/dashboard/flows.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { Blacklists } from '../storage/screening/blacklists.ts';

export interface ScreeningCommandPorts {
  companies: Companies;
  blacklists: Blacklists;
  flows: TrustFlows;
  blacklistService: BlacklistService;
}

/** The handlers of `vouch blacklist create|list|update` and `vouch flow …`. */
export function screeningCommands(
  ports: ScreeningCommandPorts,
): Pick<
  AdminCommandHandlers,
  'blacklist.create' | 'blacklist.list' | 'blacklist.update' | 'flow.create' | 'flow.list'
> {
  const { companies, blacklists, flows, blacklistService: lists } = ports;
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
      return flowView(await flows.create(id, name, settings, 'local-admin'));
    },
    async 'flow.list'({ company }) {
      const { id } = await companyNamed(companies, company);
      return (await flows.list(id)).map(flowView);
    },
  };
}

function refusal(outcome: { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' }): CodedError {
  if (outcome.kind === 'unknown') return new CodedError(problem('NOT_IN_COMPANY'));
  return new InvalidInput(outcome.errors);
}

function flowView({ id, name, system, version }: FlowRow): AdminOutput<'flow.create'> {
  return { id, name, system, version };
}
