import { type NamedAuditRow, auditRow } from '../../contracts/audit.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import type { AuditEntry } from '../ports/auditEntry.ts';
import type { DashboardQueries, RecordNames } from '../../storage/dashboard/dashboardQueries.ts';
import type { Storage } from '../../storage/index.ts';

export interface NamingPorts extends Pick<
  Storage,
  'operators' | 'apiTokens' | 'hmacKeys' | 'blacklists' | 'flows'
> {
  views: Pick<DashboardQueries, 'auditObjects' | 'recordNames'>;
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
 * Adds the present names to a company's entries. They are looked up when the log is read and are not in the log: an
 * erased record has no name.
 * @param company null: the installation's own entries, whose numbers are of any company and stay numbers
 * @param people entries whose faces, validations, persons and decisions are named as well: those of one page. An export names no person.
 */
export async function nameEntries(
  ports: NamingPorts,
  company: CompanyId | null,
  people: readonly AuditEntry[] = [],
): Promise<(entry: AuditEntry) => NamedAuditRow> {
  if (company === null) return naming(new Map(), new Map());
  const [actors, blacklist, flow, { faces, validations, persons, decisions }] = await Promise.all([
    actorNames(ports, company),
    ports.blacklists.all(company),
    ports.flows.list(company),
    ports.views.recordNames(company, {
      faces: idsOf(people, 'face').map(trusted.face),
      validations: idsOf(people, 'validation').map(trusted.trustValidation),
      persons: idsOf(people, 'person').map(trusted.person),
      decisions: idsOf(people, 'identity-decision').map(trusted.personDecision),
    }),
  ]);
  return naming(
    new Map([
      ...actors,
      ...namesOf({ blacklist, flow, face: faces, validation: validations, person: persons }),
      ...namesOf({ 'identity-decision': ofDecisions(decisions) }),
    ]),
    new Map(faces.map(({ id, blacklistId }) => [`face:${id}`, blacklistId])),
  );
}

/** A decision is called after the persons that it is about, the first three of them. */
function ofDecisions(decisions: RecordNames['decisions']): { id: number; name: string }[] {
  return [...Map.groupBy(decisions, ({ id }) => id)].map(([id, about]) => ({
    id,
    name: `${about
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')}${about.length > 3 ? ', …' : ''}`,
  }));
}

/** The ids of the objects of a kind, each once. */
function idsOf(
  entries: readonly AuditEntry[],
  kind: 'face' | 'validation' | 'person' | 'identity-decision',
): number[] {
  const ids = entries.flatMap(({ object }) => {
    const [of, id] = object?.split(':') ?? [];
    return of === kind ? [Number(id)] : [];
  });
  return [...new Set(ids)];
}

function naming(
  names: ReadonlyMap<string, string>,
  blacklists: ReadonlyMap<string, number | null>,
): (entry: AuditEntry) => NamedAuditRow {
  return (entry) => ({
    ...auditRow.parse({
      ...entry,
      at: new Date(entry.at).toISOString(),
      details: JSON.parse(entry.details) as unknown,
    }),
    actorName: names.get(entry.actor) ?? null,
    objectName: names.get(entry.object ?? '') ?? null,
    objectBlacklist: blacklists.get(entry.object ?? '') ?? null,
  });
}
