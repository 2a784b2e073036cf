/** Likelihood ratio of two faces by their false match rate, split by person; `-- write` writes core/vision/likelihood.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repeatable } from '../core/domain/calibration/repeatable.ts';
import {
  faceLikelihood,
  logRatio,
  type LikelihoodWeights,
  fmrAtDistance,
  type Calibration,
} from '../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../core/vision/calibration.ts';
import { fuse, lightTemplate } from '../core/vision/fusion.ts';
import fusion from '../core/vision/fusion.json' with { type: 'json' };
import { compareAll, type Comparisons } from '../bench/accuracy/comparisons.ts';
import { describeSet } from '../bench/accuracy/describing.ts';
import { loadOurs, PARTS, partsOf } from '../bench/accuracy/ours.ts';
import { lfw, orl, type PhotoSet } from '../bench/accuracy/photos.ts';
import { publish, table } from '../bench/report.ts';
import { fitLogistic } from '../bench/signatures/logistic.ts';

const TEMPLATES = {
  full: (vector: Float32Array) => fuse(partsOf(vector), fusion),
  light: (vector: Float32Array) => lightTemplate(partsOf(vector).mobile, fusion),
};
type Name = keyof typeof TEMPLATES;

/** The rule of 30: a share is measured where 30 independent pairs decide (core/domain/calibration/measure.ts). */
const RULE_OF_30 = 30;
const ROUNDS = 400;
const HALVINGS = 6;
/** Steps in which the rarity of non-mated pairs is counted. */
const STEP = 0.01;
/** No pair of two people is rarer, −log10. */
const LONGEST = 100;
/** Draws for the interval of the ratio. */
const DRAWS = 100;

/** A pair as the fit has it. Every person with several photos counts once, and so do all non-mated pairs together. */
interface Pairs {
  mated: { person: number; rarity: number; weight: number }[];
  nonMated: { a: number; b: number; rarity: number }[];
  people: number;
  /** People with several photos. */
  several: number;
}

/** −log10 of the false match rate; beyond the calibrated distances on the line of the last two points, so that no pairs pile up there. */
function rarityOf({ points }: Calibration, distance: number): number {
  const [before, last] = points.slice(-2) as [Calibration['points'][number], Calibration['points'][number]];
  if (distance >= last.distance) return -Math.log10(fmrAtDistance({ points }, distance));
  const slope = Math.log10(before.fmr / last.fmr) / (before.distance - last.distance);
  return -Math.log10(last.fmr) + slope * (last.distance - distance);
}

function pairsOf({ identities, mated, nonMated }: Comparisons, calibration: Calibration): Pairs {
  const photos = new Map<number, number>();
  const seen = [...mated.distance.keys()].filter((i) => Number.isFinite(mated.distance[i]));
  for (const i of seen) photos.set(mated.identity[i]!, (photos.get(mated.identity[i]!) ?? 0) + 1);
  return {
    people: identities.length,
    several: photos.size,
    mated: seen.map((i) => ({
      person: mated.identity[i]!,
      rarity: rarityOf(calibration, mated.distance[i]!),
      weight: 1 / photos.get(mated.identity[i]!)!,
    })),
    nonMated: Array.from(nonMated.distance, (distance, i) => ({
      a: nonMated.a[i]!,
      b: nonMated.b[i]!,
      rarity: rarityOf(calibration, distance),
    })),
  };
}

function among({ mated, nonMated }: Pairs, has: (person: number) => boolean): Pairs {
  const kept = mated.filter(({ person }) => has(person));
  return {
    people: 0,
    several: new Set(kept.map(({ person }) => person)).size,
    mated: kept,
    nonMated: nonMated.filter(({ a, b }) => has(a) && has(b)),
  };
}

type Line = Pick<LikelihoodWeights, 'intercept' | 'slope'>;
type Bounded = Omit<LikelihoodWeights, 'people' | 'one_person' | 'two_people'>;

/**
 * Logistic regression with both kinds of pairs of equal weight: the log-odds are then the log of the likelihood ratio.
 * @param times how often each person counts
 */
