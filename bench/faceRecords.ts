/** Face records and JPEG 2000: the loss of a template by each step, and mutated records through the reader. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Template } from '../core/contracts/faces.ts';
import { trusted } from '../core/contracts/ids.ts';
import { writeFac } from '../core/decoding/records/fac.ts';
import { write39794 } from '../core/decoding/records/iso39794.ts';
import { CodedError } from '../core/contracts/errors/problem.ts';
import { readFaceRecord } from '../core/decoding/records/readRecord.ts';
import { distanceAtFmr, distanceOf } from '../core/domain/scores/scores.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { jpeg2000Of } from '../test/support/jpeg2000.ts';
import { dataPath, lfwPhotos } from './data.ts';
import { randomFrom } from './gallery/templates.ts';
import { publish, table } from './report.ts';

const EVERY = Number(process.argv[2] ?? 12);
/** Of the photos, every so many are also written as JPEG 2000 without loss. */
const EVERY_LOSSLESS = 12;
const MUTATIONS = 20_000;
/** Bytes of a picture in a passport, about. */
const PASSPORT_BYTES = 15_000;
const MIB = 2 ** 20;

const grey = dataPath('faces', 'orl_grey');
const photos = [
  ...lfwPhotos(1e6).map(({ path }) => path),
  ...readdirSync(grey)
    .sort()
    .map((name) => join(grey, name)),
].filter((_, index) => index % EVERY === 0);
const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 1 });

async function faceOf(image: Uint8Array) {
  const found = await vision.enrol(image, { priority: 'bulk' });
  return found.kind === 'face' ? found : undefined;
}

async function converted(file: Uint8Array): Promise<Uint8Array> {
  const answer = await vision.convert(file, { company: trusted.company(1), priority: 'bulk' });
  if (answer.kind === 'converted') return answer.content;
  throw new CodedError(answer.reason);
}

const folder = mkdtempSync(join(tmpdir(), 'vouch-jp2-'));

/** JPEG 2000 of about {@link PASSPORT_BYTES}, by Debian's package `libopenjp2-tools`. @param samples bytes of the pixels */
async function smallJpeg2000(picture: Uint8Array, samples: number): Promise<Buffer> {
  const [from, to] = ['token.png', 'token.jp2'].map((name) => join(folder, name)) as [string, string];
  await sharp(picture).png().toFile(from);
  execFileSync('opj_compress', ['-i', from, '-o', to, '-r', String(samples / PASSPORT_BYTES)]);
  return readFileSync(to);
}

const STEPS = [
  'lossless JPEG 2000 of the photo, converted to JPEG of quality 95',
  'token image, as both records give it back',
  `JPEG 2000 of the token image at ${PASSPORT_BYTES / 1000} kB, in a record`,
] as const;
const distances = new Map<string, number[]>(STEPS.map((step) => [step, []]));
const lost = new Map<string, number>(STEPS.map((step) => [step, 0]));
let [taken, equal, records] = [0, 0, 0];
let bytes = 0;
for (const path of photos) {
  const photo = readFileSync(path);
  const original = await faceOf(photo);
  if (original === undefined) continue;
  taken += 1;
  const { eyes, template } = original.face;
  const note = async (step: (typeof STEPS)[number], image: Uint8Array, to: Template) => {
    const found = await faceOf(image);
    if (found === undefined) lost.set(step, lost.get(step)! + 1);
    else distances.get(step)!.push(distanceOf(found.face.template.vector, to.vector));
    return found?.face.template;
  };
  if (taken % EVERY_LOSSLESS === 1 || EVERY >= EVERY_LOSSLESS)
    await note(STEPS[0], await converted(await jpeg2000Of(photo)), template);
  const token = await vision.tokenImage(trusted.company(1), photo, eyes);
  const written = { ...token, eyes: { left: token.eyes[1], right: token.eyes[0] } };
  for (const record of [writeFac(written, 2005), writeFac(written, 2011), write39794(written)]) {
    records += 1;
    if (Buffer.from(token.jpeg).equals(await converted(record))) equal += 1;
  }
  const ofToken = await note(STEPS[1], token.jpeg, template);
  if (ofToken !== undefined) {
    const small = await smallJpeg2000(token.jpeg, token.width * token.height * 3);
    bytes += small.length;
    await note(STEPS[2], await converted(writeFac({ ...written, jpeg: small }, 2005)), ofToken);
  }
  if (taken % 100 === 0) console.log(`${taken} of ${photos.length}`);
}

