/** Part of `npm run bench -- duplicates`: all pairs within a distance among 128 components, by size. */
import assert from 'node:assert/strict';
import type { FaceId } from '../../core/contracts/ids.ts';
import type { FacePair } from '../../core/domain/ports/gallery.ts';
import { squaredDistance } from '../../core/gallery/distance.ts';
import type { MemoryGallery } from '../../core/gallery/gallery.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { onnxBatch, usearchBatch } from '../gallery/peers.ts';
import { COMPANY, filled, PIPELINE } from '../gallery/subject.ts';
import { randomFrom, realTemplates, spread } from '../gallery/templates.ts';
import type { Calibration } from '../../core/domain/scores/scores.ts';
import { table } from '../report.ts';

type Point = Calibration['points'][number];

const DIMENSIONS = 128;
/** One face in so many is another photo of an earlier one. */
const PLANTED_SHARE = 10;
const MAX_PLANTED = 10_000;
/** Faces that one call of the gallery compares. */
const PORTION = 256;
/** Probes that a peer takes at a time, and how many such batches are timed. */
const [PEER_BATCH, PEER_BATCHES] = [64, 8];
const LARGEST_PEER = 100_000;
const QUERY = {
  pipeline: PIPELINE,
  watchlists: [{ kind: 'duplicate' as const }],
  // More than any face has, so that none is left out.
  limit: 10_000,
  against: 'earlier' as const,
};
const LAST_FACE = Number.MAX_SAFE_INTEGER as FaceId;
/** Share of people enrolled once who may be proposed by chance; the false-match rate of a pair follows from N. */
const FPIR = 1e-3;

const sizes = (process.argv[2] ?? '10000').split(',').map(Number);
const seeds = process.env.VOUCH_DATA === undefined ? [] : await realTemplates(2_320);
const rows: string[][] = [];
for (const size of sizes) rows.push(await measure(size));

console.log(`Every pair of N templates of 128 components that is at most d apart: the distance of a false-match rate of ${FPIR} / (N − 1),
extrapolated from the shipped table; one core, processor time. ${
  seeds.length > 0
    ? `Templates are spread like the ${seeds.length} descriptors of LFW photos`
    : 'Templates have random directions'
}; of every ${PLANTED_SHARE} one, at most ${MAX_PLANTED.toLocaleString('en')}, is another photo of an earlier face, up to that distance
away. "Increment": the last hundredth of the faces against all. The peers multiply batches of ${PEER_BATCH} with half of the faces,
which a comparison of each face with the earlier ones takes on average, and keep the nearest ten of each; their time is that of
${PEER_BATCHES} batches, scaled to all. They were not measured beyond ${LARGEST_PEER.toLocaleString('en')} faces.
Memory is the growth of the process between the filled gallery and the end.

${table(
  [
    'N',
    'distance d',
    'seconds',
    'increment, s',
    'pairs',
    'planted',
    'of them found',
    'memory, MiB',
    'usearch exact, s',
    'ONNX Gemm, s',
    'ours / faster peer',
  ],
  rows,
)}

Of 2,000 faces of every size the pairs and their distances were compared with a double loop in float64: equal.`);

async function measure(size: number): Promise<string[]> {
  const maxDistance = distanceAt(FPIR / (size - 1));
  const all = spread(size, DIMENSIONS, seeds, 7);
  const planted = plant(all, size, maxDistance);
  const gallery = await filled(all, DIMENSIONS);
  await compareWithLoop(gallery, all, size, 1.3 * maxDistance);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const start = used();
  const found = new Set<string>();
  const pairs = await run(gallery, { after: 0, maxDistance }, (each) => {
    for (const { first, second } of each) if (planted.get(second) === first) found.add(`${second}`);
    peak = Math.max(peak, process.memoryUsage().rss);
  });
  const seconds = used() - start;
  const incrementStart = used();
  await run(gallery, { after: size - Math.floor(size / 100), maxDistance }, () => undefined);
  const increment = used() - incrementStart;
  await gallery.close();
  const peers = size <= LARGEST_PEER ? await peerSeconds(all, size) : undefined;
  const faster = peers === undefined ? undefined : Math.min(peers.usearch, peers.onnx);
  return [
    size.toLocaleString('en'),
    maxDistance.toFixed(3),
    seconds.toFixed(1),
    increment.toFixed(2),
    pairs.toLocaleString('en'),
    planted.size.toLocaleString('en'),
    found.size.toLocaleString('en'),
    ((peak - before) / 2 ** 20).toFixed(0),
    peers?.usearch.toFixed(0) ?? '–',
    peers?.onnx.toFixed(0) ?? '–',
    faster === undefined ? '–' : (seconds / faster).toFixed(3),
  ];
}

