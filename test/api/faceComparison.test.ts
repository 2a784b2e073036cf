import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faceLikelihood, fmrAtDistance } from '../../core/domain/scores/scores.ts';
import { NOBODY, photoOf } from '../support/people.ts';
import { good, openDashboardSite } from './dashboard/dashboardSite.ts';
import { dataUri, openScreeningSite } from './screeningSite.ts';
import { faceComparisonAnswer, faceComparisonPage } from '../../core/contracts/faceComparisons.ts';

const COMPARE = '/api/v1/verification/biometricsfacecompare';

function pair(image1: Uint8Array, image2: Uint8Array) {
  return { image1: dataUri(image1), image2: dataUri(image2), template_id: 7, verification_id: 'v-1' };
}

test('two photos of one person match strongly, in the shape of signature matching', async (t) => {
  const { site, post } = await openScreeningSite(t);
  const { status, body } = await post(COMPARE, pair(photoOf(1), photoOf(1, 2)));
  assert.equal(status, 200);
  const {
    false_match_rate: rate,
    likelihood_ratio: ratio,
    ...result
  } = body.result as Record<string, unknown>;
  const { likelihood } = site.engine.vision.calibration;
  assert.deepEqual(ratio, faceLikelihood(likelihood!, fmrAtDistance(site.engine.vision.calibration, 0)));
  assert.equal(rate, Number(fmrAtDistance(site.engine.vision.calibration, 0).toPrecision(3)));
  assert.deepEqual(
    { ...body, result },
    {
      status: true,
      message: 'Face comparison completed successfully.',
      result: {
        similarity: 100,
        verdict: 'MATCH',
        verification_status: 'Verified',
        verification_status_code: 3,
        verdict_display: 'Match',
        band: 'strong',
      },
      match_status: 'matched',
      verification_status: 'Verified',
      verification_status_code: 3,
      verdict: 'Match',
    },
  );
});

test('two people do not match, and the order of the photos changes nothing', async (t) => {
  const { post } = await openScreeningSite(t);
  const forth = await post(COMPARE, pair(photoOf(1), photoOf(2)));
  assert.equal(forth.body.match_status, 'not_matched');
  assert.deepEqual((await post(COMPARE, pair(photoOf(2), photoOf(1)))).body, forth.body);
});

test('a photo without a usable face is inconclusive; a non-image is refused', async (t) => {
  const { site, post } = await openScreeningSite(t);
  const blank = await post(COMPARE, pair(photoOf(1), NOBODY));
  assert.equal(blank.status, 200);
  assert.equal(blank.body.match_status, 'inconclusive');
  assert.match(String(blank.body.message), /image2: No face detected/);
  const { similarity, band, likelihood_ratio: ratio } = blank.body.result as Record<string, unknown>;
  assert.deepEqual([similarity, band, ratio], [0, null, null]);
  const refused = await post(COMPARE, pair(Buffer.from('plain text'), photoOf(1)));
  assert.equal(refused.status, 422);
  assert.deepEqual(Object.keys(refused.body.errors as object), ['image1']);
  assert.deepEqual(refused.body.result, { status: 'failed', message: refused.body.message });
  assert.equal(await site.storage.faceComparisons.count(site.company.id, {}), 1, 'only what was compared');
});

test('compared files are recorded for their company and logged; no file is kept', async (t) => {
  const { site } = await openScreeningSite(t);
  const form = new FormData();
  form.append('template_id', '7');
  form.append('verification_id', 'v-2');
  form.append('image1', new Blob([photoOf(3)]), 'one.jpg');
  form.append('image2', new Blob([photoOf(3, 1)]), 'two.jpg');
  const answer = await site.call(COMPARE, { method: 'POST', body: form });
  assert.equal(answer.status, 200, answer.text);
  const { faceComparisons, comparisons, audit } = site.storage;
  const [record] = await faceComparisons.list(site.company.id, { limit: 5 });
  assert.ok(record);
  assert.deepEqual(
    [record.templateId, record.verificationId, record.verdict, record.similarity, record.modelVersion],
    ['7', 'v-2', 'MATCH', 100, site.engine.vision.pipelineId],
  );
  assert.deepEqual(record.thresholds, { match: 85, possibleMatch: 70 });
  const other = await site.newCompany();
  assert.deepEqual(await faceComparisons.list(other.id, { limit: 5 }), []);
  assert.deepEqual(await comparisons.list(site.company.id, { limit: 5 }), [], 'no record of signatures');
  assert.equal(await comparisons.find(site.company.id, record.id), undefined);
  const entries = await audit.list(site.company.id, { limit: 5, filter: { action: 'face.compared' } });
  assert.deepEqual(
    entries.map(({ object }) => object),
    [`faceComparison:${record.id}`],
  );
  assert.deepEqual(await site.imageFiles(), []);
});

test('comparing faces needs the scope "verify"', async (t) => {
  const { site, post } = await openScreeningSite(t);
  const token = await site.newToken({ scopes: ['signatures'] });
  assert.equal((await post(COMPARE, pair(photoOf(1), photoOf(2)), token)).status, 403);
});

