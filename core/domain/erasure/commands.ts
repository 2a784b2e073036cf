import type { CompanyId } from '../../contracts/ids.ts';
import { FAILURES } from '../../contracts/failures.ts';
import type { FailureCode } from '../../contracts/failures.ts';
import { byOwner, CommandRefused, companyNamed, type Handlers } from '../commands.ts';
import { heldText } from '../../contracts/retention.ts';
import type { Companies } from '../ports/companies.ts';
import type { Clock } from '../ports/machine.ts';
import type { CompanyServices } from '../services.ts';
import type { Erasures } from './ports.ts';

interface ErasureCommandPorts extends Pick<CompanyServices, 'erasureDesk' | 'retention'> {
  companies: Companies;
  erasures: Erasures;
  clock: Clock;
}

type ErasureCommand = Extract<keyof Handlers, `erase.${string}` | `retention.${string}`>;

/** What the owner may do with whatever is kept of people. */
export function erasureCommands(ports: ErasureCommandPorts): Pick<Handlers, ErasureCommand> {
  const { companies, erasures, clock, erasureDesk: desk, retention } = ports;
  const idOf = async (name: string) => (await companyNamed(companies, name)).id;
  return {
    async 'erase.find'({ company, name, photo }) {
      const id = await idOf(company);
      if (photo === undefined) return desk.find(id, name ?? '');
      const found = await desk.findByPhoto(id, Buffer.from(photo, 'base64'), byOwner(clock));
      if ('refused' in found) throw new CommandRefused(FAILURES[found.refused as FailureCode].sentence);
      return found.candidates;
    },
    async 'erase.plan'({ company, choice }) {
      const plan = await desk.plan(await idOf(company), choice);
      if ('unknown' in plan) throw unknown(company, plan.unknown);
      return plan;
    },
    async 'erase.run'({ company, ...wanted }) {
      const outcome = await desk.run(await idOf(company), wanted, byOwner(clock));
      if (outcome.kind === 'unknown') throw unknown(company, outcome.ids);
      if (outcome.kind === 'changed')
        throw new CommandRefused(
          'This is not the code of the plan as it is now. Look at it again: vouch erase plan',
        );
      return { id: outcome.id, signed: outcome.receipt };
    },
    async 'erase.list'({ company }) {
      return desk.list(await idOf(company));
    },
    async 'erase.receipt'({ company, id }) {
      const receipt = await desk.receipt(await idOf(company), id);
      if (receipt === undefined)
        throw new CommandRefused(`"${company}" has no receipt ${id}, or its erasure is not finished yet.`);
      return receipt;
    },
    async 'erase.verify'(signed) {
      return { ours: await erasures.isOurs(signed) };
    },
    async 'erase.again'(signed) {
      if (!(await erasures.isOurs(signed)))
        throw new CommandRefused('This receipt was not signed by this installation, or it was changed.');
      if ((await companies.find(signed.receipt.company as CompanyId)) === undefined)
        throw new CommandRefused(`There is no company ${signed.receipt.company}.`);
      return { id: await desk.again(signed.receipt, byOwner(clock)) };
    },
    async 'retention.show'({ company }) {
      const owner = await companyNamed(companies, company);
      return retention.preview(owner, owner.settings.retention);
    },
    async 'retention.preview'({ company, rules }) {
      return retention.preview(await companyNamed(companies, company), rules);
    },
    async 'retention.set'({ company, rules, code }) {
      const owner = await companyNamed(companies, company);
      if (!(await retention.set(owner, rules, code, byOwner(clock))))
        throw new CommandRefused('This is not the code of a preview of these rules: vouch retention preview');
      return retention.preview(await companyNamed(companies, company), rules);
    },
    async 'retention.run'({ company }) {
      const done = await retention.run(await companyNamed(companies, company));
      if ('held' in done) throw new CommandRefused(`Nothing was erased. ${heldText(done.held, company)}`);
      return done;
    },
  };
}

function unknown(company: string, ids: readonly string[]): CommandRefused {
  return new CommandRefused(`"${company}" has none of: ${ids.join(', ')}.`);
}
