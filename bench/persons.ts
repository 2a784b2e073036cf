/**
 * Several photos of one person: error rates of the rules that combine them, by the number of photos. With `write` as the last
 * argument, the shares of people who are found go to core/vision/found.json, by which the product states misses.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { repeatable } from '../core/domain/calibration/repeatable.ts';
import { personDistance } from '../core/domain/scores/personDistance.ts';
import { thresholdForSearch } from '../core/domain/scores/scores.ts';
import { createEngine } from '../core/vision/pool/engine.ts';
import type { PipelineId } from '../core/contracts/ids.ts';
import { euclidean } from './accuracy/comparisons.ts';
import { describeSet, type Pipeline } from './accuracy/describing.ts';
import { describedPhotos, halves, RECIPES } from './accuracy/halves.ts';
import { MODELS } from './accuracy/ours.ts';
import { lfw } from './accuracy/photos.ts';
import { publish, table } from './report.ts';

/** How often the people are halved. */
const halvings = Number(process.argv[2] ?? 4) || 4;
const PHOTOS = [1, 2, 3, 5, 8];
const FMRS = [1e-3, 1e-4, 1e-5];
/** People with more photos than this are probes of the mated comparisons. */
const FEW = 3;
/** How often the photos of a person are drawn. */
const DRAWS = 3;

/** A person's photos against one probe. */
interface Compared {
  /** Of each photo. */
  distances: readonly number[];
  /** Quality scores, 0 to 100. */
  qualities: readonly number[];
  /** Length of the sum of the templates, and of their sum weighted by quality. */
  length: number;
  weighted: number;
}

/** To the average at unit length, by the distances to unit vectors. */
function toAverage(distances: readonly number[], weights: readonly number[], length: number): number {
  const along = distances.reduce((sum, distance, i) => sum + weights[i]! * (2 - distance ** 2), 0);
  return Math.sqrt(Math.max(0, 2 - along / length));
}

const RULES: Record<string, (compared: Compared) => number> = {
  nearest: ({ distances }) => Math.min(...distances),
  average: ({ distances, length }) =>
    toAverage(
      distances,
      distances.map(() => 1),
      length,
    ),
  'average by quality': ({ distances, qualities, weighted }) => toAverage(distances, qualities, weighted),
  'best by quality': ({ distances, qualities }) => distances[qualities.indexOf(Math.max(...qualities))]!,
  'mean of both': (compared) => (RULES.nearest!(compared) + RULES.average!(compared)) / 2,
  'as shipped': (compared) =>
    personDistance(RULES.nearest!(compared), RULES.average!(compared), compared.distances.length),
};

/** Non-mated distances beyond the false match rate of about 1 in 100 are counted, and not kept. */
const FARTHEST = { full: 0.69, light: 1.15 };

const QUALITY = { id: 'quality-1', length: 1 };

/** The quality of each photo's face, by the product's own measurement. */
async function loadQuality(): Promise<Pipeline> {
  const engine = await createEngine(MODELS, {
    pipelineId: QUALITY.id as PipelineId,
    extract: () => Promise.resolve(new Float32Array(QUALITY.length)),
  });
  return {
    ...QUALITY,
    describe: async (path) => {
      const search = await engine.search(await readFile(path));
      if (search.kind !== 'faces') return { width: 0, height: 0, faces: [] };
      const faces = search.faces.map(({ box, quality }) => ({ box, vector: Float32Array.of(quality.score) }));
      return { ...search.image, faces };
    },
  };
}

interface Photo {
  person: string;
  template: Float32Array;
  quality: number;
}
/** Distances by a rule and a number of photos; of non-mated comparisons the near ones, and how many there were. */
interface Outcome {
  mated: number[];
  /** Whose probes they were. */
  of: string[];
  nonMated: number[];
  total: number;
}

const qualities = await describeSet(lfw(), loadQuality, QUALITY);
const described = (await describedPhotos()).map((each) => ({
  ...each,
  quality: Math.max(5, qualities[each.number]?.[0] ?? 5),
}));

