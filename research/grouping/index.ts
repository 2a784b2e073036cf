/** How well the proposed groups agree with the people: B-cubed on LFW and ORL over both distances, baselines, and stress. */
import { tailDistance, tailRate } from '../../core/domain/duplicates/tail.ts';
import { lfw, orl } from '../../bench/accuracy/photos.ts';
import { publish, table } from '../../bench/report.ts';
import { complete, connected, photosWithin, product, type Groups, type Photos } from './linkages.ts';
import { fHalf, scoresOf, type Scores } from './scores.ts';
import { galleryOf, type Gallery } from './sets.ts';
import { bridged, chained, type InventedGallery } from './stress.ts';

/** Rates of d_link: false matches of a pair, and people enrolled once who may be proposed (FPIR). */
const [FMRS, FPIRS] = [
  [1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
  [1e-1, 1e-2, 1e-3, 1e-4],
];
/** Rates of d_cap, the narrowest first: of equal ones it is chosen. */
const CAPS = [1e-6, 1e-5, 1e-4, 1e-3];
/** Rate of a run unless the operator chooses another. */
const DEFAULT_FPIR = 1e-3;
/** Mean distance of two photos of one person in the stress, about that of LFW. */
const WITHIN = 0.4;

const lfwFull = await galleryOf(lfw(), 'full');
const full = photosOf(lfwFull);
const size = lfwFull.vectors.length;
const rates = [...FMRS, ...FPIRS.map((fpir) => fpir / (size - 1))].sort((a, b) => b - a);
const options = rates.flatMap((link) =>
  CAPS.map((cap) => ({ link, cap, scores: scoresAt(lfwFull, full, link, cap) })),
);
const best = options.reduce((one, other) => (fHalf(other.scores) > fHalf(one.scores) + 5e-5 ? other : one));
const bestLink = tailDistance(lfwFull.tail, best.link);
const bestCap = tailDistance(lfwFull.tail, best.cap);

function photosOf({ vectors, tail }: Gallery): Photos {
  return photosWithin(vectors, tailDistance(tail, Math.max(...FMRS)));
}

function scoresAt({ identities, tail }: Gallery, photos: Photos, link: number, cap: number): Scores {
  return scoresOf(identities, product(photos, tailDistance(tail, link), tailDistance(tail, cap)));
}

const three = (rate: number) => rate.toFixed(3);
const four = (rate: number) => rate.toFixed(4);
const power = (rate: number) => rate.toExponential(1);

const HEAD = [
  ...[
    'd_link',
    'F0.5',
    'precision',
    'recall',
    'precision, 2+',
    'recall, 2+',
    'pair precision',
    'pair recall',
  ],
  ...['groups', 'wrong', 'wrong per 1,000', 'largest wrong', 'decisions', 'not proposed'],
];

function row(name: string, photos: number, scores: Scores): (string | number)[] {
  const { precision, recall, several, pairs, groups, wrong, largestWrong, decisions, missed } = scores;
  return [
    ...[
      name,
      four(fHalf(scores)),
      four(precision),
      four(recall),
      three(several.precision),
      three(several.recall),
    ],
    ...[three(pairs.precision), three(pairs.recall), groups, wrong, ((1_000 * wrong) / photos).toFixed(1)],
    ...[largestWrong, decisions, missed],
  ];
}

/** The rate of d_link at which a baseline is best, and its scores there. */
function bestOf(rule: (photos: Photos, link: number) => Groups): { link: number; scores: Scores } {
  return rates
    .map((link) => ({
      link,
      scores: scoresOf(lfwFull.identities, rule(full, tailDistance(lfwFull.tail, link))),
    }))
    .reduce((one, other) => (fHalf(other.scores) > fHalf(one.scores) ? other : one));
}

function baselines(): (string | number)[][] {
  const rules = { 'connected components': connected, 'complete linkage': complete };
  return [
    row(`product, ${power(best.link)}`, size, best.scores),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const own = bestOf(rule);
      return [
        ...[best.link, Math.max(...rates)].map((link) =>
          row(
            `${name}, ${power(link)}`,
            size,
            scoresOf(lfwFull.identities, rule(full, tailDistance(lfwFull.tail, link))),
          ),
        ),
        row(`${name}, its best: ${power(own.link)}`, size, own.scores),
      ];
    }),
  ];
}

