import { problem, type FieldProblems, CodedError, InvalidInput } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { Company } from '../domain/ports/companies.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { OperatorService } from '../domain/identity/operatorService.ts';
import type { Operator } from '../domain/ports/identity.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { RecoveryCodes } from '../storage/identity/recoveryCodes.ts';
import { nameKey } from '../contracts/displayName.ts';

export interface OperatorPorts {
  operatorService: OperatorService;
  recoveryCodes: RecoveryCodes;
  companies: Companies;
  clock: Clock;
}

/** The handlers of `vouch operator …`. */
export function operatorCommands(
  ports: OperatorPorts,
): Pick<AdminCommandHandlers, Extract<keyof AdminCommandHandlers, `operator.${string}`>> {
  const { operatorService } = ports;
  const act = () => asLocalAdmin(ports.clock);
  return {
    async 'operator.create'({ company: companyName, ...wanted }) {
      const company = await companyNamed(ports.companies, companyName);
      return operatorView(done(await operatorService.create(company, wanted, act())).operator);
    },
    async 'operator.list'({ company }) {
      const operators = await operatorService.list(await companyNamed(ports.companies, company));
      return operators.map(operatorView);
    },
    async 'operator.update'({ company: companyName, name, ...change }) {
      const company = await companyNamed(ports.companies, companyName);
      const { id } = await operatorNamed(operatorService, company, name);
      return operatorView(done(await operatorService.change(company, id, change, act())).operator);
    },
    async 'operator.reset-passphrase'({ company: companyName, name, passphrase }) {
      const company = await companyNamed(ports.companies, companyName);
      const operator = await operatorNamed(operatorService, company, name);
      done(await operatorService.resetPassphrase(company, operator.id, passphrase, act()));
      return operatorView(operator);
    },
    async 'operator.unlock'({ company: companyName, name }) {
      const company = await companyNamed(ports.companies, companyName);
      const operator = await operatorNamed(operatorService, company, name);
      await operatorService.unlock(company, operator.id, act());
      return operatorView(operator);
    },
    async 'operator.recovery-code'({ company: companyName, hash }) {
      const company = await companyNamed(ports.companies, companyName);
      await ports.recoveryCodes.replace(company.id, Buffer.from(hash, 'hex'), act());
      return {};
    },
  };
}

async function operatorNamed(
  operatorService: OperatorService,
  company: Company,
  name: string,
): Promise<Operator> {
  const found = (await operatorService.list(company)).find((one) => nameKey(one.name) === nameKey(name));
  if (found === undefined)
    throw new CodedError(problem('OPERATOR_UNKNOWN', { operator: name, company: company.name }));
  return found;
}

/** @returns the outcome of a change that was made. @throws {CodedError} the change was rejected, with the reasons */
function done<T extends { kind: 'done' }>(
  outcome: T | { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' },
): T {
  if (outcome.kind === 'invalid') throw new InvalidInput(outcome.errors);
  if (outcome.kind === 'unknown') throw new CodedError(problem('OPERATOR_GONE'));
  return outcome;
}

function operatorView(operator: Operator): AdminOutput<'operator.create'> {
  const { id, name, role, active, createdAt, lastSignedInAt } = operator;
  return {
    id,
    name,
    role,
    active,
    createdAt: createdAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
  };
}
