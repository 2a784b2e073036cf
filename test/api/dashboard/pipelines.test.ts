import { test } from 'node:test';
import assert from 'node:assert/strict';
import { pipelineState, refusedFacePage } from '../../../core/contracts/pipelines.ts';
import type { ChangeTopic } from '../../../core/storage/engine/changes.ts';
import type { FaceId, PipelineId } from '../../../core/contracts/ids.ts';
import { photoOf } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { TEST_ACT } from '../../support/act.ts';
import { formOf } from '../site.ts';
import { answerImages } from '../engine.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const OTHER = 'other/1' as PipelineId;

test('the page says what serves, what else could, and why a pack cannot', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const state = good(await (await as('admin'))('GET', '/pipelines'), pipelineState);
  assert.equal(state.serving, site.engine.vision.pipelineId);
  assert.equal(state.servingName, 'full');
  assert.deepEqual(
    state.pipelines.map(({ name, templates }) => [name, templates]),
    [
      ['full', 0],
      ['light', 0],
    ],
  );
  assert.deepEqual(state.refusedPacks, [
    { name: 'broken', reason: { code: 'PACK_FILE_MISSING', parameters: { file: 'pipeline.json' } } },
  ]);
  assert.equal(state.change, null);
});

test('a change is begun, stopped, continued and cancelled, each in the audit log', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1), photoOf(2)));
  await answerImages(site, TEST_ACT.at, ['face', 'face']);
  const admin = await as('admin');
  const begun = good(await admin('POST', '/pipelines/use', { name: 'light' }), pipelineState);
  assert.equal(begun.servingName, 'full', 'the old one serves until the switch');
  assert.deepEqual(
    [begun.change?.target, begun.change?.targetName, begun.change?.faces, begun.change?.extracted],
    [OTHER, 'light', 2, 0],
  );
  const step = async (name: string) =>
    good(await admin('POST', '/pipelines/change', { step: name }), pipelineState).change?.stage;
  assert.equal(await step('pause'), 'paused');
  assert.equal(await step('resume'), 'waiting');
  assert.equal(await step('cancel'), undefined);
  const { body, status } = await admin('POST', '/pipelines/change', { step: 'pause' });
  assert.equal(status, 422);
  assert.equal(body.code, 'NO_PIPELINE_CHANGE');
  const { text } = await admin('GET', '/audit');
  for (const action of ['pipeline.chosen', 'pipeline.changed', 'pipeline.cancelled'])
    assert.ok(text.includes(action), action);
});

test('faces that failed extraction are listed until an operator retries them', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1), photoOf(2)));
  await answerImages(site, TEST_ACT.at, ['face', 'face']);
  const admin = await as('admin');
  await admin('POST', '/pipelines/use', { name: 'light' });
  await site.storage.pipelines.keep(site.company.id, OTHER, [
    { faceId: 1 as FaceId, vector: new Float32Array(8).fill(Math.sqrt(1 / 8)) },
    { faceId: 2 as FaceId, code: 'CORRUPT_IMAGE' },
  ]);
  const state = good(await admin('GET', '/pipelines'), pipelineState);
  assert.equal(state.change?.stage, 'refused');
  assert.equal(state.change.refused, 1);
  assert.equal(state.pipelines.find(({ id }) => id === OTHER)?.templates, 1);
  const { items, nextCursor } = good(await admin('GET', '/pipelines/refused?limit=1'), refusedFacePage);
  assert.deepEqual(
    items.map(({ faceId, code, blacklistId, thumbnailUrl }) => ({ faceId, code, blacklistId, thumbnailUrl })),
    [
      {
        faceId: 2,
        code: 'CORRUPT_IMAGE',
        blacklistId: null,
        thumbnailUrl: '/api/dashboard/faces/2/thumbnail',
      },
    ],
  );
  const rest = good(await admin('GET', `/pipelines/refused?cursor=${nextCursor}`), refusedFacePage);
  assert.deepEqual(rest.items, []);
  const retried = good(await admin('POST', '/pipelines/change', { step: 'retry' }), pipelineState);
  assert.equal(retried.change?.refused, 0);
});

test('an unusable pipeline is refused; another company sees and changes nothing', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  for (const [name, reason] of [
    ['broken', 'pipeline.json is missing.'],
    ['nothing', 'There is no pipeline "nothing". Available: full, light.'],
  ]) {
    const { status, body } = await admin('POST', '/pipelines/use', { name });
    assert.deepEqual([status, body.message], [422, reason]);
  }
  const rival = await site.newCompany();
  await site.storage.pipelines.begin(rival.id, OTHER, { chosen: true }, TEST_ACT);
  assert.equal(good(await admin('GET', '/pipelines'), pipelineState).change, null);
  assert.equal((await admin('POST', '/pipelines/change', { step: 'cancel' })).status, 422);
  assert.equal((await site.storage.pipelines.migrations()).length, 1);
});

test('open pages receive the change, the progress and the end of a pipeline switch', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1)));
  await answerImages(site, TEST_ACT.at, ['face']);
  const admin = await as('admin');
  let received: ChangeTopic[] = [];
  t.after(
    site.storage.changes.subscribe(site.company.id, (topics) => {
      received.push(...topics);
    }),
  );
  for (const step of [
    () => admin('POST', '/pipelines/use', { name: 'light' }),
    () =>
      site.storage.pipelines.keep(site.company.id, OTHER, [
        { faceId: 1 as FaceId, vector: new Float32Array(8).fill(Math.sqrt(1 / 8)) },
      ]),
    () => admin('POST', '/pipelines/change', { step: 'pause' }),
    async () => {
      await admin('POST', '/pipelines/change', { step: 'resume' });
      assert.ok(await site.storage.pipelines.switchTo(site.company.id, OTHER, TEST_ACT));
    },
  ]) {
    received = [];
    await step();
    await until(() => received.includes('pipelines'), `the report of ${String(step)}`);
  }
});
