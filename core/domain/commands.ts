import { CodedError, problem, sentenceOf, type FieldProblems } from '../contracts/errors/problem.ts';
import type { AdminCommand, AdminOutput, AdminRequest } from '../contracts/administration.ts';
import type { Act } from './actor.ts';
import type { Companies, Company } from './ports/companies.ts';
import type { Clock } from './ports/machine.ts';

/** The owner's command cannot be carried out as asked; the text says why and what to do. */
export class CommandRefused extends CodedError {
  override name = 'CommandRefused';
}

/** One function per command of the owner, its input checked already. */
export type Handlers = { [C in AdminCommand]: (input: AdminRequest<C>) => Promise<AdminOutput<C>> };

/** @throws {CommandRefused} when there is no such company */
export async function companyNamed(companies: Companies, name: string): Promise<Company> {
  const company = await companies.findByName(name);
  if (company === undefined) throw new CommandRefused(problem('COMPANY_UNKNOWN', { company: name }));
  return company;
}

/** Whoever can use the owner's door is the owner. */
export function byOwner(clock: Clock): Act {
  return { by: 'owner', at: clock.now() };
}

/** Every message of the fields that a command was refused for, in one refusal. */
export function refusedFields(errors: FieldProblems): CommandRefused {
  return new CommandRefused(
    problem('INPUT_INVALID', { sentences: Object.values(errors).flat().map(sentenceOf).join('\n') }),
  );
}
