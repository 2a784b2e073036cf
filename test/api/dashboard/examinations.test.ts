/** An examination of two faces: what each examiner sees when, the order of the steps, and its end with a face. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import sharp from 'sharp';
import {
  EXAMINED,
  examination,
  examinationList,
  type Conclusion,
  type Examination,
} from '../../../core/contracts/dashboard/examinations.ts';
import { comparisonAnswer } from '../../../core/contracts/dashboard/signatures.ts';
import { erasureAnswer } from '../../../core/contracts/erasure.ts';
import { addOperator, ask, PASSPHRASE, signIn, operatorServiceOf } from '../access/operators.ts';
import { enrol } from '../access/personRequests.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { good } from './dashboardSite.ts';
import { retentionRules } from '../../../core/contracts/retention.ts';
import { trusted, type FaceId } from '../../../core/contracts/ids.ts';
import { NOBODY, photoOf } from '../../support/people.ts';
import { TEST_ACT } from '../../support/act.ts';

async function openExamination(t: TestContext) {
  const { site } = await openScreeningSite(t);
  const faces = await enrol(site, site.company, 2);
  const signedIn = async (name: string) => {
    await addOperator(site, name, 'reviewer');
    const cookie = await signIn(site, name);
    return (method: string, path: string, body?: unknown) =>
      ask(site, method, `/examinations${path}`, { cookie, ...(body !== undefined && { body }) });
  };
  const [first, second] = [await signedIn('first'), await signedIn('second')];
  const begun = await first('POST', '', { faces });
  assert.equal(begun.status, 200, begun.text);
  return { site, faces, first, second, signedIn, path: `/${String(begun.body.id)}` };
}
type Asking = Awaited<ReturnType<typeof openExamination>>['first'];

const LIMITS = { sharpness: 'none', pose: 'some', light: 'none', occlusion: 'severe' };
const analysisOf = (picture: number) => ({
  step: 'analysis',
  picture,
  limits: LIMITS,
  age: '2019',
  supports: `Secret analysis ${picture}`,
});
const findingOf = (component: string) => ({
  step: 'comparison',
  component,
  finding: 'similar',
  marks: [{ x: 10, y: 12 }, null],
  note: 'Secret note',
});
const STEPS = [analysisOf(0), analysisOf(1), ...EXAMINED.faces.components.map(findingOf)];

/** Saves every step up to the conclusion. */
async function examine(
  asking: Asking,
  path: string,
  conclusion: Conclusion,
  steps: readonly object[] = STEPS,
): Promise<Examination> {
  for (const step of steps) good(await asking('POST', `${path}/steps`, step), examination);
  const evaluation = { step: 'evaluation', conclusion, reasons: 'Secret reasons' };
  return good(await asking('POST', `${path}/steps`, evaluation), examination);
}

