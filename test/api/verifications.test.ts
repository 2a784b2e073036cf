import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incompleteReasonOf } from '../../core/contracts/incomplete.ts';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { enrolmentProgress } from '../../core/contracts/uploads.ts';
import { screeningFacts } from '../../core/contracts/validations.ts';
import { screenedLists } from '../../core/api/dashboard/caseReport.ts';
import type { TrustValidationId } from '../../core/contracts/ids.ts';
import { OutcomeUnknown } from '../../core/domain/ports/machine.ts';
import { NOBODY, photoOf, photoTwiceOf } from '../support/people.ts';
import {
  CREATE,
  DETECT,
  FINALIZE,
  SELFIE,
  VALIDATIONS,
  dataOf,
  dataUri,
  openScreeningSite,
} from './screeningSite.ts';
import { TEST_ACT } from '../support/act.ts';
import { TEST_PIPELINE } from '../support/site.ts';
import { formOf, UPLOADS, type Answer } from './site.ts';

const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('create-verification answers in the public shape, status 99', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const { status, body } = await post(CREATE, { template_id: flow, metadata: { ref: 'A-1', deep: [1] } });
  assert.equal(status, 200);
  const verification = body.verification as Record<string, unknown>;
  assert.match(String(verification.verification_date), WHEN);
  assert.equal(typeof verification.user_id, 'number');
  assert.deepEqual(body, {
    message: 'Verification created successfully',
    verification: {
      id: verification.id,
      user_id: verification.user_id,
      company_id: site.company.id,
      template_id: flow,
      status: 99,
      verification_date: verification.verification_date,
      verification_data: '[]',
      verification_started_at: verification.verification_date,
      metadata: { ref: 'A-1', deep: [1] },
    },
    template: {
      id: flow,
      company_id: site.company.id,
      name: 'Onboarding',
      plans: '[]',
      created_at: (body.template as Record<string, unknown>).created_at,
      updated_at: (body.template as Record<string, unknown>).updated_at,
      webhook_url: null,
      redirect_url: null,
    },
    tool_settings: [
      {
        plan: 'biometrics_verification',
        config: { duplicateDetection: true, blacklistDetection: false },
      },
    ],
    plans: [{ plan: 'biometrics_verification' }],
  });
  assert.equal(typeof verification.id, 'string', 'the hosted service has text here');
});

test('a photo that shows its person twice says so in answer, poll and history', async (t) => {
  const { site, newFlow, post, work } = await openScreeningSite(t);
  const flow = await newFlow();
  const id = idOf(await post(CREATE, { template_id: String(flow) }));
  const selfie = { image: dataUri(photoTwiceOf(1)), trust_flow_id: String(flow), trust_validation_id: id };
  const { body } = await post(SELFIE, selfie);
  assert.equal(body.onePerson, true);
  const upload = await site.upload(formOf(photoTwiceOf(2), photoOf(3)));
  await work();
  const polled = enrolmentProgress.parse(
    dataOf(await site.call(`${UPLOADS}/${String(dataOf(upload).uploadId)}`)),
  );
  assert.deepEqual(
    polled.images.map(({ onePerson }) => onePerson),
    [true, false],
  );
  const actionsOf = async (validation: unknown) => {
    const { history } = dataOf(await site.call(`${VALIDATIONS}/${String(validation)}`));
    return (history as { action: string }[]).map(({ action }) => action);
  };
  const [twice, once] = polled.images.map(({ trustValidationId }) => trustValidationId);
  assert.deepEqual(await actionsOf(twice), ['enrolled', 'one-person']);
  assert.deepEqual(await actionsOf(once), ['enrolled']);
  assert.deepEqual(await actionsOf(id), ['created', 'selfie-accepted', 'one-person']);
});

test('biometrics-verification answers in the public shape and claims no liveness', async (t) => {
  const { newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const id = idOf(await post(CREATE, { template_id: String(flow), metadata: { ref: 7 } }));
  const selfie = { image: dataUri(photoOf(1)), trust_flow_id: String(flow), trust_validation_id: id };
  const { status, body } = await post(SELFIE, selfie);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    message: 'Biometrics verification processed successfully',
    data: { livenessPass: null, livenessScore: null },
    onePerson: false,
    verificationStatus: 'IN_PROGRESS',
    verificationStatusCode: 5,
    trustFlowId: flow,
    trustValidationId: id,
    verificationType: 'biometrics_verification',
    metadata: { ref: 7 },
  });
});

