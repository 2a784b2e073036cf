import { problem, CodedError } from '../../contracts/errors/problem.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Company } from '../ports/auditContext.ts';

/** @throws {CodedError} when there is no such company */
export async function companyNamed(companies: Companies, name: string): Promise<Company> {
  const company = await companies.findByName(name);
  if (company === undefined) throw new CodedError(problem('COMPANY_UNKNOWN', { company: name }));
  return company;
}
