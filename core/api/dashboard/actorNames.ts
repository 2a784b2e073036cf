import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { Operators } from '../../storage/identity/operators.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';

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

// The persons of the faces that a page or a file shows.

export type PersonName = { id: number; name: string } | null;

/**
 * Reads the persons of some faces with one query.
 * @returns null for a face of no person, and for all faces where the operator's role may not see persons
 */
export async function personNames(
  { persons }: DashboardRoutePorts,
  { companyId, role }: SignedIn,
  faces: readonly (FaceId | null | undefined)[],
): Promise<(face: FaceId | null | undefined) => PersonName> {
  const ids = [...new Set(faces.filter((face) => face !== null && face !== undefined))];
  if (ids.length === 0 || !mayRole(role, 'persons:read')) return () => null;
  const found = await persons.ofFaces(companyId, ids);
  return (face) => {
    const person = face === null || face === undefined ? undefined : found.get(face);
    return person === undefined ? null : { id: person.id, name: person.name };
  };
}
