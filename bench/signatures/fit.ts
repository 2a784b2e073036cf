/** Fits the matcher's constants on invented signatures and writes them into the product: `npm run bench -- signatures fit`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inventBlock, mannerOf } from './corpus.ts';
import type { PairKind } from './corpus.ts';
import { developSignature, sign } from './hand.ts';
import { DRAWN, LIKE_NAMES, photographed } from './marks.ts';
import { SHORT_NAMES, inventName } from './names.ts';
import type { Name } from './names.ts';
import type { Path } from './pen.ts';
import { Chance } from './random.ts';
import { CALIBRATION } from '../../core/signatures/calibration.ts';
import { cleanInk } from '../../core/signatures/clean.ts';
import { COMPLEXITY_TERMS, complexityOf, complexityTerms } from '../../core/signatures/complexity.ts';
import type { ComplexityLaw } from '../../core/signatures/complexity.ts';
import { shapeOf } from '../../core/signatures/points.ts';
import { fitLogistic } from './logistic.ts';
import { errorRates } from './rates.ts';
import { inOrder } from '../../core/signatures/compare.ts';
import { EXPECTATIONS, FEATURES, measure } from '../../core/signatures/features.ts';
import type { FeatureName } from '../../core/signatures/features.ts';
import { scaled, scoreOf, similarityOf } from '../../core/signatures/fusion.ts';
import type { Calibration } from '../../core/signatures/fusion.ts';

const SEED = 20_261_120;
/** The error rates that are printed are cross-validated over so many parts of the blocks; what ships is fitted on all. */
const PARTS = 5;
const RIDGE = 10;
/** Names the code of cleaning and features too: raise it when they change. */
const MODEL_VERSION = 'signatures-21';

interface Row {
  kind: PairKind;
  block: number;
  values: Record<FeatureName, number>;
}

/** Measures blocks of invented writers, each once: a stopped run goes on where it was. */
function measuredBlocks(blocks: number, cache: string): Row[] {
  mkdirSync(cache, { recursive: true });
  const rows: Row[] = [];
  for (let block = 0; block < blocks; block++) {
    const file = join(cache, `${MODEL_VERSION}-${SEED}-${block}.json`);
    if (!existsSync(file)) {
      const measured = inventBlock(SEED, block).map(({ kind, first, second }) => ({
        kind,
        block,
        values: measure(...inOrder(first, second)).values,
      }));
      writeFileSync(file, JSON.stringify(measured));
      console.log(`block ${block + 1} of ${blocks}: ${measured.length} pairs`);
    }
    rows.push(...(JSON.parse(readFileSync(file, 'utf8')) as Row[]));
  }
  return rows;
}

/**
 * Weights of the kinds: genuine pairs weigh as much as all impostors, and of these other writers twice as much as forgers,
 * because no comparison recognises every skilled imitation.
 */
const KIND_WEIGHTS: Record<PairKind, number> = { genuine: 1 / 2, random: 1 / 3, skilled: 1 / 6 };

/**
 * Fits the regression, and leaves out what would count the wrong way: more distance never makes two signatures more
 * alike. The worst offender goes first, then the rest is fitted again.
 */
function fit(rows: readonly Row[]): { calibration: Calibration; leftOut: FeatureName[] } {
  const moment = new Map(
    FEATURES.map((name) => [name, moments(rows.map((row) => scaled(row.values[name])))] as const),
  );
  const total = (kind: PairKind) => rows.filter((row) => row.kind === kind).length;
  const share = { genuine: total('genuine'), random: total('random'), skilled: total('skilled') };
  const weights = rows.map(({ kind }) => (KIND_WEIGHTS[kind] * rows.length) / share[kind]);
  const labels = rows.map(({ kind }) => (kind === 'genuine' ? 1 : 0));
  const leftOut: FeatureName[] = [];
  for (let names: readonly FeatureName[] = FEATURES; ;) {
    const standard = rows.map(({ values }) =>
      names.map((name) => {
        const { mean, spread } = moment.get(name)!;
        return (scaled(values[name]) - mean) / spread;
      }),
    );
    const beta = fitLogistic(standard, labels, weights, RIDGE);
    const offenders = names.filter((name, i) => !EXPECTATIONS.has(name) && beta[i]! > 0);
    if (offenders.length === 0) return { calibration: calibrationOf(names, moment, beta), leftOut };
    const worst = offenders.reduce((a, b) => (beta[names.indexOf(b)]! > beta[names.indexOf(a)]! ? b : a));
    leftOut.push(worst);
    names = names.filter((name) => name !== worst);
  }
}

