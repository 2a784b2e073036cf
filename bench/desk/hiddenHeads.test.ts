/** How often a clear face is taken for a larger hidden one, and one person for two, on the photos that a package ships: a guard of the tables. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { qualityThresholds } from '../../core/contracts/settings.ts';
import { distanceAtFmr, STRONG_FMR } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { loadTemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/pool/engine.ts';
import { packagePath } from '../../models/reference/tfjs.ts';
import { createFaceFinder, MODELS } from '../vision/faceFinder.ts';
import { randomNumbers } from '../vision/pictures.ts';
import { ALL_COVERS } from '../../research/heads/covers.ts';
import { SceneMaker, withoutPeople, type Person } from '../../research/heads/scenes.ts';
import { onSheet, resized, sideBySide, type Portrait } from './people.ts';

const GATE = qualityThresholds.parse({});
const SAME_PERSON = distanceAtFmr(CALIBRATIONS.full, STRONG_FMR);
/** Of the photos, one for each cover, another person may be taken in so many. */
const MAX_TAKEN = 1;
/** The same where the pictures lie apart: these portraits show little beside the head. */
const MAX_TAKEN_APART = 6;
/** The same where the edge of the photo leaves half of the face of the larger one. */
const MAX_TAKEN_CUT_OFF = 1;
/** Photos of one person, and so many of them may be refused. */
const [SCENES, MAX_REFUSED] = [30, 3];

/** Two pictures on black, one above the other, the first one turned. */
async function apart(first: Portrait, second: Portrait, degrees: number): Promise<Buffer> {
  const [above, below] = await Promise.all(
    [first, second].map(({ raster: { data, width, height } }, i) =>
      sharp(data, { raw: { width, height, channels: 3 } })
        .rotate(i === 0 ? degrees : 0, { background: '#000' })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const width = Math.max(above!.info.width, below!.info.width) + 20;
  const height = above!.info.height + below!.info.height + 30;
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([
      { input: above!.data, left: 10, top: 10 },
      { input: below!.data, left: 10, top: above!.info.height + 20 },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** The faces of the six photos, each with its shoulders. */
async function portraits(): Promise<Person[]> {
  const finder = await createFaceFinder();
  const people: Person[] = [];
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const path = packagePath('@vladmandic/face-api', '..', 'demo', `sample${number}.jpg`);
    const { view, faces } = await finder.look(await readFile(path));
    for (const [i, { box, eyes }] of faces.entries()) {
      const { raster, scale } = view;
      const side = Math.round(2.2 * box.width * scale);
      const left = Math.round((box.x + box.width / 2) * scale - side / 2);
      const top = Math.round((box.y + box.height / 2) * scale - 0.45 * side);
      if (left < 0 || top < 0 || left + side > raster.width || top + side > raster.height) continue;
      const data = new Uint8Array(3 * side * side);
      for (let y = 0; y < side; y++) {
        const from = 3 * ((top + y) * raster.width + left);
        data.set(raster.data.subarray(from, from + 3 * side), 3 * y * side);
      }
      const inCrop = ({ x, y }: { x: number; y: number }) => ({ x: x * scale - left, y: y * scale - top });
      const crop = { width: side, height: side, data };
      const name = `${number}.${i}`;
      const whole = {
        name,
        raster: crop,
        eyes: [inCrop(eyes[0]), inCrop(eyes[1])] as const,
        width: box.width * scale,
      };
      const [corner, resize] = [inCrop(box), 250 / side];
      const place = { x: corner.x * resize, y: corner.y * resize };
      const size = { width: box.width * scale * resize, height: box.height * scale * resize };
      people.push({ ...(await resized(whole, resize)), box: { ...place, ...size } });
    }
  }
  return people;
}

const nobody = await withoutPeople();
const engine = await createEngine(MODELS, await loadTemplateExtractor(MODELS, 'full'));
const people = await portraits();

test('a clear face is hardly ever taken for a larger one that is hidden', { timeout: 300_000 }, async () => {
  assert.ok(people.length >= 8, `${people.length} portraits`);
  const random = randomNumbers(3);
  const taken: string[] = [];
  for (const [name, cover] of Object.entries(ALL_COVERS)) {
    const hidden = await resized(people[name.length % people.length]!, 1.1 + 0.5 * random());
    const clear = await resized(people[(name.length + 1) % people.length]!, 0.6 + 0.4 * random());
    const raster = await cover(hidden, people[5 % people.length]!.raster, random);
    const bytes = await sideBySide({ ...hidden, raster }, clear, random);
    if ((await engine.enrol(bytes, { gate: GATE })).kind === 'face') taken.push(name);
  }
  assert.ok(taken.length <= MAX_TAKEN, `taken: ${taken.join(', ')}`);
});

test('a head is found that is hidden in a picture apart, askew or below', { timeout: 300_000 }, async () => {
  const random = randomNumbers(5);
  const taken: string[] = [];
  for (const [i, [name, cover]] of Object.entries(ALL_COVERS).entries()) {
    const hidden = await resized(people[i % people.length]!, 1.3);
    const clear = await resized(people[(i + 3) % people.length]!, 0.8);
    const raster = await cover(hidden, people[(i + 5) % people.length]!.raster, random);
    const bytes = await apart({ ...hidden, raster }, clear, [0, 25, -25][i % 3]!);
    if ((await engine.enrol(bytes, { gate: GATE })).kind === 'face') taken.push(name);
  }
  assert.ok(taken.length <= MAX_TAKEN_APART, `taken: ${taken.join(', ')}`);
});

test('a head of which the edge leaves half is hardly ever overlooked', { timeout: 300_000 }, async () => {
  const taken: string[] = [];
  for (const [i, person] of people.entries()) {
    const clear = await resized(people[(i + 3) % people.length]!, 0.55);
    const { raster, box } = person;
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const height = Math.max(raster.height, clear.raster.height);
    const edges = {
      left: { width: raster.width - x, height, left: -x, top: height - raster.height },
      above: { width: raster.width, height: raster.height - y, left: 0, top: -y },
      below: { width: raster.width, height: Math.max(y, clear.raster.height), left: 0, top: 0 },
    };
    edges.below.top = edges.below.height - y;
    for (const [edge, { width, height: down, left, top }] of Object.entries(edges)) {
      const bytes = await onSheet(
        { width: width + clear.raster.width, height: down, colour: [120, 120, 115] },
        [
          { portrait: person, left, top },
          { portrait: clear, left: width, top: Math.max(0, down - clear.raster.height) },
        ],
      );
      if ((await engine.enrol(bytes, { gate: GATE })).kind === 'face') taken.push(`${i} ${edge}`);
    }
  }
  assert.ok(taken.length <= MAX_TAKEN_CUT_OFF, `taken: ${taken.join(', ')}`);
});

test('one person among things and print is hardly ever taken for two', { timeout: 300_000 }, async () => {
  const maker = new SceneMaker({ alone: people, groups: [], ...nobody }, randomNumbers(8));
  let refused = 0;
  for (let i = 0; i < SCENES; i++) {
    const { bytes } = await maker.single();
    const analysis = await engine.enrol(bytes, { gate: GATE, samePerson: SAME_PERSON });
    if (analysis.kind === 'refused' && analysis.code === 'MULTIPLE_FACES') refused += 1;
  }
  assert.ok(refused <= MAX_REFUSED, `${refused} of ${SCENES} refused`);
});
