/** A verification that an operator runs in one step. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  MAX_PHOTOS,
  referenceOf,
  validationDetail,
  validationPage,
  verificationAnswer,
} from '../../../core/contracts/dashboard/validations.ts';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import type { TrustValidationId } from '../../../core/contracts/ids.ts';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import { NOBODY, photoLike, photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { dataUri, openScreeningSite } from '../screeningSite.ts';
import { textOf } from '../../support/pdfText.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

interface Fields {
  flow: number;
  name?: string;
  reference?: string;
}

const queryOf = ({ flow, ...texts }: Fields) =>
  new URLSearchParams({ flow: String(flow), ...texts }).toString();

test('the reference of a program is a text, a number or fields of its metadata', () => {
  const sent = [
    'V-1',
    17,
    { reference: 'V-2', desk: 4 },
    { reference: 18 },
    { case: 'V-3', desk: 4, seen: {} },
  ];
  assert.deepEqual(sent.map(referenceOf), ['V-1', '17', 'V-2', '18', 'V-3 · 4']);
  assert.deepEqual(
    [null, undefined, '', true, {}, { encounter: { id: 'E-1' } }].map(referenceOf),
    Array(6).fill(null),
  );
});

async function openDashboard(t: TestContext, role: OperatorRole = 'operator') {
  const screening = await openScreeningSite(t);
  const { site } = screening;
  await addOperator(site, 'Ada', role);
  const cookie = await signIn(site, 'Ada');
  const send = (query: Fields, photos: Uint8Array | readonly Uint8Array[], key: string = randomUUID()) =>
    site.call(`/api/dashboard/verifications?${queryOf(query)}`, {
      method: 'POST',
      token: null,
      headers: { origin: site.address, 'content-type': 'application/json', cookie, 'idempotency-key': key },
      body: JSON.stringify({ photos: [photos].flat().map((photo) => dataUri(photo)) }),
    });
  const detail = async (id: number | null) =>
    good(await ask(site, 'GET', `/validations/${id}`, { cookie }), validationDetail);
  const count = async () => (await site.storage.validations.list(site.company.id, { limit: 50 })).length;
  return { ...screening, cookie, send, detail, count };
}

test('an operator runs a verification by the rules of the public interface', async (t) => {
  const { site, cookie, newBlacklist, newFlow, send, detail } = await openDashboard(t);
  const list = await newBlacklist('Barred persons', { people: [3] });
  const flow = await newFlow({
    duplicateDetection: { enabled: true, action: 'review' },
    blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'reject' },
  });
  const unknown = good(
    await send({ flow, name: 'Ben', reference: 'Visitor 12' }, photoOf(1)),
    verificationAnswer,
  );
  assert.equal(unknown.refused, null);
  const verified = await detail(unknown.validationId);
  assert.deepEqual(
    [verified.status, verified.name, verified.reference, verified.trustFlowId],
    [TRUST_VALIDATION_STATUS.Verified, 'Ben', 'Visitor 12', flow],
  );
  const found = good(await ask(site, 'GET', '/validations?text=VISITOR+12', { cookie }), validationPage);
  assert.deepEqual(
    found.items.map(({ id, reference }) => [id, reference]),
    [[verified.id, 'Visitor 12']],
    'the list shows by what it found the validation',
  );
  const accepted = verified.history.find(({ action }) => action === 'selfie-accepted');
  assert.equal(accepted?.operator, 'Ada');
  const again = await detail(good(await send({ flow }, photoOf(1, 2)), verificationAnswer).validationId);
  assert.deepEqual(
    [again.status, again.duplicates[0]?.trustValidationId, again.name],
    [2, verified.id, `Verification ${again.id}`],
  );
  const barred = await detail(good(await send({ flow }, photoOf(3, 2)), verificationAnswer).validationId);
  assert.deepEqual([barred.status, barred.blacklists[0]?.blacklistName], [1, 'Barred persons']);
  const entries = await site.storage.audit.list(site.company.id, {
    filter: { action: 'validation.created', actor: 'operator' },
    limit: 10,
  });
  assert.equal(entries.length, 3);
});

test('the report of a verification has its reference and any name, in both languages', async (t) => {
  const { site, cookie, newFlow, send } = await openDashboard(t, 'admin');
  const flow = await newFlow({});
  // A vocalised name that one Arabic font cannot be laid out with, and letters that no shipped font has.
  for (const name of ['يُوسُفِ بن مُحَمَّدٍ ١٢٣', '王芳 \u0600\u06a3']) {
    const { validationId } = good(
      await send({ flow, name, reference: 'Visitor 12' }, photoOf(1)),
      verificationAnswer,
    );
    for (const language of ['en', 'ar']) {
      const report = await fetch(
        `${site.address}/api/dashboard/validations/${validationId}/report?language=${language}`,
        { method: 'POST', headers: { cookie, origin: site.address } },
      );
      assert.equal(report.status, 200, name);
      assert.match(textOf(new Uint8Array(await report.arrayBuffer())), /Visitor12/);
    }
  }
});

test('a repeated request makes one verification, and its key fits no other photo', async (t) => {
  const { newFlow, send, count } = await openDashboard(t);
  const flow = await newFlow();
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => send({ flow, name: 'Ben' }, photoOf(1), key)));
  const ids = new Set(answers.map((answer) => good(answer, verificationAnswer).validationId));
  assert.deepEqual([ids.size, await count()], [1, 1]);
  const other = await send({ flow, name: 'Ben' }, photoOf(2), key);
  assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal(await count(), 1);
  // Each of several photos counts, not the one that stands for the verification alone.
  const two = randomUUID();
  good(await send({ flow }, [photoOf(1), photoOf(1, 2)], two), verificationAnswer);
  good(await send({ flow }, [photoOf(1, 2), photoOf(1)], two), verificationAnswer);
  for (const photos of [[photoOf(1, 2), photoOf(1, 3)], [photoOf(1), photoOf(1, 3)], [photoOf(1)]])
    assert.equal((await send({ flow }, photos, two)).body.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('a repetition completes a verification that an interruption left open', async (t) => {
  const { site, newFlow, verifications, send, detail, count } = await openDashboard(t);
  const flow = await newFlow();
  const by = 'operator:1';
  for (const withPhoto of [false, true]) {
    const key = randomUUID();
    const named = { name: 'Ben', requestId: key };
    const created = await verifications.create(site.company, flow, null, by, named);
    assert.ok(created);
    const reference = { flowId: flow, id: created.validation.id };
    if (withPhoto) await verifications.takeSelfie(site.company, reference, photoOf(1), by);
    const before = await count();
    const { validationId } = good(await send({ flow, name: 'Ben' }, photoOf(1), key), verificationAnswer);
    assert.equal(validationId, created.validation.id);
    const { finalizedAt, history } = await detail(validationId);
    assert.ok(finalizedAt);
    assert.equal(history.filter(({ action }) => action === 'selfie-accepted').length, 1);
    assert.equal(await count(), before);
  }
});

test('a photo that cannot be used is refused with its reason and leaves nothing behind', async (t) => {
  const { site, newFlow, send, count } = await openDashboard(t);
  const flow = await newFlow();
  const refused = good(await send({ flow }, NOBODY), verificationAnswer);
  assert.deepEqual(refused, { refused: 'NO_FACE', photo: 0, found: null, validationId: null });
  const text = await send({ flow }, Buffer.from('plain text'));
  assert.deepEqual([text.status, Object.keys(text.body.errors as object)], [422, ['image']]);
  const unkeyed = await send({ flow }, photoOf(1), 'no uuid');
  assert.deepEqual([unkeyed.status, unkeyed.body.code], [422, 'IDEMPOTENCY_KEY_INVALID']);
  const long = await send({ flow, name: 'n'.repeat(256) }, photoOf(1));
  assert.equal(long.status, 422);
  assert.deepEqual([await count(), await site.imageFiles()], [0, []]);
});

test('several photos of one person are one probe, which finds what none of them finds', async (t) => {
  const { site, newBlacklist, newFlow, send, detail } = await openDashboard(t);
  const list = await newBlacklist('Barred persons', { people: [3] });
  const flow = await newFlow({
    // At most 0.5. Each photo is 0.52 from the person; the average of both is 0.39, or 0.40 widened.
    targetFmr: 1e-6,
    blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'reject' },
  });
  const photos = [photoLike(3, 4), photoLike(3, 5)];
  const alone = await detail(good(await send({ flow }, photos[0]!), verificationAnswer).validationId);
  assert.deepEqual([alone.status, alone.screening.photos], [TRUST_VALIDATION_STATUS.Verified, 1]);
  const key = randomUUID();
  // A file that is chosen twice counts once.
  const { validationId } = good(await send({ flow }, [...photos, photos[0]!], key), verificationAnswer);
  const both = await detail(validationId);
  assert.deepEqual([both.status, both.screening.photos], [TRUST_VALIDATION_STATUS.Rejected, 2]);
  assert.equal(both.blacklists[0]?.blacklistName, 'Barred persons');
  assert.equal(both.blacklists[0].personMatch.samePicture, false);
  assert.equal(good(await send({ flow }, photos, key), verificationAnswer).validationId, validationId);
  assert.equal((await send({ flow }, photos.slice(0, 1), key)).status, 422, 'the key of other photos');
  const plan = await site.storage.erasures.plan(site.company.id, {
    ...{ validations: [validationId as TrustValidationId], faces: [], photos: [], comparisons: [] },
  });
  assert.deepEqual([plan.faces.length, plan.images.count], [2, 2], 'both are erased');
});

test('a copy among several photos is remarked', async (t) => {
  const { newBlacklist, newFlow, send, detail } = await openDashboard(t);
  const list = await newBlacklist('Barred persons', { people: [3] });
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id] } });
  const { validationId } = good(await send({ flow }, [photoOf(3), photoLike(3, 4)]), verificationAnswer);
  assert.equal((await detail(validationId)).blacklists[0]?.personMatch.samePicture, true);
});

test('a photo of somebody else, or one too many, is refused and leaves nothing behind', async (t) => {
  const { site, newFlow, send, count } = await openDashboard(t);
  const flow = await newFlow();
  const other = good(await send({ flow }, [photoOf(1), photoOf(2), photoOf(1, 2)]), verificationAnswer);
  assert.deepEqual(other, { refused: 'OTHER_PERSON', photo: 1, found: null, validationId: null });
  const second = good(await send({ flow }, [photoOf(1), NOBODY]), verificationAnswer);
  assert.deepEqual([second.refused, second.photo], ['NO_FACE', 1]);
  const many = Array.from({ length: MAX_PHOTOS + 1 }, (_, shot) => photoOf(1, shot));
  assert.equal((await send({ flow }, many)).status, 422);
  assert.equal((await send({ flow }, [])).status, 422);
  assert.deepEqual([await count(), await site.imageFiles()], [0, []]);
});

test('a repetition adds the photos that an interruption left out', async (t) => {
  const { site, newFlow, verifications, send, detail } = await openDashboard(t);
  const flow = await newFlow();
  const key = randomUUID();
  const created = await verifications.create(site.company, flow, null, 'operator:1', { requestId: key });
  const reference = { flowId: flow, id: created!.validation.id };
  await verifications.takeSelfie(site.company, reference, photoOf(1), 'operator:1');
  const { validationId } = good(await send({ flow }, [photoOf(1), photoOf(1, 2)], key), verificationAnswer);
  assert.equal(validationId, reference.id);
  assert.equal((await detail(validationId)).screening.photos, 2);
});

test('flows of another company, and the internal flow, answer as unknown', async (t) => {
  const { site, newFlow, send } = await openDashboard(t);
  const theirs = await newFlow({}, await site.newCompany());
  await newFlow();
  for (const flow of [theirs, 9999]) assert.equal((await send({ flow }, photoOf(1))).status, 404);
});

test('removing the demo photos erases the verification of their run, and no other one', async (t) => {
  const { site, cookie, newFlow, send } = await openDashboard(t, 'admin');
  const flow = await newFlow();
  const run = randomUUID();
  const path = `/uploads?demo=true&run=${run}&runName=Demo`;
  assert.equal((await ask(site, 'POST', path, { cookie, body: formOf(photoOf(1)) })).status, 202);
  const demo = good(await send({ flow }, photoOf(2), run), verificationAnswer);
  const other = good(await send({ flow }, photoOf(3)), verificationAnswer);
  assert.equal((await ask(site, 'DELETE', '/demo', { cookie })).status, 200);
  const statusOf = async (id: number | null) =>
    (await ask(site, 'GET', `/validations/${id}`, { cookie })).status;
  assert.deepEqual([await statusOf(demo.validationId), await statusOf(other.validationId)], [404, 200]);
});
