import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_ACT } from '../support/act.ts';
import type { Answer, TestSite } from './site.ts';
import { openSite, PNG } from './site.ts';

const MATCH = '/api/v1/verification/signature/match';

function png(text: string): string {
  return `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
}

function send(site: TestSite, body: object, init: { token?: string; headers?: Record<string, string> } = {}) {
  const { headers = { 'content-type': 'application/json' }, token } = init;
  return site.call(MATCH, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(token !== undefined && { token }),
  });
}

const NAMES = { template_id: 'accounts', verification_id: 'v-1' };

test('a match answers in exactly the public shape, with the status Verified and code 3', async (t) => {
  const site = await openSite(t);
  const { status, body } = await send(site, { image1: png('91.25 a'), image2: png('b'), ...NAMES });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: true,
    message: 'Signature matching completed successfully.',
    result: {
      similarity: 91.25,
      verdict: 'MATCH',
      verification_status: 'Verified',
      verification_status_code: 3,
      verdict_display: 'Match',
    },
    match_status: 'matched',
    verification_status: 'Verified',
    verification_status_code: 3,
    verdict: 'Match',
  });
});

for (const [similarity, verdict, display, matchStatus, status, code] of [
  ['70', 'MATCH', 'Match', 'matched', 'Verified', 3],
  ['69.99', 'POSSIBLE_MATCH', 'Possible Match', 'review', 'Review Needed', 2],
  ['40', 'POSSIBLE_MATCH', 'Possible Match', 'review', 'Review Needed', 2],
  ['39.99', 'NO_MATCH', 'No Match', 'not_matched', 'Rejected', 1],
  ['blank', 'INCONCLUSIVE', 'Inconclusive', 'inconclusive', 'Review Needed', 2],
] as const)
  test(`similarity ${similarity} is ${display}, ${status}, ${code}`, async (t) => {
    const site = await openSite(t);
    const { body } = await send(site, { image1: png(similarity), image2: png('x'), ...NAMES });
    const result = body.result as Record<string, unknown>;
    assert.deepEqual(
      [result.verdict, result.verdict_display, body.verdict, body.match_status],
      [verdict, display, display, matchStatus],
    );
    for (const each of [body, result])
      assert.deepEqual([each.verification_status, each.verification_status_code], [status, code]);
    if (similarity === 'blank') assert.match(String(body.message), /image1: the image is blank/);
  });

for (const [similarity, doubt, verdict] of [
  ['39', 'APART', 'Inconclusive'],
  ['40', 'APART', 'Possible Match'],
  ['39', 'MIXED', 'Inconclusive'],
  ['69', 'MIXED', 'Inconclusive'],
  ['70', 'MIXED', 'Match'],
] as const)
  test(`other ink, ${doubt}: a similarity of ${similarity} is ${verdict}, never a No Match`, async (t) => {
    const site = await openSite(t);
    for (const [image1, image2] of [
      [similarity, doubt],
      [`${similarity} ${doubt}`, 'x'],
    ] as const) {
      const { body } = await send(site, { image1: png(image1), image2: png(image2), ...NAMES });
      assert.equal(body.verdict, verdict);
      if (verdict === 'Inconclusive')
        assert.match(String(body.message), /a stamp, a watermark, print or a frame/);
    }
  });

for (const [image1, image2, verdict] of [
  ['70 SIMPLE', 'x', 'Inconclusive'],
  ['69 SIMPLE', 'SIMPLE', 'Possible Match'],
  ['39 SIMPLE', 'SIMPLE', 'No Match'],
  ['39 APART', 'SIMPLE', 'Inconclusive'],
] as const)
  test(`simple forms, ${image1} and ${image2}: ${verdict}, never a Match`, async (t) => {
    const { body } = await send(await openSite(t), { image1: png(image1), image2: png(image2), ...NAMES });
    assert.equal(body.verdict, verdict);
    if (image1.startsWith('70')) assert.match(String(body.message), /image1: the mark is too simple/);
  });

test('the bands begin where the company says', async (t) => {
  const site = await openSite(t);
  const bands = { signatures: { match: 95, possibleMatch: 90 } };
  await site.storage.companies.changeSettings(site.company.id, bands, TEST_ACT);
  const { body } = await send(site, { image1: png('91'), image2: png('x'), ...NAMES });
  assert.equal(body.verdict, 'Possible Match');
});

test('every comparison is recorded for its company, without the images', async (t) => {
  const site = await openSite(t);
  const rival = await site.newCompany();
  const token = await site.newToken({ company: rival });
  await send(site, { image1: png('91'), image2: png('x'), ...NAMES });
  await send(site, { image1: png('x'), image2: png('blank'), template_id: 't2', verification_id: 'v-2' });
  await send(site, { image1: png('12'), image2: png('x'), ...NAMES }, { token });
  await send(site, { image1: png('small'), image2: png('x'), ...NAMES });
  const { comparisons } = site.storage;
  const rows = await comparisons.list(site.company.id, { limit: 10 });
  assert.deepEqual(
    rows.map((row) => [
      row.templateId,
      row.verificationId,
      row.similarity,
      row.verdict,
      'reasons' in row && row.reasons,
    ]),
    [
      ['t2', 'v-2', null, 'INCONCLUSIVE', { image2: 'BLANK' }],
      ['accounts', 'v-1', 91, 'MATCH', {}],
    ],
  );
  assert.equal(rows[0]?.modelVersion, 'scripted-1');
  assert.deepEqual(rows[0].thresholds, { match: 70, possibleMatch: 40 });
  assert.deepEqual(await comparisons.list(site.company.id, { limit: 1, after: rows[0].id }), [rows[1]]);
  assert.equal((await comparisons.list(rival.id, { limit: 10 })).length, 1);
  assert.equal((await site.imageFiles()).length, 0);
});

test('a faulty image is 422 on its field, in the v1 envelope, without a record', async (t) => {
  const site = await openSite(t);
  const errorsOf = ({ status, body }: Answer) => {
    assert.deepEqual([status, body.status, body.message], [422, false, 'Validation error']);
    assert.equal(body.success, undefined);
    return body.errors as Record<string, string[]>;
  };
  const missing = errorsOf(await send(site, {}));
  assert.deepEqual(missing, {
    image1: ['The image1 field is required.'],
    image2: ['The image2 field is required.'],
    template_id: ['The template_id field is required.'],
    verification_id: ['The verification_id field is required.'],
  });
  const good = png('80');
  for (const [image, expected] of [
    ['', /data URI of the form/],
    ['http://127.0.0.1/a.png', /data URI of the form/],
    ['data:image/gif;base64,R0lGODlh', /image\/png or image\/jpeg/],
    ['data:image/png;base64,', /must not be empty/],
    ['data:image/png;base64,!!!!', /valid base64/],
    ['data:image/png;base64,R0lGODlh', /type: jpg, jpeg, png/],
    [`data:image/png;base64,${'A'.repeat(14_000_000)}`, /10240 kilobytes/],
    [png('small'), /64 pixels/],
  ] as const) {
    const errors = errorsOf(await send(site, { image1: image, image2: good, ...NAMES }));
    assert.deepEqual(Object.keys(errors), ['image1']);
    assert.match(String(errors.image1), expected);
  }
  const both = errorsOf(await send(site, { image1: 'x', image2: 'y', ...NAMES }));
  assert.deepEqual(Object.keys(both), ['image1', 'image2']);
  const long = errorsOf(
    await send(site, { image1: good, image2: good, ...NAMES, template_id: 'x'.repeat(256) }),
  );
  assert.deepEqual(Object.keys(long), ['template_id']);
  const blank = errorsOf(
    await send(site, { image1: good, image2: good, template_id: ' ', verification_id: true }),
  );
  assert.deepEqual(blank, {
    template_id: ['The template_id field is required.'],
    verification_id: ['The verification_id must be a string.'],
  });
  assert.deepEqual(await site.storage.comparisons.list(site.company.id, { limit: 1 }), []);
});

test('Content-Type: JSON by default, another 415, broken 400, too large 413', async (t) => {
  const site = await openSite(t);
  const body = Buffer.from(JSON.stringify({ image1: png('80'), image2: png('x'), ...NAMES }));
  const status = async (init: RequestInit) => (await site.call(MATCH, { method: 'POST', ...init })).status;
  assert.equal(await status({ body }), 200, 'a body of bytes goes without a content type');
  assert.equal(await status({ body: new URLSearchParams({ a: 'b' }) }), 415);
  assert.equal(await status({ body: Buffer.from('{"image1":') }), 400);
  assert.equal(await status({ body: Buffer.alloc(31 * 1024 * 1024, 0x20) }), 413);
});

test('signature matching takes the bearer token only, with the scope signatures', async (t) => {
  const site = await openSite(t);
  const body = { image1: png('80'), image2: png('x'), ...NAMES };
  const others = await site.newToken({ scopes: ['verify', 'enroll'] });
  const forbidden = await send(site, body, { token: others });
  assert.deepEqual([forbidden.status, forbidden.body.status], [403, false]);
  const signed = {
    'content-type': 'application/json',
    'x-hmac-signature': 'a'.repeat(64),
    'x-timestamp': '1',
    'x-user-id': 'u',
  };
  const refused = await send(site, body, { headers: signed });
  assert.deepEqual(
    [refused.status, refused.body],
    [401, { ...refused.body, status: false, message: 'Unauthenticated.' }],
  );
});
