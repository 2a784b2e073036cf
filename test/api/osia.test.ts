/** The ABIS interface of OSIA: each operation, its limits, and the form of each answer. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { SCOPES } from '../../core/contracts/codes.ts';
import { trusted } from '../../core/contracts/ids.ts';
import { OSIA, osiaApi } from '../../core/contracts/osia.ts';
import { writeFac } from '../../core/decoding/records/fac.ts';
import { NOBODY, photoOf, photoTwiceOf } from '../support/people.ts';
import { TEST_ACT } from '../support/act.ts';
import { CREATE, FINALIZE, openScreeningSite, SELFIE, type ScreeningSite } from './screeningSite.ts';
import { formOf, type Answer } from './site.ts';

/** The answers of the interface 1.6.0 as its description has them, in our own words: no other field may appear. */
const text = z.string();
const number = z.number();
const free = z.record(text, z.unknown());
const FORM = {
  error: z.strictObject({ code: z.int(), message: text }),
  ids: z.strictObject({ personId: text, encounterId: text, others: free.optional() }),
  encounter: z.strictObject({
    encounterId: text,
    status: z.enum(['ACTIVE', 'INACTIVE']),
    encounterType: text,
    galleries: z.array(text).min(1).optional(),
    clientData: z.base64().optional(),
    contextualData: free.optional(),
    biographicData: free.optional(),
    biometricData: z.array(
      z.strictObject({
        biometricType: z.enum(['FACE', 'FINGER', 'IRIS', 'SIGNATURE', 'UNKNOWN']),
        biometricSubType: z.enum(['UNKNOWN', 'PORTRAIT', 'LEFT_PROFILE', 'RIGHT_PROFILE']).optional(),
        instance: text.optional(),
        encounterId: text.optional(),
        image: z.base64().optional(),
        captureDate: z.iso.datetime({ offset: true }).optional(),
        captureDevice: text.optional(),
        mimeType: text.optional(),
        compression: z.enum(['NONE', 'WSQ', 'JPEG', 'JPEG2000', 'PNG']).optional(),
        metadata: text.optional(),
        comment: text.optional(),
        quality: z.int().optional(),
        qualityFormat: text.optional(),
        vendor: text.optional(),
      }),
    ),
  }),
  templates: z.array(
    z.strictObject({
      biometricType: z.enum(['FACE', 'FINGER', 'IRIS', 'SIGNATURE', 'UNKNOWN']),
      template: z.base64(),
      templateFormat: text.optional(),
      quality: z.int().optional(),
      qualityFormat: text.optional(),
      algorithm: text.optional(),
      vendor: text.optional(),
    }),
  ),
  page: z.array(z.strictObject({ personId: text, encounterId: text })),
};
const score = z.strictObject({
  score: number,
  encounterId: text.optional(),
  biometricType: z.enum(['FACE', 'FINGER', 'IRIS', 'SIGNATURE', 'UNKNOWN']).optional(),
  others: free.optional(),
});
const CANDIDATES = z.array(
  z.strictObject({
    personId: text,
    rank: z.int(),
    score: number,
    scores: z.array(score).optional(),
    others: free.optional(),
  }),
);
const VERIFIED = z.strictObject({ decision: z.boolean(), scores: z.array(score).optional() });

const inBase64 = (image: Uint8Array) => Buffer.from(image).toString('base64');
const face = (person: number, shot = 0) => ({
  biometricType: 'FACE',
  image: inBase64(photoOf(person, shot)),
});
const encounter = (person: number, shot = 0, more: object = {}) => ({
  encounterType: 'ISSUE',
  status: 'ACTIVE',
  biometricData: [face(person, shot)],
  ...more,
});