test('biometrics-detection enrols and screens, in the public shape', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const detect = async (username: string | undefined) => {
    const id = idOf(await post(CREATE, { template_id: flow }));
    const image = dataUri(photoOf(1));
    const answer = await post(DETECT, { image, username, trustFlowId: flow, trustValidationId: id });
    assert.equal(answer.status, 200, answer.text);
    return { id, body: answer.body, data: answer.body.data as Detected };
  };
  const first = await detect('maria');
  assert.deepEqual(
    [first.body.verificationType, first.body.verificationStatus, first.body.verificationStatusCode],
    ['biometrics_registration', 'VERIFIED', 3],
  );
  assert.deepEqual(first.data, {
    enroll: {
      companyId: site.company.id,
      enrolledAt: first.data.enroll.enrolledAt,
      imageType: 0,
      name: 'maria',
      recordId: first.data.enroll.recordId,
      referenceId: first.id,
      status: 1,
      watchlistId: 0,
    },
    screen: {
      checkedWatchlists: [0],
      imageType: 0,
      status: 1,
      watchlists: [{ watchlistId: 0, hasMatches: false, matches: [] }],
    },
  });
  const second = await detect(undefined);
  assert.deepEqual(
    [second.body.verificationStatus, second.body.verificationStatusCode, second.data.enroll.name],
    ['REVIEW_NEEDED', 2, null],
  );
  assert.deepEqual(second.data.screen.watchlists, [
    {
      watchlistId: 0,
      hasMatches: true,
      matches: [
        {
          enrolledAt: first.data.enroll.enrolledAt,
          imageType: 0,
          name: 'maria',
          recordId: first.data.enroll.recordId,
          referenceId: first.id,
          similarityScore: 100,
          person: { id: null, photos: 1, agreeing: 1, photoSimilarityScore: 100, samePicture: true },
        },
      ],
    },
  ]);
});

interface Detected {
  enroll: Record<string, unknown>;
  screen: { watchlists: unknown[] };
}

test('finalize-verification answers in the public shape and screens once', async (t) => {
  const { site, newFlow, newBlacklist, post, service } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id] } });
  const id = idOf(await post(CREATE, { template_id: flow }));
  await post(SELFIE, { image: dataUri(photoOf(1)), trust_flow_id: flow, trust_validation_id: id });
  const finalise = () => post(FINALIZE, { template_id: flow, verification_id: id });
  const first = await finalise();
  assert.equal(first.status, 200);
  const verification = first.body.verification as Record<string, unknown>;
  assert.match(String(verification.verification_ended_at), WHEN);
  assert.deepEqual(
    { ...first.body, verification: [verification.id, verification.status, verification.template_id] },
    {
      message: 'Verification finalized successfully',
      verification: [id, 2, flow],
      missing_plans: [],
      status: 2,
      status_message: 'REVIEW_NEEDED',
      finalized: true,
    },
  );
  const detail = dataOf(await site.call(`${VALIDATIONS}/${id}`));
  await service.delete(site.company.id, list.id);
  assert.deepEqual((await finalise()).body, first.body);
  assert.deepEqual(
    dataOf(await site.call(`${VALIDATIONS}/${id}`)),
    detail,
    'no second screening, no second line',
  );
});

test('a match names blacklist, face, score and ID, per blacklist', async (t) => {
  const { newFlow, newBlacklist, fill, verify } = await openScreeningSite(t);
  const [vip, staff, empty] = [
    await newBlacklist('VIP'),
    await newBlacklist('Staff'),
    await newBlacklist('Empty'),
  ];
  const inVip = await fill(vip.id, [1, 1, 3]);
  const inStaff = await fill(staff.id, [1, 2]);
  const blacklistIds = [vip.id, empty.id, staff.id];
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds } });
  const detail = await verify(flow, 1);
  assert.deepEqual([detail.status, detail.statusLabel, detail.blacklistDetected], [2, 'Review Needed', true]);
  const entries = detail.blacklistMatches as Entry[];
  assert.deepEqual(
    entries.map((entry) => [entry.blacklistId, entry.blacklistName, entry.fullName, entry.similarityScore]),
    [
      [vip.id, 'VIP', 'Person 1', 100],
      [staff.id, 'Staff', 'Person 1', 100],
    ],
  );
  const faceIds = (poll: Record<string, unknown>) =>
    (poll.images as { faceId: number }[]).map(({ faceId }) => faceId);
  assert.deepEqual(
    entries
      .map(({ matches }) => matches.map((match) => match.blacklistFaceUploadId))
      .map((ids) => ids.sort()),
    [faceIds(inVip).slice(0, 2).sort(), faceIds(inStaff).slice(0, 1)],
  );
  assert.equal(entries[0]?.band, 'strong');
});

