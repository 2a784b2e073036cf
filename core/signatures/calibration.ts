import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by `npm run bench -- signatures fit`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: 'signatures-4',
  features: {
    'match.best': { mean: -1.6303, spread: 0.559, weight: -0.0196 },
    'match.apart': { mean: -2.317, spread: 0.3621, weight: -0.1136 },
    'affine.stretch': { mean: -1.818, spread: 0.7268, weight: -0.3647 },
    'affine.turn': { mean: -2.3547, spread: 0.7997, weight: -0.0592 },
    'elastic.turned': { mean: -1.7765, spread: 0.6174, weight: -0.5257 },
    'elastic.bending': { mean: -2.2475, spread: 0.3695, weight: -0.2373 },
    'elastic.fine': { mean: -0.7262, spread: 0.3746, weight: -0.2396 },
    'elastic.median': { mean: -2.294, spread: 0.3329, weight: -0.6028 },
    'elastic.astray': { mean: -0.5114, spread: 0.5589, weight: -0.3949 },
    'grid.turned': { mean: -0.9846, spread: 0.5771, weight: -0.1104 },
    'manner.directions': { mean: -1.4111, spread: 0.4171, weight: -0.2414 },
    'manner.bends': { mean: -0.843, spread: 0.3863, weight: -0.4959 },
    'shape.spread': { mean: -1.4312, spread: 1.0623, weight: -0.1961 },
    'strokes.ratio': { mean: -1.2842, spread: 1.0102, weight: -0.0673 },
    'expected.tall': { mean: -1.0847, spread: 0.6205, weight: 0.5279 },
    'expected.sprawling': { mean: 0.5601, spread: 0.108, weight: 0.1515 },
    'expected.crowded': { mean: 2.3214, spread: 0.1649, weight: -0.2935 },
  },
  intercept: -0.3552,
  scoreAt40: -0.9218,
  scoreAt70: 1.9743,
};