function fit({ mated: all, nonMated }: Pairs, times?: Uint8Array): Line {
  const counts = new Float64Array(LONGEST / STEP);
  let pairs = 0;
  for (const { a, b, rarity } of nonMated) {
    const step = Math.round(rarity / STEP);
    const counted = times === undefined ? 1 : times[a]! * times[b]!;
    counts[step]! += counted;
    pairs += counted;
  }
  const mated = all.map((each) => ({ ...each, weight: each.weight * (times?.[each.person] ?? 1) }));
  const total = mated.reduce((sum, { weight }) => sum + weight, 0);
  const others = [...counts.entries()].filter(([, count]) => count > 0);
  const [slope = 0, intercept = 0] = fitLogistic(
    [
      ...mated.map(({ rarity }) => [Math.log10(rarity)]),
      ...others.map(([step]) => [Math.log10(step * STEP)]),
    ],
    [...mated.map(() => 1), ...others.map(() => 0)],
    [
      ...mated.map(({ weight }) => (1000 * weight) / total),
      ...others.map(([, count]) => (1000 * count) / pairs),
    ],
    0,
  ).map((value) => Number((value / Math.LN10).toFixed(3)));
  return { intercept, slope };
}

/** Bounds by the rule of 30: pairs of two persons above, people with several photos below; no ratio beyond the calibrated rates. */
function boundsOf({ people, several }: Pairs, { intercept, slope }: Line, { points }: Calibration) {
  const rarest = logRatio({ intercept, slope }, -Math.log10(points.at(-1)!.fmr));
  const twoPersons = (people * (people - 1)) / 2;
  const floor = (value: number) => Math.floor(100 * value) / 100;
  return {
    lowest: -floor(Math.log10(several / RULE_OF_30)),
    highest: floor(Math.min(rarest, Math.log10(twoPersons / RULE_OF_30))),
  };
}

/** The stated log10 of the ratio at this rarity. */
const stated = (weights: Bounded, rarity: number) =>
  Math.min(weights.highest, Math.max(weights.lowest, logRatio(weights, rarity)));

/** Cost of the log likelihood ratios, in bits: 0 is perfect, 1 says nothing. */
function costOf({ mated, nonMated }: Pairs, weights: Bounded): number {
  let same = 0;
  let total = 0;
  for (const { rarity, weight } of mated) {
    same += weight * Math.log2(1 + 10 ** -stated(weights, rarity));
    total += weight;
  }
  let other = 0;
  for (const { rarity } of nonMated) other += Math.log2(1 + 10 ** stated(weights, rarity));
  return (same / total + other / nonMated.length) / 2;
}

/** Shares of pairs that support the wrong proposition at least `least` times. @param times how often each person counts */
function misleading({ mated, nonMated }: Pairs, weights: Bounded, least = 0, times?: Uint8Array) {
  let [wrongSame, same, wrongOther, other] = [0, 0, 0, 0];
  for (const { person, rarity, weight } of mated) {
    const counts = weight * (times?.[person] ?? 1);
    same += counts;
    if (stated(weights, rarity) < -least) wrongSame += counts;
  }
  for (const { a, b, rarity } of nonMated) {
    const counts = (times?.[a] ?? 1) * (times?.[b] ?? 1);
    other += counts;
    if (stated(weights, rarity) > least) wrongOther += counts;
  }
  return { mated: wrongSame / same, nonMated: wrongOther / other };
}

