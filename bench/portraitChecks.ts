/** Portrait checks (ISO/IEC 29794-5): their time on demand, and their values on press photos. */
import { readFileSync } from 'node:fs';
import { PORTRAIT_COMPONENTS, type PortraitCheck } from '../core/contracts/portrait.ts';
import { qualityThresholds } from '../core/contracts/settings.ts';
import type { MeasuredKind } from '../core/domain/ports/recognition.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { lfwPhotos } from './data.ts';
import { publish, table } from './report.ts';
import { median } from './statistics.ts';

const PHOTOS = Number(process.argv[2] ?? 150);
const gate = qualityThresholds.parse({});
const vision = await createVision({ modelsFolder: `${import.meta.dirname}/../models`, workers: 1 });

async function timed(image: Uint8Array, kind: MeasuredKind) {
  const began = performance.now();
  const measured = await vision.measure(image, { kind, gate });
  return { measured, took: performance.now() - began };
}

const all = lfwPhotos(1e6);
const photos = all.filter((_, index) => index % Math.ceil(all.length / PHOTOS) === 0);
const found: (readonly PortraitCheck[])[] = [];
const times = { photo: [] as number[], checks: [] as number[], ratio: [] as number[] };
for (const { path } of photos) {
  const image = readFileSync(path);
  const [photo, portrait] = [await timed(image, 'photo'), await timed(image, 'portrait')];
  times.photo.push(photo.took);
  times.checks.push(portrait.took);
  times.ratio.push(portrait.took / photo.took);
  const face = portrait.measured.kind === 'measured' ? portrait.measured.faces[0] : undefined;
  if (face?.portraitChecks !== undefined) found.push(face.portraitChecks);
}
await vision.close();

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
const rows = PORTRAIT_COMPONENTS.map((component, index) => {
  const natives = found.map((checks) => checks[index]!.native);
  const values = found.map((checks) => checks[index]!.value);
  return [
    component,
    ...[0.1, 0.5, 0.9].map((share) => at(natives, share).toFixed(3)),
    ...[0.1, 0.5, 0.9].map((share) => at(values, share)),
  ];
});

publish({
  name: 'portraitChecks',
  title: 'Portrait checks: time and values',
  args: process.argv.slice(2),
  body: `
${photos.length} photos of LFW, each measured twice, one after the other: the faces alone, then with the portrait checks. One face was measured
in ${found.length}. Medians: ${median(times.photo).toFixed(0)} ms and ${median(times.checks).toFixed(0)} ms; the median of the ratios is ${median(times.ratio).toFixed(1)}. Enrolment does not measure them.

Native values, and values from 0 to 100, of 10, 50 and 90 in 100 photos. LFW cuts its photos closer than a portrait of a document, so head
size, margins and the distance of the eyes are low.

${table(['component', 'native 10 %', '50 %', '90 %', 'value 10 %', '50 %', '90 %'], rows)}`,
});
