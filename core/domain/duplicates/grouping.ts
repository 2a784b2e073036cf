/** Groups of faces that may show one person: average linkage, with a limit for every single pair and with barred pairs. */
import type { FaceId } from '../../contracts/ids.ts';
import type { FacePair } from '../ports/gallery.ts';

export interface GroupingInput {
  /** Unit vectors of all the faces, and no others. */
  vectors: ReadonlyMap<FaceId, Float32Array>;
  /** Near pairs of these faces: only groups that one of them links are joined. */
  pairs: readonly FacePair[];
  /** Two groups are joined while their distance, the root of the mean squared distance, is at most this. Euclidean, 0 to 2. */
  link: number;
  /** Two faces within this distance are in one group, whatever `link` and `cap` say, unless they are barred or their groups are too far apart. */
  strong: number;
  /** Two groups that such faces join are at most this far apart, so that a chain of look-alikes does not become one group. */
  strongCap: number;
  /** No pair of faces in a group is further apart, except a pair with a face of a person. */
  cap: number;
  /** The faces of each person that operators confirmed: one group from the start. */
  persons: readonly (readonly FaceId[])[];
  /** These two faces are never in one group. */
  barred: (one: FaceId, other: FaceId) => boolean;
}

export interface Grouped {
  /** By rising ids; at least two. */
  faces: FaceId[];
  /** Distance at which its last two parts were joined; 0: it is a person alone. */
  link: number;
}

interface Part {
  /** Its lowest face. */
  id: FaceId;
  faces: FaceId[];
  /** Sum of the vectors. */
  sum: Float64Array;
  hasPerson: boolean;
  link: number;
  near: Set<Part>;
  /** Those of `near` that a strong pair links. */
  strong: Set<Part>;
}

interface Joint {
  distance: number;
  one: Part;
  other: Part;
}

/**
 * Joins the two nearest parts until none are near enough. Deterministic: ties go to the lower ids. The distance to a part with
 * a confirmed person is that of its two nearest pairs: the photos of one person may differ much, and a new one resembles few.
 */
export function groupFaces(input: GroupingInput): Grouped[] {
  const parts = startingParts(input);
  const joints = new JointHeap();
  const live = new Set(parts.values());
  const consider = (one: Part, other: Part) => {
    const distance = distanceBetween(one, other, input.vectors);
    if (distance <= (one.strong.has(other) ? Math.max(input.link, input.strongCap) : input.link))
      joints.push(one.id < other.id ? { distance, one, other } : { distance, one: other, other: one });
  };
  for (const part of live) for (const other of part.near) if (part.id < other.id) consider(part, other);
  for (let joint = joints.pop(); joint !== undefined; joint = joints.pop()) {
    const { one, other, distance } = joint;
    if (!live.has(one) || !live.has(other) || !mayJoin(one, other, input)) continue;
    live.delete(one);
    live.delete(other);
    const joined = join(one, other, distance);
    live.add(joined);
    for (const near of joined.near) consider(joined, near);
  }
  return [...live]
    .filter(({ faces }) => faces.length > 1)
    .map(({ faces, link }) => ({ faces: faces.toSorted((a, b) => a - b), link }))
    .sort((a, b) => a.faces[0]! - b.faces[0]!);
}

