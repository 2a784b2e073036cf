/** False alarms of searches: the rate per search that was chosen, and the share of searches of unknown people with one. */
import { repeatable } from '../core/domain/calibration/repeatable.ts';
import { averageTemplate, personDistance } from '../core/domain/scores/personDistance.ts';
import { thresholdForSearch, type Calibration } from '../core/domain/scores/scores.ts';
import { impostorTable } from '../research/fusion/impostorTable.ts';
import { euclidean } from './accuracy/comparisons.ts';
import { describedPhotos, halves } from './accuracy/halves.ts';
import { normalSpread, realTemplates } from './gallery/templates.ts';
import { publish, table } from './report.ts';

const halvings = Number(process.argv[2] ?? 4) || 4;
const RATES = [0.1, 0.01, 0.001];
/** Persons of the galleries of real faces: a half has about 620. */
const PERSONS = [50, 100, 200, 400];
/** Galleries of each size that are drawn from a half. */
const DRAWS = 10;
/** A person's photos at most. */
const PHOTOS = 3;
/** Persons of the synthetic galleries with their searches. */
const SYNTHETIC = [
  { persons: 1_000, searches: 50_000 },
  { persons: 10_000, searches: 50_000 },
  { persons: 100_000, searches: 10_000 },
];
/** Synthetic people whose pairs give the calibration. */
const CALIBRATED = 3_000;
const DIMENSIONS = 128;

/** Non-mated distances, rising. */
function nonMated(
  templates: readonly Float32Array[],
  isOne: (i: number, j: number) => boolean,
): Float32Array {
  const distances: number[] = [];
  for (const [i, one] of templates.entries())
    for (let j = 0; j < i; j++) if (!isOne(i, j)) distances.push(euclidean(one, templates[j]!));
  return Float32Array.from(distances).sort();
}

interface Counted {
  searches: number;
  alarms: number[];
  /** Alarms by halving, to see how much they differ. */
}

/** Alarms at each rate of searches whose nearest person is so far away. */
function count(into: Counted, calibration: Calibration, persons: number, nearest: readonly number[]): void {
  into.searches += nearest.length;
  for (const [i, rate] of RATES.entries()) {
    const { maxDistance } = thresholdForSearch(calibration, rate, persons);
    into.alarms[i]! += nearest.filter((distance) => distance <= maxDistance).length;
  }
}

const counted = (): Counted => ({ searches: 0, alarms: RATES.map(() => 0) });

/** Searches among people of one half, by a calibration of the other: no person is in both, and none was fitted on. */
function searchHalf(
  tested: readonly { person: string; template: Float32Array }[],
  calibration: Calibration,
  random: () => number,
  found: ReadonlyMap<number, Counted>,
): void {
  const people = [...Map.groupBy(tested, ({ person }) => person).values()];
  for (const persons of PERSONS)
    for (let draw = 0; draw < DRAWS; draw++) {
      const drawn = people
        .map((photos) => ({ photos, at: random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ photos }) => photos.map(({ template }) => template));
      const enrolled = drawn.slice(0, persons).map((photos) => photos.slice(0, PHOTOS));
      const averages = enrolled.map(averageTemplate);
      const nearest = drawn.slice(persons).map(([probe]) =>
        enrolled.reduce((least, photos, i) => {
          const single = Math.min(...photos.map((photo) => euclidean(photo, probe!)));
          return Math.min(least, personDistance(single, euclidean(averages[i]!, probe!), photos.length));
        }, Infinity),
      );
      count(found.get(persons)!, calibration, persons, nearest);
    }
}

const shownRate = (rate: number) => `1 in ${Math.round(1 / rate)}`;
const head = [
  'persons',
  'searches',
  ...RATES.flatMap((rate) => [`alarms, ${shownRate(rate)}`, 'found over chosen']),
];
const rowOf = (persons: number, { searches, alarms }: Counted) => [
  persons,
  searches,
  ...alarms.flatMap((number, i) => [number, (number / searches / RATES[i]!).toFixed(2)]),
];

const described = await describedPhotos();

function real(pipeline: 'full' | 'light'): string {
  const found = new Map(PERSONS.map((persons) => [persons, counted()]));
  for (let seed = 1; seed <= halvings; seed++) {
    const both = [...halves(described, pipeline, seed)].map((half) =>
      half.map(({ photo, template }) => ({ person: photo.photo.identity, template })),
    );
    const calibrations = both.map((half) =>
      impostorTable(
        nonMated(
          half.map(({ template }) => template),
          (i, j) => half[i]!.person === half[j]!.person,
        ),
      ),
    );
    for (const [i, half] of both.entries())
      searchHalf(half, calibrations[1 - i]!, repeatable(seed * 31 + i), found);
  }
  return table(
    head,
    PERSONS.map((persons) => rowOf(persons, found.get(persons)!)),
  );
}

/** Invented people, spread as real ones. */
async function synthetic(): Promise<string> {
  const people = normalSpread(await realTemplates(2_320), DIMENSIONS);
  const rowsOf = (all: Float32Array) =>
    Array.from({ length: all.length / DIMENSIONS }, (_, i) =>
      all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
    );
  const calibration = impostorTable(nonMated(rowsOf(people(CALIBRATED, 11)), () => false));
  const gallery = people(Math.max(...SYNTHETIC.map(({ persons }) => persons)), 12);
  return table(
    head,
    SYNTHETIC.map(({ persons, searches }, i) => {
      const into = counted();
      const probes = people(searches, 13 + i);
      const nearest = Array.from({ length: searches }, (_, at) => nearestOf(gallery, persons, probes, at));
      count(into, calibration, persons, nearest);
      return rowOf(persons, into);
    }),
  );
}

/** Of unit vectors, by the largest inner product. */
function nearestOf(gallery: Float32Array, persons: number, probes: Float32Array, at: number): number {
  const probe = probes.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
  let most = -1;
  for (let row = 0, from = 0; row < persons; row++, from += DIMENSIONS) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < DIMENSIONS; i += 4) {
      a += probe[i]! * gallery[from + i]!;
      b += probe[i + 1]! * gallery[from + i + 1]!;
      c += probe[i + 2]! * gallery[from + i + 2]!;
      d += probe[i + 3]! * gallery[from + i + 3]!;
    }
    most = Math.max(most, a + b + c + d);
  }
  return Math.sqrt(Math.max(0, 2 - 2 * most));
}

publish({
  name: 'identification',
  title: 'The rate per search that is chosen and the one that is found',
  body: [
    `Searches of people who are not enrolled, by the threshold of the product for the chosen rate and the number of persons. ${described.length}`,
    `photos of LFW, ${halvings} times halved by people: the templates of a half are fitted on the other, and the calibration is of the other`,
    `half, too. ${DRAWS} galleries of each size from each half; persons have their photos, at most ${PHOTOS}; one photo of every other person searches.`,
    'Searches of different galleries share people, so they are fewer than they seem.',
    '',
    '### full',
    '',
    real('full'),
    '',
    '### light',
    '',
    real('light'),
    '',
    '### Invented people',
    '',
    `Spread normally with the covariance of the templates of LFW (full); the calibration is of all pairs of ${CALIBRATED} others.`,
    '',
    await synthetic(),
  ].join('\n'),
  args: process.argv.slice(2),
});
