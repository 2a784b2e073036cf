/**
 * Part of `npm run bench -- duplicates`: galleries of people who are enrolled once. How many of them are proposed, and how
 * many pairs, against the rate that was chosen and the interval that was stated.
 */
import type { FaceId } from '../../core/contracts/ids.ts';
import { chancePairs, distanceFor } from '../../core/domain/duplicates/rate.ts';
import { measureTail, SAMPLE } from '../../core/domain/duplicates/tail.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { COMPANY, filled, PIPELINE } from '../gallery/subject.ts';
import { normalSpread, realTemplates } from '../gallery/templates.ts';
import { table } from '../report.ts';

const DIMENSIONS = 128;
const PORTION = 256;
const PEOPLE = [2_000, 6_000, 20_000];
const GALLERIES = 3;
/** One in so many people may be proposed; few enough people are needed to count them. */
const ONE_IN = 100;

const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(2_320);
const peopleOf = normalSpread(seeds, DIMENSIONS);
const rows: string[][] = [];
let covered = 0;
for (const people of PEOPLE)
  for (let gallery = 0; gallery < GALLERIES; gallery++) rows.push(await measure(people, 100 * gallery + 7));

console.log(`People who are enrolled once, spread ${
  seeds.length > 0
    ? `normally with the covariance of ${seeds.length} descriptors of LFW photos`
    : 'in random directions'
}: one in ${ONE_IN} of them may be proposed.
The distance comes from all pairs of at most ${SAMPLE.toLocaleString('en')} of them, as a search measures them.

${table(['people', 'distance', 'lowest rate measured', 'proposed', 'one in', 'pairs', 'expected', '95 %'], rows)}

The interval holds the pairs of ${covered} of ${rows.length} galleries.`);

async function measure(people: number, seed: number): Promise<string[]> {
  const all = peopleOf(people, seed);
  const vectors = Array.from({ length: Math.min(SAMPLE, people) }, (_, i) =>
    all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
  );
  const tail = await measureTail({ yield: () => Promise.resolve() }, vectors, CALIBRATIONS.full);
  const maxDistance = distanceFor(tail, ONE_IN, people);
  const { pairs: value, low, high } = chancePairs(tail, maxDistance, { total: people, pending: people });
  const gallery = await filled(all, DIMENSIONS);
  const query = {
    pipeline: PIPELINE,
    watchlists: [{ kind: 'duplicate' as const }],
    limit: 1_000,
    against: 'earlier' as const,
    maxDistance,
  };
  const proposed = new Set<FaceId>();
  let pairs = 0;
  for (let start = 1; start <= people; start += PORTION) {
    const portion = Array.from({ length: PORTION }, (_, i) => (start + i) as FaceId);
    const found = await gallery.pairs(COMPANY, portion, query);
    pairs += found.pairs.length;
    for (const { first, second } of found.pairs) proposed.add(first).add(second);
  }
  await gallery.close();
  if (pairs >= low && pairs <= high) covered++;
  return [
    people.toLocaleString('en'),
    maxDistance.toFixed(3),
    tail.measuredTo.toExponential(1),
    String(proposed.size),
    (people / proposed.size).toFixed(0),
    String(pairs),
    value.toFixed(0),
    `${low} – ${high}`,
  ];
}
