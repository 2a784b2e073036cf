/** Requests of MOSIP: their answers, failure reasons and limits, without a broker. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { MosipRequests } from '../../core/domain/abis/mosip.ts';
import { mosipApi, mosipConnection, type MosipConnection } from '../../core/contracts/mosip.ts';
import type { CompanyId } from '../../core/contracts/ids.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { DataShares } from '../../core/mosip/dataShare.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { cbeff, cbeffOf, encrypted, EXPIRED, keyPair, openShare } from '../support/mosipShare.ts';
import { NOBODY, photoOf } from '../support/people.ts';
import { openScreeningSite } from './screeningSite.ts';
import { formOf } from './site.ts';

/** The answers in our own words. */
const text = z.string();
const HEAD = { id: text, requestId: text, responsetime: z.iso.datetime() };
const DONE = z.strictObject({ ...HEAD, returnValue: z.literal('1') });
const FAILED = z.strictObject({
  ...HEAD,
  returnValue: z.literal('2'),
  failureReason: z.string().regex(/^\d+$/),
});
const analytics = z.looseObject({ confidence: text, internalScore: text });
const FOUND = z.strictObject({
  ...HEAD,
  returnValue: z.literal('1'),
  candidateList: z.strictObject({
    count: z.string().regex(/^\d+$/),
    candidates: z.array(
      z.strictObject({
        referenceId: text,
        analytics,
        modalities: z.array(z.strictObject({ biometricType: text, analytics })),
      }),
    ),
  }),
});

type Fields = Record<string, unknown>;

async function openAbis(t: TestContext, options: Partial<MosipConnection> = {}) {
  const opened = await openScreeningSite(t);
  const { site } = opened;
  const share = await openShare(t);
  const connection = mosipConnection.parse({
    broker: 'stomp://127.0.0.1:61613',
    requests: 'in',
    answers: 'out',
    shares: [share.origin],
    ...options,
  });
  const shares = new DataShares();
  const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
  const warned: string[] = [];
  const requests = () =>
    new MosipRequests({
      ...site.storage,
      ...PLATFORM,
      encounterService: site.engine.encounterService,
      clock,
      log: { ...SILENT_LOG, warn: (_, line) => warned.push(line) },
      recordAt: (...asked) => shares.recordAt(...asked),
    });
  let abis = requests();
  const bodyOf = (operation: string, fields: Fields = {}): Fields => ({
    id: `mosip.abis.${operation}`,
    version: '1.1',
    requestId: randomUUID(),
    requesttime: '2026-03-01T11:59:00.000Z',
    ...fields,
  });
  const answer = async (body: unknown, company: CompanyId = site.company.id): Promise<unknown> =>
    JSON.parse(
      await abis.answer(company, connection, typeof body === 'string' ? body : JSON.stringify(body)),
    );
  /** @returns the failure reason; undefined: it succeeded */
  const reason = async (body: unknown, company?: CompanyId) => {
    const given = await answer(body, company);
    return FAILED.safeParse(given).data?.failureReason ?? (DONE.parse(given), undefined);
  };
  const insert = async (referenceId: string, person: number, shot = 0, company?: CompanyId) => {
    const path = `/${referenceId}-${shot}`;
    share.files.set(path, cbeffOf(photoOf(person, shot)));
    return reason(bodyOf('insert', { referenceId, referenceURL: share.origin + path }), company);
  };
  const identify = async (fields: Fields, company?: CompanyId) => {
    const given = FOUND.parse(await answer(bodyOf('identify', fields), company));
    assert.equal(given.candidateList.count, String(given.candidateList.candidates.length));
    return given.candidateList.candidates.map(({ referenceId }) => referenceId).sort();
  };
  return {
    ...opened,
    share,
    connection,
    bodyOf,
    answer,
    reason,
    insert,
    identify,
    restart: () => {
      abis = requests();
    },
    abis: () => abis,
    warned,
  };
}

