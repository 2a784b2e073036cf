/** A model of decisions, persons and groups: computed from the log of decisions in the plainest way. */
import type { GroupState } from '../../core/contracts/dashboard/duplicates.ts';
import { distanceOf } from '../../core/domain/duplicates/grouping.ts';
import type { NewDecision } from '../../core/domain/ports/persons.ts';

export interface Logged extends Pick<NewDecision, 'kind' | 'faces'> {
  id: number;
  undone: boolean;
}

export interface ModelGroup {
  faces: number[];
  link: number;
  widest: number;
  state: GroupState;
}

const [STAYS, CHOSEN, TARGET] = [0, 1, 2];
const BARS: ReadonlySet<string> = new Set(['different', 'choose', 'split', 'move']);

/** Faces with what they are compared by; decisions as they were logged. Erased faces stay in decisions. */
export class PersonModel {
  readonly vectors = new Map<number, Float32Array>();
  readonly log: Logged[] = [];
  /** Faces that the last finished search has compared, and its distances. */
  compared = new Set<number>();
  near = 0;
  cap = 0;
  /** Pairs within this distance join their groups up to `strongCap`, and `cap` does not hold; a copy of a photo is one of them. */
  strong = 0;
  strongCap = 0;

  standing(): Logged[] {
    return this.log.filter(({ undone }) => !undone);
  }

  /** A label for each face that belongs to a person, erased faces included. */
  labels(log: readonly Logged[] = this.standing()): Map<number, number> {
    const label = new Map<number, number>();
    for (const decision of log) {
      const on = (...sides: number[]) =>
        decision.faces.filter(({ side }) => sides.includes(side)).map(({ face }) => face as number);
      const unite = (faces: readonly number[]) => {
        const old = new Set(faces.flatMap((face) => label.get(face) ?? []));
        for (const [face, its] of label) if (old.has(its)) label.set(face, decision.id);
        for (const face of faces) label.set(face, decision.id);
      };
      const leave = () => {
        const left = new Set(on(STAYS).flatMap((face) => label.get(face) ?? []));
        const leaving = on(CHOSEN).filter((face) => left.has(label.get(face) ?? Number.NaN));
        for (const face of leaving) label.delete(face);
        return leaving;
      };
      if (decision.kind === 'dissolve') for (const face of on(CHOSEN)) label.delete(face);
      else if (decision.kind === 'same') unite(on(STAYS));
      else if (decision.kind === 'choose') unite(on(CHOSEN));
      else if (decision.kind === 'merge') unite(on(STAYS, CHOSEN));
      else if (decision.kind === 'split') unite(leave());
      else if (decision.kind === 'move') {
        const left = leave();
        if (left.length > 0 && on(TARGET).length > 0) unite([...on(TARGET), ...left]);
      }
    }
    return label;
  }

  /** Whether two faces of different sides of a decision that bars them would be of one person. */
  contradicts(log: readonly Logged[]): boolean {
    const label = this.labels(log);
    return log.some(
      ({ kind, faces }) =>
        (kind === 'different' || kind === 'choose') &&
        faces.some((one) =>
          faces.some(
            (other) =>
              one.side !== other.side && label.has(one.face) && label.get(one.face) === label.get(other.face),
          ),
        ),
    );
  }

  /** The faces of each person that are enrolled. */
  persons(): number[][] {
    const enrolled = [...this.labels()].filter(([face]) => this.vectors.has(face));
    return [...Map.groupBy(enrolled, ([, label]) => label).values()].map((faces) =>
      faces.map(([face]) => face).toSorted((a, b) => a - b),
    );
  }

  /** Decisions that part faces go with the last but one of them. */
  erase(face: number): void {
    this.vectors.delete(face);
    this.compared.delete(face);
    const goes = ({ kind, faces }: Logged) =>
      (kind === 'different' || kind === 'unsure') &&
      faces.some((named) => named.face === face) &&
      faces.filter((named) => this.vectors.has(named.face)).length < 2;
    this.log.splice(0, this.log.length, ...this.log.filter((decision) => !goes(decision)));
  }

