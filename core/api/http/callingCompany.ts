import type { CompanyId } from '../../contracts/ids.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Company } from '../../domain/ports/auditContext.ts';
import { problem, CodedError } from '../../contracts/errors/problem.ts';

/** The company of a credential or of an operator, with its settings as they are now. */
export async function callingCompany(
  companies: Pick<Companies, 'find'>,
  { companyId }: { companyId: CompanyId },
): Promise<Company> {
  const company = await companies.find(companyId);
  if (company === undefined) throw new Error(`Company ${companyId} of a caller is gone.`);
  return company;
}

/** @throws {CodedError} when there is no such company */
export async function companyNamed(companies: Companies, name: string): Promise<Company> {
  const company = await companies.findByName(name);
  if (company === undefined) throw new CodedError(problem('COMPANY_UNKNOWN', { company: name }));
  return company;
}
