import { problem, CodedError } from '../contracts/errors/problem.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import { heldText } from '../contracts/retention.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { CompanyServices } from '../domain/services.ts';
import type { Erasures } from '../storage/erasure/erasures.ts';
import type { Companies } from '../storage/settings/companies.ts';

interface ErasureCommandPorts extends Pick<CompanyServices, 'erasureService' | 'retention'> {
  companies: Companies;
  erasures: Erasures;
  clock: Clock;
}

type ErasureCommand = Extract<keyof AdminCommandHandlers, `erase.${string}` | `retention.${string}`>;

/** The handlers of `vouch erase …` and `vouch retention …`. */
export function erasureCommands(ports: ErasureCommandPorts): Pick<AdminCommandHandlers, ErasureCommand> {
  const { companies, erasures, clock, erasureService, retention } = ports;
  const idOf = async (name: string) => (await companyNamed(companies, name)).id;
  return {
    async 'erase.find'({ company, name, photo }) {
      const id = await idOf(company);
      if (photo === undefined) return erasureService.find(id, name ?? '');
      const found = await erasureService.findByPhoto(id, Buffer.from(photo, 'base64'), asLocalAdmin(clock));
      if (found.kind === 'refused') throw new CodedError(problem(found.code));
      return found.candidates;
    },
    async 'erase.plan'({ company, choice }) {
      const plan = await erasureService.plan(await idOf(company), choice);
      if (plan.kind === 'unknown') throw unknown(company, plan.ids);
      return plan;
    },
    async 'erase.run'({ company, ...wanted }) {
      const outcome = await erasureService.run(await idOf(company), wanted, asLocalAdmin(clock));
      if (outcome.kind === 'unknown') throw unknown(company, outcome.ids);
      if (outcome.kind === 'changed') throw new CodedError(problem('ERASURE_CODE_WRONG'));
      return { id: outcome.id, signed: outcome.receipt };
    },
    async 'erase.list'({ company }) {
      return erasureService.list(await idOf(company));
    },
    async 'erase.receipt'({ company, id }) {
      const receipt = await erasureService.receipt(await idOf(company), id);
      if (receipt === undefined) throw new CodedError(problem('RECEIPT_UNKNOWN', { company, receipt: id }));
      return receipt;
    },
    async 'erase.verify'(signed) {
      return { ours: await erasures.isOurs(signed) };
    },
    async 'erase.replay'(signed) {
      if (!(await erasures.isOurs(signed))) throw new CodedError(problem('RECEIPT_FOREIGN'));
      if ((await companies.find(signed.receipt.company)) === undefined)
        throw new CodedError(problem('COMPANY_ID_UNKNOWN', { company: signed.receipt.company }));
      return { id: await erasureService.again(signed.receipt, asLocalAdmin(clock)) };
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
      if (!(await retention.set(owner, rules, code, asLocalAdmin(clock))))
        throw new CodedError(problem('RETENTION_CODE_WRONG'));
      return retention.preview(await companyNamed(companies, company), rules);
    },
    async 'retention.run'({ company }) {
      const done = await retention.run(await companyNamed(companies, company));
      if (done.kind === 'held')
        throw new CodedError(problem('RETENTION_HELD', { reason: heldText(done.held, company) }));
      return { erased: done.erased, unerased: done.unerased };
    },
  };
}

function unknown(company: string, ids: readonly string[]): CodedError {
  return new CodedError(problem('ERASURE_CHOICE_UNKNOWN', { company, ids: ids.join(', ') }));
}
