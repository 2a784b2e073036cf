import { CommandRefused } from '../../contracts/errors/commandRefused.ts';
import { problem } from '../../contracts/errors/problem.ts';
import type { Companies, Company } from '../ports/companies.ts';

/** @throws {CommandRefused} when there is no such company */
export async function companyNamed(companies: Companies, name: string): Promise<Company> {
  const company = await companies.findByName(name);
  if (company === undefined) throw new CommandRefused(problem('COMPANY_UNKNOWN', { company: name }));
  return company;
}
