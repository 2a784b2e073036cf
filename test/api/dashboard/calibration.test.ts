import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  siteRates,
} from '../../../core/contracts/calibration.ts';
import { calibrationFrom, measureCompany } from '../../../core/domain/calibration/measure.ts';
import { TEST_ACT } from '../../support/act.ts';
import { TEST_CALIBRATION } from '../../support/fakes.ts';
import { NOBODY, photoOf } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { inventedPeople } from '../../support/inventedPeople.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { personDetail, personPage, personsAnswer } from '../../../core/contracts/dashboard/persons.ts';
import { formOf } from '../site.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { good, openDashboardSite } from './dashboardSite.ts';
import { TIMER } from '../../../core/platform/platform.ts';

test('the page says whether thresholds rest on the pipeline or on own photos', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const state = async () => good(await admin('GET', '/calibration'), appliedCalibration);
  const shipped = await state();
  assert.deepEqual([shipped.appliedAt, shipped.measured, shipped.defaultFmr], [null, null, 1e-4]);
  assert.ok(shipped.points.every((point) => point.distance === point.shippedDistance));

  const templates = inventedPeople(60, 3, 0.1);
  const groupOf = new Map(templates.map(({ person }, i) => [person, i < 90 ? 'day' : 'night']));
  const report = await measureCompany(TIMER, templates, TEST_CALIBRATION, groupOf);
  const { people, photos, nonMatedPairs, matedPairs, points, det, groups } = report;
  assert.equal(groups?.rates[0]?.groups.length, 2);
  const measured = { matedPairs, failureToAcquire: 0.05, points, det, groups };
  const calibration = calibrationFrom(report, TEST_CALIBRATION);
  const pipeline = site.engine.vision.pipelineId;
  const facts = { pipeline, calibration, people, photos, nonMatedPairs, measured, appliedAt: TEST_ACT.at };
  await site.storage.companyCalibrations.apply({ company: site.company.id, ...facts }, TEST_ACT);
  const own = await state();
  assert.equal(own.appliedAt, TEST_ACT.at.toISOString());
  assert.deepEqual([own.people, own.photos, own.nonMatedPairs], [people, photos, nonMatedPairs]);
  assert.deepEqual(own.measured, measured);

  assert.deepEqual(good(await admin('DELETE', '/calibration'), appliedCalibration), shipped);
  assert.deepEqual(await state(), shipped);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'calibration.reset' },
    limit: 2,
  });
  assert.equal(entry?.outcome, 'done');
});

test('labelled photos are measured, and only a sound result is applied', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const cookie = await signIn(site, 'admin');
  const { run } = good(await admin('POST', '/calibration/runs', {}), calibrationRun);
  const path = `/calibration/runs/${run}`;
  const add = (person: string, file: string, image: Buffer) =>
    site.call(`/api/dashboard${path}/photos?person=${person}&file=${file}`, {
      method: 'POST',
      token: null,
      headers: { cookie, origin: site.address, 'content-type': 'image/jpeg' },
      body: new Uint8Array(image),
    });
  const added = async (person: string, file: string, image: Buffer) =>
    good(await add(person, file, image), addedPhoto);
  assert.deepEqual(await added('anna', 'anna/1.jpg', photoOf(1)), { refused: null, sameAs: null });
  assert.deepEqual((await added('anna', 'anna/2.jpg', photoOf(1, 2))).refused, null);
  assert.deepEqual((await added('berta', 'berta/1.jpg', NOBODY)).refused, 'NO_FACE');
  const report = good(await admin('GET', path), calibrationReport);
  assert.deepEqual([report.people, report.photos, report.matedPairs], [1, 2, 1]);
  assert.deepEqual(report.refused, [{ person: 'berta', file: 'berta/1.jpg', code: 'NO_FACE' }]);
  const apply = async () => (await admin('POST', `${path}/apply`)).body.code;
  assert.equal(await apply(), 'CALIBRATION_TOO_FEW');
  const sameAs = { person: 'anna', file: 'anna/1.jpg' };
  assert.deepEqual(await added('clara', 'clara/1.jpg', photoOf(1)), { refused: null, sameAs });
  assert.equal(await apply(), 'CALIBRATION_MISLABELLED');
  assert.equal((await add('', 'x.jpg', photoOf(4))).status, 422, 'a photo without a person');

  await addOperator(site, 'elsewhere', 'admin', await site.newCompany());
  const answer = await ask(site, 'GET', path, { cookie: await signIn(site, 'elsewhere') });
  assert.equal(answer.body.code, 'CALIBRATION_RUN_UNKNOWN', 'a run of another company does not exist');
});

