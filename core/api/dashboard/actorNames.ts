import type { CompanyId } from '../../contracts/ids.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { Operators } from '../../storage/identity/operators.ts';

/** Names of the company's operators and API credentials, revoked ones included, by the code that the records hold. */
export async function actorNames(
  { operators, apiTokens, hmacKeys }: DashboardRoutePorts,
  company: CompanyId,
): Promise<ReadonlyMap<string, string>> {
  const kinds = await Promise.all([
    operators.list(company).then((all) => named('operator', all)),
    apiTokens.list(company).then((all) => named('token', all)),
    hmacKeys.list(company).then((all) => named('hmac', all)),
  ]);
  return new Map(kinds.flat());
}

/** Names of the company's operators by the code that the records hold. */
export async function operatorNames(
  operators: Pick<Operators, 'list'>,
  company: CompanyId,
): Promise<ReadonlyMap<string, string>> {
  return new Map(named('operator', await operators.list(company)));
}

function named(kind: string, all: readonly { id: number; name: string }[]): [string, string][] {
  return all.map(({ id, name }) => [`${kind}:${id}`, name]);
}
