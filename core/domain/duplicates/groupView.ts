/** A group as a reviewer sees it: its pairs, and the faces near it that are not in it. */
import type { IdentityDecision, NotJoined } from '../../contracts/dashboard/duplicates.ts';
import type { FaceId } from '../../contracts/ids.ts';
import { SIDE, type StandingDecision } from '../ports/persons.ts';
import { distanceOf } from './grouping.ts';
import type { Component } from './component.ts';

export interface ViewedPair {
  first: FaceId;
  second: FaceId;
  distance: number;
  identical: boolean;
  /** The last decision that stands about both. */
  decision: IdentityDecision | null;
}

export interface GroupView {
  /** The least similar first. */
  pairs: ViewedPair[];
  /** Faces near one of the group, with the distance of their nearest pair; the nearest first. */
  alsoNear: { face: FaceId; distance: number; why: NotJoined }[];
}

/** @param faces of the group, by rising ids */
export function viewOf(
  { facts, vectors, pairs, standing, bars }: Component,
  faces: readonly FaceId[],
): GroupView {
  const known = faces.filter((face) => vectors.has(face));
  const viewed = known.flatMap((first, index) =>
    known.slice(index + 1).map((second) => ({
      first,
      second,
      distance: distanceOf(vectors.get(first)!, vectors.get(second)!),
      identical: facts.get(first)?.sha256 === facts.get(second)?.sha256,
    })),
  );
  const members = new Set(faces);
  const nearest = new Map<FaceId, { distance: number; member: FaceId }>();
  for (const { first, second, distance } of pairs) {
    if (members.has(first) === members.has(second)) continue;
    const [member, face] = members.has(first) ? [first, second] : [second, first];
    if (distance < (nearest.get(face)?.distance ?? Infinity)) nearest.set(face, { distance, member });
  }
  const alsoNear = [...nearest].map(([face, { distance }]) => ({
    face,
    distance,
    why:
      known.map((member) => bars.between(member, face)).find((why) => why !== undefined) ??
      ('tooFar' as const),
  }));
  return {
    pairs: viewed
      .toSorted((a, b) => b.distance - a.distance || a.first - b.first || a.second - b.second)
      .map((pair) => ({ ...pair, decision: decisionAbout(pair, standing) })),
    alsoNear: alsoNear.toSorted((a, b) => a.distance - b.distance || a.face - b.face),
  };
}

function decisionAbout(
  { first, second }: { first: FaceId; second: FaceId },
  standing: readonly StandingDecision[],
): IdentityDecision | null {
  for (const decision of standing.toReversed()) {
    const one = decision.faces.find(({ face }) => face === first);
    const other = decision.faces.find(({ face }) => face === second);
    const verdict = one && other && verdictOf(decision.kind, one.side, other.side);
    if (verdict !== undefined) return verdict;
  }
  return null;
}

function verdictOf(kind: StandingDecision['kind'], one: number, other: number): IdentityDecision | undefined {
  if (kind === 'unsure') return 'unsure';
  if (kind === 'dissolve') return undefined;
  if (kind === 'merge') return 'same';
  if (one === other)
    return kind === 'choose' && one !== SIDE.chosen ? undefined : kind === 'different' ? undefined : 'same';
  return kind === 'move' && (one === SIDE.target || other === SIDE.target) ? 'same' : 'different';
}
