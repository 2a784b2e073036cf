/** Which faces are never put in one group, and why. */
import type { NotJoined } from '../../contracts/dashboard/duplicates.ts';
import type { FaceId } from '../../contracts/ids.ts';
import { SIDE, type GroupingFacts, type NamedFace, type StandingDecision } from '../ports/persons.ts';

/** Two faces of one photo lie further apart than this share of their width. */
const SAME_FACE_WIDTHS = 0.5;

export type BarReason = Exclude<NotJoined, 'tooFar'>;

export interface Bars {
  /** Why these two are barred; undefined: they are not. */
  between: (one: FaceId, other: FaceId) => BarReason | undefined;
}

/** @param standing the decisions about these faces @param facts of the faces */
export function barsOf(
  standing: readonly StandingDecision[],
  facts: ReadonlyMap<FaceId, GroupingFacts>,
): Bars {
  const sidesOf = new Map<FaceId, Map<number, number>>();
  for (const { id, kind, faces } of standing) {
    if (!BARRING.has(kind)) continue;
    for (const { face, side } of faces.filter((named) => isBarred(kind, named))) {
      const sides = sidesOf.get(face) ?? new Map<number, number>();
      sidesOf.set(face, sides.set(id, side));
    }
  }
  const different = (one: FaceId, other: FaceId) => {
    const others = sidesOf.get(other);
    if (others === undefined) return false;
    for (const [decision, side] of sidesOf.get(one) ?? [])
      if ((others.get(decision) ?? side) !== side) return true;
    return false;
  };
  return {
    between: (one, other) => {
      const [a, b] = [facts.get(one), facts.get(other)];
      if (a !== undefined && b !== undefined && a.person !== null && b.person !== null) {
        // A later decision about persons takes precedence over the split or the move that parted them.
        if (a.person === b.person) return undefined;
        return a.externalId !== null && b.externalId !== null ? 'externalIds' : 'persons';
      }
      if (different(one, other)) return 'different';
      return a !== undefined && b !== undefined && areOfOnePhoto(a, b) ? 'samePhoto' : undefined;
    },
  };
}

const BARRING: ReadonlySet<StandingDecision['kind']> = new Set(['different', 'choose', 'split', 'move']);

/** A face that was moved is not the person that it left; nothing is said of its new one. */
function isBarred(kind: StandingDecision['kind'], { side }: NamedFace): boolean {
  return kind !== 'move' || side !== SIDE.target;
}

/** Two faces of the same bytes at different places: the photo shows two people. */
function areOfOnePhoto(one: GroupingFacts, other: GroupingFacts): boolean {
  if (one.sha256 !== other.sha256) return false;
  const apart = Math.hypot(one.x - other.x, one.y - other.y);
  return apart > SAME_FACE_WIDTHS * Math.max(one.width, other.width);
}
