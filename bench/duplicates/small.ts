/** Duplicate searches of small and uneven galleries of labelled photos: who is found, and who is grouped by mistake. */
import { trusted, type FaceId } from '../../core/contracts/ids.ts';
import { capOf, strongJoints } from '../../core/domain/duplicates/component.ts';
import { distanceOf, groupFaces } from '../../core/domain/duplicates/grouping.ts';
import { distanceFor } from '../../core/domain/duplicates/rate.ts';
import { expectedWithin, measureTail } from '../../core/domain/duplicates/tail.ts';
import { distanceAtFmr, similarityScore } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { lfw } from '../accuracy/photos.ts';
import { randomFrom } from '../gallery/templates.ts';
import { galleryOf } from '../../research/grouping/sets.ts';
import { table } from '../report.ts';

const calibration = CALIBRATIONS.full;
const strong = distanceAtFmr(calibration, 1e-6);
const { identities, vectors } = await galleryOf(lfw(), 'full');
const photosOf = [...Map.groupBy(vectors.keys(), (index) => identities[index]!).values()];
const timer = { yield: () => Promise.resolve() };

/** People and photos of a gallery: `[people, photos each]`, several times. */
type Recipe = readonly (readonly [people: number, photos: number])[];

const RECIPES: [name: string, recipe: Recipe, runs: number][] = [
  [
    '30 faces, a fifth in pairs',
    [
      [3, 2],
      [24, 1],
    ],
    8,
  ],
  [
    '45 faces, 10 people twice',
    [
      [10, 2],
      [25, 1],
    ],
    8,
  ],
  [
    '100 faces, a fifth in pairs',
    [
      [10, 2],
      [80, 1],
    ],
    6,
  ],
  [
    '200 faces, a fifth in pairs',
    [
      [20, 2],
      [160, 1],
    ],
    4,
  ],
  [
    '450 faces, a fifth in pairs',
    [
      [45, 2],
      [360, 1],
    ],
    2,
  ],
  ['13 people, 10 photos each', [[13, 10]], 2],
  [
    '13 people, 10 photos each, and 300 others',
    [
      [13, 10],
      [300, 1],
    ],
    2,
  ],
  ['60 people, 3 photos each', [[60, 3]], 2],
];

function chosen(recipe: Recipe, random: () => number): number[] {
  const shuffled = photosOf
    .map((photos) => ({ photos, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ photos }) => photos);
  const taken = new Set<number[]>();
  const indexes = recipe.flatMap(([people, photos]) => {
    const able = shuffled.filter((one) => one.length >= photos && !taken.has(one)).slice(0, people);
    for (const one of able) taken.add(one);
    return able.flatMap((one) => one.slice(0, photos));
  });
  return indexes
    .map((index) => ({ index, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ index }) => index);
}

async function search(indexes: readonly number[], oneIn: number) {
  const all = indexes.map((index) => vectors[index]!);
  const tail = await measureTail(timer, all, calibration);
  const link = distanceFor(tail, oneIn, all.length);
  const face = (at: number) => trusted.face(at + 1);
  const pairs = all.flatMap((one, at) =>
    all.slice(0, at).flatMap((other, earlier) => {
      const distance = distanceOf(one, other);
      return distance <= link ? [{ first: face(earlier), second: face(at), distance }] : [];
    }),
  );
  const groups = groupFaces({
    vectors: new Map<FaceId, Float32Array>(all.map((vector, at) => [face(at), vector])),
    pairs,
    link,
    cap: capOf({ tail, maxDistance: link }),
    ...strongJoints({ tail }),
    persons: [],
    barred: () => false,
  }).map(({ faces }) => faces.map((each) => each - 1));
  const groupOf = new Map(groups.flatMap((group, id) => group.map((at) => [at, id] as const)));
  let [strongPairs, strongApart, found, mated] = [0, 0, 0, 0];
  for (let at = 0; at < all.length; at++)
    for (let earlier = 0; earlier < at; earlier++) {
      const together = groupOf.has(at) && groupOf.get(at) === groupOf.get(earlier);
      const same = identities[indexes[at]!] === identities[indexes[earlier]!];
      if (same) mated++;
      if (same && together) found++;
      if (distanceOf(all[at]!, all[earlier]!) > strong) continue;
      strongPairs++;
      if (!together) strongApart++;
    }
  const wrong = groups.filter(
    (group) => new Set(group.map((at) => identities[indexes[at]!])).size > 1,
  ).length;
  const { high } = expectedWithin(tail, (all.length * (all.length - 1)) / 2, link);
  return {
    score: similarityScore(calibration, link),
    measured: tail.measuredTo < 1,
    strongPairs,
    strongApart,
    found,
    mated,
    wrong,
    high,
  };
}

const rows = [];
for (const [name, recipe, runs] of RECIPES)
  for (const oneIn of [100, 1000]) {
    const results: Awaited<ReturnType<typeof search>>[] = [];
    for (let run = 0; run < runs; run++)
      results.push(await search(chosen(recipe, randomFrom(100 + run)), oneIn));
    const total = (of: (one: (typeof results)[number]) => number) =>
      results.reduce((sum, one) => sum + of(one), 0);
    const scores = results.map(({ score }) => score.toFixed(1)).sort();
    rows.push([
      name,
      `1 in ${oneIn}`,
      `${scores[0]} to ${scores.at(-1)}`,
      results.filter(({ measured }) => measured).length,
      `${total((one) => one.found)} of ${total((one) => one.mated)}`,
      `${total((one) => one.strongApart)} of ${total((one) => one.strongPairs)}`,
      total((one) => one.wrong),
      Math.max(...results.map(({ high }) => high)),
    ]);
  }
console.log(
  table(
    [
      'Gallery',
      'Rate',
      'Least score',
      'Own law',
      'Mated pairs in a group',
      'Strong pairs apart',
      'Groups of several people',
      'Highest bound of chance pairs',
    ],
    rows,
  ),
);
