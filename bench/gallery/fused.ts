/** Part of `npm run bench -- gallery`: searches among fused templates of 128 + 1024 components. */
import assert from 'node:assert/strict';
import { table } from '../report.ts';
import { memoryStream, plainLoop, usearchExact } from './peers.ts';
import { filled, nearestIds } from './subject.ts';
import { fused } from './templates.ts';
import { processorTimes } from './timing.ts';

const LEAD = 128;
const TAIL = 1_024;
const DIMENSIONS = LEAD + TAIL;
const PROBES = 8;
const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
const size = Math.min(largest, 100_000);
/** A screening asks for no strangers: most pairs of these templates are further apart than this. */
const THRESHOLD = 0.8;

const all = fused(size + PROBES, LEAD, TAIL, []);
const rows = all.subarray(0, size * DIMENSIONS);
const probe = (round: number) => {
  const at = size + (round % PROBES);
  return all.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
};
const parts = filled(rows, DIMENSIONS, { lead: LEAD });
const whole = filled(rows, DIMENSIONS, { lead: DIMENSIONS });
for (let i = 0; i < PROBES; i++) {
  const expected = plainLoop(rows, DIMENSIONS, probe(i));
  assert.deepEqual(await nearestIds(parts, probe(i)), expected);
  assert.deepEqual(await nearestIds(whole, probe(i)), expected);
}
const times = await processorTimes(7, {
  parts: (round) => nearestIds(parts, probe(round), THRESHOLD),
  partsAll: (round) => nearestIds(parts, probe(round)),
  wholeAll: (round) => nearestIds(whole, probe(round)),
  leadStream: memoryStream(size * (LEAD + 12)),
  usearch: (round) => usearchExact(rows, DIMENSIONS, probe(round)),
  loop: (round) => plainLoop(rows, DIMENSIONS, probe(round)),
});
const ms = (value: number) => value.toFixed(2);

console.log(`### Fused templates: 128 + 1024 components, one core

${size.toLocaleString('en')} synthetic templates, the first part with 0.8 of the squared length. Processor time in milliseconds of one search for the nearest 10; ids and order were compared with the plain loop's.

${table(
  [
    'codes in two parts, within distance ' + String(THRESHOLD),
    'codes in two parts, no threshold',
    'codes in one part, no threshold',
    'stream of the first parts',
    'usearch exact',
    'plain loop',
  ],
  [
    [
      ms(times.parts),
      ms(times.partsAll),
      ms(times.wholeAll),
      ms(times.leadStream),
      ms(times.usearch),
      ms(times.loop),
    ],
  ],
)}
`);