/** Compares drawn photos of each person with all other photos. */
function compare(
  photos: readonly Photo[],
  random: () => number,
  farthest: number,
  add: (rule: string, count: number) => Outcome,
): void {
  const people = Map.groupBy(photos, ({ person }) => person);
  for (const count of PHOTOS)
    for (const [person, own] of people) {
      if (own.length < count) continue;
      for (let draw = 0; draw < (count === 1 ? 1 : DRAWS); draw++) {
        const drawn = own
          .map((photo) => ({ photo, at: random() }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ photo }) => photo);
        const chosen = drawn.slice(0, count);
        const scored = scorer(chosen);
        const outcomes = Object.keys(RULES).map((rule) => [RULES[rule]!, add(rule, count)] as const);
        if (own.length > FEW)
          for (const probe of drawn.slice(count)) {
            const compared = scored(probe.template);
            for (const [rule, outcome] of outcomes) {
              outcome.mated.push(rule(compared));
              outcome.of.push(person);
            }
          }
        for (const probe of photos) {
          if (probe.person === person) continue;
          const compared = scored(probe.template);
          for (const [rule, outcome] of outcomes) {
            outcome.total++;
            const distance = rule(compared);
            if (distance < farthest) outcome.nonMated.push(distance);
          }
        }
      }
    }
}

function scorer(chosen: readonly Photo[]): (probe: Float32Array) => Compared {
  const ofQuality = chosen.map(({ quality }) => quality);
  const lengthOf = (weights: readonly number[]) =>
    Math.hypot(
      ...chosen[0]!.template.map((_, i) =>
        chosen.reduce((sum, { template }, k) => sum + weights[k]! * template[i]!, 0),
      ),
    );
  const length = lengthOf(chosen.map(() => 1));
  const weighted = lengthOf(ofQuality);
  return (probe) => ({
    distances: chosen.map(({ template }) => euclidean(template, probe)),
    qualities: ofQuality,
    length,
    weighted,
  });
}

/** Every test of a pipeline, of people it was not fitted on. */
function test(pipeline: keyof typeof RECIPES): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const add = (rule: string, count: number) => {
    const key = `${rule}/${count}`;
    const outcome = outcomes.get(key) ?? { mated: [], of: [], nonMated: [], total: 0 };
    outcomes.set(key, outcome);
    return outcome;
  };
  for (let seed = 1; seed <= halvings; seed++) {
    const random = repeatable(seed * 7919);
    for (const half of halves(described, pipeline, seed)) {
      const tested = half.map(({ photo: { photo, quality }, template }) => ({
        person: photo.identity,
        template,
        quality,
      }));
      compare(tested, random, FARTHEST[pipeline], add);
    }
  }
  return outcomes;
}

const percent = (rate: number) => (100 * rate).toFixed(2);

/** False match rates that the shares of people who are found are stated for; from 1e-6 on by the law of the thresholds. */
const STATED = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
const MEASURED = STATED.slice(0, 3);
/** Numbers of photos that they are stated for: with more, there are too few people. */
const STATED_PHOTOS = [1, 2, 3];
const RESAMPLED = 1_000;

/** As core/vision/found.json has them. */
interface Found {
  people: number;
  rows: { fmr: number; found: { photos: number; share: number; low: number; high: number }[] }[];
}

/** The shares of people who are found by the rule that ships, with 95 % intervals over resampled people. */
function foundShares(outcomes: ReadonlyMap<string, Outcome>): Found {
  const one = outcomes.get('as shipped/1')!;
  const sorted = one.nonMated.toSorted((a, b) => a - b);
  const measured = MEASURED.map((fmr) => ({ fmr, distance: sorted[Math.floor(fmr * one.total) - 1]! }));
  const extended = thresholdForSearch({ points: measured }, 1e-6, 1).maxDistance;
  const calibration = { points: [...measured, { fmr: 1e-6, distance: extended }] };
  const rows = STATED.map((fmr) => {
    const { maxDistance } = thresholdForSearch(calibration, fmr, 1);
    const found = STATED_PHOTOS.map((photos) => {
      const { mated, of } = outcomes.get(`as shipped/${photos}`)!;
      const people = new Map<string, { found: number; all: number }>();
      for (const [i, distance] of mated.entries()) {
        const counts = people.get(of[i]!) ?? { found: 0, all: 0 };
        people.set(of[i]!, { found: counts.found + Number(distance <= maxDistance), all: counts.all + 1 });
      }
      return { photos, ...shareWithInterval([...people.values()]) };
    });
    return { fmr, found };
  });
  return { people: new Set(one.of).size, rows };
}

