/** Part of `npm run bench -- gallery`: time and memory of searches among 128 components, by size. */
import assert from 'node:assert/strict';
import { table } from '../report.ts';
import { memoryStream, onnxBatch, plainLoop, sqliteVec, usearchExact } from './peers.ts';
import { filled, nearestIds } from './subject.ts';
import { realTemplates, spread } from './templates.ts';
import { processorTimes, type Work } from './timing.ts';

const DIMENSIONS = 128;
const PROBES = 16;
const sizes = (process.argv[2] ?? '1000').split(',').map(Number);
/** Beyond this size the slow peers would take the machine for minutes. */
const LARGEST_PEER = 1_000_000;

const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(400);
const times: string[][] = [];
const ratios: string[][] = [];
for (const size of sizes) await measure(size);

console.log(`### Time of one search, one core

Nearest 10 of N templates of 128 components, processor time in milliseconds, median; ${
  seeds.length > 0
    ? `templates spread like the ${seeds.length} descriptors of LFW photos`
    : 'templates of random direction'
}, probes likewise. "codes" is what the product does; "float32" the same gallery without codes; the streams are one reading of the same bytes. Ids and order were compared with the plain loop's on every probe.

${table(['N', 'codes', 'stream of codes', 'float32', 'stream of float32', 'plain loop', 'usearch exact', 'sqlite-vec', 'onnxruntime, batch of 16, per probe'], times)}

${table(['N', 'codes / usearch', 'codes / sqlite-vec', 'codes / stream', 'float32 / stream', 'codes / onnxruntime batch', 'memory / vectors'], ratios)}
`);

async function measure(size: number): Promise<void> {
  const rows = spread(size, DIMENSIONS, seeds, 1);
  const probes = spread(PROBES, DIMENSIONS, seeds, 2);
  const probe = (round: number) =>
    probes.subarray((round % PROBES) * DIMENSIONS, ((round % PROBES) + 1) * DIMENSIONS);
  const before = resident();
  const codes = filled(rows, DIMENSIONS);
  const memory = (resident() - before) / (size * DIMENSIONS * 4);
  const exact = filled(rows, DIMENSIONS, { codesFrom: Infinity });
  for (let i = 0; i < PROBES; i++) {
    const expected = plainLoop(rows, DIMENSIONS, probe(i));
    assert.deepEqual(await nearestIds(codes, probe(i)), expected);
    assert.deepEqual(await nearestIds(exact, probe(i)), expected);
  }
  const works: Record<string, Work> = {
    codes: (round) => nearestIds(codes, probe(round)),
    // What the kernel reads of a row: its codes, |y|² and the sum of its codes.
    codeStream: memoryStream(size * (DIMENSIONS + 8)),
    exact: (round) => nearestIds(exact, probe(round)),
    exactStream: memoryStream(size * DIMENSIONS * 4),
    loop: (round) => plainLoop(rows, DIMENSIONS, probe(round)),
  };
  const closing: (() => unknown)[] = [() => codes.close(), () => exact.close()];
  if (size <= LARGEST_PEER) {
    const vec = sqliteVec(rows, DIMENSIONS);
    const batch = await onnxBatch(rows, DIMENSIONS, PROBES);
    works.usearch = (round) => usearchExact(rows, DIMENSIONS, probe(round));
    works.vec = (round) => vec.search(probe(round));
    works.batch = () => batch.search(probes);
    closing.push(vec.close, batch.close);
  }
  const rounds = size > 500_000 ? 9 : size > 50_000 ? 21 : 51;
  const t = await processorTimes(rounds, works);
  for (const close of closing) await close();
  const perProbe = (t.batch ?? NaN) / PROBES;
  const columns = [t.codes, t.codeStream, t.exact, t.exactStream, t.loop, t.usearch, t.vec, perProbe];
  times.push([size.toLocaleString('en'), ...columns.map(ms)]);
  const ratio = (a?: number, b?: number) => number((a ?? NaN) / (b ?? NaN), 2);
  ratios.push([
    size.toLocaleString('en'),
    ratio(t.codes, t.usearch),
    ratio(t.codes, t.vec),
    ratio(t.codes, t.codeStream),
    ratio(t.exact, t.exactStream),
    ratio(t.codes, perProbe),
    size < 100_000 ? '' : number(memory, 2),
  ]);
}

/** Bytes in use: those of the heap that are free again, but not given back yet, do not count. */
function resident(): number {
  global.gc?.();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}

function ms(value: number | undefined): string {
  return number(value ?? NaN, value !== undefined && value < 10 ? 3 : 1);
}

function number(value: number, digits: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(digits);
}
