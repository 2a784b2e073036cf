/** The gallery fails after a COMMIT: the caller gets the stored data, the log names the remaining step, and a restart completes it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { FOLLOWS } from '../../core/domain/work/afterCommit.ts';
import type { Gallery } from '../../core/gallery/index.ts';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { trusted } from '../../core/contracts/ids.ts';
import { CREATE, SELFIE, dataUri, openScreeningSite } from '../api/screeningSite.ts';
import { photoOf } from '../support/people.ts';
import { TEST_ACT } from '../support/act.ts';
import { TEST_SERVER } from '../support/testServer.ts';

const DUPLICATES = { kind: 'duplicate' } as const;

/** Lets `method` of the gallery fail once. */
function failOnce(t: TestContext, gallery: Gallery, method: 'append' | 'remove'): void {
  const failing = t.mock.method(gallery, method, () => {
    failing.mock.restore();
    throw new Error('There is no memory left.');
  });
}

test('a verification is reported as stored although the gallery cannot take its face', async (t) => {
  const { site, gallery, newFlow, verify } = await openScreeningSite(t);
  const flow = await newFlow();
  failOnce(t, gallery, 'append');
  const { status } = await verify(flow, 1);
  assert.equal(status, TRUST_VALIDATION_STATUS.Verified);
  // On PostgreSQL the gallery follows what other services commit, and so this commit too.
  assert.equal(await gallery.size(site.company.id, DUPLICATES), TEST_SERVER === undefined ? 0 : 1);
  assert.ok(site.lines.some(({ level, text }) => level === 'error' && text === FOLLOWS.decided));
  await site.restart();
  assert.equal(await site.engine.gallery.size(site.company.id, DUPLICATES), 1);
});

test('a rejection is reported as stored although the gallery keeps the face', async (t) => {
  const { site, gallery, newFlow, verify, verifications } = await openScreeningSite(t);
  const detail = await verify(await newFlow(), 1);
  const id = trusted.trustValidation(Number(detail.id));
  failOnce(t, gallery, 'remove');
  const outcome = await verifications.decide(
    site.company,
    id,
    { decision: 'reject', note: '', seenStatus: TRUST_VALIDATION_STATUS.Verified },
    TEST_ACT.by,
  );
  assert.equal(outcome, 'decided');
  assert.ok(site.lines.some(({ level, text }) => level === 'error' && text === FOLLOWS.decided));
  await site.restart();
  assert.equal(await site.engine.gallery.size(site.company.id, DUPLICATES), 0);
});

test('a newer selfie is stored although the gallery keeps the one before it', async (t) => {
  const { site, gallery, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const created = await post(CREATE, { template_id: flow });
  const { id } = created.body.verification as { id: string };
  const selfie = (person: number) =>
    post(SELFIE, { image: dataUri(photoOf(person)), trust_flow_id: flow, trust_validation_id: id });
  assert.equal((await selfie(1)).status, 200);
  failOnce(t, gallery, 'remove');
  assert.equal((await selfie(2)).status, 200);
  assert.ok(site.lines.some(({ level, text }) => level === 'error' && text === FOLLOWS.superseded));
});

test('blacklist photos are enrolled and deleted although the gallery does not follow', async (t) => {
  const { site, gallery, newBlacklist, fill, service } = await openScreeningSite(t);
  const kept = await newBlacklist('Kept');
  const deleted = await newBlacklist('Deleted', { people: [2] });
  failOnce(t, gallery, 'append');
  const poll = await fill(kept.id, [1]);
  assert.deepEqual([poll.succeededCount, poll.failedCount], [1, 0]);
  failOnce(t, gallery, 'remove');
  assert.equal(await service.delete(site.company.id, deleted.id), true);
  await site.restart();
  const sizes = await Promise.all(
    [kept, deleted].map(({ id }) =>
      site.engine.gallery.size(site.company.id, { kind: 'blacklist', blacklistId: id }),
    ),
  );
  assert.deepEqual(sizes, [1, 0]);
});
