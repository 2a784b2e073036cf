import type { NamedAuditRow } from '../../contracts/audit.ts';
import { auditRow } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Operators } from '../ports/identity.ts';
import type { ApiTokens, HmacKeys } from '../ports/credentials.ts';
import type { Blacklists, TrustFlows } from '../ports/screening.ts';
import type { AuditEntry } from '../ports/auditEntry.ts';

export interface NamingPorts {
  operators: Operators;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  blacklists: Blacklists;
  flows: TrustFlows;
}

/**
 * Puts today's names to the numbers of a company's entries. They are looked up when the log is read and stand nowhere in
 * it: what was erased has no name any more.
 * @param company null: the installation's own entries, whose numbers are of any company and stay numbers
 */
export async function nameEntries(
  ports: NamingPorts,
  company: CompanyId | null,
): Promise<(entry: AuditEntry) => NamedAuditRow> {
  if (company === null) return naming(new Map());
  const [operators, tokens, keys, blacklists, flows] = await Promise.all([
    ports.operators.list(company),
    ports.apiTokens.list(company),
    ports.hmacKeys.list(company),
    ports.blacklists.all(company),
    ports.flows.list(company),
  ]);
  const kinds = { operator: operators, token: tokens, hmac: keys, blacklist: blacklists, flow: flows };
  const names = new Map<string, string>(
    Object.entries(kinds).flatMap(([kind, things]) =>
      things.map(({ id, name }) => [`${kind}:${id}`, name] as const),
    ),
  );
  return naming(names);
}

function naming(names: ReadonlyMap<string, string>): (entry: AuditEntry) => NamedAuditRow {
  return (entry) => ({
    ...auditRow.parse({
      ...entry,
      at: new Date(entry.at).toISOString(),
      details: JSON.parse(entry.details) as unknown,
    }),
    actorName: names.get(entry.actor) ?? null,
    objectName: names.get(entry.object ?? '') ?? null,
  });
}