test('blacklists are compared at a rate of their own, or at that of the flow', async (t) => {
  const { newFlow, newBlacklist, verify, gallery } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const search = t.mock.method(gallery, 'searchPersons');
  const distancesAt = async (targetFmr: number | null) => {
    const from = search.mock.callCount();
    const blacklistDetection = { enabled: true, blacklistIds: [list.id], targetFmr };
    const flow = await newFlow({ duplicateDetection: { enabled: true }, blacklistDetection });
    const facts = screeningFacts.parse((await verify(flow, 1)).screening);
    const asked = search.mock.calls.slice(from).map(({ arguments: [, , query] }) => query);
    assert.deepEqual(
      asked.map(({ watchlists: [watchlist], maxDistance }) => [watchlist?.kind, maxDistance]),
      [
        ['duplicate', facts.maxDistance],
        ['blacklist', facts.blacklistMaxDistance],
      ],
    );
    return facts;
  };
  const same = await distancesAt(null);
  assert.equal(same.blacklistMaxDistance, same.maxDistance);
  const stricter = await distancesAt(1e-6);
  assert.equal(stricter.blacklistTargetFmr, 1e-6);
  assert.ok(stricter.blacklistMaxDistance < stricter.maxDistance);
});

test('a threshold by searches follows the persons of each list and is frozen', async (t) => {
  const { newFlow, newBlacklist, verify, gallery, fill, site } = await openScreeningSite(t);
  const short = await newBlacklist('Short', { people: [1] });
  const long = await newBlacklist('Long', { people: [2, 3, 4, 5] });
  const blacklistDetection = {
    enabled: true,
    blacklistIds: [short.id, long.id],
    targetFmr: null,
    targetFpir: 0.001,
  };
  const flow = await newFlow({ duplicateDetection: { enabled: true }, blacklistDetection });
  const search = t.mock.method(gallery, 'searchPersons');
  const first = await verify(flow, 9);
  const facts = screeningFacts.parse(first.screening);
  const perSearch = facts.perSearch!;
  assert.deepEqual(
    perSearch.map(({ blacklistId, persons, targetFpir, keptFpir }) => [
      blacklistId,
      persons,
      targetFpir,
      keptFpir,
    ]),
    [
      [short.id, 1, 0.001, 0.001],
      [long.id, 4, 0.001, 0.001],
    ],
  );
  for (const { persons, targetFmr } of perSearch)
    assert.ok(Math.abs((targetFmr * persons) / 0.001 - 1) < 0.01);
  assert.ok(perSearch[1]!.maxDistance < perSearch[0]!.maxDistance);
  assert.deepEqual(
    search.mock.calls.map(({ arguments: [, , { maxDistance }] }) => maxDistance),
    [facts.maxDistance, ...perSearch.map(({ maxDistance }) => maxDistance)],
  );
  assert.equal(facts.targetFmr, 1e-4, 'that of the enrolled faces stays fixed');

  await fill(short.id, [6, 7, 8]);
  const now = screeningFacts.parse((await verify(flow, 10)).screening);
  assert.deepEqual(now.perSearch![0], { ...perSearch[1], blacklistId: short.id });
  // Among so many the law of the thresholds ends before the rate that was chosen.
  const size = t.mock.method(gallery, 'size', () => Promise.resolve(1_000_000));
  const many = screeningFacts.parse((await verify(flow, 11)).screening);
  size.mock.restore();
  for (const { targetFpir, keptFpir } of many.perSearch!)
    assert.ok(targetFpir === 0.001 && keptFpir > 5 * targetFpir, `${keptFpir}`);
  const stored = dataOf(await site.call(`${VALIDATIONS}/${first.id as number}`));
  assert.deepEqual(screeningFacts.parse(stored.screening), facts);
});

test('a blacklist has a rate of its own beside those that share one', async (t) => {
  const { newFlow, newBlacklist, verify } = await openScreeningSite(t);
  const lists = await Promise.all(
    [[1], [2, 3], [4]].map((people, i) => newBlacklist(`List ${i}`, { people })),
  );
  const [own, other, fixed] = lists.map(({ id }) => id);
  const ratesOf = async (blacklistDetection: object) => {
    const flow = await newFlow({
      blacklistDetection: { enabled: true, blacklistIds: [own, other, fixed], ...blacklistDetection },
    });
    return screeningFacts.parse((await verify(flow, 9)).screening);
  };
  const ownRates = [
    { blacklistId: own, targetFpir: 0.01 },
    { blacklistId: other, targetFpir: 0.0001 },
  ];
  const mixed = await ratesOf({ targetFmr: 1e-3, ownRates });
  assert.deepEqual(
    mixed.perSearch!.map(({ blacklistId, targetFpir, persons }) => [blacklistId, targetFpir, persons]),
    [
      [own, 0.01, 1],
      [other, 0.0001, 2],
    ],
  );
  assert.equal(mixed.blacklistTargetFmr, 1e-3, 'the rate of the list that has none of its own');
  assert.deepEqual(
    screenedLists(mixed)
      .thresholds.slice(1)
      .map(({ list, targetFmr, perSearch }) => [
        list,
        Number(targetFmr.toPrecision(3)),
        perSearch?.targetFpir,
      ]),
    [
      ['List 0', 0.01, 0.01],
      ['List 1', 5e-5, 0.0001],
      ['List 2', 1e-3, undefined],
    ],
  );
  const shared = await ratesOf({ targetFpir: 0.1, ownRates });
  assert.deepEqual(
    shared.perSearch!.map(({ targetFpir }) => targetFpir),
    [0.01, 0.0001, 0.1],
  );
});