const random = randomFrom(1);
const below = (most: number) => Math.floor(random() * most);
const eyes = { left: { x: 150, y: 144 }, right: { x: 90, y: 144 } };
const jpeg = (
  await vision.tokenImage(trusted.company(1), readFileSync(photos[0]!), [
    { x: 100, y: 110 },
    { x: 150, y: 110 },
  ])
).jpeg;
const face = { jpeg, width: 240, height: 320, eyes };
const sources = [writeFac(face, 2005), writeFac(face, 2011), write39794(face)].flatMap((record) => [
  Buffer.from(record),
  Buffer.from(
    `<BIR><BIR><BDBInfo><Type>Face</Type></BDBInfo><BDB>${Buffer.from(record).toString('base64url')}</BDB></BIR></BIR>`,
  ),
  Buffer.from(Buffer.from(record).toString('base64')),
]);
const answers = new Map<string, number>();
let [slowest, most] = [0, 0];
const before = process.memoryUsage().rss;
for (let i = 0; i < MUTATIONS; i++) {
  const mutated = Buffer.from(sources[i % sources.length]!);
  for (let changes = 1 + below(4); changes > 0; changes--)
    mutated[[below(mutated.length), below(Math.min(160, mutated.length))][below(2)]!] = below(256);
  const file = below(5) === 0 ? mutated.subarray(0, below(mutated.length)) : mutated;
  const from = performance.now();
  let answer = 'read';
  try {
    readFaceRecord(file);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    answer = error.problem.code;
  }
  slowest = Math.max(slowest, performance.now() - from);
  answers.set(answer, (answers.get(answer) ?? 0) + 1);
  if (i % 100 === 0) most = Math.max(most, process.memoryUsage().rss - before);
}

const quantile = (values: readonly number[], share: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(3);
const threshold = distanceAtFmr(vision.calibration, 1e-4);
publish({
  name: 'faceRecords',
  title: 'Face records and JPEG 2000',
  args: EVERY === 12 ? [] : [String(EVERY)],
  peers: ['@cornerstonejs/codec-openjpeg', '@rgrove/parse-xml'],
  body: `${taken} of ${photos.length} photos of LFW and ORL${EVERY === 1 ? '' : ` (every ${EVERY}th)`}: those in which one face was found. Records are of ISO/IEC 19794-5 (2005 and 2011) and 39794-5. Distances between templates; at ${threshold.toFixed(3)} one pair of strangers in 10,000 matches.

${table(
  ['step', 'photos', 'median', '95 %', 'largest', `above ${threshold.toFixed(3)}`, 'no face'],
  STEPS.map((step) => {
    const found = distances.get(step)!;
    const quantiles = [0.5, 0.95, 1].map((share) => quantile(found, share));
    const apart = found.filter((distance) => distance > threshold).length;
    return [step, found.length + lost.get(step)!, ...quantiles, apart, lost.get(step)!];
  }),
)}

Of ${records} records (three editions), ${equal} gave back their picture byte for byte. JPEG 2000 had ${Math.round(bytes / taken / 100) / 10} kB on average.

${MUTATIONS} mutations of ${sources.length} records (binary, CBEFF XML, base64): each had one answer; memory grew by ${Math.round(most / MIB)} MiB at most, the slowest took ${slowest.toFixed(0)} ms.

${table(
  ['answer', 'mutations'],
  [...answers].toSorted(([, a], [, b]) => b - a).map(([answer, count]) => [`\`${answer}\``, count]),
)}`,
});
rmSync(folder, { recursive: true });
await vision.close();
