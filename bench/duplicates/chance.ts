/**
 * Part of `npm run bench -- duplicates`: galleries of people who are enrolled once. How many of them are proposed, and how
 * many pairs, against the rate that was chosen and the interval that was stated.
 */
import type { FaceId } from '../../core/contracts/ids.ts';
import { chancePairs, distanceFor } from '../../core/domain/duplicates/rate.ts';
import { measureTail, SAMPLE } from '../../core/domain/duplicates/tail.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { COMPANY, filled, PIPELINE } from '../gallery/subject.ts';
import { randomFrom, realTemplates } from '../gallery/templates.ts';
import { table } from '../report.ts';

const DIMENSIONS = 128;
const PORTION = 256;
const PEOPLE = [2_000, 6_000, 20_000];
const GALLERIES = 3;
/** One in so many people may be proposed; few enough people are needed to count them. */
const ONE_IN = 100;

const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(2_320);
const spread = spreadOf(seeds);
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

/** Mean and Cholesky factor of the covariance; without templates a sphere. */
function spreadOf(templates: readonly Float32Array[]): { mean: Float64Array; factor: Float64Array[] } {
  const mean = new Float64Array(DIMENSIONS);
  for (const template of templates) for (const [k, x] of template.entries()) mean[k]! += x / templates.length;
  const factor = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
  for (let a = 0; a < DIMENSIONS; a++)
    for (let b = 0; b <= a; b++) {
      let sum = templates.length === 0 && a === b ? 1 : 0;
      for (const template of templates)
        sum += ((template[a]! - mean[a]!) * (template[b]! - mean[b]!)) / templates.length;
      for (let k = 0; k < b; k++) sum -= factor[a]![k]! * factor[b]![k]!;
      factor[a]![b] = a === b ? Math.sqrt(Math.max(1e-12, sum)) : sum / factor[b]![b]!;
    }
  return { mean, factor };
}

function peopleOf(count: number, seed: number): Float32Array {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const { mean, factor } = spread;
  const all = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) {
    const z = Float64Array.from({ length: DIMENSIONS }, normal);
    const vector = mean.map((x, a) => {
      let sum = x;
      for (let b = 0; b <= a; b++) sum += factor[a]![b]! * z[b]!;
      return sum;
    });
    const length = Math.hypot(...vector);
    all.set(
      vector.map((x) => x / length),
      row * DIMENSIONS,
    );
  }
  return all;
}
