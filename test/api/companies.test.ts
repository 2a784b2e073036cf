import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlacklistId, FaceId, TrustFlowId, TrustValidationId } from '../../core/contracts/ids.ts';
import { photoOf } from '../support/people.ts';
import { seededRandom } from '../support/seed.ts';
import {
  BLACKLISTS,
  CREATE,
  DETECT,
  FINALIZE,
  SELFIE,
  VALIDATIONS,
  dataOf,
  dataUri,
  openScreeningSite,
} from './screeningSite.ts';
import { FACES, formOf, UPLOADS, type Answer } from './site.ts';
import { InvalidInput, CodedError, problem } from '../../core/contracts/errors/problem.ts';

/** The parts of an answer that could distinguish unknown ids from ids of others: all but those that differ between any two answers. */
function tellable({ status, body, headers }: Answer) {
  const comparable = [...headers].filter(
    ([name]) => !['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'].includes(name),
  );
  return { status, body, comparable };
}

test('companies with the same faces never see each other in any route, count or search', async (t) => {
  const { site, newBlacklist, newFlow, verify, post, work, service, flows, verifications } =
    await openScreeningSite(t);
  const acme = site.company;
  const rival = await site.newCompany();
  const token = await site.newToken({ company: rival });
  const sides = [
    { company: acme, token: site.token },
    { company: rival, token },
  ];
  const made = [];
  for (const side of sides) {
    const list = await newBlacklist('VIP', { company: side.company, people: [1, 2] });
    const settings = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
    const flow = await newFlow(settings, side.company);
    const hit = await verify(flow, 1, side.token);
    const clean = await verify(flow, 3, side.token);
    const enrolled = await site.upload(formOf(photoOf(4)), { token: side.token });
    await work();
    made.push({ ...side, list, flow, hit, clean, upload: dataOf(enrolled).uploadId as string });
  }
  const [mine, theirs] = made;
  assert.ok(mine && theirs);

  for (const side of [mine, theirs]) {
    assert.deepEqual([side.hit.status, side.clean.status], [2, 3], 'the same faces, each only its own hits');
    const entries = side.hit.blacklistMatches as { blacklistId: number }[];
    assert.deepEqual(
      entries.map((entry) => entry.blacklistId),
      [side.list.id],
    );
    const lists = (await site.call(BLACKLISTS, { token: side.token })).body.data as Record<string, unknown>[];
    assert.deepEqual(
      lists.map((list) => [list.id, list.enrolledFacesCount]),
      [[side.list.id, 2]],
    );
    const rows = (await site.call(VALIDATIONS, { token: side.token })).body.data as unknown[];
    assert.equal(rows.length, 3);
  }

  // Of the other's ids and of ids that do not exist, the answers are the same to the last header.
  const image = dataUri(photoOf(1));
  const probes: ((id: {
    list: unknown;
    flow: unknown;
    validation: unknown;
    upload: string;
  }) => Promise<Answer>)[] = [
    ({ list }) =>
      site.call(`${BLACKLISTS}/${String(list)}/faces`, { method: 'POST', body: formOf(photoOf(1)) }),
    ({ upload }) => site.call(`${BLACKLISTS}/uploads/${upload}`),
    ({ upload }) => site.call(`${UPLOADS}/${upload}`),
    ({ validation }) => site.call(`${VALIDATIONS}/${String(validation)}`),
    ({ flow }) => post(CREATE, { template_id: flow }),
    ({ flow, validation }) => post(FINALIZE, { template_id: flow, verification_id: validation }),
    ({ validation }) => post(FINALIZE, { template_id: mine.flow, verification_id: validation }),
    ({ flow, validation }) => post(SELFIE, { image, trust_flow_id: flow, trust_validation_id: validation }),
    ({ flow, validation }) => post(DETECT, { image, trustFlowId: flow, trustValidationId: validation }),
  ];
  for (const probe of probes) {
    const others = {
      list: theirs.list.id,
      flow: theirs.flow,
      validation: theirs.clean.id,
      upload: theirs.upload,
    };
    const nobodys = { list: 424_242, flow: 424_243, validation: 424_244, upload: crypto.randomUUID() };
    const answer = await probe(others);
    assert.equal(answer.status, 404, answer.text);
    assert.equal(answer.body.message, 'Not found.');
    assert.deepEqual(tellable(answer), tellable(await probe(nobodys)));
  }

  // Filters by the other's ids find nothing; the services touch nothing of it.
  const filtered = await site.call(`${VALIDATIONS}?trustFlowId=${theirs.flow}`);
  assert.deepEqual(filtered.body.data, []);
  for (const list of [theirs.list.id, 424_242]) {
    const choose = { blacklistDetection: { enabled: true, blacklistIds: [list] } };
    await assert.rejects(
      flows.setDraft(acme.id, { id: mine.flow, revision: 1 }, choose, 'local-admin'),
      new InvalidInput({ 'blacklistDetection.blacklistIds.0': [problem('BLACKLIST_NOT_ACTIVE')] }),
    );
  }
  const [face] = (theirs.hit.blacklistMatches as { blacklistFaceUploadId: FaceId }[]).map(
    (entry) => entry.blacklistFaceUploadId,
  );
  assert.ok(face);
  assert.equal(await service.deleteFace(acme.id, theirs.list.id, face), false);
  assert.equal(await service.deleteFace(acme.id, mine.list.id, face), false);
  assert.equal(await service.setActive(acme.id, theirs.list.id, false), undefined);
  await assert.rejects(service.edit(acme.id, theirs.list.id, { name: 'x' }), new CodedError('NOT_FOUND'));
  assert.equal(await service.delete(acme.id, theirs.list.id), false);
  await assert.rejects(flows.rename(acme.id, theirs.flow, 'x', 'local-admin'), new CodedError('NOT_FOUND'));
  const decision = { decision: 'reject', note: 'x', seenStatus: 3 } as const;
  assert.equal(
    await verifications.decide(acme, theirs.clean.id as TrustValidationId, decision, 'local-admin'),
    'unknown',
  );
  assert.equal((await verify(theirs.flow, 1, token)).blacklistDetected, true, 'nothing of it was touched');
});

test('random ids find nothing but what the company made itself', async (t) => {
  const { site, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const rival = await site.newCompany();
  const token = await site.newToken({ company: rival });
  for (let index = 0; index < 5; index += 1) {
    await newBlacklist(`List ${index}`, { company: rival });
    await verify(await newFlow({}, rival), index, token);
  }
  const random = seededRandom(t);
  for (let tries = 0; tries < 60; tries += 1) {
    const id = 1 + Math.floor(random() * 12);
    const own = await site.storage.flows.find(site.company.id, id as TrustFlowId);
    assert.ok(own === undefined || own.system);
    assert.equal(await site.storage.blacklists.find(site.company.id, id as BlacklistId), undefined);
    assert.equal((await site.call(`${VALIDATIONS}/${id}`)).status, 404);
  }
  assert.equal((await site.call(FACES)).status, 405);
});