/** The statuses of each operation in the description, in our own words, and 401 of every credential. */
const STATUSES: Record<keyof typeof osiaApi, readonly number[]> = {
  createEncounterNoIds: [200],
  createEncounterNoId: [200],
  createEncounter: [201, 409],
  readAllEncounters: [200, 404],
  readEncounter: [200, 404],
  updateEncounter: [204, 404],
  deleteEncounter: [204, 404],
  deleteAll: [204, 404],
  mergeEncounter: [204, 404, 409],
  moveEncounter: [204, 404, 409],
  updateEncounterStatus: [204],
  updateEncounterGalleries: [204],
  readTemplate: [200, 404],
  identify: [200, 404],
  identifyFromId: [200, 404],
  identifyFromEncounterId: [200, 404],
  verifyFromId: [200, 404],
  verifyFromBio: [200],
  readGalleries: [200],
  readGalleryContent: [200, 404],
  readTaskStatus: [200, 404],
  redeliverTaskResult: [204, 404, 409],
};

function describedFor(method: string, target: string): readonly number[] {
  const path = `/v1${target.split('?', 1)[0]}`;
  for (const [id, operation] of Object.entries(osiaApi)) {
    const pattern = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`);
    if (operation.method === method && pattern.test(path))
      return [...STATUSES[id as keyof typeof osiaApi], 400, 401, 403, 500];
  }
  throw new Error(`OSIA has no ${method} ${path}.`);
}

interface OsiaSite extends ScreeningSite {
  /** @param path after the base address and `/v1` */
  ask: (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>;
}

async function openOsiaSite(t: TestContext): Promise<OsiaSite> {
  const opened = await openScreeningSite(t);
  const { site } = opened;
  await site.storage.companies.changeSettings(site.company.id, { osia: true }, TEST_ACT);
  const ask: OsiaSite['ask'] = async (method, path, body, token) => {
    const answer = await site.call(`${OSIA}/v1${path}${path.includes('?') ? '&' : '?'}transactionId=t-1`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      ...(token !== undefined && { token }),
    });
    if (answer.status >= 400) assert.equal(FORM.error.parse(json(answer)).code, answer.status);
    assert.ok(describedFor(method, path).includes(answer.status), `${method} ${path}: ${answer.status}`);
    return answer;
  };
  return { ...opened, ask };
}

function json(answer: Answer): unknown {
  return JSON.parse(answer.text);
}

function good<T extends z.ZodType>(answer: Answer, form: T): z.output<T> {
  assert.equal(answer.status, 200, answer.text);
  return form.parse(json(answer));
}

async function expect(status: number, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  assert.equal(answer.status, status, answer.text);
  if (status === 204 || status === 201) assert.equal(answer.text, '');
  return answer;
}

test('an encounter is stored, read as it was sent, and erased with a receipt', async (t) => {
  const { site, ask } = await openOsiaSite(t);
  const sent = encounter(1, 0, {
    clientData: inBase64(Buffer.from('kept')),
    contextualData: { enrolmentDate: '2026-01-11', office: 7 },
    biographicData: { firstName: 'Amina', dateOfBirth: '1985-11-30' },
    biometricData: [
      {
        ...face(1),
        biometricSubType: 'PORTRAIT',
        captureDate: '2026-01-10T12:00:00Z',
        comment: 'at the desk',
      },
    ],
  });
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', sent));
  const read = good(await ask('GET', '/persons/P-1/encounters/E-1'), FORM.encounter);
  const { biometricData, ...rest } = read;
  const { biometricData: sentData, ...sentRest } = sent;
  assert.deepEqual(rest, { ...sentRest, encounterId: 'E-1', galleries: ['MAIN'] });
  const [shown] = biometricData;
  assert.deepEqual({ ...shown, ...sentData[0] }, shown, 'every field of the face is there');
  assert.equal(shown?.mimeType, 'image/jpeg');
  const [validation] = await site.storage.validations.list(site.company.id, { limit: 9 });
  assert.ok(validation !== undefined);
  assert.equal(validation.name, 'P-1');

  await expect(409, ask('POST', '/persons/P-1/encounters/E-1', encounter(1, 1)));
  await expect(201, ask('POST', '/persons/P-2/encounters/E-1', encounter(2)));
  await expect(204, ask('DELETE', '/persons/P-1/encounters/E-1'));
  await expect(404, ask('GET', '/persons/P-1/encounters/E-1'));
  await expect(404, ask('DELETE', '/persons/P-1'));
  const entries = await site.storage.audit.list(site.company.id, { limit: 50 });
  const actions = entries.map(({ action }) => action);
  for (const action of ['encounter.stored', 'image.read', 'person.erased', 'erasure.finished'])
    assert.ok(actions.includes(action), action);
  assert.equal((await site.imageFiles()).length, 1, 'the photo of the other person is left');
});

test('the service gives the ids that a caller leaves out', async (t) => {
  const { ask } = await openOsiaSite(t);
  const first = good(await ask('POST', '/persons', encounter(1)), FORM.ids);
  const second = good(await ask('POST', `/persons/${first.personId}/encounters`, encounter(1, 1)), FORM.ids);
  assert.equal(second.personId, first.personId);
  assert.notEqual(second.encounterId, first.encounterId);
  const answer = await ask('GET', `/persons/${first.personId}/encounters`);
  const all = good(answer, z.array(FORM.encounter));
  assert.equal(answer.headers.get('content-length'), null, 'its photos are never in memory together');
  assert.deepEqual(
    all.map(({ encounterId }) => encounterId),
    [first.encounterId, second.encounterId],
  );
  for (const id of ['person-1', 'face-1', 'validation-7', 'a\u202eb', ' a'])
    await expect(400, ask('POST', `/persons/${encodeURIComponent(id)}/encounters`, encounter(2)));
});

test('a photo or a field that cannot be used is 400 and leaves nothing', async (t) => {
  const { site, ask } = await openOsiaSite(t);
  const withFace = (data: object) => encounter(1, 0, { biometricData: [{ ...face(1), ...data }] });
  const refused: [unknown, RegExp][] = [
    [withFace({ biometricType: 'FINGER' }), /biometricData\.0\.biometricType: must be FACE/],
    [withFace({ image: '!' }), /biometricData\.0\.image/],
    [withFace({ image: inBase64(Buffer.from('no picture')) }), /not a face record/],
    [withFace({ image: inBase64(NOBODY) }), /No face/],
    [withFace({ imageRef: 'http://127.0.0.1/face' }), /imageRef/],
    [encounter(1, 0, { biometricData: [] }), /biometricData: must have one item/],
    [encounter(1, 0, { biometricData: [face(1), face(1)] }), /biometricData/],
    [encounter(1, 0, { status: 'GONE' }), /status/],
    [encounter(1, 0, { galleries: ['VIP'] }), /galleries\.0/],
    [encounter(1, 0, { biographicData: { text: 'x'.repeat(20_000) } }), /longer than 16384/],
    [{ status: 'ACTIVE' }, /encounterType.*biometricData/],
  ];
  for (const [body, message] of refused) {
    const answer = await expect(400, ask('POST', '/persons', body));
    assert.match(FORM.error.parse(json(answer)).message, message);
  }
  assert.match((await expect(400, ask('POST', '/persons', []))).text, /JSON object/);
  const without = await site.call(`${OSIA}/v1/persons/P-1/encounters`);
  assert.equal(without.status, 400);
  assert.match(without.text, /transactionId/);
  assert.deepEqual(await site.imageFiles(), []);
  assert.equal(await site.storage.persons.count(site.company.id, {}), 0);
});

test('a photo of one person shown twice is stored and says so in its history', async (t) => {
  const { site, ask } = await openOsiaSite(t);
  const twice = encounter(3, 0, { biometricData: [{ ...face(3), image: inBase64(photoTwiceOf(3)) }] });
  await expect(201, ask('POST', '/persons/P-3/encounters/E-1', twice));
  const [validation] = await site.storage.validations.list(site.company.id, { limit: 1 });
  const detail =
    validation &&
    (await site.storage.validations.detail(site.company.id, trusted.trustValidation(validation.id)));
  assert.deepEqual(
    detail?.history.map(({ action }) => action),
    ['one-person', 'enrolled'],
  );
});

test('a face record is stored as its picture, with the facts of the record', async (t) => {
  const { site, ask } = await openOsiaSite(t);
  const eyes = { left: { x: 60, y: 40 }, right: { x: 40, y: 40 } };
  const record = writeFac({ jpeg: photoOf(1), width: 100, height: 100, eyes }, 2011);
  const sent = encounter(1, 0, { biometricData: [{ ...face(1), image: inBase64(record) }] });
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', sent));
  const read = good(await ask('GET', '/persons/P-1/encounters/E-1'), FORM.encounter);
  assert.equal(read.biometricData[0]?.image, face(1).image);
  const [validation] = await site.storage.validations.list(site.company.id, { limit: 1 });
  const id = trusted.trustValidation(validation?.id ?? 0);
  const detail = await site.storage.validations.detail(site.company.id, id);
  assert.match(JSON.stringify(detail?.metadata), /"standard":"ISO\/IEC 19794-5:2011"/);
  const probe = { filter: {}, biometricData: [{ biometricType: 'FACE', image: inBase64(record) }] };
  assert.equal(good(await ask('POST', '/identify/MAIN', probe), CANDIDATES)[0]?.personId, 'P-1');
  const pair = { biometricData1: [face(1)], biometricData2: probe.biometricData };
  assert.equal(good(await ask('POST', '/verify', pair), VERIFIED).decision, true);
});

test('an update replaces photo and fields, and searches find the new face alone', async (t) => {
  const { ask } = await openOsiaSite(t);
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1)));
  await expect(204, ask('PUT', '/persons/P-1/encounters/E-1', encounter(2, 0, { encounterType: 'RENEWAL' })));
  const read = good(await ask('GET', '/persons/P-1/encounters'), z.array(FORM.encounter));
  assert.deepEqual(
    read.map(({ encounterId, encounterType }) => [encounterId, encounterType]),
    [['E-1', 'RENEWAL']],
  );
  assert.equal(read[0]?.biometricData[0]?.image, face(2).image);
  const found = async (person: number) =>
    good(await ask('POST', '/identify/MAIN', { filter: {}, biometricData: [face(person, 9)] }), CANDIDATES);
  assert.deepEqual(await found(1), []);
  assert.deepEqual(
    (await found(2)).map(({ personId }) => personId),
    ['P-1'],
  );
  await expect(204, ask('DELETE', '/persons/P-1'));
  assert.deepEqual(await found(2), []);
});

test('identify ranks persons of one gallery or all, within its limits', async (t) => {
  const { ask, newBlacklist, site, work } = await openOsiaSite(t);
  for (const [person, shot] of [
    [1, 0],
    [1, 1],
    [2, 0],
  ] as const)
    await expect(201, ask('POST', `/persons/P-${person}/encounters/E-${shot}`, encounter(person, shot)));
  const { id } = await newBlacklist('Barred', { people: [1] });
  await site.upload(formOf({ name: 'by upload.jpg', content: photoOf(1, 5) }));
  await work();
  const identify = async (gallery: string, query = '') =>
    good(
      await ask('POST', `/identify/${gallery}${query}`, { filter: {}, biometricData: [face(1, 7)] }),
      CANDIDATES,
    );
  const inMain = await identify('MAIN');
  assert.equal(inMain.length, 2);
  assert.deepEqual([inMain[0]?.rank, inMain[0]?.score, inMain[0]?.scores?.length], [1, 100, 2]);
  assert.equal(inMain[0]?.personId, 'P-1');
  assert.match(inMain[1]?.personId ?? '', /^face-\d+$/, 'a face without a person is found too');
  const listed = await identify(String(id));
  assert.equal(listed.length, 1);
  assert.equal((await identify('ALL')).length, 3);
  assert.equal((await identify('ALL', '?maxNbCand=1')).length, 1);
  assert.equal((await identify('ALL', '?threshold=0')).length, 4, 'also the person who is not similar');
  await expect(404, ask('POST', '/identify/999', { filter: {}, biometricData: [face(1)] }));
  await expect(400, ask('POST', '/identify/ALL?maxNbCand=0', { filter: {}, biometricData: [face(1)] }));
  const filtered = ask('POST', '/identify/ALL', { filter: { gender: 'F' }, biometricData: [face(1)] });
  assert.match((await expect(400, filtered)).text, /gender|filter/);

  const others = good(await ask('POST', '/identify/ALL/P-1', {}), CANDIDATES);
  assert.equal(others.length, 2, 'without the person itself');
  const fromOne = good(await ask('POST', '/identify/MAIN/P-1/encounters/E-0', {}), CANDIDATES);
  assert.match(fromOne[0]?.personId ?? '', /^face-/);
  const known = others.map(({ personId }) => personId);
  for (const personId of known)
    assert.equal(
      good(await ask('GET', `/persons/${personId}/encounters`), z.array(FORM.encounter)).length,
      1,
    );
  const searches = await site.storage.audit.list(site.company.id, {
    filter: { action: 'search.run' },
    limit: 50,
  });
  assert.ok(searches.length >= 7, 'each search is in the audit log');
});

test('verify compares with a person or a second photo', async (t) => {
  const { ask } = await openOsiaSite(t);
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1)));
  const verify = async (person: number, query = '') =>
    good(await ask('POST', `/verify/MAIN/P-1${query}`, { biometricData: [face(person, 4)] }), VERIFIED);
  const same = await verify(1);
  assert.deepEqual([same.decision, same.scores?.[0]?.encounterId], [true, 'E-1']);
  assert.equal((await verify(2)).decision, false);
  assert.equal((await verify(2, '?threshold=0')).decision, true);
  await expect(404, ask('POST', '/verify/MAIN/P-9', { biometricData: [face(1)] }));
  const pair = async (one: number, other: number) =>
    good(
      await ask('POST', '/verify', { biometricData1: [face(one)], biometricData2: [face(other, 2)] }),
      VERIFIED,
    );
  assert.equal((await pair(3, 3)).decision, true);
  assert.equal((await pair(3, 4)).decision, false);
  const nobody = { biometricType: 'FACE', image: inBase64(NOBODY) };
  await expect(400, ask('POST', '/verify', { biometricData1: [face(1)], biometricData2: [nobody] }));
});

test('an inactive encounter is kept and found by no search', async (t) => {
  const { ask } = await openOsiaSite(t);
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1, 0, { status: 'INACTIVE' })));
  const found = async () =>
    good(await ask('POST', '/identify/ALL', { filter: {}, biometricData: [face(1, 2)] }), CANDIDATES).length;
  assert.equal(await found(), 0);
  assert.equal(good(await ask('GET', '/persons/P-1/encounters/E-1'), FORM.encounter).status, 'INACTIVE');
  for (const [status, count] of [
    ['ACTIVE', 1],
    ['ACTIVE', 1],
    ['INACTIVE', 0],
  ] as const) {
    await expect(204, ask('PUT', `/persons/P-1/encounters/E-1/status?status=${status}`));
    assert.equal(await found(), count, status);
  }
  const verified = good(await ask('POST', '/verify/MAIN/P-1', { biometricData: [face(1)] }), VERIFIED);
  assert.deepEqual(verified, { decision: false, scores: [] });
  await expect(400, ask('PUT', '/persons/P-1/encounters/E-1/status?status=OTHER'));
  await expect(403, ask('PUT', '/persons/P-1/encounters/E-9/status?status=ACTIVE'));
  await expect(403, ask('PUT', '/persons/P-9/encounters/E-1/galleries', ['MAIN']));
});

test('encounters are merged and moved under their ids, or not at all', async (t) => {
  const { ask } = await openOsiaSite(t);
  const add = (person: string, id: string, shot: number) =>
    expect(201, ask('POST', `/persons/${person}/encounters/${id}`, encounter(1, shot)));
  await add('P-1', 'E-1', 0);
  await add('P-2', 'E-1', 1);
  await add('P-2', 'E-2', 2);
  await expect(409, ask('POST', '/persons/P-1/merge/P-2'));
  const idsOf = async (person: string) =>
    good(await ask('GET', `/persons/${person}/encounters`), z.array(FORM.encounter)).map(
      (each) => each.encounterId,
    );
  assert.deepEqual(await idsOf('P-2'), ['E-1', 'E-2'], 'nothing was changed');
  await expect(204, ask('POST', '/persons/P-1/move/P-2/encounters/E-2'));
  await expect(409, ask('POST', '/persons/P-1/move/P-2/encounters/E-1'));
  await expect(404, ask('POST', '/persons/P-1/move/P-2/encounters/E-9'));
  assert.deepEqual([await idsOf('P-1'), await idsOf('P-2')], [['E-1', 'E-2'], ['E-1']]);
  await expect(204, ask('DELETE', '/persons/P-2/encounters/E-1'));
  await add('P-3', 'E-3', 3);
  await expect(204, ask('POST', '/persons/P-1/merge/P-3'));
  assert.deepEqual(await idsOf('P-1'), ['E-1', 'E-2', 'E-3']);
  await expect(404, ask('GET', '/persons/P-3/encounters'));
  await expect(400, ask('POST', '/persons/P-1/merge/P-1'));
});

test('galleries, their pages and templates are read', async (t) => {
  const { ask, newBlacklist, site } = await openOsiaSite(t);
  const { id } = await newBlacklist('Barred', { people: [5] });
  for (const shot of [0, 1, 2])
    await expect(201, ask('POST', `/persons/P-1/encounters/E-${shot}`, encounter(1, shot)));
  assert.deepEqual(good(await ask('GET', '/galleries'), z.array(text)), ['MAIN', String(id)]);
  const page = good(await ask('GET', '/galleries/MAIN?offset=1&limit=1'), FORM.page);
  assert.deepEqual(page, [{ personId: 'P-1', encounterId: 'E-1' }]);
  const [listed] = good(await ask('GET', `/galleries/${id}`), FORM.page);
  assert.match(listed?.personId ?? '', /^face-\d+$/);
  await expect(404, ask('GET', '/galleries/ALL'));
  const put = (gallery: string) => ask('PUT', '/persons/P-1/encounters/E-1/galleries', [gallery]);
  await expect(204, put('MAIN'));
  await expect(400, put(String(id)));
  const listedPath = `/persons/${listed?.personId}/encounters/${listed?.encounterId}`;
  await expect(403, ask('DELETE', listedPath));
  await expect(403, ask('PUT', `${listedPath}/galleries`, ['MAIN']));
  const [template] = good(await ask('GET', '/persons/P-1/encounters/E-1/templates'), FORM.templates);
  assert.equal(Buffer.from(template?.template ?? '', 'base64').length, 4 * site.engine.vision.dimensions);
  const others = await ask('GET', '/persons/P-1/encounters/E-1/templates?biometricType=FINGER');
  assert.deepEqual(good(others, FORM.templates), []);
  await expect(404, site.call(`${OSIA}/v1/tasks/7/status`));
  await expect(404, site.call(`${OSIA}/v1/tasks/7/redeliver`, { method: 'POST' }));
});

test('an encounter that came another way is read but not changed or erased', async (t) => {
  const { ask, site, work } = await openOsiaSite(t);
  const form = formOf({ name: 'Amina.jpg', content: photoOf(1) });
  form.append('persons', JSON.stringify([{ name: 'Amina', externalId: 'P-1' }]));
  await site.upload(form);
  await work();
  const [kept] = good(await ask('GET', '/persons/P-1/encounters'), z.array(FORM.encounter));
  assert.equal(kept?.encounterType, 'ENROLMENT');
  const path = `/persons/P-1/encounters/${kept.encounterId}`;
  await expect(403, ask('PUT', path, encounter(2)));
  await expect(403, ask('PUT', `${path}/status?status=INACTIVE`));
  await expect(403, ask('DELETE', path));
  await expect(403, ask('DELETE', '/persons/P-1'));
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1, 1)));
  assert.equal(await site.storage.persons.count(site.company.id, {}), 1, 'a new encounter joins the person');
});

test('a verification is no encounter, whatever its metadata says', async (t) => {
  const { ask, newFlow, post } = await openOsiaSite(t);
  const flow = await newFlow();
  const metadata = { encounter: { encounterType: 'VISIT', id: 'E-1' } };
  const created = await post(CREATE, { template_id: flow, metadata });
  const { id } = created.body.verification as { id: string };
  const image = `data:;base64,${face(3).image}`;
  assert.equal((await post(SELFIE, { image, trust_flow_id: flow, trust_validation_id: id })).status, 200);
  assert.equal((await post(FINALIZE, { template_id: flow, verification_id: id })).status, 200);
  const [listed] = good(await ask('GET', '/galleries/MAIN'), FORM.page);
  assert.equal(listed?.encounterId, `validation-${id}`);
  await expect(403, ask('DELETE', `/persons/${listed.personId}`));
});

test('an external id in the form of a name of the service names no one else', async (t) => {
  const { ask, site, work } = await openOsiaSite(t);
  const enrol = async (person: number, named: object) => {
    const form = formOf({ name: `${person}.jpg`, content: photoOf(person) });
    form.append('persons', JSON.stringify([named]));
    await site.upload(form);
    await work();
  };
  await enrol(1, { name: 'Amina' });
  const [first] = good(await ask('GET', '/galleries/MAIN'), FORM.page);
  await enrol(2, { externalId: first?.personId });
  const page = good(await ask('GET', '/galleries/MAIN'), FORM.page);
  assert.equal(new Set(page.map(({ personId }) => personId)).size, 2);
  for (const [index, { personId, encounterId }] of page.entries()) {
    await expect(200, ask('GET', `/persons/${personId}/encounters/${encounterId}`));
    const same = { biometricData: [face(index + 1, 1)] };
    const verified = good(await ask('POST', `/verify/MAIN/${personId}`, same), VERIFIED);
    assert.equal(verified.decision, true);
  }
});

test('the interface is off by default, and scopes open its parts', async (t) => {
  const { ask, site } = await openOsiaSite(t);
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1)));
  const [read, write, search, other] = await Promise.all(
    (['abis:read', 'abis:write', 'abis:search', 'persons:write'] as const).map((scope) =>
      site.newToken({ scopes: [scope] }),
    ),
  );
  const probe = { filter: {}, biometricData: [face(1)] };
  const asked = [
    ['GET', '/persons/P-1/encounters/E-1', undefined, read],
    ['GET', '/galleries', undefined, read],
    ['PUT', '/persons/P-1/encounters/E-1/status?status=ACTIVE', undefined, write],
    ['POST', '/persons', encounter(2), write],
    ['POST', '/identify/ALL', probe, search],
    ['POST', '/verify/ALL/P-1', { biometricData: [face(1)] }, search],
  ] as const;
  for (const [method, path, body, fitting] of asked)
    for (const token of [read, write, search, other]) {
      const { status } = await ask(method, path, body, token);
      if (token === fitting) assert.ok(status < 300, `${method} ${path} ${status}`);
      else assert.equal(status, 403, `${method} ${path}`);
    }
  const off = await site.newToken({ company: await site.newCompany() });
  for (const [method, path, body] of asked)
    assert.match((await expect(403, ask(method, path, body, off))).text, /vouch company update NAME --osia/);
  const without = await site.call(`${OSIA}/v1/galleries?transactionId=1`, { token: null });
  assert.equal(without.status, 401);
  FORM.error.parse(json(without));
});

test('persons and encounters of another company do not exist', async (t) => {
  const { ask, site, newBlacklist } = await openOsiaSite(t);
  const { id } = await newBlacklist('Barred', { people: [5] });
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(1)));
  const company = await site.newCompany({ settings: { osia: true } });
  const token = await site.newToken({ company });
  const probe = { filter: {}, biometricData: [face(1)] };
  assert.deepEqual(good(await ask('POST', '/identify/ALL', probe, token), CANDIDATES), []);
  assert.deepEqual(good(await ask('GET', '/galleries/MAIN', undefined, token), FORM.page), []);
  const [own] = good(await ask('GET', `/galleries/${id}`), FORM.page);
  for (const person of ['P-1', 'person-1', own?.personId ?? '', 'face-1'])
    await expect(404, ask('GET', `/persons/${person}/encounters`, undefined, token));
  for (const [method, path, body] of [
    ['GET', `/galleries/${id}`],
    ['DELETE', '/persons/P-1'],
    ['DELETE', '/persons/P-1/encounters/E-1'],
    ['PUT', '/persons/P-1/encounters/E-1', encounter(1)],
    ['POST', '/persons/P-1/merge/P-1'],
    ['POST', `/identify/${id}`, probe],
    ['POST', '/identify/ALL/P-1', {}],
    ['POST', '/verify/ALL/P-1', { biometricData: [face(1)] }],
  ] as const)
    await expect(404, ask(method, path, body, token));
  await expect(201, ask('POST', '/persons/P-1/encounters/E-1', encounter(2), token));
  assert.equal(
    good(await ask('GET', '/persons/P-1/encounters/E-1'), FORM.encounter).biometricData[0]?.image,
    face(1).image,
  );
});

test('each operation needs its scope, the interface on, and a transaction', async (t) => {
  const { site, ask } = await openOsiaSite(t);
  const tokens = new Map<string, string>();
  for (const scope of SCOPES) tokens.set(scope, await site.newToken({ scopes: [scope] }));
  const off = await site.newToken({ company: await site.newCompany() });
  assert.equal(Object.keys(osiaApi).length, 22);
  for (const [id, { method, path, scope, body }] of Object.entries(osiaApi)) {
    const target = path.slice('/v1'.length).replaceAll(/:\w+/g, 'nothing');
    const valid: Record<string, unknown> = {
      updateEncounterGalleries: ['MAIN'],
      identify: { filter: {}, biometricData: [face(1)] },
      verifyFromId: { biometricData: [face(1)] },
      verifyFromBio: { biometricData1: [face(1)], biometricData2: [face(1)] },
    };
    const sent = body && (valid[id] ?? (path.includes('identify') ? {} : encounter(1)));
    const query = id === 'updateEncounterStatus' ? '?status=ACTIVE' : '';
    for (const [name, token] of tokens) {
      const { status, text: said } = await ask(method, target + query, sent, token);
      const isRefused = said.includes('unauthorized');
      assert.equal(isRefused, name !== scope, `${id} with ${name}: ${status}`);
    }
    await expect(403, ask(method, target + query, sent, off));
    if (id.includes('Task')) continue;
    const init = { method, headers: { 'content-type': 'application/json' } };
    const without = await site.call(`${OSIA}/v1${target}${query}`, {
      ...init,
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    assert.equal(without.status, 400, id);
  }
});
