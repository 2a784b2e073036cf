import type { Calibration } from './fusion.ts';

/** Fitted on invented signatures by `npm run bench -- signatures fit`; do not edit by hand. */
export const CALIBRATION: Calibration = {
  modelVersion: 'signatures-6',
  features: {
    'match.best': { mean: -1.662, spread: 0.5352, weight: -0.1807 },
    'match.apart': { mean: -2.384, spread: 0.3776, weight: -0.0733 },
    'affine.stretch': { mean: -1.9765, spread: 0.7422, weight: -0.3132 },
    'affine.turn': { mean: -2.6043, spread: 0.6005, weight: -0.1093 },
    'elastic.turned': { mean: -1.8235, spread: 0.5811, weight: -0.2669 },
    'elastic.bending': { mean: -2.3088, spread: 0.376, weight: -0.399 },
    'elastic.fine': { mean: -0.7562, spread: 0.3695, weight: -0.2671 },
    'elastic.median': { mean: -2.3377, spread: 0.3163, weight: -0.6666 },
    'elastic.astray': { mean: -0.5417, spread: 0.6087, weight: -0.4071 },
    'grid.turned': { mean: -1.0512, spread: 0.5596, weight: -0.2125 },
    'manner.directions': { mean: -1.4255, spread: 0.3894, weight: -0.1492 },
    'manner.bends': { mean: -0.8102, spread: 0.3651, weight: -0.4647 },
    'shape.spread': { mean: -1.5075, spread: 1.0058, weight: -0.0374 },
    'strokes.ratio': { mean: -1.3384, spread: 0.9556, weight: -0.0999 },
    'expected.tall': { mean: -1.3224, spread: 0.6431, weight: 0.7024 },
    'expected.sprawling': { mean: 0.5588, spread: 0.1047, weight: -0.0447 },
    'expected.crowded': { mean: 2.2904, spread: 0.1794, weight: -0.2064 },
    'expected.level': { mean: -0.6306, spread: 0.2032, weight: 0.0714 },
  },
  intercept: -0.1932,
  scoreAt40: -0.1412,
  scoreAt70: 2.0222,
  complexity: { weights: { strokes: 1.7, repeated: -5, bends: 2.5 }, intercept: 5, least: -99 },
};
