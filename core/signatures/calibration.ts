import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by `npm run bench -- signatures fit`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: 'signatures-21',
  features: {
    'match.best': { mean: -1.6614, spread: 0.5368, weight: -0.2094 },
    'match.apart': { mean: -2.3811, spread: 0.3832, weight: -0.0575 },
    'affine.stretch': { mean: -1.9641, spread: 0.7469, weight: -0.3306 },
    'affine.turn': { mean: -2.4722, spread: 0.786, weight: -0.1523 },
    'elastic.turned': { mean: -1.8212, spread: 0.5844, weight: -0.3158 },
    'elastic.bending': { mean: -2.3073, spread: 0.3772, weight: -0.4338 },
    'elastic.fine': { mean: -0.756, spread: 0.3706, weight: -0.2575 },
    'elastic.median': { mean: -2.3373, spread: 0.3186, weight: -0.6405 },
    'elastic.astray': { mean: -0.5413, spread: 0.6093, weight: -0.4253 },
    'grid.turned': { mean: -1.0404, spread: 0.5659, weight: -0.1315 },
    'manner.directions': { mean: -1.4246, spread: 0.3898, weight: -0.1501 },
    'manner.bends': { mean: -0.8117, spread: 0.3644, weight: -0.472 },
    'shape.spread': { mean: -1.5049, spread: 1.0072, weight: -0.0582 },
    'strokes.ratio': { mean: -1.3384, spread: 0.9556, weight: -0.0964 },
    'expected.tall': { mean: -1.305, spread: 0.6788, weight: 0.7121 },
    'expected.sprawling': { mean: 0.5588, spread: 0.1047, weight: -0.067 },
    'expected.crowded': { mean: 2.2904, spread: 0.1794, weight: -0.1946 },
    'expected.level': { mean: -0.6335, spread: 0.2036, weight: 0.1372 },
  },
  intercept: -0.2255,
  scoreAt40: -0.1247,
  scoreAt70: 2.0596,
  complexity: {
    weights: { strokes: 0.6234, repeated: -3.1417, bends: 5.6667, turns: -0.357, mirrored: -4.4152 },
    intercept: -0.5128,
    least: -0.3502,
    leastToMatch: 0.9375,
  },
};
