/** The detection error trade-off (DET, ISO/IEC 19795-1) as a drawing: false non-match rate over false match rate. */
import { detCurve, type DetPoint } from '../../core/domain/calibration/det.ts';
import { drawChart, type Axis } from '../chart.ts';
import type { Comparisons } from './comparisons.ts';

export interface Curve {
  name: string;
  /** Rising false match rate; both are shares. */
  points: readonly DetPoint[];
}

/** The curve of all comparisons. */
export function curveOf(name: string, { mated, nonMated }: Comparisons): Curve {
  return { name, points: detCurve(mated.distance, nonMated.distance.toSorted()).reverse() };
}

/** An SVG with both axes logarithmic; a curve ends where it would leave the area. At most three curves. */
export function drawDet(title: string, curves: readonly Curve[]): string {
  const axes = {
    x: decades('false match rate', -6, -1, (power) => `10<tspan dy="-5" font-size="9">${power}</tspan>`),
    y: decades('false non-match rate', -3, 0, (power) => `${Number((100 * 10 ** power).toPrecision(1))} %`),
  };
  return drawChart(
    title,
    axes,
    curves.map(({ name, points }) => ({
      name,
      points: points.map(({ fmr, fnmr }) => ({ x: fmr, y: fnmr })),
    })),
  );
}

function decades(title: string, from: number, to: number, label: (power: number) => string): Axis {
  return {
    title,
    share: (value) => (Math.log10(value) - from) / (to - from),
    ticks: Array.from({ length: to - from + 1 }, (_, i) => ({
      value: 10 ** (from + i),
      label: label(from + i),
    })),
  };
}
