/** A case folder: what it takes, its chain of custody, and what an erasure leaves of it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { test, type TestContext } from 'node:test';
import { caseFolder, caseFolderList } from '../../../core/contracts/dashboard/caseFolders.ts';
import { EXAMINED } from '../../../core/contracts/dashboard/examinations.ts';
import { erasureAnswer, erasurePlan } from '../../../core/contracts/erasure.ts';
import { installationView } from '../../../core/contracts/blacklistTransfer.ts';
import { trusted } from '../../../core/contracts/ids.ts';
import { withStep } from '../../../core/domain/examinations/examination.ts';
import { LARGEST_CASE_PACKAGE } from '../../../core/contracts/limits/limits.ts';
import { caseFiles, sealCaseFiles, writeCasePackage } from '../../../core/transfer/casePackage.ts';
import { ownKeys, readCertificate } from '../../../core/transfer/installationIdentity.ts';
import { TEST_ACT } from '../../support/act.ts';
import { transferPorts } from '../../support/transferPorts.ts';
import { rowsOf } from '../../support/rowsOf.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { enrol } from '../access/personRequests.ts';
import type { TestSite } from '../site.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { good } from './dashboardSite.ts';

async function openFolder(t: TestContext) {
  const { site } = await openScreeningSite(t);
  const faces = await enrol(site, site.company, 3);
  await addOperator(site, 'chief', 'admin');
  const cookie = await signIn(site, 'chief');
  const asking = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const opened = await asking('POST', '/case-folders', {
    reference: '2026/7',
    title: 'Loan',
    note: 'Begun.',
  });
  assert.equal(opened.status, 200, opened.text);
  const path = `/case-folders/${String(opened.body.id)}`;
  const read = async () => good(await asking('GET', path), caseFolder);
  const add = async (body: object) => good(await asking('POST', `${path}/entries`, body), caseFolder);
  return { site, faces, asking, path, read, add, id: trusted.caseFolder(Number(opened.body.id)) };
}

/** An examination that both examiners have concluded. */
async function examined({ site, faces }: Awaited<ReturnType<typeof openFolder>>, isDone: boolean) {
  const { examinations } = site.storage;
  const company = site.company.id;
  const id = await examinations.begin(company, [faces[0]!, faces[1]!], TEST_ACT);
  const limits = { sharpness: 'none', pose: 'none', light: 'none', occlusion: 'none' } as const;
  const save = (step: Parameters<typeof withStep>[1], by: `operator:${number}`) => {
    const act = { ...TEST_ACT, by };
    const work = (content: Parameters<typeof withStep>[0]) => withStep(content, step, act);
    return examinations.change(company, id, act, { action: 'examination.saved', details: {}, work });
  };
  for (const by of isDone ? (['operator:901', 'operator:902'] as const) : []) {
    for (const picture of [0, 1] as const)
      await save({ step: 'analysis', picture, limits, age: '', supports: 'Nose' }, by);
    for (const component of EXAMINED.faces.components)
      await save({ step: 'comparison', component, finding: 'similar', marks: [null, null], note: '' }, by);
    await save({ step: 'evaluation', conclusion: 'neither', reasons: 'Small' }, by);
  }
  return id;
}

