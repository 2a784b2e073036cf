import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by `npm run bench -- signatures fit`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: 'signatures-0',
  features: { 'elastic.residual': { mean: -2, spread: 0.2, weight: -2 } },
  intercept: 0,
  scoreAt40: 0,
  scoreAt70: 2,
};