test('score and names reach an examiner after the own conclusion, results after both', async (t) => {
  const { first, second, path, site, faces } = await openExamination(t);
  const readBy = async (asking: Asking) => good(await asking('GET', path), examination);
  const begun = await first('GET', path);
  const names = (await site.storage.persons.describe(site.company.id, faces)).map(({ name }) => name);
  for (const hidden of [...names, 'similarity', 'pipelineId', 'sha256'])
    assert.ok(!begun.text.includes(hidden), hidden);
  assert.deepEqual(
    [good(begun, examination).turn, good(begun, examination).next],
    ['examine', { step: 'analysis', position: 0 }],
  );
  for (const picture of [0, 1]) {
    const sent = await first('GET', `${path}/picture?picture=${picture}`);
    assert.deepEqual([sent.status, sent.headers.get('content-type')], [200, 'image/jpeg']);
  }

  const concluded = await examine(first, path, 'strongSame');
  assert.equal(concluded.state, 'verification');
  assert.equal(concluded.works[0]?.findings.length, EXAMINED.faces.components.length);
  assert.deepEqual(concluded.system?.names.toSorted(), names.toSorted());
  assert.equal(typeof concluded.system.score?.similarity, 'number');

  // The second examiner begins with nothing of it.
  const blind = await second('GET', path);
  for (const hidden of [...names, 'Secret', 'strongSame', 'similarity', 'first'])
    assert.ok(!blind.text.includes(hidden), hidden);
  const { works, system, turn } = good(blind, examination);
  assert.deepEqual([works, system, turn], [[], null, 'verify']);
  const open = await examine(second, path, 'weakDifferent');
  assert.deepEqual(
    [open.state, open.turn, open.works.map(({ byName, own }) => [byName, own])],
    [
      'settlement',
      'settle',
      [
        ['first', false],
        ['second', true],
      ],
    ],
  );
  assert.equal((await readBy(first)).turn, 'settle');

  const settled = good(
    await first('POST', `${path}/settlement`, { conclusion: 'neither', reasons: 'Too blurred after all' }),
    examination,
  );
  assert.deepEqual(
    [settled.state, settled.settlement?.conclusion, settled.settlement?.byName],
    ['done', 'neither', 'first'],
  );
  const again = await second('POST', `${path}/settlement`, { conclusion: 'strongSame', reasons: 'x' });
  assert.deepEqual([again.status, again.body.code], [409, 'EXAMINATION_STEP']);
  const { items } = good(await second('GET', ''), examinationList);
  assert.deepEqual([items.length, items[0]?.state, items[0]?.turn], [1, 'done', null]);
  const log = await site.storage.audit.list(site.company.id, { limit: 200 });
  const own = log.filter(({ object }) => object === `examination:${path.slice(1)}`);
  assert.equal(own.length, 1 + 2 * (STEPS.length + 1) + 1);
  assert.ok(!JSON.stringify(own).includes('strongSame'), 'the log would tell the second examiner');
});

test('only an examination that is done has a report, and its export is in the log', async (t) => {
  const { first, second, path, site } = await openExamination(t);
  await addOperator(site, 'writer', 'investigator');
  const cookie = await signIn(site, 'writer');
  const report = (language: string) =>
    ask(site, 'POST', `/examinations${path}/report`, { cookie, body: { language } });
  await examine(first, path, 'weakSame');
  const early = await report('en');
  assert.deepEqual([early.status, early.body.code], [409, 'EXAMINATION_STEP']);
  await examine(second, path, 'weakSame');
  for (const language of ['en', 'ar']) {
    const made = await report(language);
    assert.deepEqual([made.status, made.headers.get('content-type')], [200, 'application/pdf']);
    assert.ok(made.text.startsWith('%PDF'));
  }
  assert.equal((await first('POST', `${path}/report`, {})).status, 403, 'a reviewer exports nothing');
  const log = await site.storage.audit.list(site.company.id, { limit: 200 });
  const exported = log.filter(({ action }) => action === 'export.taken');
  assert.deepEqual(
    exported.map(({ object }) => object),
    [`examination:${path.slice(1)}`, `examination:${path.slice(1)}`],
  );
});

test('steps are saved in their order alone, and a saved step does not change', async (t) => {
  const { first, path } = await openExamination(t);
  const refused = async (step: object) => {
    const { status, body } = await first('POST', `${path}/steps`, step);
    assert.deepEqual([status, body.code], [409, 'EXAMINATION_STEP']);
  };
  await refused(analysisOf(1));
  await refused(findingOf('skin'));
  await refused({ step: 'evaluation', conclusion: 'neither', reasons: 'x' });
  good(await first('POST', `${path}/steps`, analysisOf(0)), examination);
  await refused(analysisOf(0));
  good(await first('POST', `${path}/steps`, analysisOf(1)), examination);
  await refused(findingOf('outline'));
  const kept = good(await first('POST', `${path}/steps`, findingOf('skin')), examination);
  assert.deepEqual(kept.next, { step: 'comparison', position: 1 });
  // Another operator neither sees nor continues the work of the first examiner.
  assert.equal(
    (await first('POST', `${path}/settlement`, { conclusion: 'neither', reasons: 'x' })).status,
    409,
  );
});

