/** Fits which numbers the bytes of the 128-D net stand for; `-- write` writes models/convert/recognition.json. */
// First: it must be evaluated before the library is loaded.
import '../core/vision/nets/noTelemetry.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alignedViews, RECOGNITION_VIEWS } from '../core/vision/descriptor.ts';
import { RECOGNITION_SIZE } from '../core/vision/nets/descriptors.ts';
import { openSession, Tensor } from '../core/vision/nets/net.ts';
import { loadExtracting, MODELS } from '../bench/accuracy/ours.ts';
import { lfw } from '../bench/accuracy/photos.ts';
import { publish, table } from '../bench/report.ts';
import { CATALOGUE, convertRecognition } from '../models/catalogue.ts';
import type { ByteRange } from '../models/convert/byte-net.ts';
import { NetBuilder } from '../models/convert/net-builder.ts';
import type { ConvolutionLayer, FeatureMap } from '../models/convert/net-builder.ts';
import { packagePath } from '../models/reference/tfjs.ts';

/** Of the photos of LFW one in so many is looked at. */
const STEP = 12;
/** Parts into which the numbers of a map are counted. */
const BINS = 4096;
/** Share of the largest number up to which a range may be cut, and the factor from one trial to the next. */
const NARROWEST = 0.1;
const NARROWER = 0.97;

/** The net in floats, with an output for every result whose range {@link ByteNet} is told. */
class ObservedNet extends NetBuilder {
  readonly seen: FeatureMap[] = [];

  override convolution(map: FeatureMap, layer: ConvolutionLayer): FeatureMap {
    return this.#see(super.convolution(map, layer));
  }

  override add(a: FeatureMap, b: FeatureMap): FeatureMap {
    return this.#see(super.add(a, b));
  }

  override relu(map: FeatureMap): FeatureMap {
    const made = super.relu(map);
    this.seen[this.seen.indexOf(map)] = made;
    return made;
  }

  /** A convolution here, none in bytes. */
  override growChannels(map: FeatureMap, channels: number): FeatureMap {
    const made = super.growChannels(map, channels);
    this.seen.pop();
    return made;
  }

  override encode(): Uint8Array {
    for (const [i, map] of this.seen.entries()) this.listOutput(outputName(i), map, map.channels);
    return super.encode();
  }

  #see(map: FeatureMap): FeatureMap {
    this.seen.push(map);
    return map;
  }
}

const outputName = (i: number) => `seen${i}`;

const [description, weights] = await Promise.all(
  CATALOGUE.recognition.files.map((file) => readFile(packagePath('@vladmandic/face-api', '..', file))),
);
const net = new ObservedNet('observed');
const session = await openSession(convertRecognition(description!.toString('utf8'), weights!, net));

/** The maps of two views of a face, in the order of the ranges. */
async function mapsOf(views: Uint8Array): Promise<Float32Array[]> {
  const size = RECOGNITION_SIZE;
  const outputs = await session.run({ image: new Tensor('uint8', views, [2, size, size, 3]) });
  return net.seen.map((_, i) => outputs[outputName(i)]!.data as Float32Array);
}

async function viewsOfPhotos(): Promise<Uint8Array[]> {
  const views: Uint8Array[] = [];
  const pipeline = await loadExtracting({ id: 'views', length: 1 }, (view, face) => {
    views.push(alignedViews(RECOGNITION_VIEWS, view, face));
    return Promise.resolve(Float32Array.of(1));
  });
  for (const [i, { path }] of lfw().photos.entries()) if (i % STEP === 0) await pipeline.describe(path);
  return views;
}

/** How often the numbers of a map were met, from the least to the largest. */
interface Counts {
  least: number;
  largest: number;
  bins: Float64Array;
}

async function count(allViews: readonly Uint8Array[]): Promise<Counts[]> {
  const counts = net.seen.map((): Counts => ({ least: 0, largest: 0, bins: new Float64Array(BINS) }));
  for (const views of allViews)
    for (const [i, map] of (await mapsOf(views)).entries()) {
      const of = counts[i]!;
      for (const value of map) {
        of.least = Math.min(of.least, value);
        of.largest = Math.max(of.largest, value);
      }
    }
  for (const views of allViews)
    for (const [i, map] of (await mapsOf(views)).entries()) {
      const { least, largest, bins } = counts[i]!;
      const perNumber = BINS / (largest - least);
      for (const value of map) bins[Math.min(BINS - 1, Math.floor((value - least) * perNumber))]!++;
    }
  return counts;
}

/** The range with the least mean squared error: of numbers inside that of rounding, of others what is cut off. */
function fit({ least, largest, bins }: Counts): { range: ByteRange; decibels: number } {
  const width = (largest - least) / BINS;
  const values = Float64Array.from(bins, (_, bin) => least + (bin + 0.5) * width);
  const errorOf = ({ scale, zero }: ByteRange) => {
    const [low, high] = [-zero * scale, (255 - zero) * scale];
    return bins.reduce((sum, counted, bin) => {
      const beyond = Math.max(0, values[bin]! - high, low - values[bin]!);
      return sum + counted * (beyond > 0 ? beyond ** 2 : scale ** 2 / 12);
    }, 0);
  };
  let best: { range: ByteRange; error: number } | undefined;
  for (let above = largest; above > NARROWEST * largest; above *= NARROWER)
    for (let below = -least; below >= -NARROWEST * least; below *= NARROWER) {
      const scale = Number(((above + below) / 255).toPrecision(5));
      const range = { scale, zero: Math.round(below / scale) };
      const error = errorOf(range);
      if (best === undefined || error < best.error) best = { range, error };
      if (below === 0) break;
    }
  const power = bins.reduce((sum, counted, bin) => sum + counted * values[bin]! ** 2, 0);
  return { range: best!.range, decibels: 10 * Math.log10(power / best!.error) };
}

const photos = await viewsOfPhotos();
const fitted = (await count(photos)).map(fit);
const FITTED = `npm run research -- ranges write: every ${STEP}th photo of LFW, two views each, least squared error of each map`;

if (process.argv.includes('write')) {
  const file = join(MODELS, 'convert', 'recognition.json');
  const content = { fitted: FITTED, ranges: fitted.map(({ range }) => range) };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  console.log('models/convert/recognition.json written; pin the net with npm run models -- --pin');
}

publish({
  name: 'ranges',
  title: 'Bytes of the 128-D net',
  body: [
    `${photos.length} faces in every ${STEP}th photo of LFW. For each convolution and sum: the numbers that its bytes reach, and by how much`,
    'the power of the numbers exceeds that of the error. What is beyond the bytes is cut off.',
    '',
    table(
      ['map', 'bytes from', 'to', 'decibels'],
      fitted.map(({ range: { scale, zero }, decibels }, i) => [
        `${net.seen[i]!.channels} × ${net.seen[i]!.height} × ${net.seen[i]!.width}`,
        (-zero * scale).toFixed(2),
        ((255 - zero) * scale).toFixed(2),
        decibels.toFixed(1),
      ]),
    ),
  ].join('\n'),
});
