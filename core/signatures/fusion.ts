/** From measured features to a similarity: logistic regression, then a scale on which 40 and 70 mean something. */
import type { ComplexityLaw } from './complexity.ts';
import type { FeatureName } from './features.ts';

/** Shape of the constants that `npm run bench -- signatures fit` writes. */
export interface Calibration {
  modelVersion: string;
  /** Per feature: mean and spread of ln(value + 0.02) over the fitted pairs, and its weight; 0 leaves it out. */
  features: Partial<Record<FeatureName, { mean: number; spread: number; weight: number }>>;
  intercept: number;
  /** Scores that become the similarities 40 and 70. */
  scoreAt40: number;
  scoreAt70: number;
  complexity: ComplexityLaw;
}

const FLOOR = 0.02;

/** The features' own scale: they are distances, and what counts is their ratio. */
export function scaled(value: number): number {
  return Math.log(Math.max(0, value) + FLOOR);
}

/** Log-odds of the same hand, for the mix of pairs that was fitted. */
export function scoreOf(values: Record<FeatureName, number>, calibration: Calibration): number {
  let score = calibration.intercept;
  for (const [name, { mean, spread, weight }] of Object.entries(calibration.features))
    score += weight * ((scaled(values[name as FeatureName]) - mean) / spread);
  return score;
}

const LOGIT_40 = Math.log(0.4 / 0.6);
const LOGIT_70 = Math.log(0.7 / 0.3);

/** The similarity of a score as log-odds: the line through both fixed points. Several similarities are averaged in it. */
export function logitOf(
  score: number,
  { scoreAt40, scoreAt70 }: Pick<Calibration, 'scoreAt40' | 'scoreAt70'>,
): number {
  return LOGIT_40 + ((LOGIT_70 - LOGIT_40) / (scoreAt70 - scoreAt40)) * (score - scoreAt40);
}

/** 0 to 100, two decimals. @param logit as {@link logitOf} gives it */
export function similarityOfLogit(logit: number): number {
  return Math.round(10_000 / (1 + Math.exp(-logit))) / 100;
}

/** 0 to 100, two decimals: the logistic curve through both fixed points. */
export function similarityOf(
  score: number,
  calibration: Pick<Calibration, 'scoreAt40' | 'scoreAt70'>,
): number {
  return similarityOfLogit(logitOf(score, calibration));
}
