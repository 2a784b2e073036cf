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

export type ActorPorts = Pick<NamingPorts, 'operators' | 'apiTokens' | 'hmacKeys'>;

/** The names of a company's accounts, by what the audit log writes for each: `operator:3`. */
export async function actorNames(
  ports: ActorPorts,
  company: CompanyId,
): Promise<ReadonlyMap<string, string>> {
  const [operator, token, hmac] = await Promise.all([
    ports.operators.list(company),
    ports.apiTokens.list(company),
    ports.hmacKeys.list(company),
  ]);
  return namesOf({ operator, token, hmac });
}

/** Names by the kind and the id of what has them. */
function namesOf(
  kinds: Record<string, readonly { id: number; name: string }[]>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, things]) =>
      things.map(({ id, name }) => [`${kind}:${id}`, name] as const),
    ),
  );
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
  const [actors, blacklist, flow] = await Promise.all([
    actorNames(ports, company),
    ports.blacklists.all(company),
    ports.flows.list(company),
  ]);
  return naming(new Map([...actors, ...namesOf({ blacklist, flow })]));
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
