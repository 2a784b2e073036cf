/** Nothing of an erased person is left, read with the store key, down to the unused space of the database's pages. */
import { CodedError } from '../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../core/cli/enroll/run.ts';
import { PhotoNames } from '../../core/cli/terminal/journalFile.ts';
import type { ErasureChoice } from '../../core/contracts/erasure.ts';
import { newListing } from '../../core/contracts/faceListing.ts';
import { retentionRules } from '../../core/contracts/retention.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { createBackupKey, type BackupKey } from '../../core/encryption/backupKey.ts';
import { sql } from 'kysely';
import type { Database } from '../../core/storage/engine/database.ts';
import { openHome, restoreBackup, type RestoreQuestions } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import {
  acceptPeople,
  answerAll,
  enrolPeople,
  openErasureSite,
  verifyPerson,
  writeJournal,
  type ErasureSite,
} from '../support/erasureSite.ts';
import { failItem } from '../support/answerItem.ts';
import { fillEmptyTables } from '../support/everyTable.ts';
import { examineSignatures } from '../support/examinedSignatures.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { ANY_TAIL } from '../support/nearPairSite.ts';
import { newCompany, temporaryFolder, TEST_PIPELINE, TestClock } from '../support/site.ts';
import { bytesOf, everyByte, photoWithTraces, standing, tracesOfPerson } from '../support/tracesOfPeople.ts';
import { trusted, type FaceId, type TrustValidationId, type UploadId } from '../../core/contracts/ids.ts';
import type { DecisionKind, NewDecision } from '../../core/domain/ports/persons.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

/** Stands in the home under several names, as a duplicate, in a blacklist and as a selfie; the others stay. */
const PERSON = 7;
const NAMES = [
  'canary-file-name-7',
  'canary-list-name-7',
  'canary-selfie-name-7',
  'canary-metadata-7',
  'canary-note-7',
  'canary-list-reason-7',
  'canary-person-name-7',
  'canary-person-note-7',
  'canary-external-id-7',
  'canary-decision-7',
  'canary-split-name-7',
  'canary-sent-name-7',
  'canary-sent-id-7',
  'canary-unfixable-note-7',
  'canary-cheque-name-7',
];
const TRACES = tracesOfPerson(PERSON, NAMES);
const OTHERS = 70;

const none: ErasureChoice = { validations: [], faces: [], photos: [], comparisons: [] };

interface Planted {
  site: ErasureSite;
  company: Company;
  choice: ErasureChoice;
  /** A validation of another person, whose entry names this person. */
  witness: TrustValidationId;
  journal: string;
  key: BackupKey;
  /** Of the files of the person's signature specimen and of two examined signatures. */
  keys: Uint8Array[];
}

