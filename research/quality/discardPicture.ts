/** Error versus discard (ISO/IEC 29794-1) as a drawing. */
import { drawChart, type Axis } from '../../bench/chart.ts';
import {
  errorAfterDiscard,
  MAX_DISCARDED,
  risingQuality,
  type ScoredComparison,
} from '../../bench/vision/errorVersusDiscard.ts';

const STEPS = 50;
/** Labelled shares of the axes. */
const TICK = 0.1;

/** An SVG: what share of the true matches is missed when those of the lowest quality are left out. */
export function drawDiscard(title: string, comparisons: readonly ScoredComparison[]): string {
  const byQuality = risingQuality(comparisons);
  const all = errorAfterDiscard(byQuality, 0);
  const curve = (error: (share: number) => number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => {
      const share = (MAX_DISCARDED * step) / STEPS;
      return { x: share, y: error(share) };
    });
  const highest = TICK * Math.ceil(all / TICK + 0.5);
  return drawChart(
    title,
    {
      x: shares('left out, lowest quality first', MAX_DISCARDED),
      y: shares('false non-match rate of the rest', highest),
    },
    [
      { name: 'by the quality score', points: curve((share) => errorAfterDiscard(byQuality, share)) },
      { name: 'at random', points: curve(() => all) },
      {
        name: 'an oracle that knows the misses',
        points: curve((share) => Math.max(0, (all - share) / (1 - share))),
      },
    ],
  );
}

function shares(title: string, most: number): Axis {
  return {
    title,
    share: (value) => value / most,
    ticks: Array.from({ length: Math.round(most / TICK) + 1 }, (_, i) => ({
      value: TICK * i,
      label: `${Math.round(100 * TICK * i)} %`,
    })),
  };
}
