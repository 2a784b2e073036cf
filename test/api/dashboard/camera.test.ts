/** Frames of a camera are checked, and nothing of them is kept. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { NOBODY, photoOf } from '../../support/people.ts';
import { addOperator, signIn } from '../access/operators.ts';
import { openSite } from '../site.ts';
import { good } from './dashboardSite.ts';
import { frameCheck } from '../../../core/contracts/dashboard/validations.ts';

test('a frame is checked as enrolment would, one at a time, and leaves no trace', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'reviewer');
  const cookie = await signIn(site, 'Ada');
  const entries = async () =>
    (await site.storage.audit.list(site.company.id, { filter: {}, limit: 50 })).length;
  const before = await entries();
  const send = (frame: Uint8Array) =>
    site.call('/api/dashboard/camera/frames', {
      method: 'POST',
      token: null,
      headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
      body: new Uint8Array(frame),
    });
  const { quality, ...checked } = good(await send(photoOf(1)), frameCheck);
  assert.deepEqual(checked, { refusals: [] });
  assert.ok(quality !== null && quality > 0 && quality <= 100, `${quality}`);
  assert.deepEqual(good(await send(NOBODY), frameCheck), { refusals: ['NO_FACE'], quality: null });
  const { vision } = site.engine;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const measure = vision.measure.bind(vision);
  t.mock.method(vision, 'measure', async (image: Uint8Array) => {
    await promise;
    return measure(image);
  });
  const both = [send(photoOf(1)), send(photoOf(2))];
  const refused = await Promise.race(both);
  assert.deepEqual([refused.status, refused.body.code], [429, 'TOO_MANY_ATTEMPTS']);
  resolve(undefined);
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), [200, 429]);
  assert.deepEqual([await entries(), await site.imageFiles()], [before, []]);
});

test('the page may use the camera, and no other answer or frame may', async (t) => {
  const site = await openSite(t);
  const page = await site.call('/verify', { token: null });
  const policy = page.headers.get('permissions-policy') ?? '';
  assert.match(policy, /(^|, )camera=\(self\)(,|$)/);
  assert.match(policy, /microphone=\(\)/);
  for (const path of ['/manual/none.html', '/api/dashboard/session', '/assets/none.js']) {
    const other = await site.call(path, { token: null });
    assert.match(other.headers.get('permissions-policy') ?? '', /(^|, )camera=\(\)(,|$)/, path);
  }
});
