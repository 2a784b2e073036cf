import type { KnownCalibration } from './ratios.ts';

/** Fitted on invented signatures by `npm run bench -- signatures known fit`; do not edit by hand. */
export const KNOWN_CALIBRATION: KnownCalibration = {
  modelVersion: 'known-3',
  prior: { likeness: 0.8567, weight: 1 },
  natural: 4.9457,
  agreeing: -0.5223,
  halfTurns: { medium: 2.5888, high: 4.4674 },
  ratios: {
    imitation: {
      intercept: 0.7909,
      mean: 0.6548,
      among: -0.4178,
      few: -0.4602,
      sure: 0.8391,
      bound: 1.62,
      boundOfMore: 1.07,
    },
    stranger: {
      intercept: 2.1947,
      mean: 1.6037,
      among: -0.6525,
      few: -0.3845,
      sure: 0.6312,
      bound: 1.62,
      boundOfMore: 1.07,
    },
  },
};