test('two photos of one person count once for a threshold by searches', async (t) => {
  const { newFlow, newBlacklist, verify, site } = await openScreeningSite(t);
  const list = await newBlacklist('Two photos', { people: [1, 1, 2] });
  const pages = await Array.fromAsync(site.storage.faces.matchable(site.company.id, TEST_PIPELINE));
  const faces = pages.flat().map(({ faceId }) => faceId);
  await site.storage.persons.decide(
    site.company.id,
    { kind: 'same', faces: faces.slice(0, 2).map((face) => ({ face, side: 0 })), reason: null },
    TEST_ACT,
  );
  const flow = await newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [list.id], targetFpir: 0.01 },
    targetFpir: 0.1,
  });
  const { perSearch } = screeningFacts.parse((await verify(flow, 9)).screening);
  assert.deepEqual(
    perSearch!.map(({ blacklistId, persons }) => [blacklistId, persons]),
    [
      [null, 0],
      [list.id, 2],
    ],
  );
});

interface Entry {
  blacklistId: number;
  blacklistName: string;
  fullName: string;
  similarityScore: number;
  band: string;
  matches: { blacklistFaceUploadId: number }[];
}

test('matches: Review Needed by default, Rejected when configured and outranking', async (t) => {
  const { newFlow, newBlacklist, verify } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const statusWith = async (blacklist: object, duplicate: object = { enabled: false }) => {
    const flow = await newFlow({
      duplicateDetection: duplicate,
      blacklistDetection: { enabled: true, blacklistIds: [list.id], ...blacklist },
    });
    return (await verify(flow, 1)).statusLabel;
  };
  assert.equal(await statusWith({}), 'Review Needed');
  assert.equal(await statusWith({ action: 'reject' }), 'Rejected');
  assert.equal(await statusWith({ enabled: false }), 'Verified');
  assert.equal(await statusWith({}, { enabled: true, action: 'reject' }), 'Rejected', 'a duplicate by now');
  assert.equal(await statusWith({ action: 'reject' }, { enabled: true }), 'Rejected');
});

