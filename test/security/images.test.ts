/** Each hostile image gets one answer and ends no worker. More of them: `npm run bench -- hostileImages`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { qualityThresholds } from '../../core/contracts/settings.ts';
import { createSignatures } from '../../core/signatures/signatures.ts';
import { createVision } from '../../core/vision/pool/vision.ts';
import { encoded, signings } from '../signatures/specimens.ts';
import { headerBombs, mutated, sampleImages } from '../support/hostileImages.ts';
import { seededRandom } from '../support/seed.ts';
import { portrait } from '../support/facePhotos.ts';
import { trusted } from '../../core/contracts/ids.ts';

const COMPANY = trusted.company(1);

const COUNT = Number(process.env.VOUCH_HOSTILE_IMAGES ?? 12);

test(`${COUNT} mutated images and files that claim too much`, async (t) => {
  const random = seededRandom(t);
  const deaths: string[] = [];
  const onWorkerDeath = (reason: string) => deaths.push(reason);
  const models = join(import.meta.dirname, '..', '..', 'models');
  const vision = await createVision({
    modelsFolder: models,
    pipeline: 'light',
    workers: 1,
    timeLimitMs: 120_000,
    onWorkerDeath,
  });
  const signatures = createSignatures({ timeLimitMs: 120_000, onWorkerDeath });
  t.after(() => Promise.all([vision.close(), signatures.close()]));
  await Promise.all([vision.start(), signatures.start()]);
  const sources = [await portrait(0), ...(await sampleImages(random))];
  const pick = () => sources[Math.floor(random() * sources.length)]!;
  const images = [
    ...(await headerBombs({ large: false })).values(),
    ...Array.from({ length: COUNT }, () => mutated(pick(), pick(), random)),
  ];
  const whole = await encoded(signings(31, 1)[0]!);
  const gate = qualityThresholds.parse({});
  const answers = await Promise.all(
    images.map((bytes, index) =>
      index % 4 === 0
        ? signatures.compare(bytes, whole, { pictures: false, company: COMPANY })
        : vision.enrol(bytes, { gate, priority: 'bulk' }),
    ),
  );
  assert.equal(answers.length, images.length);
  assert.deepEqual(deaths, []);
  const engine = answers.filter(
    (answer) => answer.kind === 'refused' && 'code' in answer && answer.code === 'ENGINE_ERROR',
  );
  assert.deepEqual(engine, []);
});
