import type { FaceId } from '../../contracts/ids.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';

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
