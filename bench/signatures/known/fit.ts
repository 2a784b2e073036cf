/** Fits the constants of the known-set rule on invented writers and writes them into the product. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_ALTERNATIVES } from '../../../core/contracts/knownSignatures.ts';
import type { KnownAlternative } from '../../../core/contracts/knownSignatures.ts';
import { meanOf, pairsAmong } from '../../../core/signatures/known/likeness.ts';
import { RATIO_TERMS, ratioTerms } from '../../../core/signatures/known/ratios.ts';
import type { KnownCalibration, RatioWeights } from '../../../core/signatures/known/ratios.ts';
import { fitLogistic } from '../logistic.ts';
import { drawnCases, logitOfValues } from './draws.ts';
import type { Case, CaseKind } from './draws.ts';
import { measuredGroups } from './measured.ts';
import type { MeasuredGroup } from './measured.ts';

/** Sizes of the sets on which the weights are fitted; every size counts the same. */
const SIZES = [1, 2, 3, 5, 10];
/** The prior counts as one known signature; 0.5 and 3 gave no lower error on the invented writers. */
const PRIOR_WEIGHT = 1;
/**
 * Real writers on whom the rule is validated, and those of them with more than three known signatures: no likelihood ratio
 * beyond their number can be supported.
 */
const VALIDATION_WRITERS = { all: 42, withMore: 12 };
/** Above the most alike pair of natural signatures, log-odds. */
const MARGIN = 0.2;

const round = (value: number) => Number(value.toFixed(4));

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;
}

/** @param writers how many invented writers to fit on */
export async function fitKnown(writers: number): Promise<void> {
  const groups = await measuredGroups('invented', writers);
  const pairs = groups.map((group) => group.among.flat().map(logitOfValues));
  const cases = SIZES.map((size) => drawnCases(groups, size));
  const prior = { likeness: round(meanOf(pairs.map(meanOf))), weight: PRIOR_WEIGHT };
  const setsOfFive = cases[SIZES.indexOf(5)]!.map(({ likeness }) => meanOf(pairsAmong(likeness.among)));
  const turns = groups.flatMap(({ halfTurns }: MeasuredGroup) => halfTurns);
  write({
    modelVersion: 'known-3',
    prior,
    natural: round(quantile(pairs.flat(), 1) + MARGIN),
    agreeing: round(quantile(setsOfFive, 0.05)),
    halfTurns: { medium: round(quantile(turns, 1 / 3)), high: round(quantile(turns, 2 / 3)) },
    ratios: {
      imitation: weightsOf(cases, 'imitation', prior),
      stranger: weightsOf(cases, 'stranger', prior),
    },
  });
}

/** Genuine and alternative cases of each size weigh the same, so that the log-odds are a log likelihood ratio. */
function weightsOf(
  cases: readonly (readonly Case[])[],
  alternative: KnownAlternative,
  prior: KnownCalibration['prior'],
): RatioWeights {
  const used = cases.flatMap((ofSize) => {
    const share = (kind: CaseKind) => 1000 / ofSize.filter((one) => one.kind === kind).length;
    const weights = new Map<CaseKind, number>([
      ['genuine', share('genuine')],
      [alternative, share(alternative)],
    ]);
    return ofSize.flatMap((one) => {
      const weight = weights.get(one.kind);
      return weight === undefined ? [] : [{ one, weight }];
    });
  });
  const rows = used.map(({ one: { likeness } }) => {
    const terms = ratioTerms(likeness, { prior });
    return RATIO_TERMS.map((name) => terms[name]);
  });
  const labels = used.map(({ one }) => (one.kind === 'genuine' ? 1 : 0));
  const weights = used.map(({ weight }) => weight);
  const [mean = 0, among = 0, few = 0, sure = 0, intercept = 0] = fitLogistic(rows, labels, weights, 1).map(
    (value) => round(value / Math.LN10),
  );
  const [bound = 0, boundOfMore = 0] = [VALIDATION_WRITERS.all, VALIDATION_WRITERS.withMore].map(
    (writers) => Math.floor(100 * Math.log10(writers)) / 100,
  );
  return { intercept, mean, among, few, sure, bound, boundOfMore };
}

function write({ ratios, ...calibration }: KnownCalibration): void {
  const { modelVersion, prior, natural, agreeing, halfTurns } = calibration;
  const row = (alternative: KnownAlternative) => {
    const { intercept, mean, among, few, sure, bound, boundOfMore } = ratios[alternative];
    return `    ${alternative}: { intercept: ${intercept}, mean: ${mean}, among: ${among}, few: ${few}, sure: ${sure}, bound: ${bound}, boundOfMore: ${boundOfMore} },`;
  };
  writeFileSync(
    join(import.meta.dirname, '..', '..', '..', 'core', 'signatures', 'known', 'calibration.ts'),
    `import type { KnownCalibration } from './ratios.ts';

/** Fitted on invented signatures by \`npm run bench -- signatures known fit\`; do not edit by hand. */
export const KNOWN_CALIBRATION: KnownCalibration = {
  modelVersion: '${modelVersion}',
  prior: { likeness: ${prior.likeness}, weight: ${prior.weight} },
  natural: ${natural},
  agreeing: ${agreeing},
  halfTurns: { medium: ${halfTurns.medium}, high: ${halfTurns.high} },
  ratios: {
${KNOWN_ALTERNATIVES.map(row).join('\n')}
  },
};
`,
  );
}
