import type { Caller } from '../../domain/credentials/bearer.ts';
import type { Companies, Company } from '../../domain/ports/companies.ts';

/** The company of a credential, with its settings as they are now. */
export async function callingCompany(companies: Companies, caller: Caller): Promise<Company> {
  const company = await companies.find(caller.companyId);
  if (company === undefined) throw new Error(`Company ${caller.companyId} of a credential is gone.`);
  return company;
}