test('the first examiner is never the second one, under no account', async (t) => {
  const { first, second, path, site, signedIn } = await openExamination(t);
  await second('GET', path);
  const concluded = await examine(first, path, 'strongSame');
  assert.deepEqual([concluded.turn, concluded.next], [null, null]);
  const own = await first('POST', `${path}/steps`, analysisOf(0));
  assert.deepEqual([own.status, own.body.code], [409, 'EXAMINATION_STEP']);

  // The operator who gave an account its passphrase lately counts as its holder.
  const [giver] = await site.storage.operators.list(site.company.id);
  assert.equal(giver?.name, 'first');
  const made = await operatorServiceOf(site).create(
    site.company,
    { name: 'puppet', role: 'reviewer', passphrase: PASSPHRASE },
    { by: `operator:${giver.id}`, at: new Date('2026-03-01T12:00:00.000Z') },
  );
  assert.ok(made.id);
  const cookie = await signIn(site, 'puppet');
  const puppet = await ask(site, 'POST', `/examinations${path}/steps`, { cookie, body: analysisOf(0) });
  assert.deepEqual([puppet.status, puppet.body.code], [409, 'SECOND_OPERATOR_NEEDED']);
  const third = await signedIn('third');
  good(await third('POST', `${path}/steps`, analysisOf(0)), examination);
  const late = await second('POST', `${path}/steps`, analysisOf(0));
  assert.deepEqual([late.status, late.body.code], [409, 'EXAMINATION_STEP']);
});

test('an examiner who left is replaced, and the successor begins blind', async (t) => {
  const { first, second, path, site, signedIn } = await openExamination(t);
  const { company, storage } = site;
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const idOf = async (name: string) =>
    (await storage.operators.list(company.id)).find((each) => each.name === name)?.id;
  const replace = async (name: string, by = cookie) => {
    const body = { examiner: await idOf(name) };
    return ask(site, 'POST', `/examinations${path}/replacement`, { cookie: by, body });
  };
  const refused = async (answer: ReturnType<typeof replace>, code: string) => {
    const { status, body } = await answer;
    assert.deepEqual([status, body.code], [code === 'UNAUTHORIZED' ? 403 : 409, code]);
  };
  await refused(replace('first'), 'EXAMINATION_STEP');
  for (const step of STEPS.slice(0, 5)) good(await first('POST', `${path}/steps`, step), examination);
  assert.equal(good(await second('GET', path), examination).isUnfinished, true);
  await refused(replace('first', await signIn(site, 'second')), 'UNAUTHORIZED');
  await refused(replace('second'), 'EXAMINATION_STEP');
  const fresh = good(await replace('first'), examination);
  assert.deepEqual(
    [fresh.state, fresh.turn, fresh.works, fresh.replaced],
    ['examination', 'examine', [], []],
  );
  assert.equal(good(await first('GET', path), examination).turn, null, 'a replaced examiner takes no part');
  await refused(first('POST', `${path}/steps`, analysisOf(0)), 'EXAMINATION_STEP');

  // The administrator becomes the first examiner, and can then decide nothing about the second one.
  const admin: Asking = (method, to, body) =>
    ask(site, method, `/examinations${to}`, { cookie, ...(body !== undefined && { body }) });
  await examine(admin, path, 'strongSame');
  await refused(replace('admin'), 'EXAMINATION_STEP');
  good(await second('POST', `${path}/steps`, analysisOf(0)), examination);
  await refused(replace('second'), 'SECOND_OPERATOR_NEEDED');
  await addOperator(site, 'other admin', 'admin');
  const other = await signIn(site, 'other admin');
  good(await replace('second', other), examination);

  // Neither the first examiner's other account nor the replaced one succeeds; another person begins with nothing.
  const puppet = { name: 'puppet', role: 'reviewer', passphrase: PASSPHRASE } as const;
  const giver = {
    by: `operator:${(await idOf('admin'))!}`,
    at: new Date('2026-03-01T12:00:00.000Z'),
  } as const;
  await operatorServiceOf(site).create(company, puppet, giver);
  const step = { cookie: await signIn(site, 'puppet'), body: analysisOf(0) };
  await refused(ask(site, 'POST', `/examinations${path}/steps`, step), 'SECOND_OPERATOR_NEEDED');
  await refused(second('POST', `${path}/steps`, analysisOf(1)), 'EXAMINATION_STEP');
  const third = await signedIn('third');
  const blind = await third('GET', path);
  assert.ok(!blind.text.includes('Secret') && !blind.text.includes('strongSame'));
  assert.deepEqual([good(blind, examination).system, good(blind, examination).works], [null, []]);
  const done = await examine(third, path, 'strongSame');
  assert.deepEqual(
    done.replaced.map(({ byName, replacedByName, steps }) => [byName, replacedByName, steps]),
    [
      ['first', 'admin', 5],
      ['second', 'other admin', 1],
    ],
  );
  assert.deepEqual([done.state, done.works.map(({ byName }) => byName)], ['done', ['admin', 'third']]);
  await refused(replace('third', other), 'EXAMINATION_STEP');
  const log = await storage.audit.list(company.id, { filter: { action: 'examination.replaced' }, limit: 9 });
  assert.deepEqual(log.map(({ details }) => JSON.parse(details) as unknown).toReversed(), [
    { examiner: await idOf('first') },
    { examiner: await idOf('second') },
  ]);
});