async function plant(folder: string): Promise<Planted> {
  const site = await openErasureSite(folder);
  const { storage } = site;
  const company = await newCompany(storage, folder);
  const key = createBackupKey();
  await storage.installationKeys.setRecovery(key.publicKey, TEST_ACT);
  const photos = Array.from({ length: OTHERS }, (_, index) => {
    const person = index === 40 ? PERSON : 100 + index;
    // Names of many lengths, so that rows move between pages when they change.
    return { person, fileName: `${person === PERSON ? NAMES[0]! : `person ${'x'.repeat(index)}`}.jpg` };
  });
  const upload = await enrolPeople(site, company, photos);
  const created = await storage.blacklists.create(
    company.id,
    { name: 'Banned', description: null },
    TEST_ACT,
  );
  const list = created;
  const listed = await enrolPeople(
    site,
    company,
    [{ person: PERSON, fileName: `${NAMES[1]!}.jpg` }],
    list.id,
    NAMES[5],
  );
  const failed = await acceptPeople(site, company, [
    { person: PERSON, fileName: 'group.jpg', named: { name: NAMES[11]!, externalId: NAMES[12]! } },
  ]);
  const [group] = await storage.queue.lease(1);
  await failItem(storage, group!, { code: 'MULTIPLE_FACES' }, site.clock.now());
  const marked = await storage.runs.failures(company.id, {}, { limit: 1 });
  const unfixable = { ids: marked.map(({ id }) => id), unfixable: true, note: NAMES[13]! };
  await storage.runs.setUnfixable(company.id, unfixable, TEST_ACT);
  const flow = await site.flows.create(
    company.id,
    'Visitors',
    {
      blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'review' },
    },
    'local-admin',
  );
  const words = { name: NAMES[2]!, metadata: { reference: NAMES[3] }, note: NAMES[4]! };
  const selfie = await verifyPerson(site, company, flow.id, PERSON, words);
  const other = { name: 'witness', metadata: null, note: 'seen before' };
  const witness = await verifyPerson(site, company, flow.id, PERSON, other);
  const items = (await storage.uploads.find(company.id, 'duplicate', upload))!.items;
  const face = (await storage.uploads.find(company.id, 'blacklist', listed))!.items[0]!.faceId!;
  const validation = items[40]!.trustValidationId!;
  const journal = await writeJournal(
    folder,
    upload,
    items.map(({ fileName, trustValidationId }) => ({ path: fileName, id: trustValidationId! })),
  );
  await namePerson(site, company, [items[40]!.faceId!, face], [items[50]!.faceId!, items[51]!.faceId!]);
  // The gallery keeps snapshots of full ranges only: one of a range that holds the person, as it would be.
  await storage.gallerySnapshots.keep(
    company.id,
    site.vision.pipelineId,
    {
      after: 0 as never,
      upTo: 60 as never,
      content: bytesOf(`thumbnail ${PERSON}`, 900),
      leftOut: new Set(),
    },
    (await Array.fromAsync(storage.faces.matchable(company.id, site.vision.pipelineId)))
      .flat()
      .map(({ faceId }) => faceId)
      .filter((id) => id <= 60),
  );
  const examined = await examineSignatures(
    storage,
    company.id,
    [NAMES[14]!, 'other.png'],
    bytesOf(`cheque ${PERSON}`, 900),
  );
  const choice = {
    photos: [{ uploadId: failed, index: 0 }],
    ...{ validations: [validation, selfie], faces: [face], comparisons: [examined.comparison] },
  };
  const specimenKey = await addSpecimen(site, company, items[40]!.faceId!);
  const keys = [specimenKey, ...examined.images.map((image) => image.key)];
  return { site, company, choice, witness, journal, key, keys };
}

/** Stores a signature specimen of the person of a face. @returns the key of its file */
async function addSpecimen({ storage }: ErasureSite, { id }: Company, face: FaceId): Promise<Uint8Array> {
  await storage.companies.changeSettings(id, { signatureSpecimens: true }, TEST_ACT);
  const person = (await storage.persons.ofFaces(id, [face])).get(face)!.id;
  const content = ReadableStream.from([bytesOf(`specimen ${PERSON}`, 900)]);
  const image = await storage.images.write(id, 'png', content);
  await storage.signatureSpecimens.add(id, person, image, TEST_ACT);
  return image.key;
}

/** A person of two faces, another one that was split off and merged back, and a decision about a third face. */
async function namePerson(
  site: ErasureSite,
  company: Company,
  [one, two]: [FaceId, FaceId],
  [other, third]: [FaceId, FaceId],
): Promise<void> {
  const { storage } = site;
  const decide = async (kind: DecisionKind, sides: readonly FaceId[][], person?: NewDecision['person']) => {
    const faces = sides.flatMap((some, side) => some.map((face) => ({ face, side })));
    const reason = person?.name === 'Kept' ? null : NAMES[9]!;
    const decision = { kind, faces, reason, ...(person !== undefined && { person }) };
    await storage.persons.decide(company.id, decision, TEST_ACT);
  };
  await decide('same', [[one, two]], { name: NAMES[6]!, note: NAMES[7]!, externalId: NAMES[8]! });
  await decide('split', [[one], [two]], { name: NAMES[10]! });
  await decide('merge', [[one], [two]]);
  await decide('different', [[one], [other]]);
  // It stays, because two of its faces do; its reason goes.
  await decide('different', [[two], [other, third]]);
  await decide('same', [[other, third]], { name: 'Kept' });
  const choice = { mode: 'all', blacklists: [], oneIn: 1_000 } as const;
  const begun = await storage.duplicateRuns.begin(
    company.id,
    choice,
    { pipeline: TEST_PIPELINE, total: 4 },
    TEST_ACT,
  );
  await storage.duplicateRuns.choose(begun, ANY_TAIL, 2);
  const compared = [one, two, other, third].toSorted((a, b) => a - b);
  const pairs = compared.flatMap((first, at) =>
    compared.slice(at + 1).map((second) => ({ first, second, distance: 1 })),
  );
  await storage.duplicateRuns.store(begun, { pairs, compared, truncated: [] }, compared.at(-1)!);
  await storage.duplicateRuns.finish(begun, { state: 'done' }, TEST_ACT);
  assert.deepEqual(await duplicatesOf(site, company), { persons: 2, groups: [2, 2], pairs: 6 });
}