test('every fault of a request has its failure reason', async (t) => {
  const { reason, insert, bodyOf, share, answer, warned } = await openAbis(t);
  assert.equal(await insert('known', 1), undefined);
  const good = { referenceId: 'R-1', referenceURL: `${share.origin}/known-0` };
  const without = (name: string) => {
    const { [name]: _, ...rest } = bodyOf('insert', good);
    return rest;
  };
  share.files.set('/expired', EXPIRED);
  share.files.set('/missing', '{"errors":[{"errorCode":"DAT-SER-003","message":"File does not exist"}]}');
  share.files.set('/empty', '');
  share.files.set('/no-block', cbeff(null));
  share.files.set('/finger', cbeff(photoOf(1), 'Finger'));
  share.files.set('/broken', '<BIR><BIR></BIR>');
  share.files.set('/text', 'no record');
  share.files.set('/nobody', cbeffOf(NOBODY));
  share.files.set('/fault', 500);
  const at = (path: string) => bodyOf('insert', { ...good, referenceURL: share.origin + path });
  const faults: [string, unknown][] = [
    ['4', bodyOf('insert', { ...good, newUnknownValue: 'x' })],
    ['4', bodyOf('insert', { ...good, referenceId: 7 })],
    ['4', bodyOf('insert', { ...good, referenceId: 'a\u202eb' })],
    ['4', 'not JSON'],
    ['4', '[]'],
    ['5', without('referenceId')],
    ['6', without('requestId')],
    ['7', bodyOf('insert', { ...good, referenceURL: 'no address' })],
    ['7', at('/never-stored')],
    ['7', at('/missing')],
    ['7', at('/fault')],
    ['8', without('referenceURL')],
    ['9', without('requesttime')],
    ['10', bodyOf('insert', { ...good, referenceId: 'known' })],
    ['11', at('/empty')],
    ['11', at('/no-block')],
    ['11', at('/finger')],
    ['12', bodyOf('identify', { referenceId: 'unknown' })],
    [
      '12',
      bodyOf('identify', { referenceId: 'known', gallery: { referenceIds: [{ referenceId: 'unknown' }] } }),
    ],
    ['12', bodyOf('delete', { referenceId: 'unknown' })],
    ['13', without('version')],
    ['13', bodyOf('insert', { ...good, version: '7' })],
    ['14', bodyOf('other', good)],
    ['14', without('id')],
    ['15', bodyOf('insert', { ...good, requesttime: '01/03/2026' })],
    ['16', at('/broken')],
    ['16', at('/text')],
    ['17', at('/expired')],
    ['18', at('/nobody')],
    ['5', bodyOf('identify')],
    ['4', bodyOf('identify', { referenceId: 'known', flags: { maxResults: 'many' } })],
    ['4', bodyOf('identify', { referenceId: 'known', flags: { targetFPIR: 'low' } })],
    ['4', bodyOf('ping', { referenceId: 'known' })],
  ];
  for (const [expected, body] of faults) assert.equal(await reason(body), expected, JSON.stringify(body));
  const unfetched = faults.filter(([expected]) => expected === '7');
  assert.equal(warned.length, unfetched.length, 'the log has each record that could not be fetched');
  const failed = FAILED.parse(await answer({ ...bodyOf('other'), requestId: 'r-9' }));
  assert.deepEqual([failed.id, failed.requestId], ['mosip.abis.other', 'r-9']);
});

test('identify finds the other references of a person, in a gallery or among all', async (t) => {
  const { insert, identify, share, site } = await openAbis(t);
  for (const [reference, person] of [
    ['R-1', 1],
    ['R-2', 1],
    ['R-3', 1],
    ['R-4', 2],
  ] as const)
    assert.equal(await insert(reference, person), undefined);
  const gallery = (...ids: string[]) => ({ referenceIds: ids.map((referenceId) => ({ referenceId })) });
  assert.deepEqual(await identify({ referenceId: 'R-1' }), ['R-2', 'R-3']);
  assert.deepEqual(await identify({ referenceId: 'R-1', referenceURL: '' }), ['R-2', 'R-3']);
  assert.deepEqual(await identify({ referenceId: 'R-1', gallery: gallery('R-1', 'R-3', 'R-4') }), ['R-3']);
  assert.deepEqual(await identify({ referenceId: 'R-4' }), []);
  assert.deepEqual(await identify({ referenceId: 'R-1', flags: { maxResults: '1', flag1: 'x' } }), ['R-2']);
  share.files.set('/probe', cbeffOf(photoOf(2, 9)));
  assert.deepEqual(await identify({ referenceURL: `${share.origin}/probe` }), ['R-4']);
  assert.deepEqual(
    await identify({ referenceId: null, referenceUrl: `${share.origin}/probe`, gallery: gallery('R-1') }),
    [],
  );
  assert.equal(await site.storage.persons.count(site.company.id, {}), 4);
});

