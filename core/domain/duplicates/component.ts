/** Faces that are linked to each other by near pairs or persons, and the groups that they form. */
import type { GroupState, NotJoined } from '../../contracts/dashboard/duplicates.ts';
import type { FaceId } from '../../contracts/ids.ts';
import type { NearPair } from '../ports/duplicates.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import type { GroupingFacts } from '../../storage/persons/groups.ts';
import { type FoundGroup, type StandingDecision, SIDE, type NamedFace } from '../ports/persons.ts';
import { distanceOf, groupFaces, type GroupingInput } from './grouping.ts';
import { tailDistance } from './tail.ts';

// Which faces are never put in one group, and why.

/** Two faces of one photo lie further apart than this share of their width. */
const SAME_FACE_WIDTHS = 0.5;

type BarReason = Exclude<NotJoined, 'tooFar'>;

interface Bars {
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
  if (one.file !== other.file) return false;
  const apart = Math.hypot(one.x - other.x, one.y - other.y);
  return apart > SAME_FACE_WIDTHS * Math.max(one.width, other.width);
}

/** The pairs and rules that linked faces were grouped from. */
export interface Component {
  run: DuplicateRun;
  facts: ReadonlyMap<FaceId, GroupingFacts>;
  vectors: ReadonlyMap<FaceId, Float32Array>;
  pairs: readonly NearPair[];
  standing: readonly StandingDecision[];
  /** Decisions that wait for a second operator. */
  awaiting: readonly StandingDecision[];
  bars: Bars;
}

/** No two faces of a group are further apart than the distance of this false match rate: best F0.5 of `research -- grouping`. */
const CAP_RATE = 1e-3;

/** The largest distance in a group; never nearer than the near pairs themselves. */
export function capOf({ tail, maxDistance }: Pick<DuplicateRun, 'tail' | 'maxDistance'>): number {
  return Math.max(maxDistance ?? 0, tail === null ? 0 : tailDistance(tail, CAP_RATE));
}

/** Groups that a strong pair joins are at most as far apart as the distance of this false match rate. */
const STRONG_CAP_RATE = 1e-2;

/** Which pairs join their groups in any case: those that a comparison of two photos calls strong. */
export function strongJoints({
  tail,
}: Pick<DuplicateRun, 'tail'>): Pick<GroupingInput, 'strong' | 'strongCap'> {
  return { strong: tail?.strong ?? 0, strongCap: tail === null ? 0 : tailDistance(tail, STRONG_CAP_RATE) };
}

export function foundGroups({
  run,
  facts,
  vectors,
  pairs,
  standing,
  awaiting,
  bars,
}: Component): FoundGroup[] {
  const persons = Map.groupBy(
    [...facts.values()].filter(({ face, person }) => person !== null && vectors.has(face)),
    ({ person }) => person!,
  );
  const grouped = groupFaces({
    vectors,
    pairs,
    link: run.maxDistance ?? 0,
    cap: capOf(run),
    ...strongJoints(run),
    persons: [...persons.values()].map((faces) => faces.map(({ face }) => face)),
    barred: (one, other) => bars.between(one, other) !== undefined,
  });
  const near = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  return (
    grouped
      // The faces of a person that are near none are no duplicates that a search has found.
      .filter(({ faces }) => faces.some((face) => near.has(face)))
      .map(({ faces, link }) => ({
        faces,
        link,
        state: stateOf(faces, facts, { standing, awaiting }),
        identical: new Set(faces.map((face) => facts.get(face)!.file)).size === 1,
        widest: widestOf(faces, vectors),
      }))
  );
}

function widestOf(faces: readonly FaceId[], vectors: ReadonlyMap<FaceId, Float32Array>): number {
  let widest = 0;
  for (const [index, one] of faces.entries())
    for (const other of faces.slice(index + 1))
      widest = Math.max(widest, distanceOf(vectors.get(one)!, vectors.get(other)!));
  return widest;
}

/** A new face reopens a group that was deferred: the decision was not about it. */
function stateOf(
  faces: readonly FaceId[],
  facts: ReadonlyMap<FaceId, GroupingFacts>,
  { standing, awaiting }: Pick<Component, 'standing' | 'awaiting'>,
): GroupState {
  const persons = new Set(faces.map((face) => facts.get(face)!.person));
  if (persons.size === 1 && !persons.has(null)) return 'accepted';
  const members = new Set(faces);
  const named = awaiting.map((each) => each.faces.filter(({ face }) => members.has(face)).length);
  if (named.some((count) => count > 1)) return 'awaitingConfirmation';
  const about = standing.flatMap(({ kind, faces: decided }) => {
    const count = decided.filter(({ face }) => members.has(face)).length;
    return count > 1 ? [{ kind, all: count === faces.length }] : [];
  });
  if (about.some(({ kind, all }) => kind === 'unsure' && all)) return 'deferred';
  return about.length > 0 ? 'partlyDecided' : 'proposed';
}

/** Whether a decision says that two of these faces show different persons. */
export function barsSomeOf(standing: readonly StandingDecision[], faces: readonly FaceId[]): boolean {
  const members = new Set<number>(faces);
  return standing.some(
    ({ kind, faces: named }) =>
      (kind === 'different' || kind === 'choose') &&
      new Set(named.filter(({ face }) => members.has(face)).map(({ side }) => side)).size > 1,
  );
}
