/** A request with several mistakes gets all of them in one answer: fields that break a rule and images at fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSite, PNG, type TestSite } from './site.ts';

const GOOD = `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from('80')]).toString('base64')}`;
const V1 = '/api/v1/verification';
const V3 = '/api/v3/verifications';

async function failingKeys(site: TestSite, path: string, body: object): Promise<string[]> {
  const answer = await site.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 422, answer.text);
  assert.equal(answer.body.message, 'Validation error');
  return Object.keys(answer.body.errors ?? {}).toSorted();
}

test('an image at fault is named beside the other fields at fault', async (t) => {
  const site = await openSite(t);
  const names = { template_id: '', verification_id: 5.5 };
  const keys = (path: string, body: object) => failingKeys(site, path, body);
  assert.deepEqual(await keys(`${V1}/signature/match`, { image1: 'x', image2: GOOD, ...names }), [
    'image1',
    'template_id',
    'verification_id',
  ]);
  assert.deepEqual(await keys(`${V1}/signature/compare`, { questioned: 'x', known: [GOOD, 'y'], ...names }), [
    'known.1',
    'questioned',
    'template_id',
    'verification_id',
  ]);
  assert.deepEqual(
    await keys(`${V3}/biometrics-verification`, { image: 'x', trust_flow_id: [], trust_validation_id: 1 }),
    ['image', 'trust_flow_id'],
  );
  assert.deepEqual(await keys(`${V3}/biometrics-detection`, { image: 'x', username: 5, trustFlowId: 1 }), [
    'image',
    'trustValidationId',
    'username',
  ]);
  for (const step of ['biometricsverification', 'biometricsregistration'])
    assert.deepEqual(await keys(`${V1}/${step}`, { image: 'x', template_id: 1 }), [
      'image',
      'verification_id',
    ]);
  assert.deepEqual(await keys(`${V1}/biometricsfacecompare`, { image1: 'x', template_id: 1 }), [
    'image1',
    'image2',
    'verification_id',
  ]);
});

test('a body without fields names the fields that it needs', async (t) => {
  const site = await openSite(t);
  assert.deepEqual(await failingKeys(site, `${V1}/signature/match`, {}), [
    'image1',
    'image2',
    'template_id',
    'verification_id',
  ]);
});