/** Another installation, and each trusts the other. */
async function openReceiver(
  t: TestContext,
  { site: north, asking: askNorth }: Awaited<ReturnType<typeof openFolder>>,
) {
  const { site } = await openScreeningSite(t);
  await addOperator(site, 'judge', 'investigator');
  const cookie = await signIn(site, 'judge');
  const asking = (path: string) => ask(site, 'GET', path, { cookie });
  const trust = async ({ storage, company }: typeof site, from: Awaited<ReturnType<typeof askNorth>>) => {
    const { certificate } = good(from, installationView);
    const { trustedInstallations } = storage;
    const { id } = await trustedInstallations.trust(
      company.id,
      readCertificate(JSON.stringify(certificate)),
      TEST_ACT,
    );
    return id;
  };
  const installation = await trust(north, await asking('/installations/own'));
  const sender = await trust(site, await askNorth('GET', '/installations/own'));
  const open = async (sealed: Uint8Array, query = '') => {
    const response = await fetch(`${site.address}/api/dashboard/case-folders/sealed${query}`, {
      method: 'POST',
      headers: { origin: site.address, cookie, 'content-type': 'application/octet-stream' },
      body: Buffer.from(sealed),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const code =
      response.status === 200 ? 'PDF' : (JSON.parse(bytes.toString()) as { code: string; message: string });
    return {
      bytes,
      status: response.status,
      code: typeof code === 'string' ? code : code.code,
      message: typeof code === 'string' ? '' : code.message,
    };
  };
  return { site, asking, open, installation, sender };
}

/** The sealed file of a folder, with its bytes as they are sent. */
async function sealedFor(site: TestSite, path: string, installation: number) {
  const cookie = await signIn(site, 'chief');
  const response = await fetch(`${site.address}/api/dashboard${path}/export`, {
    method: 'POST',
    headers: { origin: site.address, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ installation }),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const dataUri = (bytes: string | Buffer) => `data:;base64,${Buffer.from(bytes).toString('base64')}`;
const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex');

test('a case folder holds photos, examinations, notes and files, and a whole chain', async (t) => {
  const opened = await openFolder(t);
  const { add, asking, faces, path, read, site } = opened;
  await add({ kind: 'probe', face: faces[0] });
  await add({ kind: 'candidate', face: faces[1] });
  await add({ kind: 'examination', examination: await examined(opened, true) });
  await add({ kind: 'note', text: 'Seen at the gate.', about: 2 });
  const filled = await add({ kind: 'file', name: 'letter.txt', content: dataUri('A letter.') });
  assert.deepEqual(
    [filled.reference, filled.title, filled.items, filled.firstBad],
    ['2026/7', 'Loan', 5, null],
  );
  const file = filled.entries.at(-1)!;
  assert.deepEqual(
    [file.digest, file.file],
    [sha256('A letter.'), { name: 'letter.txt', type: 'text/plain', bytes: 9 }],
  );
  assert.equal(filled.entries.find(({ kind }) => kind === 'note')?.about, 2);

  const sent = await asking('POST', `${path}/file`, { position: file.position });
  assert.equal(sent.text, 'A letter.');
  const seen = await read();
  assert.deepEqual(
    (await read()).entries.map(({ kind, byName, state }) => `${kind} ${byName} ${state ?? ''}`.trim()),
    [
      'opened chief kept',
      'probe chief kept',
      'candidate chief kept',
      'examination chief kept',
      'note chief kept',
      'file chief kept',
      'fileRead chief',
      'viewed chief',
    ],
  );
  assert.equal(seen.entries.length, 8);
  const { items } = good(await asking('GET', '/case-folders'), caseFolderList);
  assert.deepEqual(
    items.map(({ title, state, items: count }) => [title, state, count]),
    [['Loan', 'open', 5]],
  );
  assert.equal(await site.storage.audit.count(site.company.id, { action: 'caseFolder.entry' }), 8);
});

test('a case folder refuses other files, open examinations, and a closed one all', async (t) => {
  const opened = await openFolder(t);
  const { add, asking, faces, path, read } = opened;
  const refused = async (code: string, status: number, body: object, part = 'entries') => {
    const answer = await asking('POST', `${path}/${part}`, body);
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  };
  const unfinished = await examined(opened, false);
  await refused('CASE_FOLDER_REFUSED', 409, { kind: 'examination', examination: unfinished });
  await refused('NOT_FOUND', 404, { kind: 'probe', face: 98_765 });
  const zip = dataUri(Buffer.from([0x50, 0x4b, 3, 4, 0xff]));
  await refused('CASE_FILE_TYPE', 422, { kind: 'file', name: 'a.pdf', content: zip });
  await refused('CASE_FOLDER_REFUSED', 409, { kind: 'note', text: 'x', about: 1 });
  await add({ kind: 'note', text: 'A mistake.' });
  await refused('CASE_FOLDER_REFUSED', 409, { position: 1, reason: 'Twice' }, 'removal');
  const removal = { position: 2, reason: 'Wrong folder' };
  const removed = good(await asking('POST', `${path}/removal`, removal), caseFolder);
  assert.deepEqual(
    removed.entries.map(({ kind, state, text }) => [kind, state, text]),
    [
      ['opened', 'kept', 'Begun.'],
      ['note', 'removed', ''],
      ['removed', 'kept', 'Wrong folder'],
    ],
  );
  assert.deepEqual([removed.items, removed.firstBad], [0, null]);
  await refused('CASE_FOLDER_REFUSED', 409, removal, 'removal');

  assert.equal((await asking('DELETE', path)).status, 409);
  const closed = good(await asking('POST', `${path}/state`, { state: 'closed' }), caseFolder);
  assert.equal(closed.state, 'closed');
  await refused('CASE_FOLDER_REFUSED', 409, { kind: 'probe', face: faces[0] });
  await refused('CASE_FOLDER_REFUSED', 409, { state: 'closed' }, 'state');
  good(await asking('POST', `${path}/state`, { state: 'open', reason: 'New letter' }), caseFolder);
  assert.equal((await read()).state, 'open');
  await asking('POST', `${path}/state`, { state: 'closed' });
  assert.equal((await asking('DELETE', path)).status, 204);
  assert.equal((await asking('GET', path)).status, 404);
});

test('a report of a case folder is an entry of its chain, and leaves as a PDF', async (t) => {
  const opened = await openFolder(t);
  const { add, asking, faces, path, read, site } = opened;
  await add({ kind: 'probe', face: faces[2] });
  await add({ kind: 'examination', examination: await examined(opened, true) });
  const { text, headers } = await asking('POST', `${path}/report`, { language: 'ar' });
  assert.deepEqual([headers.get('content-type'), text.slice(0, 5)], ['application/pdf', '%PDF-']);
  const { entries, firstBad } = await read();
  assert.deepEqual([entries[3]?.kind, firstBad], ['reported', null]);
  assert.equal(await site.storage.audit.count(site.company.id, { action: 'export.taken' }), 1);
});

test('a sealed case folder opens elsewhere as a report, and nothing of it stays there', async (t) => {
  const opened = await openFolder(t);
  const { add, faces, path, site } = opened;
  await add({ kind: 'probe', face: faces[2] });
  await add({ kind: 'examination', examination: await examined(opened, true) });
  await add({ kind: 'note', text: 'Seen at the gate.' });
  await add({ kind: 'file', name: 'letter.txt', content: dataUri('A letter.') });
  await add({ kind: 'note', text: 'A mistake.' });
  await opened.asking('POST', `${path}/removal`, { position: 6, reason: 'Twice' });
  const south = await openReceiver(t, opened);
  const sealed = await sealedFor(site, path, south.installation);
  assert.equal(sealed.status, 200, sealed.bytes.toString());
  assert.ok(!sealed.bytes.includes('Seen at the gate.'));
  const { entries, firstBad, newestHash } = await site.storage.caseFolders.read(site.company.id, opened.id);
  assert.deepEqual([entries.at(-1)?.kind, firstBad], ['exported', null]);

  for (const query of ['', '?language=ar']) {
    const { bytes, status } = await south.open(sealed.bytes, query);
    assert.deepEqual([status, bytes.subarray(0, 5).toString()], [200, '%PDF-']);
    assert.ok(bytes.includes('/EmbeddedFile'), 'the file of the folder is attached');
  }
  assert.deepEqual(good(await south.asking('/case-folders'), caseFolderList).items, []);
  const log = await south.site.storage.audit.list(south.site.company.id, {
    filter: { action: 'caseFolder.opened' },
    limit: 9,
  });
  assert.equal(log.length, 2);
  assert.deepEqual(
    [log[0]?.object, JSON.parse(log[0]?.details ?? '')],
    [`trusted-installation:${south.sender}`, { folder: 1, hash: `sha256:${newestHash}` }],
  );
});

test('an entry that comes while a case folder is sealed is no change of it', async (t) => {
  const opened = await openFolder(t);
  const { id, path, site } = opened;
  const { caseFolders } = site.storage;
  const evidence = caseFolders.evidence.bind(caseFolders);
  t.mock.method(caseFolders, 'evidence', async (...of: Parameters<typeof evidence>) => {
    await caseFolders.left(site.company.id, id, 'reported', TEST_ACT);
    return evidence(...of);
  });
  const south = await openReceiver(t, opened);
  const { bytes, status } = await sealedFor(site, path, south.installation);
  assert.equal(status, 200, bytes.toString());
  assert.equal((await south.open(bytes)).status, 200);
});

test('a sealed case folder with any other byte, or for somebody else, is refused', async (t) => {
  const opened = await openFolder(t);
  const { add, faces, path, site } = opened;
  await add({ kind: 'probe', face: faces[2] });
  const south = await openReceiver(t, opened);
  const { bytes } = await sealedFor(site, path, south.installation);
  assert.equal((await sealedFor(site, '/case-folders/999', south.installation)).status, 404);
  const untrusted = await sealedFor(site, path, 999);
  assert.ok(untrusted.bytes.includes('INSTALLATION_NOT_TRUSTED'), untrusted.bytes.toString());
  for (const share of [0.02, 0.3, 0.6, 0.999]) {
    const changed = Buffer.from(bytes);
    changed[Math.floor(share * bytes.length)]! ^= 1;
    const { status, code } = await south.open(changed);
    assert.deepEqual([status, code.startsWith('PACKAGE_')], [422, true], `${share} ${code}`);
  }
  assert.equal((await south.open(bytes.subarray(0, -1))).code, 'PACKAGE_DAMAGED');
  assert.equal((await south.open(Buffer.from('A letter.'))).code, 'PACKAGE_NOT_ONE');
  const east = await openReceiver(t, opened);
  assert.equal((await east.open(bytes)).code, 'PACKAGE_FOR_OTHER_INSTALLATION');
  await south.site.storage.trustedInstallations.distrust(south.site.company.id, south.sender, TEST_ACT);
  assert.equal((await south.open(bytes)).code, 'PACKAGE_SENDER_UNKNOWN');
  const { audit } = south.site.storage;
  assert.equal(await audit.count(south.site.company.id, { action: 'caseFolder.opened' }), 0);
});

test('a sealed case folder names the entry that is not as it was written', async (t) => {
  const opened = await openFolder(t);
  const { add, faces, id, path, read, site } = opened;
  await add({ kind: 'probe', face: faces[2] });
  await add({ kind: 'note', text: 'Seen at the gate.' });
  const south = await openReceiver(t, opened);
  const { bytes } = await sealedFor(site, path, south.installation);
  const { packages } = transferPorts(south.site.storage);
  const whole = await packages.openCase(TEST_ACT, ReadableStream.from([bytes]), LARGEST_CASE_PACKAGE);
  const north = await ownKeys(site.storage, TEST_ACT);
  const receiver = (await packages.identity(TEST_ACT)).receivingKey;
  const { entries } = whole.folder;
  const other = (position: number, part: object) =>
    entries.map((entry) => (entry.position === position ? { ...entry, ...part } : entry));
  const without = new Map(whole.contents);
  without.delete(entries[1]!.digest!);
  for (const [position, part] of [
    [
      2,
      {
        chain: whole.chain.map((entry, index) => (index === 1 ? { ...entry, actor: 'operator:77' } : entry)),
      },
    ],
    [4, { chain: whole.chain.slice(0, -1) }],
    [2, { contents: without, photos: new Map() }],
    [3, { folder: { ...whole.folder, entries: other(3, { text: 'Not seen.' }) } }],
    [3, { folder: { ...whole.folder, entries: other(3, { kind: 'file' }) } }],
    [4, { folder: { ...whole.folder, entries: entries.slice(0, -1) } }],
    [1, { company: { ...whole.company, id: 99 } }],
  ] as const) {
    const sealed = { ...whole, ...part } as typeof whole;
    assert.throws(
      () => writeCasePackage(north, receiver, sealed, { at: TEST_ACT.at, most: LARGEST_CASE_PACKAGE }),
      {
        problem: { code: 'CASE_FOLDER_CHANGED', parameters: { position } },
      },
    );
    const files = caseFiles(north, sealed, TEST_ACT.at);
    const { code, message } = await south.open(
      await buffer(sealCaseFiles(north, receiver, files, TEST_ACT.at)),
    );
    assert.equal(code, 'CASE_FOLDER_CHANGED');
    assert.ok(message.includes(`Entry ${position} `), message);
  }
  const rows = await rowsOf(t, site.folder);
  await rows
    .updateTable('case_entry')
    .where((eb) => eb.and({ folder_id: id, position: 3 }))
    .set({ actor: 'operator:77' })
    .execute();
  assert.equal((await sealedFor(site, path, south.installation)).status, 422);
  assert.equal((await read()).entries.filter(({ kind }) => kind === 'exported').length, 1);
});

test('the setting bounds the size of a file of a case folder', async (t) => {
  const { asking, path, site } = await openFolder(t);
  const { id } = site.company;
  await site.storage.companies.changeSettings(id, { maxCaseFileBytes: 4 }, TEST_ACT);
  const content = dataUri('A letter.');
  const answer = await asking('POST', `${path}/entries`, { kind: 'file', name: 'a.txt', content });
  assert.equal(answer.status, 422);
});

test('the setting bounds what is exported and opened of a case folder', async (t) => {
  const opened = await openFolder(t);
  const { add, path, read, site } = opened;
  const half = (letter: string) => ({
    kind: 'file',
    name: 'a.txt',
    content: dataUri(letter.repeat(700_000)),
  });
  await add(half('a'));
  await add(half('b'));
  const south = await openReceiver(t, opened);
  const limit = (at: typeof site, maxCasePackageBytes: number) =>
    at.storage.companies.changeSettings(at.company.id, { maxCasePackageBytes }, TEST_ACT);
  const mib = 1024 ** 2;
  await limit(site, mib);
  const large = await sealedFor(site, path, south.installation);
  assert.equal(large.status, 422);
  const { code, message } = JSON.parse(large.bytes.toString()) as { code: string; message: string };
  assert.equal(code, 'CASE_PACKAGE_TOO_LARGE');
  assert.match(message, /more than 1 MiB.*maxCasePackageBytes/);
  assert.ok(!(await read()).entries.some(({ kind }) => kind === 'exported'), 'nothing states that it left');
  const { contents } = await site.storage.caseFolders.evidence(site.company.id, opened.id, Infinity);
  const exact = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
  for (const each of [site, south.site]) await limit(each, exact);
  const { bytes, status } = await sealedFor(site, path, south.installation);
  assert.equal(status, 200);
  assert.equal((await south.open(bytes)).status, 200, 'what was exported within the setting opens within it');
  await limit(south.site, mib);
  assert.equal((await south.open(bytes)).code, 'CASE_PACKAGE_TOO_LARGE');
});

test('an erasure takes what a case folder has of a person, and the chain stays whole', async (t) => {
  const opened = await openFolder(t);
  const { add, asking, faces, id, read } = opened;
  await add({ kind: 'probe', face: faces[0] });
  await add({ kind: 'candidate', face: faces[2] });
  await add({ kind: 'examination', examination: await examined(opened, true) });
  await add({ kind: 'note', text: 'About the first.', about: 2 });
  await add({ kind: 'file', name: 'first.txt', content: dataUri('The first.'), about: 2 });
  await add({ kind: 'note', text: 'About nobody.' });
  const before = await read();
  const choice = { faces: [faces[0]] };
  const plan = good(await asking('POST', '/erasures/plan', { choice }), erasurePlan);
  assert.deepEqual(plan.caseFolders, [id]);
  const erasing = { choice, code: plan.code, copies: 'keep' };
  const { signed } = good(await asking('POST', '/erasures', erasing), erasureAnswer);
  assert.equal(signed?.receipt.erased.caseEntries, 4);
  assert.ok(signed.receipt.unreached.some(({ what }) => what === 'caseFolder'));
  const after = await read();
  assert.deepEqual(
    after.entries.map(({ kind, state }) => [kind, state]),
    [
      ['opened', 'kept'],
      ['probe', 'erased'],
      ['candidate', 'kept'],
      ['examination', 'erased'],
      ['note', 'erased'],
      ['file', 'erased'],
      ['note', 'kept'],
      ['viewed', null],
    ],
  );
  assert.equal(after.firstBad, null);
  assert.deepEqual(
    after.entries.map(({ digest }) => digest),
    before.entries.map(({ digest }) => digest),
  );
  assert.ok(!JSON.stringify(after).includes('About the first.'));
});

test('the chain of a case folder shows what was changed, cut off or exchanged', async (t) => {
  const { add, id, path, asking, read, site } = await openFolder(t);
  await add({ kind: 'note', text: 'First.' });
  await add({ kind: 'note', text: 'Second.' });
  const { entries } = await add({ kind: 'file', name: 'a.txt', content: dataUri('A letter.') });
  assert.equal((await read()).firstBad, null);
  const rows = await rowsOf(t, site.folder);
  const entryOf = (position: number) =>
    rows.updateTable('case_entry').where((eb) => eb.and({ folder_id: id, position }));
  const original = entries[1]!;
  await entryOf(2).set({ actor: 'operator:77' }).execute();
  assert.equal((await read()).firstBad, 2);
  const { actor } = (await rows
    .selectFrom('case_entry')
    .select('actor')
    .where('position', '=', 3)
    .executeTakeFirst())!;
  await entryOf(2).set({ actor }).execute();
  assert.equal((await read()).firstBad, null, original.kind);
  const { file } = (await rows
    .selectFrom('case_entry')
    .select('file')
    .where('position', '=', 4)
    .executeTakeFirst())!;
  await entryOf(4).set({ file: null }).execute();
  assert.equal((await asking('POST', `${path}/file`, { position: 4 })).status, 404);
  await entryOf(4).set({ file }).execute();
  await rows
    .deleteFrom('case_entry')
    .where((eb) => eb.and({ folder_id: id, position: 5 }))
    .execute();
  assert.equal((await read()).firstBad, 5);
});