test('a third operator settles, with a reason, once both examiners have left', async (t) => {
  const { first, second, path, site, signedIn } = await openExamination(t);
  const { company, storage } = site;
  const third = await signedIn('third');
  const settlement = { conclusion: 'weakSame', reasons: 'The scar is in both pictures' };
  const settle = (by: Asking) => by('POST', `${path}/settlement`, settlement);
  const refused = async (answer: Promise<Awaited<ReturnType<Asking>>>, code: string) => {
    const { body, status } = await answer;
    assert.deepEqual([status, body.code], [409, code]);
  };
  await examine(first, path, 'strongSame');
  await refused(settle(third), 'EXAMINATION_STEP');
  await examine(second, path, 'weakDifferent');
  const accounts = await storage.operators.list(company.id);
  const idOf = (name: string) => accounts.find((each) => each.name === name)!.id;
  const leave = (name: string, change: object) =>
    storage.operators.change(company.id, idOf(name), change, TEST_ACT);
  await leave('first', { active: false });
  await refused(settle(third), 'EXAMINATION_STEP');
  assert.equal(good(await third('GET', path), examination).turn, null, 'the second one can settle');
  // Also an examiner whose role may examine no longer has left.
  await leave('second', { role: 'operator' });

  // Neither of them comes back under another account.
  await operatorServiceOf(site).create(
    company,
    { name: 'puppet', role: 'reviewer', passphrase: PASSPHRASE },
    { by: `operator:${idOf('second')}`, at: new Date('2026-03-01T12:00:00.000Z') },
  );
  const cookie = await signIn(site, 'puppet');
  const puppet = ask(site, 'POST', `/examinations${path}/settlement`, { cookie, body: settlement });
  await refused(puppet, 'SECOND_OPERATOR_NEEDED');
  const { items } = good(await third('GET', ''), examinationList);
  assert.equal(items[0]?.turn, 'settle');
  const settled = good(await settle(third), examination);
  assert.deepEqual([settled.state, settled.works.length], ['done', 2]);
  const { at: _, ...said } = settled.settlement!;
  assert.deepEqual(said, { ...settlement, byName: 'third', isThird: true });
  const log = await storage.audit.list(company.id, { filter: { action: 'examination.settled' }, limit: 9 });
  assert.deepEqual(
    log.map(({ actor }) => actor),
    [`operator:${accounts.find(({ name }) => name === 'third')!.id}`],
  );
});

const uriOf = (photo: Buffer) => `data:image/jpeg;base64,${photo.toString('base64')}`;
const given = (photo: Buffer, face = 0) => ({ photo: uriOf(photo), face, name: 'probe.jpg' });

/** Begins the examination of an enrolled face with a photo that is not enrolled. @returns the face of the photo */
async function examinePhoto(
  { first, site }: Pick<Awaited<ReturnType<typeof openExamination>>, 'first' | 'site'>,
  face: FaceId,
): Promise<FaceId> {
  const begun = await first('POST', '', { faces: [given(photoOf(9)), face] });
  assert.equal(begun.status, 200, begun.text);
  const stored = await site.storage.examinations.find(
    site.company.id,
    trusted.examination(Number(begun.body.id)),
  );
  assert.ok(stored && 'faces' in stored.pair);
  const photo = stored.pair.faces.find((each) => each !== face);
  assert.ok(photo);
  return photo;
}

