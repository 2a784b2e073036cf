/** Fits the costs of the quality score on altered photos of LFW; `-- STEP write` puts them into core/vision. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/pool/engine.ts';
import { faults, score, type FaultCosts, type FaultName } from '../../core/vision/quality.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';
import { fitLogistic } from '../occlusion/logistic.ts';
import { publish, table } from '../../bench/report.ts';
import { shareOfPossibleGain } from '../../bench/vision/errorVersusDiscard.ts';
import { MODELS } from '../../bench/vision/faceFinder.ts';
import { compareProbes, type ProbeComparison } from '../../bench/vision/probes.ts';
import { drawDiscard } from './discardPicture.ts';
import { percent } from '../../bench/statistics.ts';

/** The score says how likely a match is at this false match rate. */
const FALSE_MATCH_RATE = 1e-4;
/** Pull of the costs towards 0. */
const RIDGE = 0.3;
/** Halves the people at random this often; each half is judged by what was fitted on the other. */
const HALVINGS = 3;

const step = Number(process.argv[2] ?? 2);

const engine = await createEngine(MODELS, await loadTemplateExtractor(MODELS, 'full'));
const { probes, mated, nonMated } = await compareProbes(engine, step);
const threshold = thresholdAt(nonMated, FALSE_MATCH_RATE);

/** Costs least: a fault that the photos show no harm of is still one for the person who looks at the photo. */
const LEAST_COST = 0.7;

/** A fault whose cost comes out smaller than the least one gets that, and the others are fitted again beside it. */
function fit(comparisons: readonly ProbeComparison[]): FaultCosts {
  const perPerson = new Map<string, number>();
  for (const { probe } of comparisons)
    perPerson.set(probe.photo.identity, (perPerson.get(probe.photo.identity) ?? 0) + 1);
  const samples = comparisons.map(({ probe, distance }) => ({
    of: faults(probe.quality.measures),
    positive: distance <= threshold,
    // A person with many photos makes many comparisons; they are not as many independent ones.
    weight: 1 / Math.sqrt(perPerson.get(probe.photo.identity)!),
  }));
  const names = Object.keys(samples[0]!.of) as FaultName[];
  const costs = new Map<FaultName, number>();
  for (;;) {
    const open = names.filter((name) => !costs.has(name));
    const { weights } = fitLogistic(
      samples.map(({ of, positive, weight }) => ({
        features: Float32Array.from(open, (name) => -of[name]),
        positive,
        weight,
        offset: -[...costs].reduce((sum, [name, cost]) => sum + cost * of[name], 0),
      })),
      RIDGE,
    );
    const small = open.filter((_, i) => weights[i]! < LEAST_COST);
    for (const name of small) costs.set(name, LEAST_COST);
    if (small.length > 0) continue;
    open.forEach((name, i) => costs.set(name, Number(weights[i]!.toFixed(2))));
    return Object.fromEntries(names.map((name) => [name, costs.get(name)!])) as Record<FaultName, number>;
  }
}

/** Mean gain on people that the judging weights were not fitted on. */
function crossValidated(fitOn: (comparisons: readonly ProbeComparison[]) => FaultCosts | undefined): number {
  let sum = 0;
  for (let halving = 1; halving <= HALVINGS; halving++) {
    const random = repeatable(halving * 7919);
    const inFirst = new Map<string, boolean>();
    for (const { photo } of probes)
      if (!inFirst.has(photo.identity)) inFirst.set(photo.identity, random() < 0.5);
    for (const fitted of [true, false]) {
      const isFitted = ({ probe }: ProbeComparison) => inFirst.get(probe.photo.identity) === fitted;
      const fittedCosts = fitOn(mated.filter(isFitted));
      const judged = mated
        .filter((each) => !isFitted(each))
        .map(({ probe, distance }) => ({
          quality: score(probe.quality.measures, fittedCosts),
          match: distance <= threshold,
        }));
      sum += shareOfPossibleGain(judged) / (2 * HALVINGS);
    }
  }
  return sum;
}

const costs = fit(mated);
if (process.argv.includes('write')) {
  const file = join(import.meta.dirname, '..', '..', 'core', 'vision', 'quality.json');
  writeFileSync(file, `${JSON.stringify(costs, null, 2)}\n`);
}
writeFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'error-versus-discard.svg'),
  drawDiscard(
    `Error versus discard: ${mated.length} comparisons of altered photos, FMR ${FALSE_MATCH_RATE.toExponential(0)}`,
    mated.map(({ probe, distance }) => ({ quality: probe.quality.score, match: distance <= threshold })),
  ),
);
publish({
  name: 'quality',
  title: 'What a fault of a photo costs',
  body: [
    `${probes.length} altered photos of LFW, ${mated.length} comparisons with other photos of the same people; a miss is a miss at a`,
    'false match rate of 1e-4. Costs are in the logarithm of the odds of a match.\n',
    'What is missed when the lowest scores are left out: [error-versus-discard.svg](../docs/pictures/error-versus-discard.svg).',
    '',
    table(['fault', 'cost'], Object.entries(costs)),
    '',
    `Share of what an oracle gains by discarding (area up to half of the comparisons), on people that the costs were not fitted on: ${percent(crossValidated(fit))}; with the costs`,
    `that ship, for comparison, fitted on all: ${percent(crossValidated(() => undefined))}.`,
  ].join('\n'),
  args: process.argv.slice(2),
});
