/** Sheets on which one portrait's face is covered: how many are split without it, and how many clean ones are asked about. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trusted } from '../core/contracts/ids.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { publish, table } from './report.ts';
import { NEW_COVERS, SEEN_COVERS } from './sheetPages/covers.ts';
import { NEW_LAYOUTS, pagesAt, SEEN_LAYOUTS } from './sheetPages/pages.ts';

/** With a covered face; half as many are clean. The scans are kept in the folder that the third argument names, after the seed. */
const SHEETS = Number(process.argv[2] ?? 300);
const SEED = Number(process.argv[3] ?? 2027);
const KEPT = process.argv[4];
const DPI = 100;

const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 1 });
const compose = pagesAt(DPI, SEED);

interface Outcome {
  layout: string;
  cover: string | null;
  isAsked: boolean;
  isLost: boolean;
}

const covers = [...SEEN_COVERS, ...NEW_COVERS];
const layouts = [...SEEN_LAYOUTS, ...NEW_LAYOUTS];
const outcomes: Outcome[] = [];
for (let number = 0; number < 1.5 * SHEETS; number += 1) {
  const layout = layouts[number % layouts.length]!;
  // Of each layout every third sheet is clean; the covers take turns.
  const round = Math.floor(number / layouts.length);
  const turn = round - Math.floor(round / 3);
  const cover = round % 3 === 2 ? null : covers[(turn + 5 * (number % layouts.length)) % covers.length]!;
  const { jpeg, portraits } = await compose(layout, cover);
  const converted = await vision.convert(jpeg, {
    company: trusted.company(1),
    priority: 'bulk',
    use: 'sheet',
  });
  if (converted.kind !== 'converted') throw new Error('A composed sheet cannot be read.');
  const photos = converted.portraits?.length;
  outcomes.push({
    layout,
    cover,
    isAsked: photos === undefined,
    isLost: photos !== undefined && photos < portraits,
  });
  console.log(number + 1, layout, cover, portraits, photos ?? 'asked');
  if (KEPT !== undefined) await writeFile(join(KEPT, `${number + 1}.jpg`), jpeg);
}
await vision.close();

const isNew = ({ layout, cover }: Outcome) =>
  NEW_LAYOUTS.includes(layout) || (cover !== null && NEW_COVERS.includes(cover));
function counted(label: string, of: readonly Outcome[]) {
  const [clean, covered] = [
    of.filter(({ cover }) => cover === null),
    of.filter(({ cover }) => cover !== null),
  ];
  const asked = (sheets: readonly Outcome[]) => sheets.filter(({ isAsked }) => isAsked).length;
  const lost = (sheets: readonly Outcome[]) => sheets.filter(({ isLost }) => isLost).length;
  return [label, covered.length, asked(covered), lost(covered), clean.length, asked(clean), lost(clean)];
}
publish({
  name: 'coveredSheets',
  title: 'Sheets with a covered face',
  args: [String(SHEETS), String(SEED)],
  body: `A4 pages at ${DPI} dpi, turned by up to 3°, composed of photos of LFW; the face of one portrait is covered in one of ${covers.length} ways, or none is. The layouts and covers of the second row were drawn after the limits were set, the new layouts with other people. Asked: the sheet stays whole for a person. Lost: it became fewer photos than it has portraits, and nobody was asked. Of the others each portrait became a photo, also one whose face is found in spite of the cover; its own quality check follows.

${table(
  ['sheets', 'with a covered face', 'asked', 'lost', 'clean', 'asked', 'lost'],
  [
    counted(
      'layouts and covers with which limits were set',
      outcomes.filter((each) => !isNew(each)),
    ),
    counted('new layouts or covers', outcomes.filter(isNew)),
    ...layouts.map((layout) =>
      counted(
        layout,
        outcomes.filter((each) => each.layout === layout),
      ),
    ),
    ...covers.map((cover) =>
      counted(
        cover,
        outcomes.filter((each) => each.cover === cover),
      ),
    ),
    counted('all', outcomes),
  ],
)}`,
});
