/** Fits the matcher's constants on invented signatures and writes them into the product: `npm run bench -- signatures fit`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inventBlock } from './corpus.ts';
import type { PairKind } from './corpus.ts';
import { fitLogistic } from './logistic.ts';
import { errorRates } from './rates.ts';
import { FEATURES, measure } from '../../core/vision/signatures/features.ts';
import type { FeatureName } from '../../core/vision/signatures/features.ts';
import { scaled, scoreOf } from '../../core/vision/signatures/fusion.ts';
import type { Calibration } from '../../core/vision/signatures/fusion.ts';

const SEED = 20_261_120;
/** Every fifth block is not fitted on: its error rates are printed, and the two fixed points are set on all. */
const HELD_OUT = 5;
const RIDGE = 100;
/** Names the code of cleaning and features too: raise it when they change. */
const MODEL_VERSION = 'signatures-2';

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
    const file = join(cache, `${SEED}-${block}.json`);
    if (!existsSync(file)) {
      const measured = inventBlock(SEED, block).map(({ kind, first, second }) => ({
        kind,
        block,
        values: measure(first, second).values,
      }));
      writeFileSync(file, JSON.stringify(measured));
      console.log(`block ${block + 1} of ${blocks}: ${measured.length} pairs`);
    }
    rows.push(...(JSON.parse(readFileSync(file, 'utf8')) as Row[]));
  }
  return rows;
}

function fit(rows: readonly Row[]): Calibration {
  const spread = FEATURES.map((name) => moments(rows.map((row) => scaled(row.values[name]))));
  const standard = (row: Row) =>
    FEATURES.map((name, i) => (scaled(row.values[name]) - spread[i]!.mean) / spread[i]!.spread);
  const genuine = rows.filter((row) => row.kind === 'genuine').length / rows.length;
  const weights = rows.map((row) => (row.kind === 'genuine' ? 0.5 / genuine : 0.5 / (1 - genuine)));
  const beta = fitLogistic(
    rows.map(standard),
    rows.map((row) => (row.kind === 'genuine' ? 1 : 0)),
    weights,
    RIDGE,
  );
  const features: Calibration['features'] = {};
  FEATURES.forEach((name, i) => {
    features[name] = {
      mean: round(spread[i]!.mean),
      spread: round(spread[i]!.spread),
      weight: round(beta[i]!),
    };
  });
  return {
    modelVersion: MODEL_VERSION,
    features,
    intercept: round(beta.at(-1)!),
    scoreAt40: 0,
    scoreAt70: 1,
  };
}

/** 40: one in a hundred random pairs passes. 70: one in ten imitations passes. */
function withFixedPoints(calibration: Calibration, rows: readonly Row[]): Calibration {
  const scores = (kind: PairKind) =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => scoreOf(row.values, calibration))
      .sort((a, b) => b - a);
  const passing = (sorted: number[], share: number) => round(sorted[Math.floor(sorted.length * share)]!);
  return {
    ...calibration,
    scoreAt40: passing(scores('random'), 0.01),
    scoreAt70: passing(scores('skilled'), 0.1),
  };
}

function moments(values: readonly number[]): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.max(1e-6, Math.sqrt(variance)) };
}

const round = (value: number) => Number(value.toFixed(4));

function write(calibration: Calibration): void {
  const file = join(import.meta.dirname, '../../core/vision/signatures/calibration.ts');
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
};
`,
  );
}

/** @param blocks how many blocks of six writers to fit on */
export function fitOnInvented(blocks: number): void {
  const rows = measuredBlocks(blocks, join(tmpdir(), 'vouch-signature-fit'));
  const fitted = fit(rows.filter((row) => row.block % HELD_OUT !== 0));
  const calibration = withFixedPoints(fitted, rows);
  const held = rows.filter((row) => row.block % HELD_OUT === 0);
  const scores = (kind: PairKind) =>
    held.filter((row) => row.kind === kind).map((row) => scoreOf(row.values, calibration));
  for (const kind of ['random', 'skilled'] as const) {
    const { eer, auc } = errorRates(scores('genuine'), scores(kind));
    console.log(`invented, held out: ${kind} EER ${(eer * 100).toFixed(1)} %, AUC ${auc.toFixed(4)}`);
  }
  write(calibration);
}