/** How much a company knows about duplicates. */
async function duplicatesOf(site: ErasureSite, { id }: Company) {
  const { storage } = site;
  await new GroupService(site).refresh(id);
  const page = { order: 'newest', limit: 10 } as const;
  const groups = await storage.duplicateGroups.list(id, { states: ['accepted'] }, page);
  return {
    persons: await storage.persons.count(id, {}),
    groups: groups.map(({ size }) => size),
    pairs: (await storage.duplicateRuns.pairs(id, { limit: 10 })).length,
  };
}

/** Refuses ids that the company has no record of. */
const unknownRecords = (count: number) => (error: unknown) =>
  error instanceof CodedError &&
  error.problem.code === 'NOT_FOUND' &&
  typeof error.problem.parameters.ids === 'string' &&
  error.problem.parameters.ids.split(', ').length === count;

async function erase({ site, company, choice }: Planted, copies: 'remove' | 'keep' = 'keep') {
  const plan = await site.service.plan(company.id, choice);
  const done = await site.service.run(
    company.id,
    { choice, code: plan.code, copies },
    { by: 'operator:1', at: site.clock.now() },
  );
  assert.ok(done.receipt !== null, JSON.stringify(done));
  return { plan, signed: done.receipt };
}

test('an erasure removes the reason of its upload while other photos wait', async (t) => {
  const home = join(temporaryFolder(t), 'home');
  const site = await openErasureSite(home);
  const company = await newCompany(site.storage, home);
  const act = { by: 'operator:1', at: site.clock.now() } as const;
  const list = await site.storage.blacklists.create(company.id, { name: 'Banned', description: null }, act);
  const people = [PERSON, 8].map((person) => ({ person, fileName: `${person}.jpg` }));
  const uploadId = await acceptPeople(site, company, people, list.id, NAMES[5]);
  const erased = { choice: { ...none, photos: [{ uploadId, index: 0 }] }, copies: 'keep' as const };
  const plan = await site.service.plan(company.id, erased.choice);
  await site.service.run(company.id, { ...erased, code: plan.code }, act);
  const traces = new Map([...TRACES].filter(([kind]) => kind === 'name 5'));
  assert.deepEqual(standing(everyByte(home, join(home, '..', 'scratch')), traces), []);
  await answerAll(site);
  const [item] = (await site.storage.uploads.find(company.id, 'blacklist', uploadId))!.items.slice(1);
  const [listed] = await site.storage.faceListings.change(company.id, list.id, [item!.faceId!], {}, act);
  assert.deepEqual(listed?.listing, newListing(), 'the other face keeps its severity');
  await site.close();
});

/** Erasures by retention are repeated, and withdrawn credentials stay withdrawn, without a question. */
const REPEAT: RestoreQuestions = {
  retention: () => Promise.resolve(true),
  credentials: () => Promise.resolve(true),
};

