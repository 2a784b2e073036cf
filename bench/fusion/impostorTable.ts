/** The table of impostor distances that ships with a pipeline. */
import type { Calibration } from '../../core/domain/scores.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';

/** Rates whose distance is read off the comparisons; rarer ones rest on too few pairs. */
const MEASURED = [0.5, 1e-1, 1e-2, 1e-3, 1e-4];
const EXTRAPOLATED = [1e-5, 1e-6];
/** The part of the tail that the extrapolation is fitted to: 2,700 pairs of LFW's 2.7 million at one end, 27 at the other. */
const FITTED_FROM = -3;
const FITTED_TO = -5;
const FITTED_POINTS = 9;

/** @param sorted all non-mated distances, rising */
export function impostorTable(sorted: Float32Array): Calibration {
  const extrapolate = tailOf(sorted);
  const points = [
    ...MEASURED.map((fmr) => ({ fmr, distance: thresholdAt(sorted, fmr) })),
    ...EXTRAPOLATED.map((fmr) => ({ fmr, distance: extrapolate(fmr) })),
  ];
  return { points: points.map(({ fmr, distance }) => ({ fmr, distance: Number(distance.toFixed(4)) })) };
}

/**
 * Least-squares line through distance over the root of −log FMR: straight for a distribution whose lower tail falls off
 * as a normal one's does, which the measured part bears out.
 */
function tailOf(sorted: Float32Array): (fmr: number) => number {
  const points = Array.from({ length: FITTED_POINTS }, (_, i) => {
    const fmr = 10 ** (FITTED_FROM + ((FITTED_TO - FITTED_FROM) * i) / (FITTED_POINTS - 1));
    return { x: abscissa(fmr), y: thresholdAt(sorted, fmr) };
  });
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return (fmr) => meanY + slope * (abscissa(fmr) - meanX);
}

function abscissa(fmr: number): number {
  return Math.sqrt(-Math.log(fmr));
}
