import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { WatchedFolders } from '../domain/enrolment/watchedFolders.ts';
import type { Companies } from '../storage/settings/companies.ts';

/** The handler through which `vouch watch` reports to the service. */
export function watchCommands({
  companies,
  watchedFolders,
}: {
  companies: Companies;
  watchedFolders: WatchedFolders;
}): Pick<AdminCommandHandlers, 'watch.report'> {
  return {
    async 'watch.report'({ company, ...report }) {
      watchedFolders.keep((await companyNamed(companies, company)).id, report);
      return {};
    },
  };
}
