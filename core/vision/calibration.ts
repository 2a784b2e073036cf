import type { Calibration } from '../domain/scores.ts';

/**
 * Impostor distances of `blaze-mesh68-area-mirror.d128/1`: all 654,940 pairs of one photo each of 1,145 people (LFW,
 * folds 1–3). The last point rests on the single nearest pair of strangers.
 */
export const CALIBRATION: Calibration = {
  points: [
    { fmr: 0.5, distance: 0.5637 },
    { fmr: 1e-1, distance: 0.4839 },
    { fmr: 1e-2, distance: 0.4216 },
    { fmr: 1e-3, distance: 0.3765 },
    { fmr: 1e-4, distance: 0.3399 },
    { fmr: 1e-5, distance: 0.3022 },
    { fmr: 1e-6, distance: 0.2555 },
  ],
};
