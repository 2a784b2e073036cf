/** Measures each template recipe on people it was not fitted on; `-- write` fits the shipped recipe and writes it to core/vision. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceAtFmr } from '../../core/domain/scores/scores.ts';
import type { FusionConstants } from '../../core/vision/fusion.ts';
import { alongAxes, falseMatchRateWithin, tenths } from '../../bench/accuracy/alongAxis.ts';
import { compareAll, type Comparisons } from '../../bench/accuracy/comparisons.ts';
import { describeSet } from '../../bench/accuracy/describing.ts';
import { trueMatchRate } from '../../bench/accuracy/errorRates.ts';
import { loadOurs, PARTS, partsOf } from '../../bench/accuracy/ours.ts';
import { lfw, orl, type PhotoSet } from '../../bench/accuracy/photos.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { publish, table } from '../../bench/report.ts';
import { ALTERATIONS, describeAltered, matchedByAlteration } from './alterations.ts';
import {
  compareDescribed,
  crossValidate,
  fitting,
  MOBILE_KEPT,
  placesOf,
  templateOf,
  type Described,
  type Recipe,
} from './fitting.ts';
import { impostorTable, lookAlikeTable, type LookAlikes } from './impostorTable.ts';

/** How often the people are halved. */
const halvings = Number(process.argv[2] ?? 6) || 6;

const FULL: Recipe = { name: 'full: 64 + 64 numbers', share: 0.7, whitened: 1, kept: 64, directionOut: true };
const LIGHT: Recipe = { ...FULL, name: 'light: MobileFaceNet, direction out', share: 0 };
/** All that was fitted here; docs/research/recognition-templates.md has the other experiments. */
const RECIPES: readonly Recipe[] = [
  { ...FULL, name: '128-D alone', share: 1, kept: 80, directionOut: false },
  { ...LIGHT, name: 'MobileFaceNet alone', directionOut: false },
  LIGHT,
  { ...LIGHT, name: 'light, second direction out', secondOut: true },
  { ...LIGHT, name: 'light, whitened, shrunk by 1', mobileWhitened: 1 },
  { ...LIGHT, name: 'light, whitened, shrunk by 3', mobileWhitened: 3 },
  ...[0.5, 0.7].map((share) => plain(share, false)),
  ...[0.5, 0.6, 0.7, 0.8].map((share) => plain(share, true)),
  ...[0.3, 1, 3].map((whitened) => ({
    ...FULL,
    name: `0.7, direction out, 128-D whitened, shrunk by ${whitened}, 80 + 64 numbers`,
    whitened,
    kept: 80,
  })),
  FULL,
  ...[0.6, 0.8].map((share) => ({ ...FULL, name: `full, share ${share}`, share })),
  { ...FULL, name: 'full, 48 + 64 numbers', kept: 48 },
  { ...FULL, name: 'full, second direction out', secondOut: true },
  { ...FULL, name: 'full, MobileFaceNet whitened too, shrunk by 3', mobileWhitened: 3 },
];

function plain(share: number, directionOut: boolean): Recipe {
  const name = `${share} of the 128-D${directionOut ? ', direction out' : ''}, 80 + ${MOBILE_KEPT} numbers`;
  return { name, share, kept: 80, directionOut };
}

const percent = (rate: number) => (100 * rate).toFixed(2);

async function describe(set: PhotoSet): Promise<Described[]> {
  const descriptions = await describeSet(set, loadOurs, PARTS);
  const found = set.photos.flatMap((photo, i) => {
    const description = descriptions[i];
    return description ? [{ photo, parts: partsOf(description) }] : [];
  });
  const along = alongAxes(found);
  return found.map((each, i) => ({ ...each, along: along[i]! }));
}

const described = await describe(lfw());
const others = await describe(orl());

function ratesOn(set: readonly Described[], constants: FusionConstants, fmrs: readonly number[]): string {
  const comparisons = compareDescribed(set, constants);
  const sorted = comparisons.nonMated.distance.toSorted();
  return fmrs.map((fmr) => percent(trueMatchRate(comparisons, thresholdAt(sorted, fmr)))).join(' / ');
}

const fitted = fitting(described);
const constants = fitted(FULL);
const pipelines = {
  full: (each: Pick<Described, 'parts'>) => templateOf(each.parts, constants),
  light: (each: Pick<Described, 'parts'>) => templateOf(each.parts, { ...constants, recognitionShare: 0 }),
};
const photos = described.map(({ photo }) => photo);