test('a deletion is an erasure, and frees the reference', async (t) => {
  const { insert, identify, reason, bodyOf, site } = await openAbis(t);
  await insert('R-1', 1);
  await insert('R-2', 1);
  assert.equal(await reason(bodyOf('delete', { referenceId: 'R-1' })), undefined);
  assert.deepEqual(await identify({ referenceId: 'R-2' }), []);
  assert.equal((await site.imageFiles()).length, 1);
  const erased = await site.storage.audit.list(site.company.id, {
    filter: { action: 'person.erased' },
    limit: 9,
  });
  assert.equal(erased.length, 1);
  assert.equal(await insert('R-1', 1), undefined);
});

test('a face that came another way is found, but MOSIP does not erase it', async (t) => {
  const { insert, identify, reason, bodyOf, site, work } = await openAbis(t);
  await insert('R-1', 1);
  const form = formOf({ name: 'by upload.jpg', content: photoOf(1, 5) });
  form.append('persons', JSON.stringify([{ externalId: 'R-9' }]));
  await site.upload(form);
  await work();
  assert.deepEqual(await identify({ referenceId: 'R-1' }), ['R-9']);
  assert.equal(await reason(bodyOf('delete', { referenceId: 'R-9' })), '2');
  assert.equal(await insert('R-9', 2), '10');
});

test('references of another company do not exist', async (t) => {
  const { insert, identify, reason, bodyOf, site } = await openAbis(t);
  await insert('R-1', 1);
  await insert('R-2', 1);
  const { id: other } = await site.newCompany();
  assert.equal(await reason(bodyOf('identify', { referenceId: 'R-1' }), other), '12');
  assert.equal(await reason(bodyOf('delete', { referenceId: 'R-1' }), other), '12');
  assert.equal(await insert('R-1', 1, 3, other), undefined);
  assert.deepEqual(await identify({ referenceId: 'R-1' }, other), []);
  assert.deepEqual(await identify({ referenceId: 'R-1' }), ['R-2']);
});

test('a request that comes again has the same answer and no second effect', async (t) => {
  const { share, bodyOf, abis, connection, site, restart, insert } = await openAbis(t);
  share.files.set('/face', cbeffOf(photoOf(1)));
  await insert('R-2', 1, 1);
  const send = (body: Fields) => abis().answer(site.company.id, connection, JSON.stringify(body));
  const bodies = [
    bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/face` }),
    bodyOf('identify', { referenceId: 'R-1' }),
    bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/face` }),
  ];
  const first: string[] = [];
  for (const body of bodies) first.push(await send(body));
  restart();
  for (const [index, body] of bodies.entries()) assert.equal(await send(body), first[index]);
  const remove = bodyOf('delete', { referenceId: 'R-1' });
  const removed = await send(remove);
  restart();
  for (const [index, body] of bodies.entries())
    // The erasure deletes the answer that names persons.
    if (index === 1) assert.match(await send(body), /"returnValue":"2"/);
    else assert.equal(await send(body), first[index]);
  assert.equal(await send(remove), removed);
  assert.equal(await site.storage.persons.count(site.company.id, {}), 1);
});