test('a searched photo is examined, found by no search and erased with its pair', async (t) => {
  const opened = await openExamination(t);
  const { first, second, site, faces } = opened;
  const { company, storage } = site;
  const photo = await examinePhoto(opened, faces[0]!);
  const next = `${site.folder}-next`;
  t.after(() => rm(next, { recursive: true }));
  const moved = await storage.images.moveTo(company, next, TEST_ACT);
  assert.match(moved ?? '', /^3 images of the present folder/, 'no image is being stored any more');
  const { items } = good(await first('GET', ''), examinationList);
  const path = `/${items[0]!.id}`;
  for (const picture of [0, 1])
    assert.equal((await first('GET', `${path}/picture?picture=${picture}`)).status, 200);
  const concluded = await examine(first, path, 'strongSame');
  assert.ok(concluded.system);
  assert.ok(concluded.system.names.includes('probe.jpg'));
  assert.equal(typeof concluded.system.score?.similarity, 'number');

  const hidden = await Array.fromAsync(
    storage.erasures.unmatchable(company.id, site.engine.vision.pipelineId, new Date()),
  );
  assert.deepEqual(
    hidden.flat().map(({ faceId }) => faceId),
    [photo],
    'no search finds it, an erasure does',
  );
  assert.deepEqual(await storage.encounters.of(company.id, [photo]), []);
  const again = await first('POST', '', { faces: [photo, faces[1]] });
  assert.equal(again.status, 404, 'a photo belongs to one examination');

  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const choice = { faces: [faces[0]] };
  const plan = await ask(site, 'POST', '/erasures/plan', { cookie, body: { choice } });
  const body = { choice, code: plan.body.code, copies: 'keep' };
  const erased = await ask(site, 'POST', '/erasures', { cookie, body });
  const receipt = good(erased, erasureAnswer).signed?.receipt.erased;
  assert.deepEqual(
    [receipt?.faces.map(({ id }) => id).toSorted(), receipt?.images.length],
    [[faces[0], photo].toSorted(), 2],
  );
  assert.equal(receipt?.examinations, 2);
  assert.equal((await second('GET', path)).status, 404);
});

const RULES = retentionRules.parse({ comparisons: 1 });
const LATE = new Date('2100-01-01T00:00:00.000Z');

test('a photo that cannot be examined is not stored', async (t) => {
  const { first, site, faces } = await openExamination(t);
  const refused = async (pair: readonly unknown[], status: number, code: string) => {
    const { body, status: answered } = await first('POST', '', { faces: pair });
    assert.deepEqual([answered, body.code], [status, code]);
  };
  await refused([given(NOBODY), faces[0]], 422, 'NO_FACE');
  await refused([given(photoOf(9), 4), faces[0]], 422, 'NO_FACE');
  await refused([given(Buffer.from('no picture')), faces[0]], 422, 'IMAGE_WRONG_TYPE');
  await refused([given(photoOf(9)), 9999], 404, 'NOT_FOUND');
  const { items } = good(await first('GET', ''), examinationList);
  assert.equal(items.length, 1);
  assert.equal((await site.storage.erasures.dueCounts(site.company.id, RULES, LATE)).comparisons, 0);
});

test('the rule for comparisons erases photos of examinations, enrolled faces stay', async (t) => {
  const opened = await openExamination(t);
  const { first, site, faces } = opened;
  const { company, storage } = site;
  await examinePhoto(opened, faces[0]!);
  const both = await first('POST', '', { faces: [given(photoOf(9)), given(photoOf(10))] });
  assert.equal(both.status, 200, both.text);
  assert.equal((await storage.erasures.dueCounts(company.id, RULES, LATE)).comparisons, 3);
  await storage.companies.changeSettings(company.id, { retention: RULES }, TEST_ACT);
  const except = { validations: [], faces: [], photos: [], comparisons: [] };
  const begun = await storage.erasures.beginDue(
    company.id,
    { rules: RULES, now: LATE, limit: 10, except },
    TEST_ACT,
  );
  assert.equal(begun.kind, 'done');
  const { items } = good(await first('GET', ''), examinationList);
  assert.deepEqual([items.length, (await storage.persons.describe(company.id, faces)).length], [1, 2]);
});