test('an Incomplete verification gives its reason, a remedy and a name of its own', async (t) => {
  const { site, newFlow, verify, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const none = await verify(flow, null);
  assert.deepEqual([none.status, none.screening, none.name], [4, null, `Verification ${String(none.id)}`]);
  assert.deepEqual(none.incompleteReason, incompleteReasonOf('NO_SELFIE'));
  const id = idOf(await post(CREATE, { template_id: flow }));
  const read = async () => dataOf(await site.call(`${VALIDATIONS}/${id}`));
  const selfie = { image: dataUri(NOBODY), trust_flow_id: flow, trust_validation_id: id };
  assert.equal((await post(SELFIE, selfie)).status, 422);
  assert.equal((await read()).incompleteReason, null, 'it waits for another selfie');
  await post(FINALIZE, { template_id: flow, verification_id: id });
  const { status, incompleteReason } = await read();
  assert.deepEqual([status, incompleteReason], [4, incompleteReasonOf('NO_FACE')]);
  const { data } = (await site.call(`${VALIDATIONS}?status=4`)).body as {
    data: { incompleteReason: { code: string } }[];
  };
  assert.deepEqual(
    data.map((row) => row.incompleteReason.code),
    ['NO_FACE', 'NO_SELFIE'],
  );
});

test('a verified selfie joins duplicate detection, one in review only when verified', async (t) => {
  const { site, newFlow, verify, verifications } = await openScreeningSite(t);
  const flow = await newFlow();
  const first = await verify(flow, 1);
  assert.equal(first.status, 3);
  const second = await verify(flow, 1);
  assert.deepEqual([second.status, duplicatesOf(second)], [2, [first.id]]);
  assert.deepEqual(duplicatesOf(await verify(flow, 1)), [first.id], 'the one in review is not matched');
  const decide = (seenStatus: number) =>
    verifications.decide(
      site.company,
      second.id as TrustValidationId,
      { decision: 'verify', note: 'twins', seenStatus },
      'local-admin',
    );
  assert.equal(await decide(1), 'changed', 'the reviewer saw another status');
  assert.equal(await decide(2), 'decided');
  assert.deepEqual(duplicatesOf(await verify(flow, 1)).sort(), [first.id, second.id]);
  const { history } = dataOf(await site.call(`${VALIDATIONS}/${String(second.id)}`));
  assert.deepEqual(
    (history as Record<string, unknown>[]).map((line) => [line.action, line.actor, line.note, line.toStatus]),
    [
      ['created', 'token:1', null, 99],
      ['selfie-accepted', 'token:1', null, 5],
      ['finalised', 'token:1', null, 2],
      ['verified', 'local-admin', 'twins', 3],
    ],
  );
});

test('a flow screens by the version that was saved before the verification was created', async (t) => {
  const { site, flows, newFlow, newBlacklist, post } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const flow = await newFlow();
  const begin = async () => idOf(await post(CREATE, { template_id: flow }));
  const end = async (id: string) => {
    await post(SELFIE, { image: dataUri(photoOf(1)), trust_flow_id: flow, trust_validation_id: id });
    await post(FINALIZE, { template_id: flow, verification_id: id });
    return dataOf(await site.call(`${VALIDATIONS}/${id}`)).blacklistDetected;
  };
  const before = await begin();
  await flows.setDraft(
    site.company.id,
    { id: flow, revision: 1 },
    {
      duplicateDetection: { enabled: false },
      blacklistDetection: { enabled: true, blacklistIds: [list.id] },
    },
    'local-admin',
  );
  const betweenToolAndFlow = await begin();
  await flows.save(site.company.id, { id: flow, revision: 2 }, 'local-admin');
  const after = await begin();
  assert.deepEqual(
    [await end(before), await end(betweenToolAndFlow), await end(after)],
    [false, false, true],
  );
});

test('the internal flow of bulk enrolment takes no verification', async (t) => {
  const { site, post } = await openScreeningSite(t);
  const system = await site.storage.companies.systemTrustFlow(site.company.id);
  assert.equal((await post(CREATE, { template_id: system })).status, 404);
});

test('two photos of one person that are finalised together: the second sees the first', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const id = idOf(await post(CREATE, { template_id: flow }));
    await post(SELFIE, { image: dataUri(photoOf(1, index)), trust_flow_id: flow, trust_validation_id: id });
    ids.push(id);
  }
  const answers = await Promise.all(
    // Each of them twice, because callers retry.
    [...ids, ...ids].map((id) => post(FINALIZE, { template_id: flow, verification_id: id })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const details = await Promise.all(ids.map(async (id) => dataOf(await site.call(`${VALIDATIONS}/${id}`))));
  assert.equal(details.filter(({ status }) => status === 3).length, 1, 'exactly one is the first');
  const [first] = details.filter(({ status }) => status === 3);
  for (const detail of details.filter((one) => one !== first))
    assert.deepEqual([detail.status, duplicatesOf(detail)], [2, [first?.id]]);
  for (const { history } of details) assert.equal((history as unknown[]).length, 3);
});

test('of two selfies only the newest can match, also during a finalisation', async (t) => {
  const { site, newFlow, post, gallery } = await openScreeningSite(t);
  const flow = await newFlow();
  for (let round = 0; round < 10; round += 1) {
    const id = idOf(await post(CREATE, { template_id: flow }));
    const selfie = (person: number) => ({
      image: dataUri(photoOf(person)),
      trust_flow_id: flow,
      trust_validation_id: id,
    });
    await post(SELFIE, selfie(2 * round));
    await Promise.all([
      post(SELFIE, selfie(2 * round + 1)),
      post(FINALIZE, { template_id: flow, verification_id: id }),
    ]);
  }
  assert.equal(await gallery.size(site.company.id, { kind: 'duplicate' }), 10);
  let stored = 0;
  for await (const page of site.storage.faces.all(site.company.id, TEST_PIPELINE))
    for (const face of page) {
      const [found] = await gallery.search(site.company.id, {
        probe: face.template,
        watchlists: [face.watchlist],
        limit: 1,
        maxDistance: 0.1,
      });
      assert.equal(found?.faceId, face.faceId, 'the gallery holds what the store holds');
      stored += 1;
    }
  assert.equal(stored, 10);
});

test('every accepted selfie is screened and in the history, and erasing reaches all', async (t) => {
  const { site, newBlacklist, newFlow, post } = await openScreeningSite(t);
  const list = await newBlacklist('Watched', { people: [1] });
  const blacklistDetection = { enabled: true, action: 'reject', blacklistIds: [list.id] };
  const flow = await newFlow({ blacklistDetection });
  const id = idOf(await post(CREATE, { template_id: flow }));
  const selfie = async (photo: Uint8Array) =>
    (await post(SELFIE, { image: dataUri(photo), trust_flow_id: flow, trust_validation_id: id })).status;
  assert.deepEqual(
    [await selfie(photoOf(1, 7)), await selfie(NOBODY), await selfie(photoOf(2))],
    [200, 422, 200],
  );
  await post(FINALIZE, { template_id: flow, verification_id: id });
  const detail = dataOf(await site.call(`${VALIDATIONS}/${id}`));
  assert.equal(detail.status, TRUST_VALIDATION_STATUS.Rejected, 'an entry of the first selfie counts');
  assert.equal((detail.blacklistMatches as unknown[]).length, 1);
  assert.equal((detail.screening as { selfies: number }).selfies, 2);
  const history = detail.history as { action: string; actor: string; failureCode: string | null }[];
  assert.deepEqual(
    history.map(({ action, actor, failureCode }) => [action, actor, failureCode]),
    [
      ['created', 'token:1', null],
      ['selfie-accepted', 'token:1', null],
      ['selfie-refused', 'token:1', 'NO_FACE'],
      ['selfie-replaced', 'token:1', null],
      ['finalised', 'token:1', null],
    ],
  );
  const validation = Number(id) as TrustValidationId;
  const { storage, company } = site;
  const [match] = await storage.views.matches(company.id, validation);
  const faceImage = await storage.views.faceImageOf(company.id, validation);
  assert.ok(match !== undefined && faceImage !== undefined && match.probeFaceId < faceImage.faceId);
  const plan = await storage.erasures.plan(company.id, {
    validations: [validation],
    faces: [],
    photos: [],
    comparisons: [],
  });
  assert.equal(plan.faces.length, 2);
  assert.equal(plan.images.count, 2);
});

test('a finalised verification takes no more images: 422, and nothing is kept', async (t) => {
  const { site, newFlow, verify, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const { id } = await verify(flow, 1);
  const files = await site.imageFiles();
  for (const [path, body] of [
    [SELFIE, { trust_flow_id: flow, trust_validation_id: id }],
    [DETECT, { trustFlowId: flow, trustValidationId: id }],
  ] as const) {
    const { status, body: refused } = await post(path, { image: dataUri(photoOf(2)), ...body });
    assert.equal(status, 422);
    assert.match(String(refused.message), /finalized/);
  }
  assert.deepEqual(await site.imageFiles(), files);
});

test('a selfie that may be stored keeps its file, and its answer says so', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const { verification } = (await post(CREATE, { template_id: flow })).body;
  const { id } = verification as { id: string };
  const { validations } = site.storage;
  const setSelfie = validations.setSelfie.bind(validations);
  t.mock.method(validations, 'setSelfie', async (...given: Parameters<typeof setSelfie>) => {
    await setSelfie(...given);
    throw new OutcomeUnknown('The database did not confirm the selfie.');
  });
  const image = dataUri(photoOf(1));
  const answer = await post(SELFIE, { image, trust_flow_id: flow, trust_validation_id: id });
  assert.deepEqual([answer.status, answer.body.code], [503, 'OUTCOME_UNKNOWN']);
  assert.equal((await site.imageFiles()).length, 1);
});

test('an unusable image is 422 on image with its reason, in the public words', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  const id = idOf(await post(CREATE, { template_id: flow }));
  const refused = async (image: unknown) => {
    const { status, body } = await post(SELFIE, { image, trust_flow_id: flow, trust_validation_id: id });
    assert.equal(status, 422);
    assert.equal(body.success, false);
    return [(body.errors as { image: string[] }).image[0], body.message, body.code];
  };
  const noFace = 'No face detected in the image. Please ensure face is clearly visible.';
  assert.deepEqual(await refused(dataUri(NOBODY)), [noFace, noFace, 'NO_FACE']);
  for (const [image, expected] of [
    [undefined, /required/],
    [null, /required/],
    [7, /string/],
    ['', /data URI/],
    ['/9j/4AAQ', /data URI/],
    ['data:image/jpeg;base64,', /must not be empty/],
    ['data:image/jpeg;base64,%%%%', /base64/],
    ['data:text/html;base64,PGI+', /type: jpg/],
    [dataUri(Buffer.from('GIF89a-no-photo')), /type: jpg/],
    [`data:image/png;base64,${'A'.repeat(14_000_000)}`, /kilobytes/],
  ] as const) {
    const [message, , code] = await refused(image);
    assert.match(String(message), expected);
    assert.equal(code, 'VALIDATION');
  }
  assert.equal((await site.imageFiles()).length, 0);
});

