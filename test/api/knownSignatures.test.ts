import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { KNOWN_SIGNATURE_LIMITS } from '../../core/contracts/knownSignatures.ts';
import { signatureSetResponse } from '../../core/contracts/signatureSets.ts';
import { TEST_ACT } from '../support/act.ts';
import { openSite, PNG } from './site.ts';

const COMPARE = '/api/v1/verification/signature/compare';
const NAMES = { template_id: 'accounts', verification_id: 'v-1' };

/** An image that the scripted matcher reads: the text of a known signature is its similarity to the questioned one. */
const png = (text: string, bytes = 0) =>
  `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text), Buffer.alloc(bytes)]).toString('base64')}`;

test('a known set is recorded and found beside pairs, with its company alone', async (t) => {
  const site = await openSite(t);
  const body = { ...NAMES, questioned: png('q'), known: [png('90 a'), png('85 b'), png('blank')] };
  const headers = { 'content-type': 'application/json' };
  await site.call(COMPARE, { method: 'POST', headers, body: JSON.stringify(body) });
  const { comparisons } = site.storage;
  const [record] = await comparisons.list(site.company.id, { limit: 5 });
  assert.ok(record !== undefined && 'known' in record);
  assert.deepEqual(record.known.reasons, { questioned: null, known: [null, null, 'BLANK'] });
  assert.deepEqual([record.known.findings, record.verdict, record.similarity], [null, 'INCONCLUSIVE', null]);
  const sha256Of = (uri: string) =>
    createHash('sha256')
      .update(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'))
      .digest('hex');
  assert.deepEqual(record.known.sha256, {
    questioned: sha256Of(body.questioned),
    known: body.known.map(sha256Of),
  });
  const rival = await site.newCompany();
  assert.equal(await comparisons.find(rival.id, record.id), undefined);
  assert.equal(await comparisons.count(rival.id, {}), 0);
  assert.equal((await site.imageFiles()).length, 0, 'no image is kept');
});

test('doubts leave the verdict on a known set open, and name their images', async (t) => {
  const site = await openSite(t);
  const send = async (questioned: string, known: readonly string[]) => {
    const body = JSON.stringify({
      ...NAMES,
      questioned: png(questioned),
      known: known.map((text) => png(text)),
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await site.call(COMPARE, { method: 'POST', headers, body });
    const [record] = await site.storage.comparisons.list(site.company.id, { limit: 1 });
    assert.ok(record !== undefined && 'known' in record);
    return { verdict: signatureSetResponse.parse(answer.body).verdict, record };
  };
  const { verdict, record } = await send('q', ['20 a', '25 APART']);
  assert.deepEqual([verdict, record.verdict, record.known.findings], ['Inconclusive', 'INCONCLUSIVE', null]);
  assert.deepEqual(record.known.reasons, { questioned: null, known: [null, 'FOREIGN_INK'] });
  assert.equal((await send('MIXED', ['60 a', '55 b'])).verdict, 'Inconclusive');
  assert.equal((await send('APART', ['60 a', '55 b'])).verdict, 'Possible Match');
  assert.equal((await send('q', ['20 a', '25 b'])).verdict, 'No Match');
  const simple = await send('SIMPLE', ['90 SIMPLE', '85 b']);
  assert.deepEqual([simple.verdict, simple.record.known.findings], ['Inconclusive', null]);
  assert.deepEqual(simple.record.known.reasons, { questioned: 'TOO_SIMPLE', known: ['TOO_SIMPLE', null] });
  assert.equal((await send('SIMPLE', ['90 a', '85 b'])).verdict, 'Match');
});

test('a questioned signature is compared with several known ones', async (t) => {
  const site = await openSite(t);
  const send = async (body: object, token?: string) =>
    site.call(COMPARE, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...NAMES, ...body }),
      ...(token !== undefined && { token }),
    });
  const errorsOf = async (body: object) => {
    const answer = await send(body);
    assert.equal(answer.status, 422, JSON.stringify(answer.body).slice(0, 300));
    return answer.body.errors as Record<string, string[]>;
  };
  const known = ['90 a', '85 b', '60 c'].map((text) => png(text));

  await t.test('with two likelihood ratios in their bounds, and an entry in the audit log', async () => {
    const { status, body } = await send({ questioned: png('q'), known });
    assert.equal(status, 200);
    const { result, verdict } = signatureSetResponse.parse(body);
    assert.deepEqual(signatureSetResponse.parse(body), body, 'nothing else is sent');
    assert.equal(verdict, result.verdict_display);
    for (const alternative of ['imitation', 'stranger'] as const) {
      const { lowest, highest } = result.log10_lr_bounds![alternative];
      const value = result.log10_lr![alternative];
      assert.ok(lowest <= value && value <= highest && value > 0, `${alternative}: ${value}`);
      assert.equal(result.support![alternative].favours, 'known_writer');
    }
    assert.deepEqual(result.nearest, { index: 0, similarity: 90 });
    assert.deepEqual(result.farthest, { index: 2, similarity: 60 });
    assert.deepEqual(result.warnings, ['FEW_KNOWN']);
    assert.deepEqual(
      result.validity.map(({ medium, writers, known: count, imitation }) => [
        medium,
        writers,
        count,
        imitation,
      ]),
      [
        ['paper', 12, 3, { eer: 0.108, from: 0.063, to: 0.155 }],
        ['across_media', 30, 3, { eer: 0.191, from: 0.157, to: 0.232 }],
      ],
    );
    const [entry] = await site.storage.audit.list(site.company.id, {
      filter: { action: 'signature.known-compared' },
      limit: 2,
    });
    assert.deepEqual([entry?.outcome, entry?.details], ['done', '{"known":3,"verdict":"MATCH","took":0}']);
  });

  await t.test('with the values without a differing known signature, in the bounds of the rest', async () => {
    const { body } = await send({ questioned: png('q'), known: [...known, png('80 d'), png('5 odd')] });
    const { result } = signatureSetResponse.parse(body);
    const { flagged, without_flagged: without, without_flagged_bounds: bounds } = result.known!;
    assert.deepEqual(flagged, [4]);
    for (const alternative of ['imitation', 'stranger'] as const) {
      const { lowest, highest } = bounds![alternative];
      assert.ok(lowest <= without![alternative] && without![alternative] <= highest, alternative);
    }
    const four = await send({ questioned: png('q'), known: [...known, png('5 odd')] });
    const smaller = signatureSetResponse.parse(four.body).result;
    const [three, all] = [smaller.known!.without_flagged_bounds!, smaller.log10_lr_bounds!];
    assert.ok(three.imitation.highest > all.imitation.highest, 'three known signatures have wider bounds');
  });

  await t.test('in any order, with the same values', async () => {
    const values = async (images: readonly string[]) => {
      const { result } = signatureSetResponse.parse(
        (await send({ questioned: png('q'), known: images })).body,
      );
      return [result.similarity, result.log10_lr];
    };
    assert.deepEqual(await values(known.toReversed()), await values(known));
  });

  await t.test('inconclusive where an image holds no signature, which is named', async () => {
    const { body } = await send({ questioned: png('q'), known: [known[0], png('blank')] });
    const { result, message } = signatureSetResponse.parse(body);
    assert.deepEqual([result.verdict, result.similarity, result.log10_lr], ['INCONCLUSIVE', 0, null]);
    assert.match(message, /known\.1: the image is blank/);
  });

  await t.test('across media, which is warned of', async () => {
    const { body } = await send({ questioned: png('q'), known, across_media: true });
    assert.ok(signatureSetResponse.parse(body).result.warnings.includes('CROSS_MEDIUM'));
  });

  await t.test('unless there are too few or too many, or one of them is at fault', async () => {
    const { least, most } = KNOWN_SIGNATURE_LIMITS;
    const count = `The known field must have between ${least} and ${most} images.`;
    assert.deepEqual(await errorsOf({ questioned: png('q'), known: [known[0]] }), { known: [count] });
    const eleven = Array.from({ length: 11 }, (_, i) => png(`${50 + i}`));
    assert.deepEqual(await errorsOf({ questioned: png('q'), known: eleven }), { known: [count] });
    assert.deepEqual(Object.keys(await errorsOf({ known: 'x' })).sort(), ['known', 'questioned']);
    const faulty = await errorsOf({ questioned: 'hello', known: [known[0], 'data:text/plain;base64,aaaa'] });
    assert.deepEqual(Object.keys(faulty).sort(), ['known.1', 'questioned']);
    assert.deepEqual(Object.keys(await errorsOf({ questioned: png('small'), known })), ['questioned']);
  });

  await t.test('unless one of them, or all together, have too many bytes', async () => {
    const { bytes, bytesTogether } = KNOWN_SIGNATURE_LIMITS;
    const large = await errorsOf({ questioned: png('q', bytes), known });
    assert.match(large.questioned![0]!, /greater than 4096 kilobytes/);
    const seven = Array.from({ length: 7 }, (_, i) => png(`${60 + i} `, bytes - 100));
    assert.ok(7 * (bytes - 100) > bytesTogether);
    const together = await errorsOf({ questioned: png('q'), known: seven });
    assert.match(together.known![0]!, /24576 kilobytes/);
  });
});