test('digests of requests neither show an erased person nor confirm a guess', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const site = await openErasureSite(home);
  const { storage } = site;
  const company = await newCompany(storage, home);
  const sent = { key: 'canary-key-7', fingerprint: 'canary-fingerprint-7' };
  const target = {
    kind: 'duplicate',
    trustFlowId: await storage.companies.systemTrustFlow(company.id),
  } as const;
  const image = await storage.images.write(
    company.id,
    'jpeg',
    ReadableStream.from([photoWithTraces(PERSON)]),
  );
  const id = randomUUID() as UploadId;
  const accepted = { by: 'token:1', at: site.clock.now() } as const;
  const images = [{ fileName: 'a.jpg', image }];
  await storage.uploads.accept(company.id, { id, target, accepted, images, idempotency: sent });
  await enrolPeople(
    site,
    company,
    [8, 9].map((person) => ({ person, fileName: `${person}.jpg` })),
  );
  const faces = (await Array.fromAsync(storage.faces.matchable(company.id, TEST_PIPELINE)))
    .flat()
    .map(({ faceId: face }) => ({ face, side: 0 }));
  assert.equal(faces.length, 3);
  const request = { key: 'canary-request-7', content: 'canary-content-7' };
  const decision = { kind: 'same', faces, reason: null } as const;
  const act = { ...accepted, request };
  await storage.persons.decide(company.id, decision, act);
  const choice = { ...none, photos: [{ uploadId: id, index: 0 }] };
  const plan = await site.service.plan(company.id, choice);
  await site.service.run(company.id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);

  const guesses = [...Object.values(sent), ...Object.values(request)].flatMap((text) => {
    const digest = createHash('sha256').update(text).digest();
    return [Buffer.from(text), digest, Buffer.from(digest.toString('hex'))];
  });
  const traces = new Map(guesses.map((bytes, index) => [`guess ${index}`, bytes]));
  assert.deepEqual(standing(everyByte(home, join(folder, 'scratch')), traces), []);
  // A repetition is still recognised: it enrols the erased person no second time.
  const known = await storage.uploads.findByIdempotencyKey(company.id, sent.key);
  assert.equal(known?.id, id);
  assert.deepEqual([await known.isSame(sent.fingerprint), await known.isSame('another')], [true, false]);
  assert.notEqual(await storage.persons.repeated(company.id, act), undefined);
  await site.close();
});

