/** Error rates and DET curves of our pipelines and of stock face-api on LFW and ORL, misses counted as errors. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceAtFmr, type Calibration } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { PIPELINES } from '../../core/vision/builtInPipelines.ts';
import { fuse, lightTemplate } from '../../core/vision/fusion.ts';
import fusion from '../../core/vision/fusion.json' with { type: 'json' };
import { publish, table } from '../report.ts';
import { alongAxes, ratesAlongAxis } from './alongAxis.ts';
import { compareAll, type Comparisons } from './comparisons.ts';
import { describeSet, type Descriptions } from './describing.ts';
import { curveOf, drawDet } from './detCurve.ts';
import { falseMatchRate, trueMatchRate, trueMatchRates, type Interval } from './errorRates.ts';
import { loadOurs, PARTS, partsOf } from './ours.ts';
import { pairAccuracy } from './pairAccuracy.ts';
import { lfw, orl, type PhotoSet } from './photos.ts';
import { loadStock, STOCK } from './stock.ts';

const FMRS = [1e-2, 1e-3, 1e-4, 1e-5];

interface Contender {
  name: string;
  descriptions: Descriptions;
  calibration?: Calibration & { strict: Calibration };
}

/** `-- ours` leaves the peer out: it takes most of the time. */
const withStock = !process.argv.includes('ours');

async function contenders(set: PhotoSet, parts: Descriptions): Promise<Contender[]> {
  const ours: Contender[] = [
    {
      name: `full: ${PIPELINES.full}`,
      descriptions: parts.map((each) => each && fuse(partsOf(each), fusion)),
      calibration: CALIBRATIONS.full,
    },
    {
      name: `light: ${PIPELINES.light}`,
      descriptions: parts.map((each) => each && lightTemplate(partsOf(each).mobile, fusion)),
      calibration: CALIBRATIONS.light,
    },
  ];
  if (!withStock) return ours;
  return [...ours, { name: `stock: ${STOCK.id}`, descriptions: await describeSet(set, loadStock, STOCK) }];
}

const percent = (rate: number) => (100 * rate).toFixed(2);
const interval = ({ rate, low, high }: Interval) => `${percent(rate)} (${percent(low)}–${percent(high)})`;

/** Rates are not stated where fewer than this many non-mated pairs would decide. */
const LEAST_PAIRS = 3;

function ratesOf(set: PhotoSet, { name, descriptions }: Contender, comparisons: Comparisons): string[] {
  const statable = FMRS.filter((fmr) => fmr * comparisons.nonMated.distance.length >= LEAST_PAIRS);
  const rates = trueMatchRates(comparisons, statable).map(interval);
  const stated = FMRS.map((_, i) => rates[i] ?? '–');
  const pairs = set.pairs.length > 0 ? interval(pairAccuracy(set, descriptions)) : '–';
  return [name, `${comparisons.missed} of ${descriptions.length}`, ...stated, pairs];
}

/** False match rate and true match rate of the shipped thresholds on this set. */
function shippedThresholds({ name, calibration }: Contender, comparisons: Comparisons): string[][] {
  if (calibration === undefined) return [];
  const row = (title: string, thresholds: Calibration) => [
    title,
    ...FMRS.map((fmr) => {
      const threshold = distanceAtFmr(thresholds, fmr);
      const found = falseMatchRate(comparisons, threshold);
      return `${threshold.toFixed(3)}: ${found.toExponential(1)}, ${percent(trueMatchRate(comparisons, threshold))}`;
    }),
  ];
  return [row(name, calibration), row(`${name.split(':')[0]!}, strict`, calibration.strict)];
}

const PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

/** Draws the DET curves of a set for the documentation; the answer is their table. */
function det(set: PhotoSet, compared: readonly { contender: Contender; comparisons: Comparisons }[]): string {
  const curves = compared.map(({ contender, comparisons }) => curveOf(contender.name, comparisons));
  mkdirSync(PICTURES, { recursive: true });
  const title = `Detection error trade-off on ${set.name}, ${set.photos.length} photos`;
  writeFileSync(join(PICTURES, `det-${set.name.toLowerCase()}.svg`), drawDet(title, curves));
  const columns = curves[0]!.points.filter((_, i, { length }) => (length - 1 - i) % 6 === 0).reverse();
  return table(
    ['pipeline', ...columns.map(({ fmr }) => fmr.toExponential(1))],
    curves.map(({ name, points }) => [
      name,
      ...columns.map(({ fmr }) => {
        const point = points.find((each) => each.fmr === fmr);
        return point === undefined ? '–' : percent(point.fnmr);
      }),
    ]),
  );
}