test('a blacklist that is deleted takes the photos examined with its faces along', async (t) => {
  const { site, newBlacklist, service } = await openScreeningSite(t);
  const { company, storage } = site;
  const list = await newBlacklist('Wanted', { people: [1] });
  await addOperator(site, 'first', 'reviewer');
  const cookie = await signIn(site, 'first');
  const first: Asking = (method, path, body) =>
    ask(site, method, `/examinations${path}`, { cookie, ...(body !== undefined && { body }) });
  const [face] = (await storage.blacklists.photos(company.id, list.id, { limit: 1 })).map(
    ({ faceId }) => faceId,
  );
  assert.ok(face);
  const photo = await examinePhoto({ first, site }, face);
  await service.delete(company.id, list.id);
  assert.deepEqual(await storage.persons.describe(company.id, [face, photo]), []);
});

test('two examiners who agree are done; an erased face takes its examinations along', async (t) => {
  const { first, second, path, site, faces } = await openExamination(t);
  await examine(first, path, 'moderateDifferent');
  const done = await examine(second, path, 'moderateDifferent');
  assert.deepEqual([done.state, done.turn, done.works.length], ['done', null, 2]);
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const plan = await ask(site, 'POST', '/erasures/plan', { cookie, body: { choice: { faces: [faces[0]] } } });
  const erased = await ask(site, 'POST', '/erasures', {
    cookie,
    body: { choice: { faces: [faces[0]] }, code: plan.body.code, copies: 'keep' },
  });
  assert.equal(good(erased, erasureAnswer).signed?.receipt.erased.examinations, 1);
  assert.equal((await first('GET', path)).status, 404);
  assert.deepEqual(good(await first('GET', ''), examinationList).items, []);
});

const SIGNATURE_LIMITS = { resolution: 'none', source: 'copy', ink: 'some', completeness: 'none' };
const SIGNATURE_STEPS = [
  ...[analysisOf(0), analysisOf(1)].map((step) => ({ ...step, limits: SIGNATURE_LIMITS })),
  ...EXAMINED.signatures.components.map(findingOf),
];
const drawn = async (width: number, height: number) => {
  const png = sharp({ create: { width, height, channels: 3, background: '#fff' } }).png();
  return { width, height, image: `data:image/png;base64,${(await png.toBuffer()).toString('base64')}` };
};

/** Begins the examination of two compared signatures. */
async function openSignatures(t: TestContext) {
  const opened = await openExamination(t);
  const { site, first } = opened;
  const [one, other] = [await drawn(90, 40), await drawn(80, 50)];
  const cookie = await signIn(site, 'first');
  const references = { template_id: 'accounts', verification_id: 'v-1' };
  const body = { image1: one.image, image2: other.image, ...references };
  const compared = good(await ask(site, 'POST', '/signatures/compare', { cookie, body }), comparisonAnswer);
  const pair = [
    { ...one, name: 'specimen.png' },
    { ...other, name: 'cheque.png' },
  ];
  const begin = (signatures: readonly object[], comparison = compared.id) =>
    first('POST', '', { comparison, signatures });
  const begun = await begin(pair);
  assert.equal(begun.status, 200, begun.text);
  return { ...opened, begin, compared, pair, path: `/${String(begun.body.id)}` };
}

