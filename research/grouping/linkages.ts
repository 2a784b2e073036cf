/** The rule of the product, and the two that it is compared with: connected components and complete linkage. */
import { trusted, type FaceId } from '../../core/contracts/ids.ts';
import { groupFaces } from '../../core/domain/duplicates/grouping.ts';
import { euclidean } from '../../bench/accuracy/comparisons.ts';

/** Photos by index, and their pairs by rising distance. */
export interface Photos {
  vectors: readonly Float32Array[];
  pairs: readonly { one: number; other: number; distance: number }[];
}

/** Groups of two photos or more, by index. */
export type Groups = number[][];

/** All pairs within a distance. */
export function photosWithin(vectors: readonly Float32Array[], widest: number): Photos {
  const pairs: { one: number; other: number; distance: number }[] = [];
  for (const [other, vector] of vectors.entries())
    for (let one = 0; one < other; one++) {
      const distance = euclidean(vectors[one]!, vector);
      if (distance <= widest) pairs.push({ one, other, distance });
    }
  return { vectors, pairs: pairs.sort((a, b) => a.distance - b.distance) };
}

/** Average linkage up to `link`, no pair beyond `cap`: the code of the product. */
export function product({ vectors, pairs }: Photos, link: number, cap: number): Groups {
  const face = (index: number) => trusted.face(index + 1);
  return groupFaces({
    strong: 0,
    strongCap: 0,
    vectors: new Map<FaceId, Float32Array>(vectors.map((vector, index) => [face(index), vector])),
    pairs: pairs
      .filter(({ distance }) => distance <= link)
      .map(({ one, other, distance }) => ({ first: face(one), second: face(other), distance })),
    link,
    cap: Math.max(link, cap),
    persons: [],
    barred: () => false,
  }).map(({ faces }) => faces.map((each) => each - 1));
}

/** Photos that a chain of pairs within `link` connects. */
export function connected({ vectors, pairs }: Photos, link: number): Groups {
  const parent = vectors.map((_, index) => index);
  const rootOf = (index: number): number => {
    while (parent[index] !== index) index = parent[index] = parent[parent[index]!]!;
    return index;
  };
  for (const { one, other, distance } of pairs) if (distance <= link) parent[rootOf(one)] = rootOf(other);
  return [...Map.groupBy(vectors.keys(), rootOf).values()].filter(({ length }) => length > 1);
}

/** The two parts whose furthest photos are nearest are joined, until these are further apart than `link`. */
export function complete(photos: Photos, link: number): Groups {
  return connected(photos, link).flatMap((component) => completeWithin(component, photos.vectors, link));
}

function completeWithin(
  component: readonly number[],
  vectors: readonly Float32Array[],
  link: number,
): Groups {
  const distances = component.map((one) =>
    component.map((other) => euclidean(vectors[one]!, vectors[other]!)),
  );
  const parts = new Map(component.map((photo, part) => [part, [photo]]));
  for (;;) {
    let [nearest, into, from] = [Infinity, 0, 0];
    for (const one of parts.keys())
      for (const other of parts.keys())
        if (one < other && distances[one]![other]! < nearest)
          [nearest, into, from] = [distances[one]![other]!, one, other];
    if (nearest > link) return [...parts.values()].filter(({ length }) => length > 1);
    parts.get(into)!.push(...parts.get(from)!);
    parts.delete(from);
    for (const part of parts.keys())
      distances[into]![part] = distances[part]![into] = Math.max(
        distances[into]![part]!,
        distances[from]![part]!,
      );
  }
}
