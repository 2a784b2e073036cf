/** Fits the fused descriptor and its impostor tables on LFW; `-- write` puts them into core/vision, `-- judge` tests them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fuse } from '../../core/vision/fusion.ts';
import fusion from '../../core/vision/fusion.json' with { type: 'json' };
import previous from '../../core/vision/fusion-2.json' with { type: 'json' };
import { alongGroupAxis, lowestTenth } from '../accuracy/alongAxis.ts';
import { compareAll } from '../accuracy/comparisons.ts';
import { describeSet } from '../accuracy/describing.ts';
import { loadOurs, PARTS, partsOf } from '../accuracy/ours.ts';
import { lfw } from '../accuracy/photos.ts';
import { publish, table } from '../report.ts';
import { ALTERATIONS, describeAltered } from './alterations.ts';
import { choose, crossValidate, prepareFit, type Described, type Recipe } from './fitting.ts';
import { impostorTable, lookAlikeTable, type LookAlikes } from './impostorTable.ts';

/** Halvings of the people that a choice is made by, and others that say what it is worth. */
const CHOOSING = [1, 2, 3];
const JUDGING = Array.from({ length: 12 }, (_, i) => 101 + i);
const SHARES = [0.86, 0.9, 0.93, 0.95];
const plain = { removed: [2], pulled: false, steady: false, shift: 0 };
const RECIPES: readonly Recipe[] = [
  { ...plain, name: 'as they are', removed: [] },
  { ...plain, name: 'axis 2 out' },
  { ...plain, name: 'axis 2 out, half the mean added', shift: 0.5 },
  { ...plain, name: 'axis 2 out, alterations out', steady: true },
  { ...plain, name: 'axis 2 out, others pulled', pulled: true },
  { ...plain, name: 'axis 2 out, others pulled, alterations out', pulled: true, steady: true },
  {
    ...plain,
    name: 'axis 2 out, others pulled, alterations out, half the mean added',
    pulled: true,
    steady: true,
    shift: 0.5,
  },
];

const percent = (rate: number) => (100 * rate).toFixed(2);

const set = lfw();
const descriptions = await describeSet(set, loadOurs, PARTS);
const described: Described[] = set.photos.flatMap((photo, i) => {
  const description = descriptions[i];
  return description ? [{ photo, parts: partsOf(description) }] : [];
});
const altered = await describeAltered(set);

/** What the constants that ship, and those before them, do on people whom they were not fitted on. */
function judge(): void {
  const rows = [
    { name: 'those that ship', recipe: RECIPES.at(-1)!, share: fusion.recognitionShare },
    { name: 'those of version 2', recipe: RECIPES[1]!, share: previous.recognitionShare },
  ].map(({ name, recipe, share }) => {
    const [found] = crossValidate(described, altered, [recipe], [share], JUDGING);
    return [name, recipe.name, share, percent(found!.at1e3), percent(found!.at1e4)];
  });
  publish({
    name: 'fusion judge',
    title: 'Fusion of the two descriptors: on people whom it was not fitted on',
    body: [
      `True match rate in % at a false match rate, the people of LFW halved at random ${JUDGING.length} times more, with other seeds than those`,
      'that the choice was made by; each half tested with what was fitted on the other.',
      '',
      table(['constants', 'before', 'share', 'FMR 1e-3', 'FMR 1e-4'], rows),
    ].join('\n'),
  });
}

if (process.argv.includes('judge')) {
  judge();
  process.exit();
}

const validated = crossValidate(described, altered, RECIPES, SHARES, CHOOSING);
const best = choose(validated);
const constants = prepareFit(described, altered)(best);

const photos = described.map(({ photo }) => photo);
const group = lowestTenth(
  described.map(({ photo: { identity }, parts }) => ({
    identity,
    along: alongGroupAxis(parts.faceres, constants),
  })),
);
const templates = {
  full: described.map(({ parts }) => fuse(parts, constants)),
  light: described.map(({ parts }) => parts.recognition),
  'full-2': described.map(({ parts }) => fuse(parts, previous)),
};
const lookAlikes: Record<string, LookAlikes> = {};
const calibrations = Object.fromEntries(
  Object.entries(templates).map(([name, vectors]) => {
    const comparisons = compareAll(photos, vectors);
    const shipped = impostorTable(comparisons.nonMated.distance.toSorted());
    lookAlikes[name] = lookAlikeTable(comparisons, group, shipped);
    return [name, { ...shipped, strict: lookAlikes[name].calibration }];
  }),
);

if (process.argv.includes('write')) {
  const vision = join(import.meta.dirname, '..', '..', 'core', 'vision');
  writeFileSync(join(vision, 'fusion.json'), JSON.stringify(constants));
  writeFileSync(join(vision, 'calibration.json'), JSON.stringify(calibrations));
  console.log('core/vision: fusion.json and calibration.json written; format them with npm run format');
}

publish({
  name: 'fusion',
  title: 'Fusion of the two descriptors: what cross-validation chose',
  body: [
    `${described.length} photos of LFW; the people are halved at random three times, each half is tested with what was fitted on`,
    'the other. True match rate in % at a false match rate of 1e-3 / 1e-4, by the share of the 128-D in the squared length and',
    'by what is done before: of the strongest axes of the 1024-D the second is taken out, the 15 others of the first 16 are pulled',
    `towards the 17th, the direction along which each of ${Object.keys(ALTERATIONS).length} alterations (${Object.keys(ALTERATIONS).join(', ')})`,
    `moves ${altered.length} of the photos is taken out, half its mean is added to the 128-D. Chosen is the highest sum of both rates.`,
    '',
    table(
      ['before', ...SHARES.map((share) => share.toFixed(2))],
      RECIPES.map((recipe) => [
        recipe.name,
        ...validated
          .filter((each) => each.recipe === recipe)
          .map((each) => `${percent(each.at1e3)} / ${percent(each.at1e4)}`),
      ]),
    ),
    '',
    `Chosen: ${best.recipe.name}, share ${best.recognitionShare}: on people whom it was not fitted on ${percent(best.at1e3)} at 1e-3,`,
    `${percent(best.at1e4)} at 1e-4.`,
    '',
    'Thresholds for people who look alike to the nets: distances of the false match rates among the people of the lowest tenth',
    `along axis 2 (${group.size} people). Down to the rate that 30 pairs support they are read off; from there on the table of`,
    'everybody is moved by as much as at that rate, whose 95 % interval (people of the group resampled) is in brackets.',
    '',
    table(
      [
        'pipeline',
        'pairs of strangers',
        'moved by',
        'for 1e-3: distance',
        'for 1e-4: distance',
        'its FMR among everybody',
      ],
      Object.entries(lookAlikes).map(([name, { pairs, moved, calibration, everybody }]) => [
        name,
        pairs,
        `${moved.rate.toFixed(3)} (${moved.low.toFixed(3)} to ${moved.high.toFixed(3)})`,
        ...[1e-3, 1e-4].map((fmr) =>
          calibration.points.find((point) => point.fmr === fmr)!.distance.toFixed(3),
        ),
        everybody.toExponential(1),
      ]),
    ),
  ].join('\n'),
  args: process.argv.slice(2),
});