/** Error rates of the people at both ends of the axes, and between. */
function groups(
  set: PhotoSet,
  parts: Descriptions,
  compared: readonly { contender: Contender; comparisons: Comparisons }[],
): string[] {
  const found = set.photos.flatMap((photo, i) => {
    const part = parts[i];
    return part ? [{ photo, parts: partsOf(part) }] : [];
  });
  const along = alongAxes(found);
  const measured = compared.flatMap(({ contender: { name, calibration }, comparisons }) =>
    calibration === undefined
      ? []
      : [
          { name: name.split(':')[0]!, comparisons, calibration },
          { name: `${name.split(':')[0]!}, strict`, comparisons, calibration: calibration.strict },
        ],
  );
  const section = (title: string, axis: 'looks' | 'mobile') => [
    title,
    '',
    ratesAlongAxis(
      found.map(({ photo: { identity } }, i) => ({ identity, along: along[i]![axis] })),
      measured,
    ),
    '',
  ];
  return [
    'By where people lie along two axes of the nets: what the thresholds that ship, usual and strict, do within each group.',
    'In brackets counts, and 95 % intervals, the people of the group resampled.',
    '',
    ...section(
      'The second strongest axis of HSE-FaceRes: at the low end, by faces and names, people from East and South-East Asia.',
      'looks',
    ),
    ...section(
      'The strongest axis of MobileFaceNet: at the low end, by faces, mostly women; at the high end middle-aged and elderly men.',
      'mobile',
    ),
  ];
}

const sections: string[] = [];
for (const set of [lfw(), orl()]) {
  const parts = await describeSet(set, loadOurs, PARTS);
  const compared = (await contenders(set, parts)).map((contender) => ({
    contender,
    comparisons: compareAll(set.photos, contender.descriptions),
  }));
  const [{ comparisons }] = compared as [(typeof compared)[number]];
  sections.push(
    `### ${set.name}: ${set.photos.length} photos of ${comparisons.identities.length} people`,
    '',
    `All ${comparisons.mated.distance.length} pairs of one person and up to ${comparisons.nonMated.distance.length} non-mated. True match rate in %`,
    'at a false match rate (FMR); a photo without a face fails every comparison. In brackets 95 % intervals, the people',
    'resampled 500 times. Pair accuracy: official pairs, threshold chosen on the other folds.',
    '',
    table(
      ['pipeline', 'no face', ...FMRS.map((fmr) => `FMR ${fmr.toExponential(0)}`), 'pair accuracy'],
      compared.map((each) => ratesOf(set, each.contender, each.comparisons)),
    ),
    '',
    'The thresholds that ship: distance, the FMR found here, true match rate in %.',
    '',
    table(
      ['pipeline', ...FMRS.map((fmr) => `for FMR ${fmr.toExponential(0)}`)],
      compared.flatMap((each) => shippedThresholds(each.contender, each.comparisons)),
    ),
    '',
    `False non-match rate in % at these false match rates (the curve: [det-${set.name.toLowerCase()}.svg](../docs/pictures/det-${set.name.toLowerCase()}.svg)):`,
    '',
    det(set, compared),
    '',
    ...(set.name === 'LFW' ? groups(set, parts, compared) : []),
  );
}
const constants = createHash('sha256').update(JSON.stringify(fusion)).digest('hex').slice(0, 12);
publish({
  name: 'accuracy',
  title: 'Recognition: error rates',
  body: [...sections, `Constants of the fusion: ${constants}.`].join('\n'),
  peers: ['@vladmandic/face-api', '@vladmandic/human', '@tensorflow/tfjs-core', 'onnxruntime-node'],
  args: withStock ? [] : ['ours'],
});