test('a crash between an effect and its answer changes neither', async (t) => {
  const { share, bodyOf, abis, connection, site, restart } = await openAbis(t);
  share.files.set('/face', cbeffOf(photoOf(1)));
  const send = async (body: Fields) =>
    DONE.parse(JSON.parse(await abis().answer(site.company.id, connection, JSON.stringify(body))));
  const { mosipAnswers } = site.storage;
  const keep = mosipAnswers.keep.bind(mosipAnswers);
  const insert = bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/face` });
  t.mock.method(mosipAnswers, 'keep', () => Promise.reject(new Error('the power fails')), { times: 1 });
  await assert.rejects(send(insert));
  restart();
  await send(insert);
  const remove = bodyOf('delete', { referenceId: 'R-1' });
  let kept = 0;
  t.mock.method(mosipAnswers, 'keep', (...asked: Parameters<typeof keep>) => {
    kept += 1;
    return kept === 2 ? Promise.reject(new Error('the power fails')) : keep(...asked);
  });
  await assert.rejects(abis().answer(site.company.id, connection, JSON.stringify(remove)));
  restart();
  await send(remove);
  assert.equal(await site.storage.persons.count(site.company.id, {}), 0);
});

test('a deletion that failed is carried out when its request comes again', async (t) => {
  const { insert, bodyOf, reason, site, restart } = await openAbis(t);
  await insert('R-1', 1);
  const { encounterService } = site.engine;
  t.mock.method(encounterService, 'erase', () => Promise.reject(new Error('the power fails')), { times: 1 });
  const remove = bodyOf('delete', { referenceId: 'R-1' });
  assert.equal(await reason(remove), '1');
  restart();
  assert.equal(await reason(remove), undefined);
  assert.equal(await site.storage.persons.count(site.company.id, {}), 0);
  assert.equal(await insert('R-1', 1), undefined);
  assert.equal(await reason(remove), undefined, 'the answer of before');
  assert.equal(await site.storage.persons.count(site.company.id, {}), 1);
});

test('an insert that is delivered twice at once succeeds twice', async (t) => {
  const { share, bodyOf, reason, site } = await openAbis(t);
  share.files.set('/face', cbeffOf(photoOf(1)));
  const body = bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/face` });
  const other = bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/face` });
  const reasons = await Promise.all([body, body, other, other].map((each) => reason(each)));
  const isFirst = reasons[0] === undefined;
  assert.deepEqual(
    reasons,
    isFirst ? [undefined, undefined, '10', '10'] : ['10', '10', undefined, undefined],
  );
  assert.equal(await reason(body), reasons[0]);
  assert.equal(await site.storage.persons.count(site.company.id, {}), 1);
});

test('a passing fault is answered as aborted and tried again', async (t) => {
  const { insert, site } = await openAbis(t);
  const write = t.mock.method(
    site.storage.images,
    'write',
    () => Promise.reject(new UnavailableError('The disk is away.')),
    { times: 1 },
  );
  assert.equal(await insert('R-1', 1), '2');
  write.mock.restore();
  assert.equal(await insert('R-1', 1), undefined);
});

test('inserts run side by side, and a search waits for those before it', async (t) => {
  const { bodyOf, share, abis, connection, site, answer } = await openAbis(t);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { encounterService } = site.engine;
  const create = encounterService.create.bind(encounterService);
  t.mock.method(encounterService, 'create', async (...asked: Parameters<typeof create>) => {
    await held;
    return create(...asked);
  });
  const inserted = [1, 1, 2].map((person, index) => {
    share.files.set(`/${index}`, cbeffOf(photoOf(person, index)));
    const body = bodyOf('insert', { referenceId: `R-${index}`, referenceURL: `${share.origin}/${index}` });
    return abis().answer(site.company.id, connection, JSON.stringify(body));
  });
  const searched = answer(bodyOf('identify', { referenceId: 'R-0' }));
  const counted = answer(bodyOf('referenceCount'));
  const pending = z.object({ jobscount: text, returnValue: z.literal('1') });
  assert.equal(pending.parse(await answer(bodyOf('pendingJobs'))).jobscount, '5');
  DONE.parse(await answer(bodyOf('ping')));
  release();
  for (const each of await Promise.all(inserted)) DONE.parse(JSON.parse(each));
  assert.equal(FOUND.parse(await searched).candidateList.count, '1');
  assert.equal(z.object({ count: text }).parse(await counted).count, '3');
});

test('targetFPIR is a rate of the whole search', async (t) => {
  const { insert, bodyOf, answer, site } = await openAbis(t);
  await insert('R-1', 1);
  await insert('R-2', 2);
  const { encounterService } = site.engine;
  const rates: (number | undefined)[] = [];
  const identify = encounterService.identify.bind(encounterService);
  t.mock.method(encounterService, 'identify', (...asked: Parameters<typeof identify>) => {
    rates.push(asked[2].fmr);
    return identify(...asked);
  });
  for (const targetFPIR of ['30', '50'])
    FOUND.parse(await answer(bodyOf('identify', { referenceId: 'R-1', flags: { targetFPIR } })));
  // Of two faces: 1 − (1 − fmr)² is the rate.
  for (const [index, fpir] of [1e-3, 1e-5].entries())
    assert.ok(Math.abs((1 - (1 - (rates[index] ?? 0)) ** 2) / fpir - 1) < 1e-6);
});

test('biometrics come from configured origins, and no redirection is followed', async (t) => {
  const { share, reason, bodyOf, connection } = await openAbis(t);
  const other = await openShare(t);
  share.files.set('/face', cbeffOf(photoOf(1)));
  other.files.set('/face', cbeffOf(photoOf(1)));
  const { port } = new URL(share.origin);
  for (const referenceURL of [
    `${other.origin}/face`,
    `http://user@127.0.0.1:${port}/face`,
    `http://localhost:${port}/face`,
    `https://127.0.0.1:${port}/face`,
    `http://127.0.0.1:${port}.example/face`,
    `file:///etc/hostname`,
    `data:text/plain,x`,
    `//127.0.0.1:${port}/face`,
  ])
    assert.equal(await reason(bodyOf('insert', { referenceId: 'R-1', referenceURL })), '7', referenceURL);
  assert.deepEqual([share.asked, other.asked], [[], []]);
  const redirected = bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/elsewhere` });
  assert.equal(await reason(redirected), '7');
  assert.deepEqual(share.asked, ['/elsewhere']);
  share.files.set('/endless', 'x'.repeat(64 * 1024 * 1024));
  assert.equal(
    await reason(bodyOf('insert', { referenceId: 'R-1', referenceURL: `${share.origin}/endless` })),
    '7',
  );
  for (const wrong of ['https://host/path', 'https://user@host', 'ftp://host'])
    assert.equal(mosipConnection.safeParse({ ...connection, shares: [wrong] }).success, false, wrong);
});

test('encrypted biometrics are opened with the key of the connection', async (t) => {
  const own = keyPair();
  const { share, reason, bodyOf } = await openAbis(t, { privateKey: own.privateKey });
  const face = cbeffOf(photoOf(1));
  share.files.set('/new', encrypted(face, own.publicKey, '1.2'));
  share.files.set('/old', encrypted(face, own.publicKey, '1.1.5'));
  share.files.set('/other', encrypted(face, keyPair().publicKey, '1.2'));
  share.files.set('/changed', encrypted(face, own.publicKey, '1.2').replace(/.{9}$/, 'AAAAAAAAA'));
  for (const [path, expected] of [
    ['/new', undefined],
    ['/old', undefined],
    ['/other', '11'],
    ['/changed', '11'],
  ] as const) {
    const body = bodyOf('insert', { referenceId: `R${path}`, referenceURL: share.origin + path });
    assert.equal(await reason(body), expected, path);
  }
});

test('a token of the account is kept until the data share refuses it', async (t) => {
  const opened = await openAbis(t);
  const { share, bodyOf, connection, site } = opened;
  const account = { url: `${share.origin}/account`, appId: 'regproc', clientId: 'abis', secretKey: 'secret' };
  share.token = 'not granted yet';
  const send = async (reference: string) => {
    share.files.set(`/${reference}`, cbeffOf(photoOf(1, Number(reference))));
    const body = bodyOf('insert', { referenceId: reference, referenceURL: `${share.origin}/${reference}` });
    const given = await opened
      .abis()
      .answer(site.company.id, { ...connection, account }, JSON.stringify(body));
    DONE.parse(JSON.parse(given));
  };
  await send('1');
  await send('2');
  assert.equal(share.granted, 1);
  share.token = 'expired';
  await send('3');
  assert.equal(share.granted, 2);
});

test('a connection is kept sealed, shown without secrets, and off by default', async (t) => {
  const { site } = await openScreeningSite(t);
  const { terminal } = site.engine;
  assert.deepEqual(await terminal.ask(mosipApi.state), { connection: null, connected: false });
  const connection = {
    broker: 'stomp+ssl://mosip.example:61614',
    user: 'abis',
    password: 'secret of the broker',
    requests: 'in',
    answers: 'out',
    shares: ['https://share.example'],
    account: {
      url: 'https://account.example/v1',
      appId: 'a',
      clientId: 'c',
      secretKey: 'secret of the account',
    },
    privateKey: keyPair().privateKey,
  };
  for (const wrong of [
    { broker: 'stomp://abis:secret@mosip.example' },
    { account: { ...connection.account, url: 'https://abis:secret@account.example/v1' } },
    { shares: ['https://share.example:99999'] },
  ])
    assert.equal(
      mosipConnection.safeParse({ ...connection, ...wrong }).success,
      false,
      JSON.stringify(wrong),
    );
  const shown = await terminal.ask(mosipApi.connect, { body: connection });
  assert.doesNotMatch(JSON.stringify(shown), /secret of|PRIVATE KEY/);
  assert.deepEqual(shown, {
    connected: false,
    connection: {
      broker: connection.broker,
      user: 'abis',
      requests: 'in',
      answers: 'out',
      shares: connection.shares,
      account: connection.account.url,
      encrypted: true,
    },
  });
  assert.deepEqual(await site.storage.mosipConnections.find(site.company.id), connection);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'company.changed' },
    limit: 1,
  });
  assert.equal(entry?.details, '{"mosip":true}');
  await terminal.ask(mosipApi.disconnect);
  assert.equal(await site.storage.mosipConnections.find(site.company.id), undefined);
});