/** Compares the faces above `after` with all earlier ones. @returns how many pairs there are */
async function run(
  gallery: MemoryGallery,
  { after, maxDistance }: { after: number; maxDistance: number },
  onPairs: (pairs: readonly FacePair[]) => void,
): Promise<number> {
  let count = 0;
  const faces = gallery.facesIn(COMPANY, { after: after as FaceId, upTo: LAST_FACE });
  for (let start = 0; start < faces.length; start += PORTION) {
    const portion = faces.slice(start, start + PORTION);
    const found = await gallery.pairs(COMPANY, portion, { ...QUERY, maxDistance });
    assert.deepEqual([found.compared.length, found.truncated], [portion.length, []]);
    count += found.pairs.length;
    onPairs(found.pairs);
  }
  return count;
}

/** Makes some rows another photo of an earlier one. @returns the earlier face by the later */
function plant(templates: Float32Array, size: number, maxDistance: number): Map<number, number> {
  const random = randomFrom(11);
  const planted = new Map<number, number>();
  const count = Math.min(MAX_PLANTED, Math.floor(size / PLANTED_SHARE));
  const step = Math.floor(size / count);
  for (let i = 1; i <= count; i++) {
    const second = i * step;
    const first = 1 + Math.floor(random() * (second - 1));
    const [from, to] = [(first - 1) * DIMENSIONS, (second - 1) * DIMENSIONS];
    const direction = Float64Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const scale = (0.98 * random() * maxDistance) / Math.hypot(...direction);
    const moved = direction.map((value, k) => templates[from + k]! + scale * value);
    const length = Math.hypot(...moved);
    for (let k = 0; k < DIMENSIONS; k++) templates[to + k] = moved[k]! / length;
    planted.set(second, first);
  }
  return planted;
}

/** The pairs of the first 2,000 faces, which a double loop can still list. */
async function compareWithLoop(
  gallery: MemoryGallery,
  templates: Float32Array,
  size: number,
  maxDistance: number,
): Promise<void> {
  const count = Math.min(2_000, size);
  const expected: string[] = [];
  for (let second = 2; second <= count; second++)
    for (let first = 1; first < second; first++) {
      const probe = templates.subarray((second - 1) * DIMENSIONS, second * DIMENSIONS);
      const distance = Math.sqrt(squaredDistance(probe, templates, (first - 1) * DIMENSIONS));
      if (distance <= maxDistance) expected.push(`${first}-${second}-${distance}`);
    }
  const faces = gallery.facesIn(COMPANY, { after: 0 as FaceId, upTo: count as FaceId });
  const portion = await gallery.pairs(COMPANY, faces, { ...QUERY, maxDistance });
  const listed = portion.pairs.map(({ first, second, distance }) => `${first}-${second}-${distance}`);
  assert.deepEqual(listed.sort(), expected.sort());
}

async function peerSeconds(
  templates: Float32Array,
  size: number,
): Promise<{ usearch: number; onnx: number }> {
  const half = templates.subarray(0, Math.floor(size / 2) * DIMENSIONS);
  const product = await onnxBatch(half, DIMENSIONS, PEER_BATCH);
  const batchOf = (i: number) =>
    templates.slice(i * PEER_BATCH * DIMENSIONS, (i + 1) * PEER_BATCH * DIMENSIONS);
  const times = { usearch: 0, onnx: 0 };
  await product.search(batchOf(0));
  usearchBatch(half, DIMENSIONS, batchOf(0));
  for (let i = 1; i <= PEER_BATCHES; i++) {
    let start = used();
    await product.search(batchOf(i));
    times.onnx += used() - start;
    start = used();
    usearchBatch(half, DIMENSIONS, batchOf(i));
    times.usearch += used() - start;
  }
  await product.close();
  const batches = size / PEER_BATCH / PEER_BATCHES;
  return { usearch: times.usearch * batches, onnx: times.onnx * batches };
}

/** The distance of a false-match rate below the calibrated ones: the line through the last two points in log FMR. */
function distanceAt(fmr: number): number {
  const [a, b] = CALIBRATIONS.full.points.slice(-2) as [Point, Point];
  const slope = (b.distance - a.distance) / (Math.log(b.fmr) - Math.log(a.fmr));
  return b.distance + slope * (Math.log(fmr) - Math.log(b.fmr));
}

/** Processor time of this process so far, seconds. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