test('nothing of an erased person is in any file, the database, or a later backup', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const planted = await plant(home);
  const { site, company, witness } = planted;
  const scratch = join(folder, 'scratch');
  const before = standing(everyByte(home, scratch), TRACES);
  for (const kind of [...TRACES.keys()].filter((one) => one !== 'image'))
    assert.ok(
      before.includes(`${kind} in the database in clear`),
      `${kind} is searched for where it is: ${before.join()}`,
    );
  const keys = new Map(planted.keys.map((each, index) => [`key ${index}`, Buffer.from(each)]));
  assert.deepEqual(
    standing(everyByte(home, scratch), keys),
    [0, 1, 2].map((index) => `key ${index} in the database in clear`),
  );
  assert.ok(!before.some((found) => found.includes('journal.jsonl')), 'a journal names no person');
  const journalled = () => readFileSync(planted.journal, 'utf8');
  assert.ok(journalled().includes(`"trustValidationId":${planted.choice.validations[0]}`));

  // The witness' own photo shows the same person: the plan proposes it, and it goes because the operator selected it.
  const plan = await site.service.plan(company.id, planted.choice);
  assert.deepEqual(
    plan.candidates.map(({ kind, id }) => `${kind} ${id}`),
    [`validation ${witness}`],
  );
  assert.deepEqual(plan.namedIn, [witness]);
  assert.deepEqual(
    plan.persons.map(({ name, photosLeft }) => [name, photosLeft]),
    [
      [NAMES[6], 0],
      [NAMES[10], 0],
    ],
  );
  const part = await site.service.plan(company.id, { ...none, faces: planted.choice.faces });
  assert.deepEqual(
    part.candidates.slice(0, 1).map(({ kind, id, why }) => [kind, Number(id), why]),
    [['validation', planted.choice.validations[0], 'same-person']],
  );
  assert.equal(part.persons[0]?.photosLeft, 1);
  const byPerson = await site.erasures.byName(company.id, NAMES[8]!, 50);
  assert.deepEqual(
    byPerson.map(({ kind, why }) => `${kind} ${why}`),
    ['validation same-person', 'face same-person'],
  );
  const bySentName = await site.erasures.byName(company.id, NAMES[12]!, 50);
  assert.deepEqual(
    bySentName.map(({ kind, name }) => [kind, name]),
    [['photo', 'group.jpg']],
  );
  // The selfies of both rejected validations are in no gallery.
  const byPhoto = await site.service.findByPhoto(company.id, photoWithTraces(PERSON), TEST_ACT);
  const { validations, faces } = planted.choice;
  assert.deepEqual(
    byPhoto.map(({ kind, id }) => `${kind} ${id}`).toSorted(),
    [...[...validations, witness].map((id) => `validation ${id}`), `face ${faces[0]}`].toSorted(),
  );
  const ticked = {
    ...planted,
    choice: { ...planted.choice, validations: [...planted.choice.validations, witness] },
  };
  const copies = ['before-restore-2026-01-01', 'before-update.db'];
  mkdirSync(join(home, copies[0]!));
  writeFileSync(join(home, copies[0]!, 'vouch.db'), NAMES[0]!);
  writeFileSync(join(home, copies[1]!), NAMES[0]!);
  const { signed } = await erase(ticked, 'remove');
  const { receipt } = signed;
  assert.deepEqual([receipt.erased.persons, receipt.erased.decisions], [2, 4]);
  assert.equal(receipt.proof?.found, 0);
  assert.ok(receipt.proof.sought > 10 && receipt.proof.pages > 50);
  assert.deepEqual(receipt.files.copies, copies);
  assert.deepEqual(
    receipt.unreached.map(({ what }) => what),
    ['originals'],
  );
  const { comparisons, examinations, specimens } = receipt.erased;
  assert.deepEqual([receipt.files.images, specimens, examinations, comparisons.length], [7, 1, 1, 1]);
  assert.equal(receipt.files.journalLines, 1);
  assert.ok(!journalled().includes(`"trustValidationId":${planted.choice.validations[0]}`));
  assert.equal(receipt.erased.gallerySnapshots, 1);
  assert.equal(statSync(join(home, 'vouch.db-wal')).size, 0, 'the log is empty');
  assert.deepEqual(standing(everyByte(home, scratch), TRACES), []);
  assert.deepEqual(standing(everyByte(home, scratch), keys), []);
  assert.ok(await site.erasures.isOurs(signed));
  const forged = { ...signed, receipt: { ...receipt, by: 'operator:2' } };
  assert.equal(await site.erasures.isOurs(forged), false);

  const bundle = join(folder, 'site.vouch');
  const { content } = await site.backups.open(TEST_ACT, '0');
  await writeFile(bundle, content);
  const elsewhere = join(folder, 'elsewhere');
  await restoreBackup(openHome(elsewhere), bundle, planted.key, new TestClock(), REPEAT);
  assert.deepEqual(standing(everyByte(elsewhere, scratch), TRACES), []);
  await site.close();
});

test('only what was confirmed is erased, in its company, and is not sent again', async (t) => {
  const home = temporaryFolder(t);
  const planted = await plant(home);
  const { site, company, choice, witness, journal } = planted;
  const other = await newCompany(site.storage, home, 'Other');
  const unknown = unknownRecords(5);
  await assert.rejects(site.service.plan(other.id, choice), unknown);
  const act = { by: 'local-admin', at: site.clock.now() } as const;
  const stale = { choice, code: '0000', copies: 'keep' } as const;
  await assert.rejects(site.service.run(company.id, stale, act), new CodedError('PLAN_CHANGED'));
  await assert.rejects(site.service.run(other.id, stale, act), unknown);
  const { signed } = await erase(planted);
  assert.equal(signed.receipt.proof?.found, 0);
  assert.ok(signed.receipt.proof.shared > 0, 'the witness has the very same photo');
  assert.equal(await site.erasures.receipt(other.id, signed.receipt.id), undefined);
  assert.deepEqual(await site.erasures.list(other.id), []);
  const { validations, views } = site;
  for (const id of choice.validations)
    assert.equal(await validations.detail(company.id, id as never), undefined);
  const entries = await views.matches(company.id, witness);
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['erased', 'erased', 'erased'].slice(0, entries.length),
  );
  assert.ok(entries.length > 0, 'what was decided keeps its evidence');
  const memory = new Journal(journal);
  assert.equal(memory.known.size, OTHERS - 1);
  const names = await PhotoNames.of(home);
  assert.deepEqual([...memory.erased], [names.nameOf(`${NAMES[0]!}.jpg`)]);
  memory.close();
  const faces = await site.gallery.size(company.id, { kind: 'duplicate' });
  assert.equal(faces, OTHERS - 1);
  await site.close();
  const again = await openErasureSite(home);
  assert.equal(
    await again.gallery.size(company.id, { kind: 'duplicate' }),
    faces,
    'the next start finds the same faces',
  );
  const { firstBad } = await again.audit.verify((await again.anchors.read()).kept);
  assert.equal(firstBad, null);
  await again.close();
});

