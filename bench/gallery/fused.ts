/** Part of `npm run bench -- gallery`: searches among fused templates of 128 + 1024 components. */
import assert from 'node:assert/strict';
import { table } from '../report.ts';
import { memoryStream, plainLoop, usearchExact } from './peers.ts';
import { filled, nearestIds } from './subject.ts';
import { fused, realTemplates, spread } from './templates.ts';
import { processorTimes } from './timing.ts';

const LEAD = 128;
const TAIL = 1_024;
const DIMENSIONS = LEAD + TAIL;
const PROBES = 8;
const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
const size = Math.min(largest, 100_000);
const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(400);
/**
 * A screening asks for no strangers: the distances of a false-match rate of 1e-4 and of the loosest that ships, or for
 * invented templates some as far out.
 */
const [USUAL, LOOSEST] = seeds.length > 0 ? [0.529, 0.615] : [0.7, 0.8];

/** The real ones last, so that the probes are real: each a photo of somebody whom the rows may hold once more. */
function templates(): Float32Array {
  if (seeds.length === 0) return fused(size + PROBES, LEAD, TAIL);
  const real = seeds.slice(0, Math.min(seeds.length, size));
  const invented = spread(size + PROBES - real.length, DIMENSIONS, seeds, 11);
  const joined = new Float32Array((size + PROBES) * DIMENSIONS);
  joined.set(invented);
  for (const [i, vector] of real.entries()) joined.set(vector, invented.length + i * DIMENSIONS);
  return joined;
}

const all = templates();
const rows = all.subarray(0, size * DIMENSIONS);
const probe = (round: number) => {
  const at = size + (round % PROBES);
  return all.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
};
const parts = await filled(rows, DIMENSIONS, { lead: LEAD });
const whole = await filled(rows, DIMENSIONS, { lead: DIMENSIONS });
for (let i = 0; i < PROBES; i++) {
  const expected = plainLoop(rows, DIMENSIONS, probe(i));
  assert.deepEqual(await nearestIds(parts, probe(i)), expected);
  assert.deepEqual(await nearestIds(whole, probe(i)), expected);
}
const times = await processorTimes(7, {
  usual: (round) => nearestIds(parts, probe(round), USUAL),
  loosest: (round) => nearestIds(parts, probe(round), LOOSEST),
  partsAll: (round) => nearestIds(parts, probe(round)),
  wholeAll: (round) => nearestIds(whole, probe(round)),
  leadStream: memoryStream(size * (LEAD + 12)),
  usearch: (round) => usearchExact(rows, DIMENSIONS, probe(round)),
  loop: (round) => plainLoop(rows, DIMENSIONS, probe(round)),
});
const ms = (value: number) => value.toFixed(2);

console.log(`### Fused templates: 128 + 1024 components, one core

${size.toLocaleString('en')} templates, ${
  seeds.length > 0
    ? `${seeds.length} of LFW photos as the full pipeline describes them, the others spread like them`
    : 'invented, the first part with 0.8 of the squared length'
}. Processor time in milliseconds of one search for the nearest 10; ids and order were compared with the plain loop's.

${table(
  [
    `within distance ${USUAL}`,
    `within ${LOOSEST}`,
    'no threshold',
    'no threshold, without axes',
    'stream of the leads',
    'usearch exact',
    'plain loop',
  ],
  [
    [
      ms(times.usual),
      ms(times.loosest),
      ms(times.partsAll),
      ms(times.wholeAll),
      ms(times.leadStream),
      ms(times.usearch),
      ms(times.loop),
    ],
  ],
)}
`);
