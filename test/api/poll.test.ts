/** GET /api/v3/duplicate-detection/uploads/{uploadId}. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureCode } from '../../core/contracts/errors/failures.ts';
import { enrolmentProgress, type EnrolmentProgress } from '../../core/contracts/uploads.ts';
import { answerImages } from './engine.ts';
import { JPEG, UPLOADS, formOf, openSite, type TestSite } from './site.ts';

const ACCEPTED = '2026-03-01T12:00:00.000Z';
const ANSWERED = '2026-03-01T12:00:07.250Z';

async function accept(site: TestSite, count: number): Promise<string> {
  const answer = await site.upload(formOf(...Array.from({ length: count }, () => JPEG)));
  assert.equal(answer.status, 202);
  return (answer.body.data as { uploadId: string }).uploadId;
}

async function poll(site: TestSite, id: string): Promise<EnrolmentProgress> {
  const answer = await site.call(`${UPLOADS}/${id}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.success, true);
  assert.equal(typeof answer.body.message, 'string');
  return enrolmentProgress.strict().parse(answer.body.data);
}

test('before any image is processed, batch and images are Processing and Pending', async (t) => {
  const site = await openSite(t);
  const id = await accept(site, 2);
  const pending = {
    status: 1,
    statusLabel: 'Pending',
    trustValidationId: null,
    failureCode: null,
    failureReason: null,
    remedy: null,
    processedAt: null,
    onePerson: false,
  };
  assert.deepEqual(await poll(site, id), {
    uploadId: id,
    trustFlowId: await site.storage.companies.systemTrustFlow(site.company.id),
    numberOfImages: 2,
    status: 1,
    statusLabel: 'Processing',
    processedCount: 0,
    succeededCount: 0,
    failedCount: 0,
    pendingCount: 2,
    progress: 0,
    createdAt: ACCEPTED,
    completedAt: null,
    images: [
      { index: 0, fileName: 'face 0.jpg', ...pending },
      { index: 1, fileName: 'face 1.jpg', ...pending },
    ],
  });
});

test('an enrolled image carries its Trust Validation, a failed one its code', async (t) => {
  const site = await openSite(t);
  const id = await accept(site, 2);
  await answerImages(site, new Date(ANSWERED), ['face', 'NO_FACE']);
  const { images, ...batch } = await poll(site, id);
  const [enrolled, failed] = images;
  assert.equal(typeof enrolled?.trustValidationId, 'number');
  assert.deepEqual(
    { ...enrolled, trustValidationId: 0 },
    {
      index: 0,
      fileName: 'face 0.jpg',
      status: 2,
      statusLabel: 'Enrolled',
      trustValidationId: 0,
      failureCode: null,
      failureReason: null,
      remedy: null,
      processedAt: ANSWERED,
      onePerson: false,
    },
  );
  assert.deepEqual(failed, {
    index: 1,
    fileName: 'face 1.jpg',
    status: 3,
    statusLabel: 'Failed',
    trustValidationId: null,
    failureCode: 'NO_FACE',
    failureReason: 'No face detected in the image. Please ensure face is clearly visible.',
    remedy: 'Use a well-lit photo of one unobstructed face that looks at the camera.',
    processedAt: ANSWERED,
    onePerson: false,
  });
  assert.equal(batch.completedAt, ANSWERED);
  assert.equal((await site.imageFiles()).length, 1, 'the image of the failure is gone, the other is kept');
});

const endings: { outcomes: ('face' | FailureCode)[]; status: number; label: string }[] = [
  { outcomes: ['face', 'face', 'face'], status: 2, label: 'Completed' },
  { outcomes: ['face', 'TOO_DARK', 'face'], status: 3, label: 'Partially Completed' },
  { outcomes: ['CORRUPT_IMAGE', 'NO_FACE', 'TIMEOUT'], status: 4, label: 'Failed' },
];
for (const { outcomes, status, label } of endings)
  test(`a batch that ends ${outcomes.join(', ')} is ${label} (${status})`, async (t) => {
    const site = await openSite(t);
    const id = await accept(site, outcomes.length);
    await answerImages(site, new Date(ANSWERED), outcomes);
    const batch = await poll(site, id);
    assert.deepEqual([batch.status, batch.statusLabel, batch.progress], [status, label, 100]);
  });

test('polled after every image, counts add up and progress grows to 100', async (t) => {
  const site = await openSite(t);
  const id = await accept(site, 7);
  const seen: number[] = [];
  for (const outcome of ['face', 'NO_FACE', 'face', 'face', 'TOO_DARK', 'face', 'face'] as const) {
    const batch = await poll(site, id);
    assert.equal(batch.status, 1);
    assert.equal(batch.processedCount, batch.succeededCount + batch.failedCount);
    assert.equal(batch.processedCount + batch.pendingCount, 7);
    seen.push(batch.progress);
    await answerImages(site, new Date(ANSWERED), [outcome]);
  }
  seen.push((await poll(site, id)).progress);
  assert.deepEqual(seen, [0, 14, 28, 42, 57, 71, 85, 100]);
});

test('every failure code has its sentence in the poll', async (t) => {
  const site = await openSite(t);
  const codes = Object.keys(FAILURES) as FailureCode[];
  const id = await accept(site, codes.length);
  await answerImages(site, new Date(ANSWERED), codes);
  const { images } = await poll(site, id);
  assert.deepEqual(
    images.map(({ failureCode, failureReason }) => [failureCode, failureReason]),
    codes.map((code) => [code, FAILURES[code].sentence]),
  );
});

test('foreign, unknown and malformed upload ids answer the same 404', async (t) => {
  const site = await openSite(t);
  const id = await accept(site, 1);
  const token = await site.newToken({ company: await site.newCompany() });
  const answers = [
    await site.call(`${UPLOADS}/${id}`, { token }),
    await site.call(`${UPLOADS}/${crypto.randomUUID()}`),
    await site.call(`${UPLOADS}/17`),
    await site.call(`${UPLOADS}/${'0'.repeat(3_000)}`),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body, { success: false, message: 'Not found.', code: 'NOT_FOUND' });
  }
});

test('an upload id in capitals is the same upload', async (t) => {
  const site = await openSite(t);
  const id = await accept(site, 1);
  assert.equal((await poll(site, id.toUpperCase())).uploadId, id);
});