/** The group, of the tenths at both ends of both axes, among whom the threshold for 1e-4 has most false matches. */
function worstTenth(comparisons: Comparisons, threshold: number): { name: string; group: Set<string> } {
  const groups = (['looks', 'mobile'] as const).flatMap((axis) => {
    const { lowest, highest } = tenths(placesOf(described, axis));
    const net = axis === 'looks' ? 'HSE-FaceRes' : 'MobileFaceNet';
    return [
      { name: `lowest tenth, ${net}`, group: lowest },
      { name: `highest tenth, ${net}`, group: highest },
    ];
  });
  const rate = ({ group }: { group: Set<string> }) => falseMatchRateWithin(comparisons, group, threshold);
  return groups.reduce((worst, each) => (rate(each) > rate(worst) ? each : worst));
}

const lookAlikes: Record<string, LookAlikes & { name: string }> = {};
const calibrations = Object.fromEntries(
  Object.entries(pipelines).map(([name, template]) => {
    const comparisons = compareAll(photos, described.map(template));
    const shipped = impostorTable(comparisons.nonMated.distance.toSorted());
    const worst = worstTenth(comparisons, distanceAtFmr(shipped, 1e-4));
    lookAlikes[name] = { ...lookAlikeTable(comparisons, worst.group, shipped), name: worst.name };
    return [name, { ...shipped, strict: lookAlikes[name].calibration }];
  }),
);

if (process.argv.includes('write')) {
  const vision = join(import.meta.dirname, '..', '..', 'core', 'vision');
  writeFileSync(join(vision, 'fusion.json'), JSON.stringify(constants));
  writeFileSync(join(vision, 'calibration.json'), JSON.stringify(calibrations));
  console.log('core/vision: fusion.json and calibration.json written; format them with npm run format');
  process.exit();
}

const seeds = Array.from({ length: halvings }, (_, i) => 1 + i);
const validated = crossValidate(described, RECIPES, seeds);
const altered = await describeAltered(lfw());

publish({
  name: 'fusion',
  title: 'Templates: what cross-validation says of each recipe',
  body: [
    `${described.length} photos of LFW. ${halvings} times the people are halved at random, and each half is tested with what was fitted on the other.`,
    'True match rate in % at a false match rate (FMR), ± two standard errors over the halvings. ORL: with what was fitted on all',
    'of LFW. Last columns: FMR over the stated rate at the thresholds for 1e-3 / 1e-4, among the tenth at one end of an axis of',
    'HSE-FaceRes (by faces and names people from East and South-East Asia) and of MobileFaceNet (mostly women), and the higher of the tenths at the other ends.',
    '',
    table(
      [
        'recipe',
        'FMR 1e-3',
        'FMR 1e-4',
        'FMR 1e-5',
        'ORL 1e-3 / 1e-4',
        'HSE-FaceRes low',
        'MobileFaceNet low',
        'high',
      ],
      validated.map(({ recipe, rates, groups: { looksLow, looksHigh, mobileLow, mobileHigh } }) => [
        recipe.name,
        ...rates.map(({ rate, error }) => `${percent(rate)} ± ${percent(error)}`),
        ratesOn(others, fitted(recipe), [1e-3, 1e-4]),
        over(looksLow),
        over(mobileLow),
        over(looksHigh[1]! > mobileHigh[1]! ? looksHigh : mobileHigh),
      ]),
    ),
    '',
    'Strict thresholds: distances of the false match rates among the people of the tenth with the most false matches. Down to the rate that',
    '30 pairs support they are read off; from there on the table of all people is moved by as much as at that rate, whose 95 %',
    'interval (people of the group resampled) is in brackets.',
    '',
    table(
      [
        'pipeline',
        'group',
        'non-mated pairs',
        'moved by',
        'for 1e-3: distance',
        'for 1e-4: distance',
        'its FMR among all people',
      ],
      Object.entries(lookAlikes).map(([pipeline, { name, pairs, moved, calibration, everybody }]) => [
        pipeline,
        name,
        pairs,
        `${moved.rate.toFixed(3)} (${moved.low.toFixed(3)} to ${moved.high.toFixed(3)})`,
        ...[1e-3, 1e-4].map((fmr) => distanceAtFmr(calibration, fmr).toFixed(3)),
        everybody.toExponential(1),
      ]),
    ),
    '',
    `What people wear, and how photos are taken: ${altered.length} photos altered, compared with the untouched ones of the same people.`,
    'True match rate in % at the thresholds that ship for FMR 1e-3 / 1e-4.',
    '',
    table(
      ['pipeline', ...Object.keys(ALTERATIONS)],
      Object.entries(pipelines).map(([name, template]) => [
        name,
        ...matchedByAlteration(
          altered,
          described,
          template,
          [1e-3, 1e-4].map((fmr) => distanceAtFmr(calibrations[name]!, fmr)),
        ),
      ]),
    ),
  ].join('\n'),
  args: process.argv.slice(2),
});

function over(ratios: readonly number[]): string {
  return ratios.map((ratio) => ratio.toFixed(1)).join(' / ');
}
