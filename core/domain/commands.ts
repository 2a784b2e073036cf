import type { AdminCommand, AdminOutput, AdminRequest } from '../contracts/administration.ts';
import type { Act } from './actor.ts';
import type { Companies, Company } from './ports/companies.ts';
import type { Clock } from './ports/machine.ts';

/** The owner's command cannot be carried out as asked; the text says why and what to do. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}

/** One function per command of the owner, its input checked already. */
export type Handlers = { [C in AdminCommand]: (input: AdminRequest<C>) => Promise<AdminOutput<C>> };

/** @throws {CommandRefused} when there is no such company */
export async function companyNamed(companies: Companies, name: string): Promise<Company> {
  const company = await companies.findByName(name);
  if (company === undefined)
    throw new CommandRefused(
      `There is no company named "${name}". Make it with: vouch company create "${name}"`,
    );
  return company;
}

/** Whoever can use the owner's door is the owner. */
export function byOwner(clock: Clock): Act {
  return { by: 'owner', at: clock.now() };
}
