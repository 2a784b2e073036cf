/** The error-versus-discard table: altered photos of LFW against all untouched ones. */
import type { QualityMeasures } from '../../core/contracts/faces.ts';
import type { Engine } from '../../core/vision/pool/engine.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { table } from '../report.ts';
import {
  errorAfterDiscard,
  MAX_DISCARDED,
  risingQuality,
  shareOfPossibleGain,
  type ScoredComparison,
} from './errorVersusDiscard.ts';
import { compareProbes, type Probe } from './probes.ts';
import { percent } from '../statistics.ts';

const DISCARDS = [0, 0.05, 0.1, 0.2, 0.3, MAX_DISCARDED];
const FALSE_MATCH_RATES = [1e-3, 1e-4];

/** Measures that the score is compared with: each one alone, as if it were the score. */
const ALONE: readonly (readonly [string, (measures: QualityMeasures) => number])[] = [
  ['distance of the eyes', ({ interEyeDistance }) => interEyeDistance],
  ['sharpness', ({ sharpness }) => sharpness],
  ['brightness', ({ brightness }) => Math.min(brightness, 0.5)],
  ['yaw', ({ yaw }) => -Math.abs(yaw)],
  ['covers', ({ eyesCovered, mouthCovered }) => -Math.max(eyesCovered, mouthCovered)],
];

/** @returns Markdown. `step`: every n-th photo of LFW arrives altered. */
export async function errorVersusDiscard(engine: Engine, step: number): Promise<string> {
  const { probes, mated, nonMated } = await compareProbes(engine, step);
  const judged = FALSE_MATCH_RATES.map((rate) => {
    const threshold = thresholdAt(nonMated, rate);
    return (quality: (probe: Probe) => number) =>
      mated.map(({ probe, distance }): ScoredComparison => ({
        quality: quality(probe),
        match: distance <= threshold,
      }));
  });
  const byScore = judged.map((judge) => risingQuality(judge(({ quality }) => quality.score)));
  const heads = FALSE_MATCH_RATES.map((rate) => `FNMR at FMR ${rate.toExponential(0)}`);
  const gains = [
    ['score', ({ quality }: Probe) => quality.score] as const,
    ...ALONE.map(([name, of]) => [name, ({ quality }: Probe) => of(quality.measures)] as const),
  ];
  return [
    `Error versus discard: ${probes.length} photos of LFW (${kinds(probes)}), each against every untouched photo of the same`,
    `person, ${mated.length} comparisons (pipeline ${engine.pipelineId}; thresholds from ${nonMated.length} comparisons of the`,
    'same altered photos with other people).',
    '',
    table(
      ['lowest scores left out', 'lowest kept', ...heads],
      DISCARDS.map((share) => [
        `${100 * share} %`,
        byScore[0]![Math.floor(share * mated.length)]!.quality,
        ...byScore.map((comparisons) => percent(errorAfterDiscard(comparisons, share))),
      ]),
    ),
    '',
    `What that gains, as a share of what an oracle would gain (area up to ${100 * MAX_DISCARDED} % left out; at random 0, oracle 100):`,
    '',
    table(
      ['judged by', ...FALSE_MATCH_RATES.map((rate) => `at FMR ${rate.toExponential(0)}`)],
      gains.map(([name, quality]) => [
        name,
        ...judged.map((judge) => percent(shareOfPossibleGain(judge(quality)))),
      ]),
    ),
  ].join('\n');
}

function kinds(probes: readonly Probe[]): string {
  const names = [...new Set(probes.map(({ kind }) => kind))].toSorted();
  return names.map((name) => `${name} ${probes.filter(({ kind }) => kind === name).length}`).join(', ');
}