function errorsOf(pairs: Pairs, weights: Bounded): Pick<LikelihoodWeights, 'one_person' | 'two_people'> {
  const found = misleading(pairs, weights);
  // Only these pairs of two people count; their total stays the same on average when people are drawn again.
  const wrong = pairs.nonMated.filter(({ rarity }) => stated(weights, rarity) > 0);
  const random = repeatable(1);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const times = new Uint8Array(pairs.people);
    for (const _ of times) times[Math.floor(random() * pairs.people)]!++;
    const counted = wrong.reduce((sum, { a, b }) => sum + times[a]! * times[b]!, 0);
    const { mated } = misleading({ ...pairs, nonMated: [] }, weights, 0, times);
    return { mated, nonMated: counted / pairs.nonMated.length };
  });
  const shareOf = (kind: 'mated' | 'nonMated') => {
    const sorted = rounds.map((round) => round[kind]).sort((a, b) => a - b);
    const round = (value: number) => Number(value.toPrecision(2));
    return {
      share: round(found[kind]),
      from: round(sorted[Math.floor(0.025 * ROUNDS)]!),
      to: round(sorted[Math.floor(0.975 * ROUNDS)]!),
    };
  };
  return { one_person: shareOf('mated'), two_people: shareOf('nonMated') };
}

/** Variances of intercept and slope, and their covariance, when people are drawn again. */
function spreadOf(pairs: Pairs): LikelihoodWeights['spread'] {
  const random = repeatable(2);
  const lines = Array.from({ length: DRAWS }, () => {
    const times = new Uint8Array(pairs.people);
    for (const _ of times) times[Math.floor(random() * pairs.people)]!++;
    return fit(pairs, times);
  });
  const mean = (of: (line: Line) => number) => lines.reduce((sum, line) => sum + of(line), 0) / DRAWS;
  const [a, b] = [mean(({ intercept }) => intercept), mean(({ slope }) => slope)];
  const round = (value: number) => Number(value.toPrecision(4));
  return {
    intercept: round(mean(({ intercept }) => (intercept - a) ** 2)),
    both: round(mean(({ intercept, slope }) => (intercept - a) * (slope - b))),
    slope: round(mean(({ slope }) => (slope - b) ** 2)),
  };
}

function weightsOf(pairs: Pairs, calibration: Calibration): LikelihoodWeights {
  const line = fit(pairs);
  const bounded = { ...line, ...boundsOf(pairs, line, calibration), spread: spreadOf(pairs) };
  return { ...bounded, people: pairs.several, ...errorsOf(pairs, bounded) };
}

async function comparisonsOf(set: PhotoSet): Promise<Record<Name, Comparisons>> {
  const parts = await describeSet(set, loadOurs, PARTS);
  const compare = (name: Name) =>
    compareAll(
      set.photos,
      parts.map((each) => each && TEMPLATES[name](each)),
    );
  return { full: compare('full'), light: compare('light') };
}

const [press, studio] = [await comparisonsOf(lfw()), await comparisonsOf(orl())];
const names = Object.keys(TEMPLATES) as Name[];
const fitted = Object.fromEntries(
  names.map((name) => {
    const pairs = pairsOf(press[name], CALIBRATIONS[name]);
    return [name, { pairs, weights: weightsOf(pairs, CALIBRATIONS[name]) }];
  }),
) as Record<Name, { pairs: Pairs; weights: LikelihoodWeights }>;

if (process.argv.includes('write')) {
  const file = join(import.meta.dirname, '..', 'core', 'vision', 'likelihood.json');
  const weights = Object.fromEntries(names.map((name) => [name, fitted[name].weights]));
  writeFileSync(file, `${JSON.stringify(weights, null, 2)}\n`);
  console.log('core/vision/likelihood.json written');
}

/** Means over halvings of the people: fitted on one half, measured on the other. */
function crossValidated(name: Name) {
  const { pairs, weights } = fitted[name];
  const results = Array.from({ length: HALVINGS }, (_, seed) => {
    const random = repeatable(1 + seed);
    const first = Array.from({ length: pairs.people }, () => random() < 0.5);
    const line = fit(among(pairs, (person) => first[person]!));
    const rest = among(pairs, (person) => !first[person]!);
    const { lowest, highest } = weights;
    const tried = { ...weights, ...line, lowest, highest };
    return { line, cost: costOf(rest, tried), ...misleading(rest, tried) };
  });
  const mean = (of: (result: (typeof results)[number]) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / HALVINGS;
  return {
    slopes: results.map(({ line }) => line.slope),
    cost: mean(({ cost }) => cost),
    mated: mean(({ mated }) => mated),
    nonMated: mean(({ nonMated }) => nonMated),
  };
}

/** Measured ratio of the pairs in each band of the stated one: it should lie in the band. */
function reliability({ mated, nonMated }: Pairs, weights: LikelihoodWeights): string[] {
  const total = mated.reduce((sum, { weight }) => sum + weight, 0);
  return BANDS.map(([from, to]) => {
    const inside = ({ rarity }: { rarity: number }) => {
      const value = logRatio(weights, rarity);
      return value >= from && value < to;
    };
    const same = mated.filter(inside).reduce((sum, { weight }) => sum + weight, 0) / total;
    const other = nonMated.filter(inside).length;
    return other < 3 || same === 0 ? '–' : (same / (other / nonMated.length)).toPrecision(2);
  });
}
const BANDS = [
  [-9, -1],
  [-1, 0],
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 4],
] as const;

