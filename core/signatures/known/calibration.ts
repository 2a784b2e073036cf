import type { KnownCalibration } from './ratios.ts';

/** Fitted on invented signatures by `npm run bench -- signatures known fit`; do not edit by hand. */
export const KNOWN_CALIBRATION: KnownCalibration = {
  modelVersion: 'known-1',
  prior: { likeness: 1.2, weight: 3 },
  natural: 6,
  agreeing: -0.5,
  halfTurns: { medium: 15, high: 35 },
  ratios: {
    imitation: { intercept: 0, mean: 1, among: -0.7, few: 0, bound: 1.62 },
    stranger: { intercept: 1.2, mean: 1.4, among: -0.6, few: 0, bound: 1.62 },
  },
};
