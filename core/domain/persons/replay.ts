/** The persons that follow from the decisions that stand, by replaying these in the order in which they were made. */
import type { FaceId, PersonDecisionId } from '../../contracts/ids.ts';
import { SIDE, type StandingDecision } from '../ports/persons.ts';

/** Faces of one person. */
export interface ReplayedPerson {
  /** The decision that the person came of. */
  born: PersonDecisionId;
  /** By rising ids; erased ones included. */
  faces: FaceId[];
}

export interface Replayed {
  persons: ReplayedPerson[];
  /** A decision that bars two faces of one of the persons; undefined: the decisions agree. */
  contradicted: PersonDecisionId | undefined;
}

/**
 * `same` and `named` are equivalences: each unites the persons of all its faces, and the oldest of them remains. A split and a move take
 * faces out of the person that they are in then. A decision that was undone is not passed, so later ones keep their effect.
 * @param decisions those that stand, by rising ids
 */
export function replay(decisions: readonly StandingDecision[]): Replayed {
  const personOf = new Map<FaceId, ReplayedPerson>();
  for (const decision of decisions) apply(decision, personOf);
  const persons = [...new Set(personOf.values())].filter(({ faces }) => faces.length > 0);
  for (const person of persons) person.faces.sort((a, b) => a - b);
  persons.sort((a, b) => a.born - b.born);
  const contradicted = decisions.find(
    (decision) => (decision.kind === 'different' || decision.kind === 'choose') && joins(decision, personOf),
  );
  return { persons, contradicted: contradicted?.id };
}

type Persons = Map<FaceId, ReplayedPerson>;

function apply(decision: StandingDecision, persons: Persons): void {
  const { id, kind } = decision;
  const onSide = (side: number) =>
    decision.faces.filter((named) => named.side === side).map(({ face }) => face);
  switch (kind) {
    case 'same':
    case 'named':
      unite(id, onSide(SIDE.stays), persons);
      return;
    case 'choose':
      unite(id, onSide(SIDE.chosen), persons);
      return;
    case 'merge': {
      const target = onSide(SIDE.stays);
      unite(id, [...target, ...onSide(SIDE.chosen)], persons, target);
      return;
    }
    case 'split':
      unite(id, leave(onSide(SIDE.chosen), onSide(SIDE.stays), persons), persons);
      return;
    case 'move': {
      const target = onSide(SIDE.target);
      const left = leave(onSide(SIDE.chosen), onSide(SIDE.stays), persons);
      if (target.length > 0 && left.length > 0) unite(id, [...target, ...left], persons, target);
      return;
    }
    case 'dissolve':
      leave(onSide(SIDE.chosen), [], persons);
      return;
    case 'different':
    case 'unsure':
  }
}

/** @param preferred the person of the first of these remains; otherwise the oldest does */
function unite(
  id: PersonDecisionId,
  faces: readonly FaceId[],
  persons: Persons,
  preferred: readonly FaceId[] = [],
): void {
  if (faces.length === 0) return;
  const found = [...new Set(faces.flatMap((face) => persons.get(face) ?? []))];
  const first = preferred.flatMap((face) => persons.get(face) ?? []).at(0);
  const created: ReplayedPerson = { born: id, faces: [] };
  const remains = first ?? found.toSorted((a, b) => a.born - b.born).at(0) ?? created;
  const all = new Set([...remains.faces, ...found.flatMap((person) => person.faces), ...faces]);
  remains.faces = [...all];
  for (const face of all) persons.set(face, remains);
}

/** Takes those faces out of their person that share it with one that stays; all of them where none stays. @returns them */
function leave(faces: readonly FaceId[], stay: readonly FaceId[], persons: Persons): FaceId[] {
  const stays = new Set(stay.flatMap((face) => persons.get(face) ?? []));
  const leaving = faces.filter((face) => {
    const person = persons.get(face);
    return person !== undefined && (stay.length === 0 || stays.has(person));
  });
  for (const face of leaving) {
    const person = persons.get(face)!;
    person.faces = person.faces.filter((other) => other !== face);
    persons.delete(face);
  }
  return leaving;
}

/** Whether faces that the decision bars from each other are of one person. */
function joins({ faces }: StandingDecision, persons: Persons): boolean {
  const sides = new Map<ReplayedPerson, number>();
  return faces.some(({ face, side }) => {
    const person = persons.get(face);
    if (person === undefined) return false;
    const known = sides.get(person);
    if (known === undefined) sides.set(person, side);
    return known !== undefined && known !== side;
  });
}
