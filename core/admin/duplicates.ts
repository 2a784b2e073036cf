import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { TerminalSearch } from '../contracts/admin/duplicates.ts';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { DuplicateSearch } from '../domain/duplicates/service.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { Company } from '../domain/ports/companies.ts';
import type { DuplicateRun } from '../domain/ports/duplicates.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { DuplicateRuns } from '../storage/duplicates/runs.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { Blacklists } from '../storage/screening/blacklists.ts';

export interface DuplicateCommandPorts {
  companies: Companies;
  blacklists: Blacklists;
  duplicateSearch: DuplicateSearch;
  duplicateRuns: DuplicateRuns;
  clock: Clock;
}

type Handlers = Pick<
  AdminCommandHandlers,
  'duplicates.find' | 'duplicates.status' | 'duplicates.pause' | 'duplicates.resume' | 'duplicates.cancel'
>;

/** The handlers of `vouch duplicates …`: searches for duplicates among all enrolled faces of a company. */
export function duplicateCommands(ports: DuplicateCommandPorts): Handlers {
  const { companies, blacklists, duplicateSearch, duplicateRuns, clock } = ports;
  const change = async (named: string, step: 'pause' | 'resume' | 'cancel') => {
    const company = await companyNamed(companies, named);
    const run = await duplicateRuns.unfinished(company.id);
    if (run === undefined) throw new CodedError(problem('DUPLICATE_SEARCH_NONE'));
    if (!(await duplicateSearch.change(company.id, run.id, step, asLocalAdmin(clock))))
      throw new CodedError(problem('DUPLICATE_SEARCH_STATE'));
    return shown(duplicateSearch, (await duplicateRuns.find(company.id, run.id)) ?? run);
  };
  return {
    async 'duplicates.find'({ company: named, ...choice }) {
      const company = await companyNamed(companies, named);
      for (const id of choice.blacklists)
        if ((await blacklists.find(company.id, id)) === undefined)
          throw new CodedError(problem('BLACKLIST_UNKNOWN', { blacklist: id }));
      const begun = await duplicateSearch.begin(company.id, choice, asLocalAdmin(clock));
      if (begun.kind === 'unfinished') throw new CodedError(problem('DUPLICATE_SEARCH_UNFINISHED'));
      if (begun.kind === 'tooFew') throw new CodedError(problem('TOO_FEW_FACES'));
      return shown(duplicateSearch, begun.run);
    },
    async 'duplicates.status'({ company: named }) {
      const company = await companyNamed(companies, named);
      const run = await newest(duplicateRuns, company);
      return run === undefined ? null : shown(duplicateSearch, run);
    },
    'duplicates.pause': ({ company }) => change(company, 'pause'),
    'duplicates.resume': ({ company }) => change(company, 'resume'),
    'duplicates.cancel': ({ company }) => change(company, 'cancel'),
  };
}

async function newest(runs: DuplicateRuns, { id }: Company): Promise<DuplicateRun | undefined> {
  return (await runs.unfinished(id)) ?? (await runs.list(id, { limit: 1 }))[0];
}

function shown(search: DuplicateSearch, run: DuplicateRun): TerminalSearch {
  const { id, mode, state, oneIn, faces, compared, pairs, identical, problem: failure } = run;
  const { chance, rate, secondsLeft } = search.progress(run);
  return {
    id,
    mode,
    state,
    oneIn,
    faces,
    compared,
    pairs,
    identical,
    problem: failure,
    expected: chance,
    facesPerSecond: rate,
    secondsLeft,
    startedAt: run.startedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}
