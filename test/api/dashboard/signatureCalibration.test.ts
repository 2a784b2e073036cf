import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  addedSignature,
  appliedSignatureCalibration,
  signatureCalibrationProgress,
  signatureCalibrationRun,
} from '../../../core/contracts/signatureCalibration.ts';
import { TEST_ACT } from '../../support/act.ts';
import { signIn } from '../access/operators.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** An image whose first number is the score that the scripted matcher returns. */
const scored = (score: string) => Buffer.concat([PNG, Buffer.from(score)]);

test('labelled signatures are compared in the dashboard, and too few change nothing', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const cookie = await signIn(site, 'admin');
  const { run } = good(await admin('POST', '/signature-calibration/runs'), signatureCalibrationRun);
  const path = `/signature-calibration/runs/${run}`;
  const added = async (writer: string, file: string, content: string, forgery = false) =>
    good(
      await site.call(
        `/api/dashboard${path}/signatures?writer=${writer}&file=${file}&forgery=${String(forgery)}`,
        {
          method: 'POST',
          token: null,
          headers: { cookie, origin: site.address, 'content-type': 'image/png' },
          body: new Uint8Array(scored(content)),
        },
      ),
      addedSignature,
    );
  assert.equal((await added('anna', 'a1.png', '80 a')).sameAs, null);
  assert.equal((await added('anna', 'a2.png', '75 b')).sameAs, null);
  assert.deepEqual((await added('anna', 'a3.png', '80 a')).sameAs, {
    writer: 'anna',
    file: 'a1.png',
    forgery: false,
  });
  await added('anna', 'f1.png', '50 f', true);
  await added('ben', 'b1.png', '30 c');
  await added('ben', 'b2.png', 'blank');
  const progress = async () => good(await admin('GET', path), signatureCalibrationProgress);
  let state = await progress();
  while (state.report === null) state = await progress();
  const { report } = state;
  assert.equal(state.compared, state.total);
  assert.deepEqual([report.writers, report.signatures, report.forgeries], [2, 3, 1]);
  assert.deepEqual(report.pairs, { genuine: 1, forgery: 2, differentWriters: 2 });
  assert.deepEqual(report.unusable, [{ writer: 'ben', file: 'b2.png', code: 'BLANK' }]);
  assert.equal(report.tooFew, 'WRITERS');

  const code = async (method: 'POST' | 'GET', address: string) =>
    ((await admin(method, address)).body as { code: string }).code;
  assert.equal(await code('POST', `${path}/apply`), 'SIGNATURE_CALIBRATION_TOO_FEW');
  const other = good(await admin('POST', '/signature-calibration/runs'), signatureCalibrationRun);
  assert.equal(
    await code('POST', `/signature-calibration/runs/${other.run}/apply`),
    'SIGNATURE_CALIBRATION_UNFINISHED',
  );
  assert.equal(await code('GET', '/signature-calibration/runs/none'), 'CALIBRATION_RUN_UNKNOWN');
});

test('similarities and verdicts follow the scale of the company until it is reset', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const compared = async () => {
    const image = (content: string) => `data:image/png;base64,${scored(content).toString('base64')}`;
    const { body } = await admin('POST', '/signatures/compare', {
      image1: image('50 a'),
      image2: image('b'),
      template_id: 't',
      verification_id: 'v',
    });
    const { similarity, verdict } = body as { similarity: number; verdict: string };
    return [similarity, verdict];
  };
  assert.deepEqual(await compared(), [50, 'POSSIBLE_MATCH']);
  const point = (score: 40 | 70, similarity: number) => ({
    score,
    similarity,
    low: similarity - 1,
    high: similarity + 1,
    statement: 'measured' as const,
  });
  const measured = {
    writers: 20,
    signatures: 200,
    forgeries: 100,
    rates: [],
    pairs: { genuine: 900, forgery: 900, differentWriters: 3_000 },
    fixedPoints: [point(40, 60), point(70, 85)],
    knownSets: null,
  };
  const calibration = {
    company: site.company.id,
    modelVersion: 'scripted-1',
    measured,
    appliedAt: TEST_ACT.at,
  };
  await site.storage.signatureCalibrations.apply(calibration, TEST_ACT);
  assert.deepEqual(await compared(), [33.33, 'NO_MATCH']);
  const own = good(await admin('GET', '/signature-calibration'), appliedSignatureCalibration);
  assert.deepEqual([own.measured, own.appliedAt], [measured, TEST_ACT.at.toISOString()]);

  const shipped = good(await admin('DELETE', '/signature-calibration'), appliedSignatureCalibration);
  assert.deepEqual([shipped.measured, shipped.appliedAt, shipped.elsewhere], [null, null, []]);
  assert.deepEqual(await compared(), [50, 'POSSIBLE_MATCH']);
});

test('a calibration of another version of the matcher does not count, and is named', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const measured = {
    writers: 20,
    signatures: 200,
    forgeries: 0,
    rates: [],
    fixedPoints: [],
    knownSets: null,
    pairs: { genuine: 900, forgery: 0, differentWriters: 3_000 },
  };
  const calibration = {
    company: site.company.id,
    modelVersion: 'earlier',
    measured,
    appliedAt: TEST_ACT.at,
  };
  await site.storage.signatureCalibrations.apply(calibration, TEST_ACT);
  const admin = await as('admin');
  const now = good(await admin('GET', '/signature-calibration'), appliedSignatureCalibration);
  assert.deepEqual([now.measured, now.elsewhere], [null, ['earlier']]);
});