test('an operator compares faces in the dashboard and reads the history of the company', async (t) => {
  const { as } = await openDashboardSite(t);
  const investigator = await as('investigator');
  const made = good(
    await investigator('POST', '/face-comparisons', pair(photoOf(1), photoOf(1, 2))),
    faceComparisonAnswer,
  );
  assert.deepEqual([made.comparison?.verdict, made.comparison?.similarity], ['MATCH', 100]);
  assert.deepEqual(
    made.photos.map(({ faces, chosen }) => [faces.length, chosen]),
    [
      [1, 0],
      [1, 0],
    ],
  );
  const { items, total } = good(await investigator('GET', '/face-comparisons'), faceComparisonPage);
  assert.deepEqual([total, items[0]?.verdict, items[0]?.operator], [1, 'MATCH', 'investigator']);
  assert.deepEqual(items[0]?.certainty, made.comparison?.certainty);
  assert.equal(items[0]?.certainty?.likelihood?.favours, 'one_person');
});

test('of several faces the operator chooses one; until then nothing is recorded', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const operator = await as('operator');
  const { vision } = site.engine;
  const measure = vision.measure.bind(vision);
  t.mock.method(vision, 'measure', async (image: Uint8Array) => {
    const one = await measure(image);
    if (one.kind === 'refused' || one.faces[0] === undefined || !Buffer.from(image).includes('shot 7'))
      return one;
    return { ...one, faces: [one.faces[0], one.faces[0]], refusals: ['MULTIPLE_FACES'] };
  });
  const group = pair(photoOf(1), photoOf(1, 7));
  const asked = good(await operator('POST', '/face-comparisons', group), faceComparisonAnswer);
  assert.deepEqual([asked.comparison, asked.photos[1].faces.length, asked.photos[1].chosen], [null, 2, null]);
  assert.equal(await site.storage.faceComparisons.count(site.company.id, {}), 0);
  const chosen = good(
    await operator('POST', '/face-comparisons', { ...group, face2: 1 }),
    faceComparisonAnswer,
  );
  assert.deepEqual([chosen.comparison?.verdict, chosen.photos[1].chosen], ['MATCH', 1]);
  const blank = good(
    await operator('POST', '/face-comparisons', pair(photoOf(1), NOBODY)),
    faceComparisonAnswer,
  );
  assert.deepEqual(blank.comparison?.reasons, { image2: 'NO_FACE' });
  const printed = { kind: 'comparison', object: `faceComparison:${chosen.comparison?.id}` };
  assert.equal((await (await as('investigator'))('POST', '/exports', printed)).status, 204);
});

test('a comparison is reported from the very files that were compared, as an export', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const photos = { image1: dataUri(photoOf(1)), image2: dataUri(photoOf(1, 2)) };
  const fields = { ...photos, template_id: 'faces', verification_id: 'Visitor 12' };
  const { comparison } = good(await admin('POST', '/face-comparisons', fields), faceComparisonAnswer);
  const path = `/face-comparisons/${comparison?.id}/report`;
  const report = await admin('POST', path, photos);
  assert.deepEqual([report.status, report.text.slice(0, 5)], [200, '%PDF-']);
  const other = await admin('POST', path, { ...photos, image2: dataUri(photoOf(2)) });
  assert.deepEqual([other.status, Object.keys(other.body.errors as object)], [422, ['image2']]);
  assert.equal((await (await as('reviewer'))('POST', path, photos)).status, 403);
  const exported = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken', outcome: 'done' },
    limit: 5,
  });
  assert.deepEqual(
    exported.map(({ object }) => object),
    [`faceComparison:${comparison?.id}`],
  );
});

test('the history is filtered by operator or program, and read page by page', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const [operator, admin] = [await as('operator'), await as('admin')];
  const photos = pair(photoOf(1), photoOf(2));
  const [first, second, third] = [
    good(await operator('POST', '/face-comparisons', photos), faceComparisonAnswer),
    good(await admin('POST', '/face-comparisons', photos), faceComparisonAnswer),
    good(await admin('POST', '/face-comparisons', photos), faceComparisonAnswer),
  ].map(({ comparison }) => comparison);
  assert.ok(first && second && third);
  const read = async (query: string) =>
    good(await operator('GET', `/face-comparisons?${query}`), faceComparisonPage);
  const own = await read(`credential=${second.credential}`);
  assert.deepEqual(
    own.items.map(({ id }) => id),
    [third.id, second.id],
  );
  assert.deepEqual(own.actors.map((each) => each.operator).sort(), ['admin', 'operator'], 'of every record');
  const page = await read('limit=2');
  assert.deepEqual([page.total, page.nextCursor], [3, String(second.id)]);
  const rest = await read(`limit=2&cursor=${page.nextCursor}`);
  assert.deepEqual([rest.items[0]?.id, rest.nextCursor], [first.id, null]);
  assert.equal((await operator('GET', '/face-comparisons?credential=anonymous')).status, 422);
  const record = await operator('GET', `/face-comparisons/${second.id}`);
  assert.deepEqual([record.status, record.body.operator], [200, 'admin']);
  const other = await site.newCompany();
  const known = await site.storage.faceComparisons.find(site.company.id, second.id);
  assert.ok(known);
  const foreign = await site.storage.faceComparisons.record(other.id, { ...known, credential: 'service' });
  assert.equal((await operator('GET', `/face-comparisons/${foreign}`)).status, 404);
});
