/** Part of `npm run bench -- gallery`: time of searches among 128 components, by size. */
import assert from 'node:assert/strict';
import { shapeOf } from '../../core/gallery/quantiser.ts';
import { table } from '../report.ts';
import { BATCH_HEAD, byBatch } from './batch.ts';
import { memoryStream, onnxBatch, plainLoop, sqliteVec, usearchExact } from './peers.ts';
import { filled, nearestIds, nearestIdsOfEach } from './subject.ts';
import { realTemplates, spread } from './templates.ts';
import { processorTimes, type Work } from './timing.ts';

const DIMENSIONS = 128;
const PROBES = 16;
const sizes = (process.argv[2] ?? '1000').split(',').map(Number);
/** Beyond this size the slow peers would take the machine for minutes, and all of them together its memory. */
const LARGEST_PEER = 1_000_000;

const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(400);
const times: string[][] = [];
const ratios: string[][] = [];
const batches: string[][] = [];
const batchRatios: string[][] = [];
for (const size of sizes) await measure(size);

console.log(`### Time of one search, one core

Nearest 10 of N templates of 128 components, processor time in milliseconds, median; ${
  seeds.length > 0
    ? `templates spread like the ${seeds.length} descriptors of LFW photos`
    : 'templates of random direction'
}, probes likewise. "codes" is what the product does, and "16 at once" its search of all faces of a photo, per probe; "float32" the same gallery without codes; the streams are one reading of the same bytes. Ids and order were compared with the plain loop's. Peers, and the gallery without codes, are not measured beyond ${LARGEST_PEER.toLocaleString('en')}.

${table(['N', 'codes', '16 at once', 'stream of codes', 'stream of primary codes', 'float32', 'stream of float32', 'plain loop', 'usearch exact', 'sqlite-vec', 'onnxruntime, batch of 16'], times)}

${table(['N', 'codes / usearch', 'codes / sqlite-vec', 'codes / stream', 'codes / stream of primary codes', 'float32 / stream', '16 at once / codes', '16 at once / onnxruntime batch'], ratios)}

### Several probes at once, by how many they are

Processor time per probe in milliseconds, one core: the product's search and ONNX Runtime's \`Gemm\` and \`TopK\`, and the former as a part of the latter. ONNX Runtime's order is that of rounded products; the product's is exact.

${table(BATCH_HEAD, batches)}

${table(BATCH_HEAD, batchRatios)}
`);

async function measure(size: number): Promise<void> {
  const rows = spread(size, DIMENSIONS, seeds, 1);
  const probes = spread(PROBES, DIMENSIONS, seeds, 2);
  const probe = (round: number) =>
    probes.subarray((round % PROBES) * DIMENSIONS, ((round % PROBES) + 1) * DIMENSIONS);
  const all = Array.from({ length: PROBES }, (_, i) => probe(i));
  const codes = await filled(rows, DIMENSIONS);
  const together = await nearestIdsOfEach(codes, all);
  const compared = size <= LARGEST_PEER ? PROBES : 2;
  for (let i = 0; i < compared; i++) {
    const expected = plainLoop(rows, DIMENSIONS, probe(i));
    assert.deepEqual(await nearestIds(codes, probe(i)), expected);
    assert.deepEqual(together[i], expected);
  }
  const works: Record<string, Work> = {
    codes: (round) => nearestIds(codes, probe(round)),
    together: () => nearestIdsOfEach(codes, all),
    // The stored row: its codes, |y|² and |y⊥|; and the part that the kernel reads of nearly all rows.
    codeStream: memoryStream(size * (DIMENSIONS + 8)),
    primaryStream: memoryStream(size * (shapeOf(DIMENSIONS).primaryBytes + 8)),
  };
  const closing: (() => unknown)[] = [() => codes.close()];
  if (size <= LARGEST_PEER) {
    const exact = await filled(rows, DIMENSIONS, { codesFrom: Infinity });
    assert.deepEqual(await nearestIds(exact, probe(0)), together[0]);
    works.exact = (round) => nearestIds(exact, probe(round));
    works.exactStream = memoryStream(size * DIMENSIONS * 4);
    works.loop = (round) => plainLoop(rows, DIMENSIONS, probe(round));
    const vec = sqliteVec(rows, DIMENSIONS);
    const batch = await onnxBatch(rows, DIMENSIONS, PROBES);
    works.usearch = (round) => usearchExact(rows, DIMENSIONS, probe(round));
    works.vec = (round) => vec.search(probe(round));
    works.batch = () => batch.search(probes);
    closing.push(() => exact.close(), vec.close, batch.close);
  }
  const rounds = size > 500_000 ? 9 : size > 50_000 ? 21 : 51;
  const t = await processorTimes(rounds, works);
  if (size <= LARGEST_PEER) {
    const { ours, theirs } = await byBatch(codes, rows, DIMENSIONS, probes);
    const label = size.toLocaleString('en');
    batches.push([label, ...ours.map((value) => value.toFixed(3))]);
    batches.push([`${label}, ONNX Runtime`, ...theirs.map((value) => value.toFixed(3))]);
    batchRatios.push([label, ...ours.map((value, i) => (value / theirs[i]!).toFixed(2))]);
  }
  for (const close of closing) await close();
  const peerBatch = t.batch === undefined ? undefined : t.batch / PROBES;
  const together16 = t.together! / PROBES;
  const columns = [
    t.codes,
    together16,
    t.codeStream,
    t.primaryStream,
    t.exact,
    t.exactStream,
    t.loop,
    t.usearch,
    t.vec,
    peerBatch,
  ];
  times.push([size.toLocaleString('en'), ...columns.map(ms)]);
  const ratio = (a?: number, b?: number) => number((a ?? NaN) / (b ?? NaN), 2);
  ratios.push([
    size.toLocaleString('en'),
    ratio(t.codes, t.usearch),
    ratio(t.codes, t.vec),
    ratio(t.codes, t.codeStream),
    ratio(t.codes, t.primaryStream),
    ratio(t.exact, t.exactStream),
    ratio(together16, t.codes),
    ratio(together16, peerBatch),
  ]);
}

function ms(value: number | undefined): string {
  return number(value ?? NaN, value !== undefined && value < 10 ? 3 : 1);
}

function number(value: number, digits: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(digits);
}