function calibrationOf(
  names: readonly FeatureName[],
  moment: ReadonlyMap<FeatureName, { mean: number; spread: number }>,
  beta: readonly number[],
): Calibration {
  const features: Calibration['features'] = {};
  names.forEach((name, i) => {
    const { mean, spread } = moment.get(name)!;
    features[name] = { mean: round(mean), spread: round(spread), weight: round(beta[i]!) };
  });
  return {
    modelVersion: MODEL_VERSION,
    features,
    intercept: round(beta.at(-1)!),
    scoreAt40: 0,
    scoreAt70: 1,
    complexity: CALIBRATION.complexity,
  };
}

/** Shares of pairs of different people at 40 or more: of all, and of those who write alike. */
const PASSING = { all: 0.01, alike: 0.05 };
const FORGERIES_PASSING = 0.1;

/**
 * 40: one in a hundred pairs of different people passes, and in no script, written freely or in full, more than one in
 * twenty. 70: one in ten skilled forgeries passes.
 */
function withFixedPoints(calibration: Calibration, rows: readonly Row[]): Calibration {
  const passing = (of: readonly Row[], share: number) => {
    const scores = of.map((row) => scoreOf(row.values, calibration)).sort((a, b) => b - a);
    return scores[Math.floor(scores.length * share)]!;
  };
  const random = rows.filter(({ kind }) => kind === 'random');
  const alike = Map.groupBy(random, ({ block }) => JSON.stringify(mannerOf(block)));
  const skilled = rows.filter(({ kind }) => kind === 'skilled');
  return {
    ...calibration,
    scoreAt40: round(
      Math.max(passing(random, PASSING.all), ...[...alike.values()].map((of) => passing(of, PASSING.alike))),
    ),
    scoreAt70: round(passing(skilled, FORGERIES_PASSING)),
  };
}

function moments(values: readonly number[]): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.max(1e-6, Math.sqrt(variance)) };
}

const round = (value: number) => Number(value.toFixed(4));

function write(calibration: Calibration): void {
  const { complexity } = calibration;
  const file = join(import.meta.dirname, '..', '..', 'core', 'signatures', 'calibration.ts');
  const lines = Object.entries(calibration.features).map(
    ([name, { mean, spread, weight }]) =>
      `    ${name.includes('.') ? `'${name}'` : name}: { mean: ${mean}, spread: ${spread}, weight: ${weight} },`,
  );
  writeFileSync(
    file,
    `import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by \`npm run bench -- signatures fit\`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: '${calibration.modelVersion}',
  features: {
${lines.join('\n')}
  },
  intercept: ${calibration.intercept},
  scoreAt40: ${calibration.scoreAt40},
  scoreAt70: ${calibration.scoreAt70},
  complexity: {
    weights: { ${COMPLEXITY_TERMS.map((term) => `${term}: ${complexity.weights[term]}`).join(', ')} },
    intercept: ${complexity.intercept},
    least: ${complexity.least},
    leastToMatch: ${complexity.leastToMatch},
  },
};
`,
  );
}

/** Scores of rows by constants that were fitted without their writers. */
function heldOutScores(rows: readonly Row[]): { kind: PairKind; score: number }[] {
  return Array.from({ length: PARTS }, (_, part) => {
    const { calibration } = fit(rows.filter(({ block }) => block % PARTS !== part));
    return rows
      .filter(({ block }) => block % PARTS === part)
      .map(({ kind, values }) => ({ kind, score: scoreOf(values, calibration) }));
  }).flat();
}

/** @param blocks how many blocks of six writers to fit on; a multiple of 14 has every script in both manners alike */
export function fitOnInvented(blocks: number): void {
  const rows = measuredBlocks(blocks, join(tmpdir(), 'vouch-signature-fit'));
  const { calibration, leftOut } = fit(rows);
  for (const name of leftOut) console.log(`left out, since it would count the wrong way: ${name}`);
  const held = heldOutScores(rows);
  const scores = (kind: PairKind) => held.filter((one) => one.kind === kind).map(({ score }) => score);
  for (const kind of ['random', 'skilled'] as const) {
    const { eer, auc } = errorRates(scores('genuine'), scores(kind));
    console.log(`invented, held out: ${kind} EER ${(eer * 100).toFixed(1)} %, AUC ${auc.toFixed(4)}`);
  }
  const fixed = withFixedPoints(calibration, rows);
  write({ ...fixed, complexity: fitComplexity(fixed) });
}