/** Euclidean distance, as the gallery computes it: in double precision over float32 components. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  let squares = 0;
  for (let axis = 0; axis < one.length; axis += 1) squares += (one[axis]! - other[axis]!) ** 2;
  return Math.sqrt(squares);
}

function startingParts({ vectors, pairs, persons, strong }: GroupingInput): Map<FaceId, Part> {
  const parts = new Map<FaceId, Part>();
  const confirmed = persons.map((faces) =>
    faces.filter((face) => vectors.has(face)).toSorted((a, b) => a - b),
  );
  const alone = [...vectors.keys()].toSorted((a, b) => a - b).map((face) => [face]);
  for (const faces of [...confirmed.filter(({ length }) => length > 0), ...alone]) {
    if (parts.has(faces[0]!)) continue;
    const sum = new Float64Array(vectors.get(faces[0]!)!.length);
    for (const face of faces) vectors.get(face)!.forEach((value, axis) => (sum[axis]! += value));
    const part = {
      id: faces[0]!,
      faces,
      sum,
      hasPerson: faces.length > 1,
      link: 0,
      near: new Set<Part>(),
      strong: new Set<Part>(),
    };
    for (const face of faces) parts.set(face, part);
  }
  for (const [face] of confirmed.filter(({ length }) => length === 1)) parts.get(face!)!.hasPerson = true;
  for (const { first, second, distance } of pairs) {
    const [one, other] = [parts.get(first), parts.get(second)];
    if (one === undefined || other === undefined || one === other) continue;
    one.near.add(other);
    other.near.add(one);
    if (distance > strong) continue;
    one.strong.add(other);
    other.strong.add(one);
  }
  return parts;
}

function distanceBetween(one: Part, other: Part, vectors: GroupingInput['vectors']): number {
  const areSingle = one.faces.length === 1 && other.faces.length === 1;
  // The distance of a near pair as it is stored; the sums below round differently.
  if (areSingle || one.hasPerson || other.hasPerson) return ofTwoNearest(one, other, vectors);
  let product = 0;
  for (let axis = 0; axis < one.sum.length; axis += 1) product += one.sum[axis]! * other.sum[axis]!;
  return Math.sqrt(Math.max(0, 2 - (2 * product) / (one.faces.length * other.faces.length)));
}

function ofTwoNearest(one: Part, other: Part, vectors: GroupingInput['vectors']): number {
  let [nearest, next] = [Infinity, Infinity];
  for (const a of one.faces)
    for (const b of other.faces) {
      const distance = distanceOf(vectors.get(a)!, vectors.get(b)!);
      if (distance < nearest) [nearest, next] = [distance, nearest];
      else if (distance < next) next = distance;
    }
  return next === Infinity ? nearest : Math.sqrt((nearest ** 2 + next ** 2) / 2);
}

/** Once two parts may not be joined, no larger ones that hold them may. */
function mayJoin(one: Part, other: Part, { vectors, cap, barred }: GroupingInput): boolean {
  const capped = !one.hasPerson && !other.hasPerson && !one.strong.has(other);
  return one.faces.every((a) =>
    other.faces.every(
      (b) => !barred(a, b) && (!capped || distanceOf(vectors.get(a)!, vectors.get(b)!) <= cap),
    ),
  );
}

function join(one: Part, other: Part, distance: number): Part {
  const joined: Part = {
    id: one.id,
    faces: [...one.faces, ...other.faces],
    sum: one.sum.map((value, axis) => value + other.sum[axis]!),
    hasPerson: one.hasPerson || other.hasPerson,
    // A person may lie between two parts, so that a later joint is nearer than an earlier one.
    link: Math.max(one.link, other.link, distance),
    near: new Set([...one.near, ...other.near]),
    strong: new Set([...one.strong, ...other.strong]),
  };
  for (const kind of ['near', 'strong'] as const) {
    joined[kind].delete(one);
    joined[kind].delete(other);
    for (const part of joined[kind]) {
      part[kind].delete(one);
      part[kind].delete(other);
      part[kind].add(joined);
    }
  }
  return joined;
}

/** The nearest joint first; ties by the lower ids. */
class JointHeap {
  readonly #joints: Joint[] = [];

  push(joint: Joint): void {
    const joints = this.#joints;
    let place = joints.push(joint) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(joint, joints[parent]!)) break;
      joints[place] = joints[parent]!;
      place = parent;
    }
    joints[place] = joint;
  }

  pop(): Joint | undefined {
    const joints = this.#joints;
    const first = joints[0];
    const last = joints.pop();
    if (first === undefined || last === undefined || joints.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= joints.length) break;
      if (child + 1 < joints.length && isBefore(joints[child + 1]!, joints[child]!)) child += 1;
      if (!isBefore(joints[child]!, last)) break;
      joints[place] = joints[child]!;
      place = child;
    }
    joints[place] = last;
    return first;
  }
}

function isBefore(a: Joint, b: Joint): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  return a.one.id !== b.one.id ? a.one.id < b.one.id : a.other.id < b.other.id;
}