function shareWithInterval(people: readonly { found: number; all: number }[]) {
  const shareOf = (some: readonly { found: number; all: number }[]) =>
    some.reduce((sum, { found }) => sum + found, 0) / some.reduce((sum, { all }) => sum + all, 0);
  const random = repeatable(people.length);
  const drawn = Array.from({ length: RESAMPLED }, () =>
    shareOf(people.map(() => people[Math.floor(random() * people.length)]!)),
  ).sort((a, b) => a - b);
  const share = shareOf(people);
  const rounded = (value: number) => Number(value.toFixed(4));
  // Without a miss, resampling knows of none: 3 in so many people may be missed (rule of three).
  const low = share === 1 ? 1 - 3 / people.length : drawn[Math.floor(0.025 * RESAMPLED)]!;
  return { share: rounded(share), low: rounded(low), high: rounded(drawn[Math.floor(0.975 * RESAMPLED)]!) };
}

const written: Record<string, Found> = {};

function report(pipeline: keyof typeof RECIPES): string {
  const outcomes = test(pipeline);
  const stated = foundShares(outcomes);
  written[pipeline] = stated;
  const sorted = new Map(
    [...outcomes].map(([key, { nonMated }]) => [key, nonMated.toSorted((a, b) => a - b)]),
  );
  const thresholdOf = (key: string, fmr: number) =>
    sorted.get(key)![Math.max(0, Math.floor(fmr * outcomes.get(key)!.total) - 1)]!;
  const truly = (key: string, distance: number) => {
    const { mated } = outcomes.get(key)!;
    return percent(mated.filter((each) => each <= distance).length / mated.length);
  };
  const rules = Object.keys(RULES).flatMap((rule) =>
    PHOTOS.map((count) => {
      const key = `${rule}/${count}`;
      return [
        `${rule}, ${count}`,
        ...FMRS.map((fmr) => truly(key, thresholdOf(key, fmr))),
        ...FMRS.map((fmr) => (thresholdOf(`nearest/1`, fmr) / thresholdOf(key, fmr)).toFixed(3)),
      ];
    }),
  );
  const shipped = PHOTOS.map((count) => {
    const key = `as shipped/${count}`;
    const { total, mated } = outcomes.get(key)!;
    return [
      count,
      mated.length,
      total,
      ...FMRS.flatMap((fmr) => {
        const distance = thresholdOf('nearest/1', fmr);
        const rate = sorted.get(key)!.filter((each) => each <= distance).length / total;
        return [(rate / fmr).toFixed(2), truly(key, distance)];
      }),
    ];
  });
  return [
    `### ${pipeline}`,
    '',
    table(
      [
        'rule, photos',
        ...FMRS.map((fmr) => `FMR ${fmr.toExponential(0)}`),
        ...FMRS.map((fmr) => `factor ${fmr.toExponential(0)}`),
      ],
      rules,
    ),
    '',
    'The rule that ships, at the distances at which one photo has the stated rate: false match rate per person over the stated one, and true match rate in %.',
    '',
    table(
      [
        'photos',
        'mated',
        'non-mated',
        ...FMRS.flatMap((fmr) => [`FMR over ${fmr.toExponential(0)}`, `found at ${fmr.toExponential(0)}`]),
      ],
      shipped,
    ),
    '',
    `Found in %, of ${stated.people} people, with the 95 % interval over resampled people; from 1e-6 on at the distances of the law beyond the table.`,
    '',
    table(
      ['photos', ...STATED.map((fmr) => `found at ${fmr.toExponential(0)}`)],
      STATED_PHOTOS.map((photos, i) => [
        photos,
        ...stated.rows.map(({ found }) => {
          const { share, low, high } = found[i]!;
          return `${percent(share)} (${percent(low)} to ${percent(high)})`;
        }),
      ]),
    ),
  ].join('\n');
}

publish({
  name: 'persons',
  title: 'Persons with several photos',
  body: [
    `${described.length} photos of LFW. ${halvings} times the people are halved at random, and each half is tested with templates that were fitted on the`,
    'other. A person is as many drawn photos; false match rates (FMR) are per person. True match rate in % of all other photos of',
    'people with more than three photos. Factor: the distance at which one photo has this rate, over that of the rule.',
    '',
    report('full'),
    '',
    report('light'),
  ].join('\n'),
  args: process.argv.slice(2),
});

if (process.argv.at(-1) === 'write')
  await writeFile(
    new URL('../core/vision/found.json', import.meta.url),
    `${JSON.stringify(written, null, 2)}\n`,
  );