test('JSON, urlencoded and multipart forms carry the same fields, or a file', async (t) => {
  const { site, newFlow } = await openScreeningSite(t);
  const flow = await newFlow();
  const image = dataUri(photoOf(1));
  const encodings: ((fields: Record<string, string>) => RequestInit)[] = [
    (fields) => ({ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }),
    (fields) => ({ body: new URLSearchParams(fields) }),
    (fields) => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.set(key, value);
      return { body: form };
    },
  ];
  for (const encode of encodings) {
    const send = (path: string, fields: Record<string, string>) =>
      site.call(path, { method: 'POST', ...encode(fields) });
    const id = idOf(await send(CREATE, { template_id: String(flow) }));
    const selfie = { image, trust_flow_id: String(flow), trust_validation_id: id };
    assert.equal((await send(SELFIE, selfie)).status, 200);
    const finalized = await send(FINALIZE, { template_id: String(flow), verification_id: id });
    assert.equal(finalized.body.finalized, true);
  }
  const form = new FormData();
  form.set('template_id', String(flow));
  form.set('metadata[ref]', 'A-1');
  form.set('metadata[__proto__]', 'x');
  const created = await site.call(CREATE, { method: 'POST', body: form });
  const { metadata } = created.body.verification as { metadata: object };
  assert.deepEqual(Object.entries(metadata), [
    ['ref', 'A-1'],
    ['__proto__', 'x'],
  ]);
  const asFile = formOf({ field: 'image', content: photoOf(2) });
  asFile.set('trustFlowId', String(flow));
  asFile.set('trustValidationId', idOf(created));
  assert.equal((await site.call(DETECT, { method: 'POST', body: asFile })).status, 200);
});