test('the plan names a backup that was being made when the person was enrolled', async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(join(folder, 'home'));
  const company = await newCompany(site.storage, site.home.folder);
  await site.installationKeys.setRecovery(createBackupKey().publicKey, TEST_ACT);
  const make = async (during: () => Promise<unknown>) => {
    const act = { by: TEST_ACT.by, at: site.clock.now() };
    const id = await site.backupRuns.begin({
      trigger: 'terminal',
      place: null,
      file: null,
      startedAt: act.at,
    });
    const { content } = await site.backups.open(act, '0');
    site.clock.advance(1000);
    await during();
    await Array.fromAsync(content);
    site.clock.advance(1000);
    const outcome = { state: 'done', bytes: 1, lostImages: 0, problem: null } as const;
    await site.backupRuns.end(id, outcome, site.clock.now());
    site.clock.advance(1000);
  };
  await make(() => Promise.resolve());
  await make(() => enrolPeople(site, company, [{ person: 1, fileName: 'late.jpg' }]));
  await make(() => Promise.resolve());
  const [late] = await site.erasures.byName(company.id, 'late', 50);
  const choice = { ...none, validations: [trusted.trustValidation(Number(late!.id))] };
  const plan = await site.service.plan(company.id, choice);
  const taken = await site.audit.list(null, { filter: { action: 'backup.taken' }, limit: 9 });
  assert.deepEqual(
    plan.backups.map(({ sequence }) => sequence),
    taken
      .map(({ sequence }) => sequence)
      .toReversed()
      .slice(1),
  );
  await site.close();
});

test('restoring an older backup on this machine erases the person again', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const planted = await plant(home);
  const { site, company, choice } = planted;
  const bundle = join(folder, 'before.vouch');
  const { content } = await site.backups.open(TEST_ACT, '0');
  await writeFile(bundle, content);
  const { plan, signed } = await erase(planted);
  assert.equal(plan.backups.length, 1);
  assert.deepEqual(
    signed.receipt.unreached.filter(({ what }) => what === 'backup').map(({ which }) => which),
    [`entry ${plan.backups[0]!.sequence}`],
  );
  await site.close();

  const { erasedAgain } = await restoreBackup(openHome(home), bundle, planted.key, new TestClock(), REPEAT);
  assert.equal(erasedAgain.erasures, 1);
  const back = await openErasureSite(home);
  assert.deepEqual(await duplicatesOf(back, company), { persons: 1, groups: [2], pairs: 1 });
  await assert.rejects(back.service.plan(company.id, choice), unknownRecords(4));
  assert.equal((await back.erasures.receipt(company.id, signed.receipt.id))?.signature, signed.signature);
  assert.equal((await back.audit.verify([])).firstBad, null);
  await back.close();
  const left = everyByte(home, join(folder, 'scratch'));
  for (const place of left.keys()) if (place.includes('before-restore-')) left.delete(place);
  const own = new Map([...TRACES].filter(([kind]) => kind.startsWith('name ')));
  assert.deepEqual(standing(left, own), []);

  // On another machine, which knows of nothing, the receipt does the same.
  const elsewhere = join(folder, 'elsewhere');
  await restoreBackup(openHome(elsewhere), bundle, planted.key, new TestClock(), REPEAT);
  const there = await openErasureSite(elsewhere);
  assert.ok(await there.erasures.isOurs(signed));
  assert.notEqual(await there.service.again(signed.receipt, TEST_ACT), null);
  assert.equal(await there.service.again(signed.receipt, TEST_ACT), null, 'nothing is left of it');
  await there.close();
  assert.deepEqual(standing(everyByte(elsewhere, join(folder, 'scratch')), own), []);
  assert.ok(readFileSync(join(elsewhere, 'erased.jsonl'), 'utf8').length > 0);
});

