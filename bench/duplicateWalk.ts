/** A walk through the groups that a search of LFW proposes: wrong and missed ones with pictures, and the decisions they cost. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tailDistance } from '../core/domain/duplicates/tail.ts';
import { lfw, type Photo } from './accuracy/photos.ts';
import { bCubedIntervals, type Interval } from './grouping/intervals.ts';
import { photosWithin, product, type Groups } from './grouping/linkages.ts';
import { scoresOf } from './grouping/scores.ts';
import { galleryOf } from './grouping/sets.ts';
import { publish, table } from './report.ts';

const OUTPUT = join(import.meta.dirname, 'out');
/** The rate of a run unless the operator chooses another, and the rate per pair that has the best F0.5. */
const [DEFAULT_FPIR, BEST_FMR, CAP] = [1e-3, 1e-5, 1e-3];

const { identities, photos, vectors, tail } = await galleryOf(lfw(), 'full');
const rates = {
  'default rate': DEFAULT_FPIR / (vectors.length - 1),
  '1e-5 per pair': BEST_FMR,
};

/** The people of whom some photos are in no group together, each with the parts. */
function missedOf(groups: Groups): number[][][] {
  const groupOf = new Map(groups.flatMap((group, at) => group.map((photo) => [photo, at] as const)));
  const people = Map.groupBy(identities.keys(), (photo) => identities[photo]!);
  return [...people.values()]
    .map((own) => [...Map.groupBy(own, (photo) => groupOf.get(photo) ?? `alone ${photo}`).values()])
    .filter((parts) => parts.length > 1);
}

function picture({ path, name }: Photo): string {
  const content = readFileSync(path).toString('base64');
  return `<figure><img src="data:image/jpeg;base64,${content}" width="110" alt=""><figcaption>${name}</figcaption></figure>`;
}

function section(title: string, rows: readonly (readonly number[])[][]): string {
  const part = (indices: readonly number[]) =>
    `<div class="part">${indices.map((index) => picture(photos[index]!)).join('')}</div>`;
  return `<h2>${title}: ${rows.length}</h2>${rows.map((parts) => `<section>${parts.map(part).join('')}</section>`).join('')}`;
}

const STYLE = `body{font:14px sans-serif}section{border:1px solid #999;margin:8px;padding:4px}
.part{display:inline-block;border:1px dashed #999;margin:4px}figure{display:inline-block;margin:4px;width:110px}`;

mkdirSync(OUTPUT, { recursive: true });
const between = ({ low, high }: Interval) => `${low.toFixed(4)} – ${high.toFixed(4)}`;
const rows = Object.entries(rates).map(([name, rate]) => {
  const link = tailDistance(tail, rate);
  const cap = Math.max(link, tailDistance(tail, CAP));
  const groups = product(photosWithin(vectors, link), link, cap);
  const wrong = groups.filter((group) => new Set(group.map((photo) => identities[photo])).size > 1);
  const missed = missedOf(groups);
  const file = join(OUTPUT, `duplicate-walk-${name.replaceAll(' ', '-')}.html`);
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${STYLE}</style>${section(
      'Groups of several people',
      wrong.map((group) => [group]),
    )}${section('People in several parts', missed)}`,
  );
  console.log(file);
  for (const group of wrong) console.log('wrong:', group.map((photo) => photos[photo]!.name).join(', '));
  const scores = scoresOf(identities, groups);
  const intervals = bCubedIntervals(identities, groups);
  return [
    `${name} (${rate.toExponential(1)})`,
    `${scores.precision.toFixed(4)} (${between(intervals.precision)})`,
    `${scores.recall.toFixed(4)} (${between(intervals.recall)})`,
    ...[scores.groups, wrong.length, missed.length, scores.decisions, scores.missed],
  ];
});

publish({
  name: 'duplicateWalk',
  title: 'Duplicates: a walk through the groups of LFW',
  body: [
    `${vectors.length} photos of ${new Set(identities).size} people, in the pipeline \`full\`. B-cubed with the interval that holds 95 of 100 sets`,
    'of people drawn from these people with repetition. "Decisions" of an operator without errors: one for each person that a',
    'proposed group shows. "Joins not proposed": joins of photos of one person that no group shows. The command writes a page',
    'with the photos of every wrong group and of every person in several parts. The repository does not contain these pages.',
    '',
    table(
      [
        ...['search', 'precision (95 %)', 'recall (95 %)', 'groups', 'groups of several people'],
        ...['people in several parts', 'decisions', 'joins not proposed'],
      ],
      rows,
    ),
  ].join('\n'),
});