test('two signatures are examined, verified without the first result, and reported', async (t) => {
  const { site, first, second, path, compared } = await openSignatures(t);
  const begun = await first('GET', path);
  for (const hidden of ['specimen', 'cheque', 'similarity', 'sha256', compared.modelVersion])
    assert.ok(!begun.text.includes(hidden), hidden);
  const { kind, pictures } = good(begun, examination);
  assert.deepEqual([kind, pictures.map(({ width }) => width).toSorted()], ['signatures', [80, 90]]);
  for (const picture of [0, 1]) {
    const sent = await first('GET', `${path}/picture?picture=${picture}`);
    assert.deepEqual([sent.status, sent.headers.get('content-type')], [200, 'image/png']);
  }
  // The steps of faces are not those of signatures.
  for (const step of [STEPS[0]!, { ...SIGNATURE_STEPS[0], limits: { ...SIGNATURE_LIMITS, ink: 'fax' } }]) {
    const { status, body } = await first('POST', `${path}/steps`, step);
    assert.deepEqual([status, body.code], [409, 'EXAMINATION_STEP']);
  }
  const own = await examine(first, path, 'moderateSame', SIGNATURE_STEPS);
  const { similarity, verdict } = compared;
  assert.deepEqual(own.system?.names.toSorted(), ['cheque.png', 'specimen.png']);
  assert.deepEqual([own.system.score?.similarity, own.system.score?.verdict], [similarity, verdict]);
  const wide = own.pictures.findIndex(({ width }) => width === 90);
  assert.equal(own.system.names[wide], 'specimen.png', 'a name stands at its picture');
  const blind = await second('GET', path);
  for (const hidden of ['specimen', 'Secret', 'moderateSame', 'similarity', 'first'])
    assert.ok(!blind.text.includes(hidden), hidden);
  assert.equal((await examine(second, path, 'moderateSame', SIGNATURE_STEPS)).state, 'done');

  await addOperator(site, 'writer', 'investigator');
  const cookie = await signIn(site, 'writer');
  for (const language of ['en', 'ar']) {
    const made = await ask(site, 'POST', `/examinations${path}/report`, { cookie, body: { language } });
    assert.deepEqual([made.status, made.headers.get('content-type')], [200, 'application/pdf']);
  }
  const folder = await ask(site, 'POST', '/case-folders', {
    cookie,
    body: { reference: '7', title: 'Cheque', note: '' },
  });
  const folderPath = `/case-folders/${String(folder.body.id)}`;
  const item = { kind: 'examination', examination: Number(path.slice(1)) };
  const added = await ask(site, 'POST', `${folderPath}/entries`, { cookie, body: item });
  assert.equal(added.status, 200, added.text);
  const kept = await ask(site, 'POST', `${folderPath}/report`, { cookie, body: { language: 'en' } });
  assert.deepEqual([kept.status, kept.headers.get('content-type')], [200, 'application/pdf']);
});

test('only the compared files are examined, and no other picture is stored', async (t) => {
  const { begin, first, pair } = await openSignatures(t);
  const [one, other] = pair;
  const refused = async (pictures: readonly object[], status: number, comparison?: number) =>
    assert.equal((await begin(pictures, comparison)).status, status);
  await refused([other!, one!], 422);
  await refused([{ ...one, width: 91 }, other!], 422);
  await refused([{ ...one, image: 'data:image/png;base64,AAAA' }, other!], 422);
  await refused(pair, 404, 9999);
  assert.equal(good(await first('GET', ''), examinationList).items.length, 2);
});

test('pictures and examination of two signatures are erased with their comparison', async (t) => {
  const { begin, compared, first, pair, path, site } = await openSignatures(t);
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const choice = { comparisons: [compared.id] };
  const plan = await ask(site, 'POST', '/erasures/plan', { cookie, body: { choice } });
  const body = { choice, code: plan.body.code, copies: 'keep' };
  const erased = await ask(site, 'POST', '/erasures', { cookie, body });
  const receipt = good(erased, erasureAnswer).signed?.receipt.erased;
  assert.deepEqual([receipt?.examinations, receipt?.images.length], [1, 2]);
  assert.equal((await first('GET', path)).status, 404);
  assert.equal((await begin(pair)).status, 404, 'the comparison is erased');
});

test('the rule for comparisons erases compared signatures with their examination', async (t) => {
  const { first, path, site } = await openSignatures(t);
  const { company, storage } = site;
  const found = await storage.examinations.find(company.id, trusted.examination(Number(path.slice(1))));
  assert.ok(found && 'images' in found.pair);
  const { images } = found.pair;
  assert.equal((await storage.examinations.signatures(company.id, images)).length, 2);
  await storage.companies.changeSettings(company.id, { retention: RULES }, TEST_ACT);
  const except = { validations: [], faces: [], photos: [], comparisons: [] };
  const due = { rules: RULES, now: LATE, limit: 10, except };
  assert.equal((await storage.erasures.beginDue(company.id, due, TEST_ACT)).kind, 'done');
  assert.equal((await first('GET', path)).status, 404);
  assert.deepEqual(await storage.examinations.signatures(company.id, images), []);
});
