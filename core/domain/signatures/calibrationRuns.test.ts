import { test } from 'node:test';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ScriptedSignatures, SILENT_LOG } from '../../../test/support/fakes.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { TestClock } from '../../../test/support/site.ts';
import { trusted } from '../../contracts/ids.ts';
import { PLATFORM } from '../../platform/platform.ts';
import { SignatureCalibrationRuns } from './calibrationRuns.ts';

const ACME = trusted.company(1);
const OTHER = trusted.company(2);
const nothing = { list: () => Promise.resolve([]), of: () => Promise.resolve(undefined) };

function runsWith(
  signatures = new ScriptedSignatures(),
  crypto = PLATFORM.crypto,
  clock = { now: () => TEST_ACT.at },
) {
  return new SignatureCalibrationRuns({
    crypto,
    signatures,
    signatureCalibrations: {
      ...nothing,
      apply: () => Promise.resolve(),
      reset: () => Promise.resolve(false),
    },
    clock,
    log: SILENT_LOG,
  });
}

const coded = (code: string) => (error: unknown) =>
  error instanceof CodedError && error.problem.code === code;

const signature = (writer: string, text: string, forgery = false) => ({
  writer,
  file: `${writer}/${text}.png`,
  forgery,
  image: Buffer.from(`12345678${text}`),
});

test('a calibration takes 2,000 files, and none after its comparison has begun', () => {
  const runs = runsWith();
  const id = runs.begin(ACME);
  for (let i = 0; i < 2_000; i++) runs.add(ACME, id, signature(`writer ${i % 50}`, `${i}`));
  assert.throws(() => runs.add(ACME, id, signature('anna', 'x')), coded('SIGNATURE_CALIBRATION_FULL'));
  assert.throws(() => runs.add(OTHER, id, signature('anna', 'x')), coded('CALIBRATION_RUN_UNKNOWN'));
  const small = runs.begin(ACME);
  runs.add(ACME, small, signature('anna', '80'));
  runs.progress(ACME, small);
  assert.throws(() => runs.add(ACME, small, signature('anna', 'x')), coded('SIGNATURE_CALIBRATION_CLOSED'));
});

test('many runs of a company end none of another one, and share one limit of bytes', () => {
  // Hashing 600 MB would take seconds.
  const sha256 = (content: Uint8Array | string) => PLATFORM.crypto.sha256(content.slice(0, 20));
  const runs = runsWith(undefined, { ...PLATFORM.crypto, sha256 });
  const theirs = runs.begin(OTHER);
  const own = Array.from({ length: 6 }, () => runs.begin(ACME));
  assert.deepEqual(runs.add(OTHER, theirs, signature('anna', '80')), { sameAs: null });
  assert.throws(() => runs.add(ACME, own[2]!, signature('anna', 'x')), coded('CALIBRATION_RUN_UNKNOWN'));
  const half = { ...signature('anna', '80'), image: new Uint8Array(300 * 2 ** 20) };
  runs.add(ACME, own[4]!, half);
  assert.throws(() => runs.add(ACME, own[5]!, half), coded('SIGNATURE_CALIBRATION_FULL'));
});

test('a file with two labels is named, and nothing is compared', () => {
  const runs = runsWith();
  const id = runs.begin(ACME);
  assert.deepEqual(runs.add(ACME, id, signature('anna', '80')), { sameAs: null });
  const { sameAs } = runs.add(ACME, id, { ...signature('anna', '80', true), file: 'anna/imitations/80.png' });
  assert.deepEqual(sameAs, { writer: 'anna', file: 'anna/80.png', forgery: false });
  assert.throws(() => runs.progress(ACME, id), coded('SIGNATURE_CALIBRATION_MISLABELLED'));
});

test('a stopped comparison is reported once and starts again', async () => {
  class Failing extends ScriptedSignatures {
    left = 1;

    override compare(...images: Parameters<ScriptedSignatures['compare']>) {
      if (this.left-- > 0) return Promise.reject(new Error('no worker'));
      return super.compare(...images);
    }
  }
  const runs = runsWith(new Failing());
  const id = runs.begin(ACME);
  for (const text of ['80', '81']) runs.add(ACME, id, signature('anna', text));
  runs.progress(ACME, id);
  await turn();
  assert.throws(() => runs.progress(ACME, id), /no worker/);
  runs.progress(ACME, id);
  await turn();
  const { report } = runs.progress(ACME, id);
  assert.deepEqual(report?.pairs, { genuine: 1, forgery: 0, differentWriters: 0 });
});

test('signatures that were left for an hour are forgotten, and their comparison ends', async () => {
  class Waiting extends ScriptedSignatures {
    readonly first = Promise.withResolvers<undefined>();
    comparisons = 0;

    override async compare(...images: Parameters<ScriptedSignatures['compare']>) {
      this.comparisons += 1;
      await this.first.promise;
      return super.compare(...images);
    }
  }
  const clock = new TestClock();
  const signatures = new Waiting();
  const runs = runsWith(signatures, undefined, clock);
  const id = runs.begin(ACME);
  const texts = Array.from({ length: 30 }, (_, i) => `${i}`);
  for (const text of texts) runs.add(ACME, id, signature('anna', text));
  const { total } = runs.progress(ACME, id);
  clock.advance(3_599_999);
  runs.forgetUnused();
  assert.equal(runs.progress(ACME, id).total, total, 'it is used again in time');
  clock.advance(3_600_000);
  runs.forgetUnused();
  signatures.first.resolve(undefined);
  await turn();
  assert.ok(signatures.comparisons < total, `${signatures.comparisons} of ${total}`);
  assert.throws(() => runs.progress(ACME, id), coded('CALIBRATION_RUN_UNKNOWN'));
});