test('error rates of the site count persons, their photos and decisions', async (t) => {
  const { site, work, newFlow } = await openScreeningSite(t);
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const rates = async () => good(await ask(site, 'GET', '/calibration/site', { cookie }), siteRates);
  const empty = await rates();
  assert.deepEqual([empty.enrolled, empty.searches, empty.mated], [0, 0, 0]);
  assert.deepEqual(empty.rows[0]!.fpir, { errors: 0, of: 0, rate: 0, low: 0, high: 1 });

  // Two persons of two and three photos, one of whom is also enrolled as somebody else; and two people once.
  const enrol = async (name: string, ...photos: Buffer[]) => {
    const form = formOf(...photos.map((content, i) => ({ name: `${name} ${i}.jpg`, content })));
    form.append('persons', JSON.stringify(photos.map(() => ({ name, externalId: name }))));
    assert.equal((await ask(site, 'POST', '/uploads', { cookie, body: form })).status, 202);
    await work();
  };
  await enrol('anna', photoOf(1), photoOf(1, 2));
  await enrol('berta', photoOf(4), photoOf(4, 2), photoOf(4, 3));
  await enrol('clara', photoOf(7));
  await enrol('dora', photoOf(9));
  await enrol('anna again', photoOf(1, 4));
  const { enrolled, searches, mated, byLikeness, rows } = await rates();
  assert.deepEqual([enrolled, searches, mated, byLikeness], [8, 5, 2, 0]);
  for (const { fpir, decidedDifferent, fnir, fnirByPhotos } of rows.slice(0, 2)) {
    assert.deepEqual([fpir.errors, fpir.of, decidedDifferent], [2, 5, 0]);
    assert.deepEqual([fnir.errors, fnir.of], [0, 2]);
    assert.deepEqual(
      fnirByPhotos.map(({ of }) => of),
      [1, 1, 0],
    );
  }

  // The rate of a published Trust Flow is a row of its own, here that of one search among the persons.
  const flow = { duplicateDetection: { enabled: true }, targetFpir: 0.01 };
  await newFlow(flow);
  // On a busy machine persons are counted anew after some seconds.
  const { withFlow, own } = await until(async () => {
    const now = await rates();
    const row = now.rows.find(({ flows }) => flows.includes('Onboarding'))!;
    return Math.abs(row.fmr - 0.01 / 5) < 2e-5 && { withFlow: now, own: row };
  }, 'the rate among five persons');
  assert.deepEqual([own.fpir.errors, own.fpir.of, own.fnir.of], [2, 5, 2]);
  assert.equal(withFlow.rows[0], own, 'by falling rate');

  const report = await ask(site, 'GET', '/calibration/site/report?language=ar', { cookie });
  assert.equal(report.status, 200);
  assert.ok(report.text.startsWith('%PDF-'));
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 1,
  });
  assert.deepEqual(JSON.parse(entry!.details), { kind: 'siteRatesReport', rows: withFlow.rows.length });

  const persons = async () =>
    new Map(
      good(await ask(site, 'GET', '/persons', { cookie }), personPage).items.map((row) => [row.name, row]),
    );
  const change = async (path: string, body: object) =>
    good(await ask(site, 'POST', `/persons/${path}`, { cookie, body }), personsAnswer);
  const [one, other] = [(await persons()).get('anna')!, (await persons()).get('anna again')!];
  await change(`${one.id}/merge/${other.id}`, { version: one.version, sourceVersion: other.version });
  const merged = await rates();
  assert.deepEqual([merged.searches, merged.mated, merged.byLikeness], [4, 2, 1]);
  assert.equal(merged.rows[0]!.fpir.errors, 0);
  assert.deepEqual(
    merged.rows[0]!.fnirByPhotos.map(({ of }) => of),
    [0, 2, 0],
  );
  const { id, version, faces } = good(await ask(site, 'GET', `/persons/${one.id}`, { cookie }), personDetail);
  await change(`${id}/split`, { version, faces: [faces[0]!.id], name: 'Another' });
  const parted = (await rates()).rows[0]!;
  assert.deepEqual([parted.fpir.errors, parted.decidedDifferent], [2, 2]);
});

test('a photo that is enrolled under three names hides no person', async (t) => {
  const { site, work } = await openScreeningSite(t);
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  for (const name of ['anna', 'berta', 'clara']) {
    const photos = [photoOf(1), photoOf(1, 2)].map((content, i) => ({ name: `${name} ${i}.jpg`, content }));
    const form = formOf(...photos);
    form.append('persons', JSON.stringify(photos.map(() => ({ name, externalId: name }))));
    assert.equal((await ask(site, 'POST', '/uploads', { cookie, body: form })).status, 202);
    await work();
  }
  const { searches, mated, rows } = good(await ask(site, 'GET', '/calibration/site', { cookie }), siteRates);
  assert.deepEqual([searches, mated], [3, 3]);
  assert.deepEqual([rows[0]!.fpir.errors, rows[0]!.fnir.errors, rows[0]!.fnir.of], [3, 0, 3]);
});
