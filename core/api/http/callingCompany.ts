import type { CompanyId } from '../../contracts/ids.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Company } from '../../domain/ports/auditContext.ts';

/** The company of a credential or of an operator, with its settings as they are now. */
export async function callingCompany(
  companies: Pick<Companies, 'find'>,
  { companyId }: { companyId: CompanyId },
): Promise<Company> {
  const company = await companies.find(companyId);
  if (company === undefined) throw new Error(`Company ${companyId} of a caller is gone.`);
  return company;
}