test('a restore asks before repeating retention erasures, with their number', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const clock = new TestClock();
  const site = await openErasureSite(home, clock);
  const company = await newCompany(site.storage, home);
  await enrolPeople(site, company, [
    { person: 1, fileName: 'one.jpg' },
    { person: 2, fileName: 'two.jpg' },
  ]);
  const key = createBackupKey();
  await site.installationKeys.setRecovery(key.publicKey, TEST_ACT);
  const bundle = join(folder, 'before.vouch');
  await writeFile(bundle, (await site.backups.open(TEST_ACT, '0')).content);
  clock.advance(30 * 24 * 60 * 60 * 1000);
  const rules = retentionRules.parse({ enrolled: 20 });
  const { code } = await site.retention.preview(company, rules);
  assert.ok(await site.retention.set(company, rules, code, TEST_ACT));
  const done = await site.retention.run((await site.companies.find(company.id))!);
  assert.deepEqual(done, { kind: 'done', erased: 2, unerased: 0 });
  await site.close();

  const refusal = new Error('no operator can be asked');
  await assert.rejects(
    restoreBackup(openHome(home), bundle, key, clock, {
      ...REPEAT,
      retention: () => Promise.reject(refusal),
    }),
    refusal,
  );
  const faces = async (askRetention: () => Promise<boolean>) => {
    const asked: unknown[] = [];
    // The copy of the former home is named by the time.
    clock.advance(1000);
    const { erasedAgain } = await restoreBackup(openHome(home), bundle, key, clock, {
      ...REPEAT,
      retention: (found) => {
        asked.push(found);
        return askRetention();
      },
    });
    assert.deepEqual(asked, [{ erasures: 1, records: 2 }]);
    const back = await openErasureSite(home, clock);
    const left = await back.gallery.size(company.id, { kind: 'duplicate' });
    await back.close();
    return [left, erasedAgain.records];
  };
  assert.deepEqual(await faces(() => Promise.resolve(false)), [2, 0]);
  assert.deepEqual(await faces(() => Promise.resolve(true)), [0, 2]);
});

/** Tables that tell nothing of an enrolled person: settings, operators, programs, runs of the service. */
const WITHOUT_PERSONS = new Set([
  ...[
    'active_pipeline',
    'pipeline_shape',
    'template_migration',
    'company_calibration',
    'signature_calibration',
  ],
  ...['installation_settings', 'installation_key', 'network_listener', 'company', 'trusted_installation'],
  ...['mosip_connection', 'row_total'],
  ...['operator', 'operator_appearance', 'operator_session', 'operator_recovery_code', 'sign_in_attempt'],
  ...['api_token', 'hmac_key', 'replay_nonce', 'audit_head', 'audit_key', 'retention_check'],
  ...['backup_run', 'backup_schedule', 'enrolment_run', 'duplicate_run', 'duplicate_grouping'],
  ...['trust_flow', 'trust_flow_version', 'blacklist', 'blacklist_import'],
  ...['kysely_migration', 'kysely_migration_lock'],
]);