  groups(): ModelGroup[] {
    const label = this.labels();
    const barred = (one: number, other: number) => {
      const [a, b] = [label.get(one), label.get(other)];
      if (a !== undefined && b !== undefined) return a !== b;
      return this.standing().some((decision) => {
        if (!BARS.has(decision.kind)) return false;
        const sides = [one, other].map((face) => decision.faces.find((named) => named.face === face)?.side);
        if (sides.includes(undefined)) return false;
        return sides[0] !== sides[1] && !(decision.kind === 'move' && sides.includes(TARGET));
      });
    };
    const apart = (one: number, other: number) =>
      distanceOf(this.vectors.get(one)!, this.vectors.get(other)!);
    const isPerson = (faces: readonly number[]) => faces.some((face) => label.has(face));
    const between = (one: Part, other: Part) => {
      const areSingle = one.faces.length === 1 && other.faces.length === 1;
      if (areSingle || isPerson(one.faces) || isPerson(other.faces)) {
        const [first, next] = one.faces
          .flatMap((a) => other.faces.map((b) => apart(a, b)))
          .toSorted((a, b) => a - b);
        return next === undefined ? first! : Math.sqrt((first! ** 2 + next ** 2) / 2);
      }
      let product = 0;
      for (const [axis, value] of one.sum.entries()) product += value * other.sum[axis]!;
      return Math.sqrt(Math.max(0, 2 - (2 * product) / (one.faces.length * other.faces.length)));
    };
    const capped = (one: Part, other: Part) => !isPerson(one.faces) && !isPerson(other.faces);
    const known = [...this.compared].toSorted((a, b) => a - b);
    const single = known.filter((face) => !label.has(face)).map((face) => [face]);
    const persons = this.persons().map((faces) => faces.filter((face) => this.compared.has(face)));
    let parts = [...persons.filter((faces) => faces.length > 0), ...single].map((faces) => ({
      faces,
      sum: faces
        .map((face) => Float64Array.from(this.vectors.get(face)!))
        .reduce((sum, vector) => sum.map((value, axis) => value + vector[axis]!)),
      link: 0,
    }));
    for (;;) {
      let best: { distance: number; one: Part; other: Part } | undefined;
      for (const one of parts)
        for (const other of parts) {
          if (lowest(one) >= lowest(other)) continue;
          const pairs = one.faces.flatMap((a) => other.faces.map((b) => [a, b] as const));
          if (!pairs.some(([a, b]) => apart(a, b) <= this.near)) continue;
          const isStrong = pairs.some(([a, b]) => apart(a, b) <= this.strong);
          const distance = between(one, other);
          if (distance > (isStrong ? Math.max(this.near, this.strongCap) : this.near)) continue;
          const isCapped = !isStrong && capped(one, other);
          if (pairs.some(([a, b]) => barred(a, b) || (isCapped && apart(a, b) > this.cap))) continue;
          const rank = (joint: typeof best & object) =>
            [joint.distance, lowest(joint.one), lowest(joint.other)] as const;
          const joint = { distance, one, other };
          if (best === undefined || isLess(rank(joint), rank(best))) best = joint;
        }
      if (best === undefined) break;
      const { one, other, distance } = best;
      const joined = {
        faces: [...one.faces, ...other.faces],
        sum: one.sum.map((value, axis) => value + other.sum[axis]!),
        link: Math.max(one.link, other.link, distance),
      };
      parts = [...parts.filter((part) => part !== one && part !== other), joined];
    }
    const isNear = (face: number) => known.some((other) => other !== face && apart(face, other) <= this.near);
    return parts
      .filter(({ faces }) => faces.length > 1 && faces.some(isNear))
      .map(({ faces, link }) => ({
        faces: faces.toSorted((a, b) => a - b),
        link,
        widest: Math.max(...faces.flatMap((a) => faces.map((b) => (a === b ? 0 : apart(a, b))))),
        state: this.#stateOf(faces, label),
      }))
      .toSorted((a, b) => a.faces[0]! - b.faces[0]!);
  }

  #stateOf(faces: readonly number[], label: ReadonlyMap<number, number>): GroupState {
    if (new Set(faces.map((face) => label.get(face) ?? 'none')).size === 1 && label.has(faces[0]!))
      return 'accepted';
    const about = this.standing().map(
      ({ kind, faces: named }) =>
        [kind, faces.filter((face) => named.some((one) => one.face === face)).length] as const,
    );
    if (about.some(([kind, count]) => kind === 'unsure' && count === faces.length)) return 'deferred';
    return about.some(([, count]) => count > 1) ? 'partlyDecided' : 'proposed';
  }
}

interface Part {
  faces: number[];
  sum: Float64Array;
  link: number;
}

const lowest = ({ faces }: Part): number => Math.min(...faces);

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && a[at]! < b[at]!;
}
