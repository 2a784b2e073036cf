import type { KnownCalibration } from './ratios.ts';

/** Fitted on invented signatures by `npm run bench -- signatures known fit`; do not edit by hand. */
export const KNOWN_CALIBRATION: KnownCalibration = {
  modelVersion: 'known-2',
  prior: { likeness: 1.0886, weight: 1 },
  natural: 4.593,
  agreeing: -0.1571,
  halfTurns: { medium: 3.1014, high: 5.1496 },
  ratios: {
    imitation: {
      intercept: 0.8167,
      mean: 0.6476,
      among: -0.5235,
      few: -0.5001,
      sure: 1.1681,
      bound: 1.62,
      boundOfMore: 1.07,
    },
    stranger: {
      intercept: 2.8901,
      mean: 2.5857,
      among: -0.8037,
      few: -0.7491,
      sure: 1.1679,
      bound: 1.62,
      boundOfMore: 1.07,
    },
  },
};