/** Columns that an erasure leaves, by what they hold. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'words of the product': [
    ...['audit_entry.action', 'audit_entry.outcome', 'upload.kind', 'upload_item.failure_code'],
    ...['trust_validation.source', 'trust_validation.incomplete_reason', 'validation_history.failure_code'],
    ...[
      'screening_match.kind',
      'screening_match.band',
      'screening_match.severity',
      'face.kind',
      'face.severity',
    ],
    ...['person_decision.kind', 'duplicate_group.state', 'extraction_failure.failure_code', 'image.format'],
    ...['case_entry.kind', 'comparison.subject', 'comparison.verdict', 'comparison.model_version'],
  ],
  'ids, operators, programs and services': [
    ...[
      'audit_entry.actor',
      'audit_entry.object',
      'upload.run_id',
      'upload.fixed_by',
      'upload_item.unfixable_by',
      'upload_item.leased_by',
    ],
    ...['person_decision.decided_by', 'person_decision.pipeline_id', 'validation_history.actor'],
    'case_entry.actor',
  ],
  'digests and signatures': [
    ...['audit_entry.hash', 'upload.idempotency_key', 'upload.fingerprint', 'erasure.signature'],
    ...['person_decision.request_key', 'person_decision.request_content'],
    // The digest of a text covers a random salt that is erased with the text.
    ...['case_entry.digest', 'case_entry.hash', 'case_entry.signature'],
  ],
  'ids and digests, as the receipt states them': ['erasure.receipt', 'erasure.images', 'erasure.keys'],
  'facts by a schema of their action, without names': ['audit_entry.details'],
  'severity and end; the reason goes, as the test of reasons proves': ['upload.listing'],
  'rebuilt copies, whose removal another test proves': ['gallery_snapshot.content'],
  'the name of a blacklist': ['screening_match.blacklist_name'],
  'the time and the lists of a search': ['screening.facts'],
};

/** Columns that the product reads as JSON. */
const JSON_COLUMNS = new Set(['metadata', 'found', 'geometry', 'quality_measures']);

interface PersonalColumn {
  table: string;
  column: string;
  type: string;
}

/** Columns of text or bytes that could hold something of a person; keys that refer to other rows are not. */
async function personalColumns(db: Database): Promise<PersonalColumn[]> {
  const { rows } = await sql<PersonalColumn>`
    select t.name as "table", c.name as "column", lower(c.type) as type
    from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and lower(c.type) in ('text', 'blob') and c.pk = 0
      and c.name not in (select "from" from pragma_foreign_key_list(t.name))`.execute(db);
  const kept = new Set(Object.values(KEPT).flat());
  return rows.filter(
    ({ table, column }) =>
      !WITHOUT_PERSONS.has(table) &&
      !kept.has(`${table}.${column}`) &&
      !/_(data|idx|config|docsize|content)$/.test(table),
  );
}

test('each column that could hold something of a person is erased, or listed', async (t) => {
  const folder = temporaryFolder(t);
  const planted = await plant(folder);
  await planted.site.close();
  const db = await rowsOf(t, folder);
  await fillEmptyTables(db);
  await db.deleteFrom('erasure').execute();
  const columns = await personalColumns(db);
  for (const { table, column, type } of columns) {
    const needle = sql`'needle in ' || ${`${table}.${column}`} || hex(randomblob(4))`;
    const value =
      type === 'blob'
        ? sql`cast(${needle} as blob)`
        : JSON_COLUMNS.has(column)
          ? sql`json_quote(${needle})`
          : needle;
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db);
    assert.ok(numAffectedRows! > 0n, `no row proves that ${table}.${column} is erased`);
  }
  const idsOf = async (table: 'trust_validation' | 'face' | 'comparison') =>
    (await db.selectFrom(table).select('id').execute()).map(({ id }) => Number(id));
  const items = await db.selectFrom('upload_item').select(['upload_id', 'position']).execute();
  const choice = {
    validations: (await idsOf('trust_validation')).map((id) => trusted.trustValidation(id)),
    faces: (await idsOf('face')).map((id) => trusted.face(id)),
    photos: items.map(({ upload_id: uploadId, position: index }) => ({ uploadId, index })),
    comparisons: await idsOf('comparison'),
  };
  await db.destroy();
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  await erase({ ...planted, site, choice });
  await site.close();
  const after = await rowsOf(t, folder);
  const left: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where cast(${sql.ref(column)} as text) like '%needle in%'`.execute(
      after,
    );
    if (rows.length > 0) left.push(`${table}.${column}`);
  }
  assert.deepEqual(left, [], 'columns that an erasure leaves; erase them, or state in KEPT what they hold');
});
