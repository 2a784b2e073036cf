import { filled, nearestIdsOfEach } from './subject.ts';
import { spread, realTemplates } from './templates.ts';
import { processorTimes } from './timing.ts';
import { onnxBatch } from './peers.ts';
import { writeFileSync, readFileSync, existsSync } from 'node:fs';
const D = 128;
const cache = '/tmp/scan-seeds.bin';
let seeds: Float32Array[];
if (existsSync(cache)) { const b = readFileSync(cache); const f = new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength)); seeds = Array.from({ length: f.length / D }, (_, i) => f.slice(i * D, (i + 1) * D)); }
else { seeds = (await realTemplates(400)).map((s) => s.slice(0, D)); const f = new Float32Array(seeds.length * D); seeds.forEach((s, i) => f.set(s.subarray(0, D), i * D)); writeFileSync(cache, new Uint8Array(f.buffer)); }
for (const size of (process.argv[2] ?? '10000').split(',').map(Number)) {
  const rows = spread(size, D, seeds, 1);
  const gallery = await filled(rows, D);
  const works: Record<string, () => unknown> = {};
  for (const n of (process.argv[3] ?? '16').split(',').map(Number)) {
    const probes = spread(n, D, seeds, 2);
    const all = Array.from({ length: n }, (_, i) => probes.subarray(i * D, (i + 1) * D));
    works[`codes${n}`] = () => nearestIdsOfEach(gallery, all);
    if (process.argv[4] !== 'noonnx') { const b = await onnxBatch(rows, D, n); works[`onnx${n}`] = () => b.search(probes); }
  }
  const t = await processorTimes(31, works);
  for (const [k, v] of Object.entries(t)) console.log(size, k, (v / Number(k.replace(/\D/g, ''))).toFixed(4));
  await gallery.close();
}