async function elsewhere(): Promise<(string | number)[][]> {
  const fpir = best.link * (size - 1);
  const rows: (string | number)[][] = [];
  for (const [name, gallery] of [
    ['ORL, full', await galleryOf(orl(), 'full')],
    ['ORL, light', await galleryOf(orl(), 'light')],
    ['LFW, light', await galleryOf(lfw(), 'light')],
  ] as const) {
    const photos = photosOf(gallery);
    const count = gallery.vectors.length;
    const scores = (link: number) => row('', count, scoresAt(gallery, photos, link, best.cap)).slice(1);
    rows.push([`${name}: same false match rate`, ...scores(best.link)]);
    if (name === 'ORL, full')
      rows.push([
        `${name}: same distances`,
        ...row('', count, scoresOf(gallery.identities, product(photos, bestLink, bestCap))).slice(1),
      ]);
    rows.push([`${name}: same FPIR`, ...scores(Math.min(1e-4, fpir / (count - 1)))]);
    rows.push([`${name}: default FPIR`, ...scores(DEFAULT_FPIR / (count - 1))]);
  }
  return rows;
}

/** Groups and the largest wrong one, by each rule at the chosen distances. */
function stressed(gallery: InventedGallery): (string | number)[] {
  const photos = photosWithin(gallery.vectors, bestLink);
  const cells = [
    product(photos, bestLink, bestCap),
    complete(photos, bestLink),
    connected(photos, bestLink),
  ].map((groups) => {
    const { precision, recall, wrong, largestWrong } = scoresOf(gallery.identities, groups);
    return `${three(precision)}, ${three(recall)}; ${wrong} (${largestWrong})`;
  });
  return [gallery.name, ...cells];
}

const lookAlike = tailDistance(lfwFull.tail, 1e-3);
const invented = [
  ...[1, 20].flatMap((bridges) => [0.84, lookAlike].map((apart) => bridged(bridges, apart, WITHIN))),
  ...[0.95, 0.3].map((share) => chained(share * bestLink)),
];

publish({
  name: 'grouping',
  title: 'Duplicates: proposed groups against the people',
  body: [
    `LFW: ${size} photos of ${new Set(lfwFull.identities).size} people. The rule of the product groups all photos, with the tail measured on them.`,
    'B-cubed over all photos; F0.5 weighs precision twice as much as recall. d_link is stated as the false match rate',
    '(FMR) of a pair; d_cap too. Goal: precision 0.995 at a recall of 0.95.',
    '',
    'F0.5: precision / recall, over d_link (rows, in brackets the FPIR of this gallery) and d_cap (columns).',
    '',
    table(
      ['d_link', ...CAPS.map((cap) => `d_cap ${power(cap)}`)],
      rates.map((link) => [
        `${power(link)} (${power(link * (size - 1))}): ${three(tailDistance(lfwFull.tail, link))}`,
        ...options
          .filter((option) => option.link === link)
          .map(
            ({ scores }) => `${four(fHalf(scores))}: ${three(scores.precision)} / ${three(scores.recall)}`,
          ),
      ]),
    ),
    '',
    `Best F0.5: d_link of ${power(best.link)}, d_cap of ${power(best.cap)} (the narrowest of equal ones). With this d_cap, over d_link:`,
    '"2+": photos of people with two photos or more. "Wrong": groups of several people, and per 1,000 photos; the photos of the',
    'largest. "Decisions" of an operator without errors: one for each person that a proposed group shows. "Not proposed": joins of',
    'photos of one person that no group shows.',
    '',
    table(
      HEAD,
      options.filter(({ cap }) => cap === best.cap).map(({ link, scores }) => row(power(link), size, scores)),
    ),
    '',
    'Baselines, at the chosen d_link, the widest one, and their own best one:',
    '',
    table(HEAD, baselines()),
    '',
    'Other photos and the light pipeline, with what was chosen on LFW:',
    '',
    table(['set', ...HEAD.slice(1)], await elsewhere()),
    '',
    'Stress at the chosen distances: B-cubed precision, recall; wrong groups (photos in the largest). People of 200 photos, with photos',
    `halfway between them; 0.84 is the median distance of two people, ${three(lookAlike)} that of an FMR of 1e-3. Chains of 300 people.`,
    '',
    table(['gallery', 'product', 'complete linkage', 'connected components'], invented.map(stressed)),
    '',
    `The distances are those of rates, so they move with the site: d_link here ${three(bestLink)} (FMR ${power(tailRate(lfwFull.tail, bestLink))}), d_cap ${three(bestCap)}.`,
  ].join('\n'),
});
