import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by `npm run bench -- signatures fit`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: 'signatures-3',
  features: {
    'match.best': { mean: -1.6266, spread: 0.5627, weight: -0.0488 },
    'match.mutual': { mean: -0.4763, spread: 0.2982, weight: -0.0292 },
    'match.apart': { mean: -2.3262, spread: 0.3592, weight: -0.0447 },
    'affine.stretch': { mean: -1.8188, spread: 0.7189, weight: -0.3128 },
    'affine.turn': { mean: -2.3552, spread: 0.7895, weight: -0.055 },
    'elastic.turned': { mean: -1.7753, spread: 0.6194, weight: -0.4709 },
    'elastic.bending': { mean: -2.2553, spread: 0.3659, weight: -0.2467 },
    'elastic.fine': { mean: -0.7268, spread: 0.3792, weight: -0.269 },
    'elastic.median': { mean: -2.2946, spread: 0.3373, weight: -0.6396 },
    'elastic.astray': { mean: -0.5192, spread: 0.5727, weight: -0.3579 },
    'grid.turned': { mean: -0.9859, spread: 0.5693, weight: -0.2582 },
    'manner.directions': { mean: -1.4081, spread: 0.4142, weight: -0.1238 },
    'manner.bends': { mean: -0.8419, spread: 0.3857, weight: -0.5182 },
    'shape.spread': { mean: -1.4406, spread: 1.0711, weight: -0.1851 },
    'strokes.ratio': { mean: -1.2642, spread: 1.0257, weight: -0.1226 },
    chance: { mean: -0.8943, spread: 0.2511, weight: 0.1285 },
    tall: { mean: -1.102, spread: 0.5908, weight: 0.4564 },
  },
  intercept: -0.3684,
  scoreAt40: -0.9482,
  scoreAt70: 2.0746,
};