/** False match rates of stated intervals, as −log10. */
const SHOWN_RARITIES = [1, 2, 3, 4, 5] as const;

const percent = (share: number) => `${(100 * share).toPrecision(2)} %`;
const sets = names.flatMap((name) => [
  { name, set: 'LFW', ...fitted[name] },
  { name, set: 'ORL', pairs: pairsOf(studio[name], CALIBRATIONS[name]), weights: fitted[name].weights },
]);
const validated = names.map((name) => ({ name, ...crossValidated(name) }));

publish({
  name: 'likelihood',
  title: 'Likelihood ratio of two faces',
  body: [
    'log10 of the ratio = intercept + slope · log10 rarity, rarity = −log10 of the false match rate of the similarity. Fitted on all pairs of LFW by logistic',
    'regression; each person with several photos counts once. ORL was not used. Bounds by the rule of 30: pairs of two people above, people',
    'with several photos below.',
    '',
    table(
      ['pipeline', 'intercept', 'slope', 'lowest', 'highest', 'people with several photos'],
      names.map((name) => {
        const { intercept, slope, lowest, highest, people } = fitted[name].weights;
        return [name, intercept, slope, lowest, highest, people];
      }),
    ),
    '',
    `95 % interval of a stated ratio: people drawn again ${DRAWS} times.`,
    '',
    table(
      ['pipeline', ...SHOWN_RARITIES.map((rarity) => `false match rate 1e-${rarity}`)],
      names.map((name) => [
        name,
        ...SHOWN_RARITIES.map((rarity) => {
          const { log10, from, to } = faceLikelihood(fitted[name].weights, 10 ** -rarity);
          return [log10, from, to].map((value) => (10 ** value).toPrecision(2)).join(' · ');
        }),
      ]),
    ),
    '',
    `Halves of the people, ${HALVINGS} times: fitted on one half, measured on the other. Cost in bits: 0 is perfect, 1 says nothing.`,
    '',
    table(
      [
        'pipeline',
        'slopes of the halves',
        'cost',
        'one person, support for two',
        'two people, support for one',
      ],
      validated.map(({ name, slopes, cost, mated, nonMated }) => [
        name,
        `${Math.min(...slopes).toFixed(2)} to ${Math.max(...slopes).toFixed(2)}`,
        cost.toFixed(4),
        percent(mated),
        percent(nonMated),
      ]),
    ),
    '',
    'Wrong support by at least a factor, and the measured ratio of the pairs in each band of the stated one.',
    '',
    table(
      [
        'pipeline, set',
        'one person < 1',
        '≤ 1/10',
        'two people > 1',
        '≥ 10',
        '≥ 100',
        '≥ 1000',
        'below 1/10',
        '1/10–1',
        '1–10',
        '10–100',
        '100–1000',
        '1000–10,000',
      ],
      sets.map(({ name, set, pairs, weights }) => {
        const wrong = [0, 1, 2, 3].map((least) => misleading(pairs, weights, least));
        return [
          `${name}, ${set}`,
          ...wrong.slice(0, 2).map(({ mated }) => percent(mated)),
          ...wrong.map(({ nonMated }) => percent(nonMated)),
          ...reliability(pairs, weights),
        ];
      }),
    ),
  ].join('\n'),
});