/** Fits the law of complexity alone; the regression stays as it is. */
export function fitComplexityAlone(): void {
  write({ ...CALIBRATION, modelVersion: MODEL_VERSION, complexity: fitComplexity(CALIBRATION) });
}

/** Hands that draw each mark, and people whose signatures the marks are told from: usual ones, and of each kind of short names. */
const HANDS = 50;
const SIGNING = { usual: 150, short: 40 };
/**
 * Pairs of each mark by different hands that may reach a match, as a share; and of those that look like an initial: with 0.003 of
 * these, 1.8 % of the genuine pairs of the development sets would become inconclusive, with 0.02 about 0.5 %.
 */
const MARKS_MATCHING = 0.003;
const LIKE_NAMES_MATCHING = 0.02;

/**
 * The law of complexity: a regression of signatures against marks, and the least complexities with which no more pairs of
 * marks by different hands match than allowed: with which marks are compared, and with which those that look like names, too,
 * may match.
 */
function fitComplexity(calibration: Calibration): ComplexityLaw {
  const seen = (paths: Path[], chance: Chance) => {
    const { ink } = cleanInk(photographed(paths, chance));
    return ink && shapeOf(ink.strokes);
  };
  const kinds = Object.values(DRAWN);
  const marks = [...kinds, ...Object.values(LIKE_NAMES)].map((draw) =>
    Array.from({ length: HANDS }, (_, hand) => {
      const chance = new Chance(SEED + hand);
      return seen(draw(chance), chance);
    }).filter((shape) => shape !== undefined),
  );
  const signed = (count: number, invent: (chance: Chance) => Name) =>
    Array.from({ length: count }, (_, person) => {
      const chance = new Chance(SEED + 10_000 + person);
      return seen(sign(developSignature(invent(chance), chance), chance), chance);
    }).filter((shape) => shape !== undefined);
  const signatures = [
    ...signed(SIGNING.usual, inventName),
    ...Object.values(SHORT_NAMES).flatMap((invent) => signed(SIGNING.short, invent)),
  ];
  const rows = [...marks.flat(), ...signatures].map((shape) => {
    const terms = complexityTerms(shape);
    return COMPLEXITY_TERMS.map((term) => terms[term]);
  });
  const all = marks.flat().length;
  const labels = rows.map((_, i) => (i < all ? 0 : 1));
  const weights = rows.map((_, i) => rows.length / 2 / (i < all ? all : signatures.length));
  const beta = fitLogistic(rows, labels, weights, 1).map(round);
  const law = {
    weights: { strokes: beta[0]!, repeated: beta[1]!, bends: beta[2]!, turns: beta[3]!, mirrored: beta[4]! },
    intercept: beta[5]!,
    least: 0,
    leastToMatch: 0,
  };
  const least = marks.map((shapes, kind) => {
    const complexity = shapes.map((shape) => complexityOf(shape, law));
    const pairs = shapes.flatMap((one, i) =>
      shapes.slice(i + 1, i + 6).map((other, j) => ({
        one,
        other,
        simpler: Math.min(complexity[i]!, complexity[i + 1 + j]!),
      })),
    );
    // From the least simple pair on, until one matches that may not.
    const share = kind < kinds.length ? MARKS_MATCHING : LIKE_NAMES_MATCHING;
    let allowed = Math.floor(share * pairs.length);
    const first = pairs
      .sort((a, b) => b.simpler - a.simpler)
      .find(({ one, other }) => {
        const { values } = measure(...inOrder(one, other));
        return similarityOf(scoreOf(values, calibration), calibration) >= 70 && allowed-- === 0;
      });
    return first?.simpler ?? -Infinity;
  });
  const above = (bounds: readonly number[]) => round(Math.max(...bounds) + 0.0001);
  return { ...law, least: above(least.slice(0, kinds.length)), leastToMatch: above(least) };
}