test('v1 errors are {status: false}, v3 {success: false}; both name missing fields', async (t) => {
  const { post } = await openScreeningSite(t);
  const keys = async (path: string) => {
    const { status, body } = await post(path, {});
    assert.equal(status, 422);
    assert.equal(body.message, 'Validation error');
    const errors = body.errors as Record<string, string[]>;
    for (const [key, messages] of Object.entries(errors))
      assert.deepEqual(messages, [`The ${key} field is required.`]);
    return [body.status, body.success, Object.keys(errors)];
  };
  assert.deepEqual(await keys(CREATE), [false, undefined, ['template_id']]);
  assert.deepEqual(await keys(FINALIZE), [false, undefined, ['template_id', 'verification_id']]);
  const image = ['image', 'trust_flow_id', 'trust_validation_id'];
  assert.deepEqual(await keys(SELFIE), [undefined, false, image]);
  assert.deepEqual(await keys(DETECT), [undefined, false, ['image', 'trustFlowId', 'trustValidationId']]);
});

test('bodies that are no fields are refused, not answered 5xx', async (t) => {
  const { site, newFlow } = await openScreeningSite(t);
  const flow = await newFlow();
  const json = { 'content-type': 'application/json' };
  const send = async (body: string | undefined, headers: Record<string, string> = json) =>
    (await site.call(CREATE, { method: 'POST', headers, ...(body !== undefined && { body }) })).status;
  assert.equal(await send('{'), 400);
  assert.equal(await send('[]'), 400);
  assert.equal(await send('null'), 400);
  assert.equal(await send(`\uFEFF{"template_id":${flow}}`), 200, 'a byte order mark in front is ignored');
  assert.equal(await send(undefined, {}), 422);
  assert.equal(
    await send(`{"template_id":${flow}}`, { ...json, 'content-encoding': 'gzip' }),
    415,
    'an encoded body is not read as if it were none',
  );
  assert.equal(await send('x', { 'content-type': 'text/plain' }), 415);
  assert.equal(await send('x', { 'content-type': 'multipart/form-data' }), 400);
  assert.equal(await send(JSON.stringify({ template_id: flow, metadata: 'x'.repeat(70_000) })), 413);
  const tooLarge = await site.call(CREATE, { method: 'POST', headers: json, body: 'x'.repeat(70_000) });
  assert.equal(tooLarge.body.message, 'Request body is too large. It must not be greater than 64 kilobytes.');
  assert.equal(await send(JSON.stringify({ template_id: flow, metadata: 'x'.repeat(20_000) })), 422);
  assert.equal(
    await send(`{"template_id":${flow},"metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    422,
  );
  for (const id of ['true', '{}', '1.5', '-1', '1e400', '"9999999999999999999"', '"x"', '0'])
    assert.ok([404, 422].includes(await send(`{"template_id":${id}}`)), id);
});

test('without storage no selfie, without Biometrics Registration no enrolment: 422', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const bare = await site.newCompany({ storage: false });
  const token = await site.newToken({ company: bare });
  const flow = await newFlow({}, bare);
  const id = idOf(await post(CREATE, { template_id: flow }, token));
  const image = dataUri(photoOf(1));
  const selfie = await post(SELFIE, { image, trust_flow_id: flow, trust_validation_id: id }, token);
  assert.deepEqual([selfie.status, selfie.body.message], [422, 'Company storage is not configured']);

  const closed = await site.newCompany({ settings: { registrationEnabled: false } });
  const other = await site.newToken({ company: closed });
  const its = await newFlow({}, closed);
  const open = idOf(await post(CREATE, { template_id: its }, other));
  const detect = await post(DETECT, { image, trustFlowId: its, trustValidationId: open }, other);
  assert.deepEqual(
    [detect.status, detect.body.message],
    [422, 'Biometrics Registration is not enabled for this company'],
  );
});

test('trust-validations lists newest first and stays right while rows are added', async (t) => {
  const { site, newFlow, verify } = await openScreeningSite(t);
  const flow = await newFlow();
  const made: unknown[] = [];
  for (let person = 0; person < 7; person += 1) made.unshift((await verify(flow, person)).id);
  const seen: number[] = [];
  let next: string | null = `${VALIDATIONS}?limit=2&trustFlowId=${flow}`;
  while (next !== null) {
    const { body } = await site.call(next.replace(site.address, ''));
    seen.push(...(body.data as { id: number }[]).map(({ id }) => id));
    next = (body.links as { next: string | null }).next;
    await verify(flow, 20 + seen.length);
  }
  assert.deepEqual(seen, made);
});

test('trust-validations gives numbered pages; a blank filter filters nothing', async (t) => {
  const { site, newFlow, verify } = await openScreeningSite(t);
  const flow = await newFlow();
  const made: unknown[] = [];
  for (let person = 0; person < 5; person += 1) made.unshift((await verify(flow, person)).id);
  const pages: unknown[][] = [];
  let next: string | null = `${VALIDATIONS}?per_page=2&page=1&status=&from=&trustFlowId=${flow}`;
  while (next !== null) {
    const { status, body, text } = await site.call(next.replace(site.address, ''));
    assert.equal(status, 200, text);
    pages.push((body.data as { id: number }[]).map(({ id }) => id));
    const meta = body.meta as Record<string, unknown>;
    assert.deepEqual([meta.per_page, meta.current_page], [2, pages.length]);
    const links = body.links as { first: string; next: string | null };
    for (const link of [links.first, links.next ?? '']) assert.ok(!link.includes('limit='), link);
    next = links.next;
  }
  assert.deepEqual(pages, [made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
  for (const query of ['page=0', 'per_page=0', 'per_page=201', 'page=x'])
    assert.equal((await site.call(`${VALIDATIONS}?${query}`)).status, 422, query);
});

test('trust-validations filters by status, flow, hit, time and text', async (t) => {
  const { site, newFlow, newBlacklist, verify } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const screened = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id] } });
  const plain = await newFlow({ duplicateDetection: { enabled: false } });
  const hit = (await verify(screened, 1)).id;
  const clean = (await verify(plain, 2)).id;
  const duplicate = (await verify(screened, 2)).id;
  const ids = async (query: string) => {
    const { status, body } = await site.call(`${VALIDATIONS}?${query}`);
    assert.equal(status, 200, query);
    return (body.data as { id: unknown }[]).map(({ id }) => id);
  };
  assert.deepEqual(await ids('hit=blacklist'), [hit]);
  assert.deepEqual(await ids('hit=duplicate'), [duplicate]);
  assert.deepEqual(await ids('hit=any'), [duplicate, hit]);
  assert.deepEqual(await ids('hit=none'), [clean]);
  assert.deepEqual(await ids('status=3'), [clean]);
  assert.deepEqual(await ids(`trustFlowId=${plain}`), [clean]);
  assert.deepEqual(await ids('text=verific'), [duplicate, clean, hit]);
  assert.deepEqual(await ids('text=%25'), [], 'a percent sign is a percent sign');
  assert.deepEqual(await ids('to=2026-01-01T00:00:00Z'), []);
  for (const query of ['limit=0', 'limit=201', 'hit=some', 'from=yesterday', 'status=x', 'status=7'])
    assert.equal((await site.call(`${VALIDATIONS}?${query}`)).status, 422, query);
});

test('every verification route needs the scope verify', async (t) => {
  const { site, post } = await openScreeningSite(t);
  const token = await site.newToken({
    scopes: ['enroll', 'blacklists:read', 'blacklists:write', 'signatures'],
  });
  for (const path of [CREATE, FINALIZE, SELFIE, DETECT])
    assert.equal((await post(path, {}, token)).status, 403, path);
  for (const path of [VALIDATIONS, `${VALIDATIONS}/1`])
    assert.equal((await site.call(path, { token })).status, 403, path);
});

function idOf(created: Answer): string {
  assert.equal(created.status, 200, created.text);
  return (created.body.verification as { id: string }).id;
}

function duplicatesOf(detail: Record<string, unknown>): number[] {
  return (detail.duplicates as { trustValidationId: number }[]).map((entry) => entry.trustValidationId);
}