test('answer and record name the calibration of the scale', async (t) => {
  const site = await openSite(t);
  const compare = async () => {
    const known = ['90 a', '85 b', '60 c'].map((text) => png(text));
    const answer = await site.call(COMPARE, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...NAMES, questioned: png('q'), known }),
    });
    return signatureSetResponse.parse(answer.body).result;
  };
  const recorded = async () => {
    const [record] = await site.storage.comparisons.list(site.company.id, { limit: 1 });
    assert.ok(record !== undefined && 'known' in record);
    return record.known.calibrationId;
  };
  const { scale, validity, model_version } = await compare();
  const { calibration_id: modelVersion, ...thresholds } = scale;
  assert.deepEqual(thresholds, { possible_match: 40, match: 70 });
  assert.deepEqual(new Set(validity.map(({ calibration_id }) => calibration_id)), new Set([model_version]));
  const measured = {
    ...{ writers: 20, signatures: 200, forgeries: 0, rates: [], fixedPoints: [], knownSets: null },
    pairs: { genuine: 900, forgery: 0, differentWriters: 3_000 },
  };
  const { at: appliedAt } = TEST_ACT;
  const own = { company: site.company.id, modelVersion, measured, appliedAt };
  await site.storage.signatureCalibrations.apply(own, TEST_ACT);
  assert.equal(await recorded(), modelVersion);
  const ownId = `${modelVersion} own ${appliedAt.toISOString()}`;
  assert.equal((await compare()).scale.calibration_id, ownId);
  assert.equal(await recorded(), ownId);
});
