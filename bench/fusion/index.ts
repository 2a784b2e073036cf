/** Fits the fused descriptor and its impostor tables on LFW; `-- write` puts them into core/vision. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fuse } from '../../core/vision/fusion.ts';
import { compareAll } from '../accuracy/comparisons.ts';
import { describeSet } from '../accuracy/describing.ts';
import { loadOurs, PARTS, partsOf } from '../accuracy/ours.ts';
import { lfw } from '../accuracy/photos.ts';
import { publish, table } from '../report.ts';
import { choose, crossValidate, prepareFit, type Described } from './fitting.ts';
import { impostorTable } from './impostorTable.ts';

const SHARES = [0.78, 0.82, 0.86, 0.9];
/** Which of the strongest axes are taken out, the strongest being 1. */
const AXES = [[], [1], [2], [1, 2], [2, 3], [1, 2, 3], [2, 3, 4]];

const set = lfw();
const descriptions = await describeSet(set, loadOurs, PARTS);
const described: Described[] = set.photos.flatMap((photo, i) => {
  const description = descriptions[i];
  return description ? [{ photo, parts: partsOf(description) }] : [];
});

const validated = crossValidate(described, AXES, SHARES);
const best = choose(validated);
const constants = prepareFit(described)(best);

const photos = described.map(({ photo }) => photo);
const fused = described.map(({ parts }) => fuse(parts, constants));
const alone = described.map(({ parts }) => parts.recognition);
const calibrations = {
  full: impostorTable(compareAll(photos, fused).nonMated.distance.toSorted()),
  light: impostorTable(compareAll(photos, alone).nonMated.distance.toSorted()),
};

if (process.argv.includes('write')) {
  const vision = join(import.meta.dirname, '..', '..', 'core', 'vision');
  writeFileSync(join(vision, 'fusion.json'), JSON.stringify(constants));
  writeFileSync(join(vision, 'calibration.json'), JSON.stringify(calibrations));
  console.log('core/vision: fusion.json and calibration.json written; format them with npm run format');
}

const nameOf = (axes: readonly number[]) => (axes.length === 0 ? 'none' : `without ${axes.join(', ')}`);
const percent = (rate: number) => (100 * rate).toFixed(2);
publish({
  name: 'fusion',
  title: 'Fusion of the two descriptors: what cross-validation chose',
  body: [
    `${described.length} photos of LFW; the people are halved at random twice, each half is tested with what was fitted on`,
    'the other. True match rate in % at a false match rate of 1e-3 / 1e-4, by which of the strongest axes are taken',
    'out of the 1024-D (1 is the strongest) and by the share of the 128-D in the squared length. Chosen are the fewest axes whose sum of both',
    'rates is within half a point of the best.',
    '',
    table(
      ['axes', ...SHARES.map((share) => share.toFixed(2))],
      AXES.map((axes) => [
        nameOf(axes),
        ...validated
          .filter((each) => each.axes === axes)
          .map((each) => `${percent(each.at1e3)} / ${percent(each.at1e4)}`),
      ]),
    ),
    '',
    `Chosen: ${nameOf(best.axes)}, share ${best.recognitionShare}.`,
  ].join('\n'),
});
